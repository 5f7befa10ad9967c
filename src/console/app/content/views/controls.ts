/** What views with controls share. */
import type { EditorView, NodeView } from 'prosemirror-view'

/**
 * Which changes of an element the library ignores, for a view with controls: those of attributes, and those in what
 * nobody can write in. It draws the element anew if something else appears beside the content.
 */
export const ignoresControls: NonNullable<NodeView['ignoreMutation']> = ({ type, target }) => {
  if (type === 'selection') return false
  const within = target instanceof HTMLElement ? target : target.parentElement
  return type === 'attributes' || within?.isContentEditable === false
}

/** Changes fields of the data of the node at a position. */
export function setDataAt(view: EditorView, pos: number | undefined, change: Record<string, unknown>): void {
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos)
  if (pos === undefined || !node) return
  const data = { ...(node.attrs.data as Record<string, unknown>), ...change }
  view.dispatch(view.state.tr.setNodeMarkup(pos, null, { ...node.attrs, data }))
}
