import type { EditorView } from 'prosemirror-view'
import { hasNoFocus } from '../../ui/kept-focus.ts'

/** After so many frames, nothing else gives the focus back. */
const FRAMES_WITHOUT_FOCUS = 3

/**
 * Gives the focus to the text. The dialog does that too, a moment later, and then ProseMirror sets the caret only after
 * 20 ms: text that the user types until then would be lost. If the button that opened the dialog is gone, no element
 * gets the focus. A user who clicks into the text meanwhile sets the caret.
 */
export function focusAfterDialog(view: EditorView): void {
  const waiting = new AbortController()
  const { signal } = waiting
  const end = () => waiting.abort()
  view.dom.addEventListener('focus', () => view.focus(), { once: true, signal })
  view.dom.addEventListener('pointerdown', end, { capture: true, signal })
  setTimeout(end, 500)
  // The dialog gives the focus back in the frame after it is gone.
  let frames = 0
  const watch = () => {
    if (signal.aborted) return
    frames = hasNoFocus() ? frames + 1 : 0
    if (frames > FRAMES_WITHOUT_FOCUS) view.focus()
    requestAnimationFrame(watch)
  }
  watch()
  view.focus()
}
