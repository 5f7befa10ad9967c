import { element } from '../kit/element.ts'
import { DIAGRAM_COLORS, type DiagramColors } from './messages.ts'

/** The colours of the page as it is now: those of the site, in the mode that the reader sees. */
export function colorsOfPage(): DiagramColors {
  // The variables have a value for each mode, which the browser chooses between when an element uses them.
  const probe = document.body.appendChild(element('span', { hidden: true }))
  const colors = DIAGRAM_COLORS.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(colors) as DiagramColors
}
