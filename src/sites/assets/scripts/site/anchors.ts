import { closestTo } from '../kit/find.ts'
import { anchorTarget, showAnchor } from './anchor.ts'

/**
 * Anchors: opens the tab or the section that hides the target of the address.
 * @param reveal shows the tabs that have the target in their panels
 */
export function startAnchors(reveal: (target: Element) => void): void {
  function go() {
    const target = anchorTarget(location.hash)
    if (!target) return
    let fold = target.closest('details')
    while (fold) {
      fold.open = true
      fold = fold.parentElement?.closest('details') ?? null
    }
    reveal(target)
    // The titles of the tabs are above their panels.
    const place = target.matches('.tab-panel') ? target.parentElement : target
    place?.scrollIntoView()
  }

  document.addEventListener('click', (event) => {
    const fold = closestTo(event, '.expandable > summary')?.parentElement
    if (fold instanceof HTMLDetailsElement && fold.id && !fold.open) showAnchor(fold.id)
  })
  addEventListener('hashchange', go)
  go()
}
