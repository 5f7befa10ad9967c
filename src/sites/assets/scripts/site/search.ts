import { closestTo, opensElsewhere } from '../kit/find.ts'
import type * as SearchBox from '../search/main.ts'

/** The address of the built script, which is not a part of this one. */
const SEARCH_BOX = './search.js'

/** Search: the box is loaded when a reader opens it for the first time, with the link in the header, a button, or a key. */
export function startSearch(): void {
  const link = document.querySelector<HTMLAnchorElement>('.search-open')
  if (!link) return

  async function open({ href: address, dataset }: HTMLAnchorElement, query?: string) {
    const loaded = await (import(SEARCH_BOX) as Promise<typeof SearchBox>).catch(() => undefined)
    if (loaded) loaded.openSearch(address, query, dataset.list)
    else location.assign(query ? `${address}?q=${encodeURIComponent(query)}` : address)
  }

  document.addEventListener('click', (event) => {
    if (opensElsewhere(event)) return
    const opener = closestTo(event, '.search-open, button[data-action="search"]')
    if (!opener) return
    event.preventDefault()
    void open(link, opener.dataset.query)
  })
  document.addEventListener('keydown', (event) => {
    if (!opensSearch(event)) return
    event.preventDefault()
    void open(link)
  })
}

/** Whether a key opens the search: Ctrl+K or ⌘K, or a slash that is not typed into a field. */
function opensSearch(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !altKey && !shiftKey
  return key === '/' && !altKey && !closestTo(event, 'input, textarea, select, [contenteditable]')
}
