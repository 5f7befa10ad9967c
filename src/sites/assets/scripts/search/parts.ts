import { drawing, element, toolButton } from '../kit/element.ts'
import { searchWords } from './words.ts'

/** The elements of the search box. */
export interface SearchParts {
  dialog: HTMLDialogElement
  form: HTMLFormElement
  input: HTMLInputElement
  /** The results, or the queries before. */
  list: HTMLElement
  /** What screen readers say about the list. */
  status: HTMLElement
  /** The button that forgets the queries before. */
  clear: HTMLElement
  close: HTMLElement
}

/** Makes the elements of the search box. @param address the page of results */
export function searchParts(address: string): SearchParts {
  const input = element('input', {
    type: 'search',
    name: 'q',
    maxLength: 512,
    autocomplete: 'off',
    spellcheck: false,
    placeholder: searchWords.searchSite,
  })
  const list = element('div', { className: 'found', id: '~found' })
  const status = element('span')
  const clear = element('button', { type: 'button', textContent: searchWords.clearSearches, hidden: true })
  const close = toolButton('close', searchWords.close)
  const form = element('form', { className: 'search-form', action: address }, drawing('search'), input, close)
  const note = element('p', { className: 'search-note' }, status, clear)
  const dialog = element('dialog', { className: 'search-box' }, form, list, note)
  describe(dialog, { 'aria-label': searchWords.search })
  describe(form, { role: 'search' })
  describe(status, { role: 'status' })
  describe(list, { role: 'listbox', 'aria-label': searchWords.search })
  describe(input, {
    role: 'combobox',
    'aria-label': searchWords.searchSite,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  })
  return { dialog, form, input, list, status, clear, close }
}

function describe(one: HTMLElement, attributes: Record<string, string>) {
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value)
}
