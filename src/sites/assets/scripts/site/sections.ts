/** The row of sections: the current tab is in view, and the menu with all sections is there only if some are not. */
export function startSections(): void {
  const row = document.querySelector<HTMLElement>('.section-tabs')
  const menu = document.querySelector<HTMLElement>('.all-sections')
  if (!row || !menu) return

  function reveal() {
    if (!row || !menu) return
    menu.hidden = true
    menu.hidden = row.scrollWidth <= row.clientWidth
    const current = row.querySelector(':scope > li > :is([aria-current], .current)')?.getBoundingClientRect()
    const { left, width } = row.getBoundingClientRect()
    // The distance between the middles, which has the same sign from right to left.
    if (current)
      row.scrollBy({ left: current.left + current.width / 2 - left - width / 2, behavior: 'instant' })
  }
  // The navigation keeps its width when the menu comes and goes.
  if (row.parentElement) new ResizeObserver(reveal).observe(row.parentElement)
  void document.fonts.ready.then(reveal)
}
