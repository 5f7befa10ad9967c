/** Links of texts in an editor. */
import type { EditorView } from 'prosemirror-view'
import type { ContentRef } from '../../../../core/document/model.ts'
import { schema } from '../../content/schema/schema.ts'

/** The link at the caret or in the selection: its mark and its range. */
export function linkAt({ state }: EditorView) {
  const { $from, from, to, empty } = state.selection
  const link = schema.marks.link!
  if (!empty) return state.doc.rangeHasMark(from, to, link) ? { from, to } : undefined
  const mark = link.isInSet($from.marks())
  if (!mark) return undefined
  let start = $from.start()
  let range: { from: number; to: number } | undefined
  $from.parent.forEach((node, offset) => {
    if (!mark.isInSet(node.marks)) return
    const at = $from.start() + offset
    if (range?.to === at) range.to = at + node.nodeSize
    else if (!range || range.to < $from.pos) range = { from: at, to: at + node.nodeSize }
    start = at
  })
  return range ?? { from: start, to: start }
}

/** Links the selection, or inserts a linked text. @param ref the target; undefined for none */
export function setLink(view: EditorView, ref: ContentRef | undefined, text: string): void {
  const { state } = view
  const range = linkAt(view) ?? state.selection
  const link = schema.marks.link!
  const tr = state.tr
  if (ref && range.from === range.to) {
    tr.insert(range.from, schema.text(text, [link.create({ ref }), ...(state.storedMarks ?? [])]))
  } else {
    tr.removeMark(range.from, range.to, link)
    if (ref) tr.addMark(range.from, range.to, link.create({ ref }))
  }
  view.dispatch(tr.removeStoredMark(link).scrollIntoView())
}
