import { element } from '../kit/element.ts'
import { showOptions } from './options.ts'
import type { SearchParts } from './parts.ts'
import { recentSearches } from './recent.ts'
import { searchWords } from './words.ts'

/** The list below the search field. */
export interface ResultList {
  /** Shows the results of what is written; the queries before, if nothing is. */
  ask(): Promise<void>
  /** Shows the results of a query. */
  begin(query: string): void
}

/** Fills the list. The server renders the results. @param address that of the list, to which the query is added */
export function resultList(parts: SearchParts, address: string): ResultList {
  const { input, clear } = parts
  let asked = new AbortController()

  function show(content: Node | string, note: string, isRecent = false) {
    showOptions(parts, content, note)
    clear.hidden = !isRecent
  }

  async function ask() {
    asked.abort()
    if (input.value.trim() === '') return showRecent()
    asked = new AbortController()
    const { signal } = asked
    try {
      const response = await fetch(`${address}q=${encodeURIComponent(input.value)}&list`, { signal })
      if (!response.ok) throw new Error(String(response.status))
      const found = document.createRange().createContextualFragment(await response.text())
      const note = found.querySelector<HTMLElement>('[data-note]')
      note?.remove()
      if (!signal.aborted) show(found, note?.dataset.note ?? '')
    } catch {
      // Offline, or the address of the list has expired: the Enter key still opens the page of results.
      if (!signal.aborted) show('', '')
    }
  }

  function begin(query: string) {
    input.value = query
    input.focus()
    void ask()
  }

  function showRecent() {
    const entries = recentSearches().map((query, i) => {
      const option = element('button', {
        type: 'button',
        id: `~found-${i}`,
        tabIndex: -1,
        textContent: query,
      })
      option.setAttribute('role', 'option')
      option.addEventListener('click', () => begin(query))
      return option
    })
    const all = document.createDocumentFragment()
    all.append(...entries)
    show(all, entries.length > 0 ? searchWords.recentSearches : '', entries.length > 0)
  }

  return { ask, begin }
}
