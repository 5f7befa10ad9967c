import { all } from '../kit/find.ts'

const openMenus = () => all<HTMLDetailsElement>('.dropdown[open]')

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
}
