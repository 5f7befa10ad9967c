/** Changes of a node while a dialog about it is open. */
import type { Attrs, Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'

/** Where a node is now: others may have written above it since. */
export function positionOf(doc: Node, pos: number, node: Node): number | undefined {
  if (doc.nodeAt(pos) === node) return pos
  let place: number | undefined
  doc.descendants((one, at) => {
    if (one === node) place = at
    return place === undefined
  })
  return place
}

/** Replaces attributes of a node, if it is still there. */
export function replaceAttrs(view: EditorView, pos: number, node: Node, attrs: Attrs): void {
  const at = positionOf(view.state.doc, pos, node)
  if (at !== undefined) view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...node.attrs, ...attrs }))
}
