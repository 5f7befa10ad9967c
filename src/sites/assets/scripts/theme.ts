// Runs before the page is drawn, so that a reader who chose a theme never sees the other one.
import { root } from './kit/root.ts'

root.classList.add('js')
showAnnouncement()
if (!root.hasAttribute('data-fixed-theme')) showChosenTheme()

function showAnnouncement() {
  try {
    const { announcement } = root.dataset
    if (announcement && localStorage.getItem('lectern-dismissed') === announcement)
      root.classList.add('dismissed')
  } catch {
    // No storage: the announcement is shown.
  }
}

function showChosenTheme() {
  try {
    const chosen = localStorage.getItem('lectern-theme')
    if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen
  } catch {
    // No storage: the theme follows the device.
  }
}
