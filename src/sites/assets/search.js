// The search box, which a page loads when its reader opens it for the first time. It is a combobox with a list of links
// (WAI-ARIA): the focus stays in the field, and the arrow keys move through the list. The server renders the results.

const RECENT = 'lectern-searches'
const RECENT_MOST = 5
const WAIT_MS = 90
/** A query that stands for so long was meant. */
const MEANT_MS = 1500

let box

/** Opens the box, with a query or with the one before. */
export function openSearch(tools, query) {
  box ??= makeBox(tools)
  box.open(query)
}

function makeBox({ address, words, memory, element, report }) {
  const styles = element('link', { rel: 'stylesheet', href: new URL('./search.css', import.meta.url).href })
  const input = element('input', { type: 'search', name: 'q', maxLength: 512, autocomplete: 'off', spellcheck: false, placeholder: words.searchSite })
  const list = element('div', { className: 'found', id: '~found' })
  const status = element('span', {})
  const clear = element('button', { type: 'button', textContent: words.clearSearches, hidden: true })
  const close = element('button', { type: 'button', className: 'tool' }, element('span', { className: 'ui ui-close' }))
  const form = element('form', { className: 'search-form', action: address }, element('span', { className: 'ui ui-search' }), input, close)
  const dialog = element('dialog', { className: 'search-box' }, form, list, element('p', { className: 'search-note' }, status, clear))
  dialog.setAttribute('aria-label', words.search)
  close.setAttribute('aria-label', words.close)
  form.setAttribute('role', 'search')
  status.setAttribute('role', 'status')
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', words.search)
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-label': words.searchSite, 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id }))
    input.setAttribute(name, value)

  let timer
  let meant
  let reported = ''
  let asked = new AbortController()

  const recent = () => {
    try {
      const known = JSON.parse(memory.get(RECENT) ?? '[]')
      return Array.isArray(known) ? known.filter((one) => typeof one === 'string').slice(0, RECENT_MOST) : []
    } catch {
      return []
    }
  }
  const reportQuery = () => {
    const query = input.value.trim()
    if (query === '' || query === reported) return
    reported = query
    report({ type: 'search_type_query', query })
  }
  const remember = () => {
    const query = input.value.trim()
    if (query === '') return
    reportQuery()
    const all = [query, ...recent().filter((one) => one !== query)]
    memory.set(RECENT, JSON.stringify(all.slice(0, RECENT_MOST)))
  }

  const options = () => [...list.querySelectorAll('[role="option"]')]
  const selected = () => list.querySelector('[aria-selected="true"]')

  function select(option) {
    selected()?.setAttribute('aria-selected', 'false')
    if (!option) return input.removeAttribute('aria-activedescendant')
    option.setAttribute('aria-selected', 'true')
    input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  function move(step) {
    const all = options()
    if (all.length === 0) return
    const at = all.indexOf(selected())
    select(all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length])
  }

  function show(content, note, isRecent = false) {
    list.replaceChildren(content)
    status.textContent = note
    clear.hidden = !isRecent
    input.setAttribute('aria-expanded', String(options().length > 0))
    select(undefined)
  }

  function showRecent() {
    const entries = recent().map((query, i) => {
      const option = element('button', { type: 'button', id: `~found-${i}`, tabIndex: -1, textContent: query })
      option.setAttribute('role', 'option')
      option.addEventListener('click', () => begin(query))
      return option
    })
    const all = document.createDocumentFragment()
    all.append(...entries)
    show(all, entries.length > 0 ? words.recentSearches : '', entries.length > 0)
  }

  async function ask() {
    asked.abort()
    const query = input.value.trim()
    if (query === '') return showRecent()
    asked = new AbortController()
    const { signal } = asked
    try {
      const response = await fetch(`${address}?q=${encodeURIComponent(input.value)}&list`, { signal })
      if (!response.ok) throw new Error(String(response.status))
      const found = document.createRange().createContextualFragment(await response.text())
      const note = found.querySelector('[data-note]')
      note?.remove()
      if (!signal.aborted) show(found, note?.dataset.note ?? '')
    } catch {
      // Offline, or a site that only navigation is signed in to: the Enter key still opens the page of results.
      if (!signal.aborted) show('', '')
    }
  }

  function begin(query) {
    input.value = query
    input.focus()
    void ask()
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    clearTimeout(meant)
    // The Enter key is for what is written now.
    select(undefined)
    timer = setTimeout(ask, WAIT_MS)
    meant = setTimeout(reportQuery, MEANT_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && selected()) selected().click()
    else return
    event.preventDefault()
  })
  form.addEventListener('submit', (event) => {
    if (input.value.trim() === '') return event.preventDefault()
    remember()
  })
  list.addEventListener('click', (event) => {
    const link = event.target.closest('a')
    if (!link) return
    remember()
    report({ type: 'search_open_result', query: input.value.trim(), result: link.pathname })
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close()
  })
  clear.addEventListener('click', () => {
    memory.set(RECENT, null)
    input.focus()
    showRecent()
  })
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  document.head.append(styles)
  document.body.append(dialog)

  return {
    open(query) {
      if (!dialog.open) {
        dialog.showModal()
        report({ type: 'search_open' })
      }
      if (query !== undefined) return begin(query)
      input.focus()
      input.select()
      void ask()
    },
  }
}
