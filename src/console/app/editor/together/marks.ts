/** Marks in the margin: on which blocks others work. */
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { PersonHere } from './here.tsx'

const key = new PluginKey<DecorationSet>('together')

/** Shows the marks, and moves them with their blocks. */
export const marksPlugin = new Plugin<DecorationSet>({
  key,
  state: {
    init: () => DecorationSet.empty,
    apply: (tr, marks) =>
      (tr.getMeta(key) as DecorationSet | undefined) ??
      (tr.docChanged ? marks.map(tr.mapping, tr.doc) : marks),
  },
  props: { decorations: (state) => key.getState(state) },
})

/** Marks the blocks that others edit. @param keys the keys of the blocks of the document, in order */
export function markBlocks(
  view: EditorView,
  keys: readonly (string | undefined)[],
  people: readonly PersonHere[],
  page: string,
): void {
  const { doc, tr } = view.state
  const marks: Decoration[] = []
  doc.forEach((node, offset, index) => {
    const block = keys[index]
    const workers = people.filter(({ doing }) =>
      doing.some((one) => one.page === page && one.state === 'editing' && one.block === block),
    )
    if (block === undefined || workers.length === 0) return
    const attributes = {
      class: `worked-on hue-${workers[0]!.hue}`,
      'data-who': workers.map(({ name }) => name).join(', '),
    }
    marks.push(Decoration.node(offset, offset + node.nodeSize, attributes))
  })
  const now = key.getState(view.state)
  if (marks.length === 0 && now?.find().length === 0) return
  view.dispatch(tr.setMeta(key, DecorationSet.create(doc, marks)).setMeta('addToHistory', false))
}
