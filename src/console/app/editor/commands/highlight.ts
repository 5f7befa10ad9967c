/** Lines of code that are highlighted. */
import type { Command } from 'prosemirror-state'
import { schema } from '../../content/schema/schema.ts'

const { code_block: codeBlock, code_line: codeLine } = schema.nodes

/** Highlights the lines of code in the selection, or no longer if they all are. */
export const highlightLines: Command = ({ doc, selection, tr }, dispatch) => {
  const { $from, from, to } = selection
  if ($from.parent.type !== codeLine || $from.node(-1).type !== codeBlock) return false
  const places: number[] = []
  doc.nodesBetween(from, to, (node, pos) => {
    if (node.type === codeLine) places.push(pos)
    return node.type !== codeLine
  })
  const dataAt = (pos: number) => doc.nodeAt(pos)!.attrs.data as { highlighted?: boolean }
  const areAll = places.every((pos) => dataAt(pos).highlighted === true)
  for (const pos of places) {
    const { highlighted: _highlighted, ...data } = dataAt(pos)
    tr.setNodeMarkup(pos, null, { data: areAll ? data : { ...data, highlighted: true } })
  }
  dispatch?.(tr)
  return true
}
