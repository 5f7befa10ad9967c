import { all, closestTo } from '../kit/find.ts'

const openMenus = () => all<HTMLDetailsElement>('.dropdown[open]')

/** The field of a long menu, which filters its entries. */
const FILTER = '.menu-filter'

/** Menus: a click elsewhere, another menu or the Escape key closes a menu. */
export function startMenus(): void {
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    for (const menu of openMenus()) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
  document.addEventListener('input', (event) => {
    const list = closestTo(event, FILTER)?.parentElement
    if (!list) return
    const words = (event.target as HTMLInputElement).value.toLowerCase().split(' ')
    for (const entry of all(`:scope > :not(${FILTER})`, list))
      entry.hidden = !words.every((word) => entry.textContent.toLowerCase().includes(word))
  })
  document.addEventListener('keydown', (event) => {
    const list = event.key === 'Enter' && closestTo(event, FILTER)?.parentElement
    if (list) list.querySelector<HTMLElement>(':scope > :not([hidden]) > a')?.click()
  })
  // This event does not bubble.
  document.addEventListener('toggle', focusFilter, true)
}

/** A menu that opens shows the current choice, and a long one takes what the reader types. */
function focusFilter({ target }: Event) {
  if (!(target instanceof HTMLElement) || !target.matches('.dropdown[open]')) return
  target.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  target.querySelector<HTMLElement>(`${FILTER} input`)?.focus()
}
