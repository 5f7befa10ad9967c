/** The key that begins a line below the last block, where the last block is no line of text. */
import { type Command, NodeSelection, TextSelection } from 'prosemirror-state'
import { isFolded } from '../../content/views/parts/folds.ts'
import { type } from '../commands/keys.ts'

/** Groups whose parts are beside each other, or of which one is shown: each part is at the end. */
const BESIDE = ['tabs', 'columns', 'table_head', 'table_row']

/** From the last line of the page, ↓ goes on below, unless that is a paragraph or a heading. */
export const lineBelow: Command = (state, dispatch, view) => {
  const { doc, selection, tr } = state
  const { $to, empty } = selection
  const isBlock = selection instanceof NodeSelection && selection.node.isBlock
  if ($to.depth === 1 && !isBlock && $to.parent.isTextblock) return false
  if (!isBlock && !(empty && $to.parent.isTextblock && view?.endOfTextblock('down') === true)) return false
  for (let depth = $to.depth - (isBlock ? 0 : 1); depth >= 0; depth--) {
    const parent = $to.node(depth)
    const index = isBlock && depth === $to.depth ? selection.$from.index(depth) : $to.index(depth)
    const isClosed = parent.type.name === 'expandable' && isFolded(state, $to.before(depth))
    if (index < parent.childCount - 1 && !isClosed && !BESIDE.includes(parent.type.name)) return false
  }
  tr.insert(doc.content.size, type('paragraph').create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, doc.content.size + 1)).scrollIntoView())
  return true
}
