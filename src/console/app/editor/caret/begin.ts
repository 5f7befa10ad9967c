/** Where a writer begins. */
import { Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { PointedPlace } from '../../content/views/parts/pointed.ts'

/**
 * Puts the caret where the reader of a page has pointed, and the place where it was in the window.
 * @param place undefined for the start of the text
 * @param edge how near to the top of the window the caret may be
 */
export function beginInText(view: EditorView, place: PointedPlace | undefined, edge: number): void {
  const { doc, tr } = view.state
  let left = place?.before ?? 0
  let start: number | undefined
  doc.descendants((node, pos) => {
    if (start !== undefined) return false
    if (node.isTextblock && node.textContent === place?.text && left-- === 0) start = pos + 1
    return !node.isTextblock
  })
  const at = start === undefined ? undefined : start + (place?.offset ?? 0)
  const isThere = at !== undefined && doc.resolve(Math.min(at, doc.content.size)).parent.inlineContent
  view.dispatch(tr.setSelection(isThere ? TextSelection.create(doc, at) : Selection.atStart(doc)))
  view.focus()
  if (!isThere || !place) return
  const { top } = view.coordsAtPos(at)
  scrollBy({ top: top - Math.max(place.top, edge), behavior: 'instant' })
}
