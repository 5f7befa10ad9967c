// Runs before the page is drawn, so that a reader who chose a theme never sees the other one.
;(() => {
  const root = document.documentElement
  root.classList.add('js')
  try {
    const { announcement } = root.dataset
    if (announcement && localStorage.getItem('lectern-dismissed') === announcement) root.classList.add('dismissed')
  } catch {
    // No storage: the announcement is shown.
  }
  if (root.hasAttribute('data-fixed-theme')) return
  try {
    const chosen = localStorage.getItem('lectern-theme')
    if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen
  } catch {
    // No storage: the theme follows the device.
  }
})()
