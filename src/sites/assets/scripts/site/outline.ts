import { all, closestTo } from '../kit/find.ts'
import { anchorTarget } from './anchor.ts'

/** The outline marks the section at the top of the window. */
export function startOutline(): void {
  const links = all<HTMLAnchorElement>('.outline a')
  const nav = links[0]?.closest<HTMLElement>('.outline')
  if (!nav) return

  const headings = links.map((link) => anchorTarget(link.hash))
  let marked: HTMLElement | undefined
  let isPending = false

  function mark() {
    isPending = false
    const current = links[sectionAtTop(headings)]
    if (!nav || !current || current === marked) return
    marked?.removeAttribute('aria-current')
    marked = current
    current.setAttribute('aria-current', 'true')
    const { top, bottom } = current.getBoundingClientRect()
    const frame = nav.getBoundingClientRect()
    if (top < frame.top + 40 || bottom > frame.bottom - 40)
      nav.scrollTop += top - frame.top - frame.height / 2
  }

  addEventListener(
    'scroll',
    () => {
      if (isPending) return
      isPending = true
      requestAnimationFrame(mark)
    },
    { passive: true },
  )
  nav.addEventListener('click', (event) => {
    if (closestTo(event, 'a') && nav.matches(':popover-open')) nav.hidePopover()
  })
  mark()
}

/** The index of the last heading above a line in the window; of the last one at the end of the page. */
function sectionAtTop(headings: readonly (Element | null)[]): number {
  if (scrollY > 0 && innerHeight + scrollY >= document.body.scrollHeight - 2) return headings.length - 1
  const line = innerHeight * 0.28
  let index = 0
  headings.forEach((heading, at) => {
    if (heading && heading.getBoundingClientRect().top <= line) index = at
  })
  return index
}
