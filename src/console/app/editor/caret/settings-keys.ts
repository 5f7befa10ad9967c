import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin } from 'prosemirror-state'
import { hasSettings } from '../../content/views/block-views.ts'
import type { Ask } from '../../content/views/questions.ts'

/** Opens the settings of what is selected with Enter, and of what is one thing with a double click. */
export function settingsKeys(ask: Ask): Plugin {
  const open = (node: Node, pos: number): boolean => {
    const isText = node.isTextblock && node.type.name !== 'image'
    if (isText || !hasSettings(node)) return false
    ask({ kind: node.type.name === 'table' ? 'table' : 'settings', node, pos })
    return true
  }
  return new Plugin({
    props: {
      handleKeyDown({ state: { selection } }, { key, shiftKey, ctrlKey, metaKey, altKey }) {
        if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || altKey) return false
        return selection instanceof NodeSelection && open(selection.node, selection.from)
      },
      handleDoubleClickOn: (_view, _pos, node, nodePos, _event, isDirect) =>
        isDirect && (node.isAtom || node.type.name === 'annotation') && open(node, nodePos),
    },
  })
}
