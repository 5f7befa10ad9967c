/** Elements that the schema reads as the nodes that they name, as it reads what the editor itself has copied. */

/** Makes an element an outermost one of a node. */
export function markAs(element: Element, name: string, attrs: object = { data: {} }): void {
  element.setAttribute('data-node', name)
  element.setAttribute('data-attrs', JSON.stringify(attrs))
}

/** Makes an element of a node. */
export function marked(
  document: Document,
  name: string,
  attrs: object = { data: {} },
  inside: Iterable<Node | string> = [],
): HTMLElement {
  const made = document.createElement('div')
  markAs(made, name, attrs)
  fill(made, inside)
  return made
}

/** Moves nodes to the end of an element. */
export function fill(element: Element, nodes: Iterable<Node | string>): void {
  // The children of an element change while they are moved.
  const all = [...nodes]
  for (const node of all) element.append(node)
}

/** True for an element that the schema reads as a node of this name. */
export const isMarked = (node: Node | null | undefined, name: string): node is HTMLElement =>
  elementOf(node)?.getAttribute('data-node') === name

/** The node, if it is an element. Pasted elements belong to another document, so `instanceof` knows them too. */
export const elementOf = (node: Node | null | undefined): HTMLElement | undefined =>
  node?.nodeType === 1 ? (node as HTMLElement) : undefined

/** Gives an element another name. */
export function renameTo(element: Element, tag: string): HTMLElement {
  const made = element.ownerDocument.createElement(tag)
  for (const { name, value } of element.attributes) made.setAttribute(name, value)
  fill(made, element.childNodes)
  element.replaceWith(made)
  return made
}

/** Puts what is in an element in its place. */
export function unwrap(element: Element): void {
  while (element.firstChild) element.before(element.firstChild)
  element.remove()
}

/** All elements that match, from the innermost to the outermost, so that each can be replaced. */
export const innermostFirst = (root: Element, selector: string): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(selector)].toReversed()

/** The pasted style of an element. The name of the attribute is another one: see `clean.ts`. */
export const styleOf = (element: Element): string => element.getAttribute('data-pasted-style') ?? ''

const BLOCKS =
  /^(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/

/** True for an element that begins a line. */
export const isBlock = (node: Node | null | undefined): boolean => {
  const element = elementOf(node)
  return element !== undefined && (BLOCKS.test(element.localName) || element.hasAttribute('data-node'))
}

/** The text of an element in one line. */
export const lineIn = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
