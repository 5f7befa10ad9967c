/**
 * Names the keys of a button. React Aria leaves `aria-keyshortcuts` out.
 * @param keys as in the attribute, such as `Control+K` or `E`; undefined for none
 * @returns the `ref` of the button
 */
export function shortcut(keys: string | undefined): (button: Element | null) => void {
  return (button) => {
    if (keys !== undefined) button?.setAttribute('aria-keyshortcuts', keys)
  }
}
