import type { KeyboardEvent, PointerEvent } from 'react'
import { useShared } from '../../ui/shared-value.ts'
import { t } from '../../words/words.ts'
import { sidebarWidth, WIDTHS, within } from '../../ui/sidebar-state.ts'

/** The edge of the sidebar: the pointer drags it, the arrows move it, and a double click puts it back. */
export function ResizeHandle() {
  const width = useShared(sidebarWidth)
  const isMirrored = () => document.documentElement.dir === 'rtl'
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    sidebarWidth.set(
      within(isMirrored() ? document.documentElement.clientWidth - event.clientX : event.clientX),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const wider = isMirrored() ? 'ArrowLeft' : 'ArrowRight'
    const narrower = isMirrored() ? 'ArrowRight' : 'ArrowLeft'
    const next = {
      [wider]: width + WIDTHS.step,
      [narrower]: width - WIDTHS.step,
      Home: WIDTHS.least,
      End: WIDTHS.most,
      Enter: WIDTHS.first,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    sidebarWidth.set(within(next))
  }
  return (
    <div
      className="side-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('sidebar.width')}
      aria-valuemin={WIDTHS.least}
      aria-valuemax={WIDTHS.most}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={() => sidebarWidth.set(WIDTHS.first)}
      onKeyDown={onKeyDown}
    />
  )
}
