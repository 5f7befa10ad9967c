import type { NodeView } from 'prosemirror-view'

/**
 * Which changes of an element the library ignores, for a view with controls: those of attributes, and those in what
 * nobody can write in. It draws the element anew if something else appears beside the content.
 */
export const ignoresControls: NonNullable<NodeView['ignoreMutation']> = ({ type, target }) => {
  if (type === 'selection') return false
  const within = target instanceof HTMLElement ? target : target.parentElement
  return type === 'attributes' || within?.isContentEditable === false
}
