/** Light or dark: what the user chose in this browser, or else what the device has. The sites use the same value. */
import { store, stored } from '../api/browser-storage.ts'

const KEY = 'lectern-theme'

export type Theme = 'system' | 'light' | 'dark'

/** The choice in this tab, in case the browser did not store it. */
let chosen: Theme | undefined

/** The choice of the user. */
export function chosenTheme(): Theme {
  if (chosen !== undefined) return chosen
  const kept = stored(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Shows the console in these colours, now and the next time. */
export function chooseTheme(theme: Theme): void {
  store(KEY, theme === 'system' ? undefined : theme)
  chosen = undefined
  if (chosenTheme() !== theme) chosen = theme
  showTheme()
}

/** Shows the console in the colours that the user chose. */
export function showTheme(): void {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
