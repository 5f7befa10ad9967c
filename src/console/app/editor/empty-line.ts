import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

/** Says in an empty line what one can do there. */
export function emptyLine(text: string): Plugin {
  return new Plugin({
    props: {
      decorations({ doc, selection: { $from, empty } }) {
        const isEmpty = empty && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0
        if (!isEmpty || $from.depth !== 1) return null
        return DecorationSet.create(doc, [
          Decoration.node($from.before(), $from.after(), { 'data-empty': text }),
        ])
      },
    },
  })
}
