/** All elements that match a selector. */
export function all<T extends HTMLElement>(selector: string, within: ParentNode = document): T[] {
  return [...within.querySelectorAll<T>(selector)]
}

/** The nearest element around the target of an event that matches a selector. */
export function closestTo<T extends HTMLElement>({ target }: Event, selector: string): T | null {
  return target instanceof Element ? target.closest<T>(selector) : null
}

/** Whether a reader asks the browser to open a link elsewhere. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey
}
