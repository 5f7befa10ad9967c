/**
 * The search box, which a page loads when its reader opens it for the first time. It is a combobox with a list of links
 * (WAI-ARIA): the focus stays in the field, and the arrow keys move through the list.
 */
import { element } from '../kit/element.ts'
import { report } from '../kit/events.ts'
import { closestTo, opensElsewhere } from '../kit/find.ts'
import { moveSelection, selectedOption, selectOption } from './options.ts'
import { type SearchParts, searchParts } from './parts.ts'
import { type WrittenQuery, writtenQuery } from './queries.ts'
import { forgetSearches } from './recent.ts'
import { type ResultList, resultList } from './results.ts'

const WAIT_MS = 90
/** A query that stands for so long was meant. */
const MEANT_MS = 1500

let openBox: ((query: string | undefined) => void) | undefined

/**
 * Opens the box, with a query or with the one before.
 * @param address that of the page of results
 * @param list that of the list, to which the query is added
 */
export function openSearch(address: string, query: string | undefined, list = `${address}?`): void {
  openBox ??= makeBox(address, list)
  openBox(query)
}

function makeBox(address: string, listAddress: string) {
  const parts = searchParts(address)
  const { dialog, input, list, close, clear } = parts
  const query = writtenQuery(input)
  const results = resultList(parts, listAddress)

  listenToField(parts, query, results)
  list.addEventListener('click', (event) => {
    const link = closestTo<HTMLAnchorElement>(event, 'a')
    if (!link) return
    query.remember()
    report({ type: 'search_open_result', query: query.text(), result: link.pathname })
    if (!opensElsewhere(event)) dialog.close()
  })
  clear.addEventListener('click', () => {
    forgetSearches()
    input.focus()
    void results.ask()
  })
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  const styles = new URL('./search.css', import.meta.url).href
  document.head.append(element('link', { rel: 'stylesheet', href: styles }))
  document.body.append(dialog)

  return (wanted: string | undefined) => {
    if (!dialog.open) {
      dialog.showModal()
      report({ type: 'search_open' })
    }
    if (wanted !== undefined) return results.begin(wanted)
    input.focus()
    input.select()
    return void results.ask()
  }
}

function listenToField(parts: SearchParts, query: WrittenQuery, results: ResultList) {
  const { form, input } = parts
  let timer: ReturnType<typeof setTimeout> | undefined
  let meant: ReturnType<typeof setTimeout> | undefined

  input.addEventListener('input', () => {
    clearTimeout(timer)
    clearTimeout(meant)
    // The Enter key is for what is written now.
    selectOption(parts, undefined)
    timer = setTimeout(() => void results.ask(), WAIT_MS)
    meant = setTimeout(query.report, MEANT_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const selected = selectedOption(parts)
    if (event.key === 'ArrowDown') moveSelection(parts, 1)
    else if (event.key === 'ArrowUp') moveSelection(parts, -1)
    else if (event.key === 'Enter' && selected) selected.click()
    // By default, the first Escape only empties a field of this type.
    else if (event.key === 'Escape') parts.dialog.close()
    else return
    event.preventDefault()
  })
  form.addEventListener('submit', (event) => {
    if (query.text() === '') event.preventDefault()
    else query.remember()
  })
}
