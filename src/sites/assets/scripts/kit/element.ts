/** Makes an element with these properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** Makes one of the drawings of buttons. */
export const drawing = (name: string) => element('span', { className: `ui ui-${name}` })

/** Makes a button that only a drawing and a label for screen readers name. */
export function toolButton(name: string, label: string): HTMLButtonElement {
  const button = element('button', { type: 'button', className: 'tool' }, drawing(name))
  button.setAttribute('aria-label', label)
  return button
}
