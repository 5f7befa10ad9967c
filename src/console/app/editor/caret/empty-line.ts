import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import type { TableView } from '../../../../core/document/model.ts'
import type { PlainId } from '../../words/message-ids.ts'
import { t } from '../../words/words.ts'

/** Says in an empty line what one can do there. */
export function emptyLine(text: string): Plugin {
  return new Plugin({
    props: {
      decorations({ doc, selection: { $from, empty } }) {
        const isEmpty = empty && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0
        if (!isEmpty || $from.depth !== 1) return null
        return DecorationSet.create(doc, [hintOn($from.parent, $from.before(), text)])
      },
    },
  })
}

/** A heading without words has the hint as its name. */
const hintOn = (node: Node, pos: number, text: string) =>
  Decoration.node(pos, pos + node.nodeSize, {
    'data-empty': text,
    ...(node.type.name.startsWith('heading') && { 'aria-label': text }),
  })

/** Says in the empty parts of a block what goes where. */
export const emptyParts = new Plugin<DecorationSet>({
  state: {
    init: (_config, { doc }) => hintsIn(doc),
    apply: (tr, before) => (tr.docChanged ? hintsIn(tr.doc) : before),
  },
  props: {
    decorations(state) {
      return this.getState(state)
    },
  },
})

/** The hints for the empty text of a group that contains nothing else. The title of a step is its first part. */
const PARTS: Readonly<Record<string, readonly [only: PlainId | '', title?: PlainId]>> = {
  expandable: ['', 'editor.title-readers-see-first'],
  expandable_body: ['editor.text-readers-see-when'],
  stepper_step: ['editor.do-step', 'editor.title-step'],
  column: ['editor.text-column'],
  tabs_item: ['editor.text-tab'],
}

function hintsIn(doc: Node): DecorationSet {
  const hints: Decoration[] = []
  doc.descendants((node, pos, parent, index) => {
    const { view } = (node.attrs.data ?? {}) as { view?: TableView }
    if (node.type.name === 'table' && view?.type === 'cards') cardHints(node, pos, hints)
    const [only, title] = PARTS[parent?.type.name ?? ''] ?? []
    const isAlone = parent!.childCount === (title === undefined ? 1 : 2)
    const text = title !== undefined && index === 0 ? title : isAlone ? only : undefined
    if (text && isEmptyLine(node)) hints.push(hintOn(node, pos, t(text)))
    return !node.isTextblock
  })
  return DecorationSet.create(doc, hints)
}

const isEmptyLine = ({ isTextblock, content }: Node) => isTextblock && content.size === 0

/** The headers of cards are not shown, so each cell has the title of its column. */
function cardHints(table: Node, tablePos: number, hints: Decoration[]): void {
  table.forEach((row, rowOffset) =>
    row.forEach((cell, offset, index) => {
      const line = cell.childCount === 1 ? cell.firstChild : null
      const title = table.firstChild!.maybeChild(index)?.textContent
      if (cell.type.name === 'table_cell' && line && isEmptyLine(line) && title)
        hints.push(hintOn(line, tablePos + rowOffset + offset + 3, title))
    }),
  )
}
