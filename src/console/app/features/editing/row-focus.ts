/** Keeps the focus in a page tree whose rows come and go. */
import { type RefObject, useEffect, useRef } from 'react'
import { hasNoFocus } from '../../ui/kept-focus.ts'

/** The row of a page in a tree. */
export const rowOf = (frame: HTMLElement | null, id: string): HTMLElement | null =>
  frame?.querySelector<HTMLElement>(`[role=row][data-key="${id}"]`) ?? null

/**
 * A move puts other elements in the place of rows, and a deletion removes them. Either takes the focus away when the
 * tree is drawn again, which can be some time after the server has answered. The row of the same page gets it back.
 * @param isBusy whether the tree may still show the rows of before
 * @returns a function that names a page that is about to go, and the one whose row gets the focus then
 */
export function useRowFocus(frame: RefObject<HTMLElement | null>, isBusy: boolean) {
  const held = useRef<string>(undefined)
  const heirs = useRef(new Map<string, string | undefined>())
  const restore = useRef(() => {})
  useEffect(() => {
    restore.current = () => {
      const isLost = hasNoFocus() || document.activeElement?.getAttribute('role') === 'treegrid'
      if (held.current === undefined || isBusy || !isLost) return
      const row = rowOf(frame.current, held.current)
      const heir = heirs.current.get(held.current)
      if (row) row.focus()
      else if (heir !== undefined) rowOf(frame.current, heir)?.focus()
    }
    restore.current()
  })
  useEffect(() => {
    const observer = new MutationObserver(() => restore.current())
    if (frame.current) observer.observe(frame.current, { childList: true, subtree: true })
    const follow = ({ target }: FocusEvent) => {
      const at = target as Element
      if (at.getAttribute('role') === 'treegrid' || at.id === 'main') return
      held.current = frame.current?.contains(at)
        ? at.closest<HTMLElement>('[role=row]')?.dataset.key
        : undefined
    }
    const forget = ({ target }: PointerEvent) => {
      if (!frame.current?.contains(target as Node)) held.current = undefined
    }
    document.addEventListener('focusin', follow)
    document.addEventListener('pointerdown', forget, true)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', follow)
      document.removeEventListener('pointerdown', forget, true)
    }
  }, [frame])
  return (gone: string, heir: string | undefined): void => {
    heirs.current.set(gone, heir)
  }
}
