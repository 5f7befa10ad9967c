/** The target of an address with an anchor. The ids of raw HTML have a prefix. */
export function anchorTarget(hash: string): HTMLElement | null {
  let id = hash.slice(1)
  try {
    id = decodeURIComponent(id)
  } catch {
    // A lone percent sign is part of the name.
  }
  return id === '' ? null : (document.getElementById(id) ?? document.getElementById(`user-content-${id}`))
}

/** Changes the anchor of the address, so that it leads to what the reader opened. */
export function showAnchor(id: string): void {
  try {
    history.replaceState(history.state, '', `#${encodeURIComponent(id)}`)
  } catch {
    // Browsers limit how often a page may do this.
  }
}
