/** Light or dark: what the user chose in this browser, or else what the device has. The sites use the same value. */
const KEY = 'lectern-theme'

export type Theme = 'system' | 'light' | 'dark'

/** The choice of the user. */
export function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Shows the console in these colours, now and the next time. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  showTheme()
}

/** Shows the console in the colours that the user chose. */
export function showTheme(): void {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
