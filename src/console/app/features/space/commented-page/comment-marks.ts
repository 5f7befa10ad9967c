/** The marks of comments in a page that is read, and the field for a new one below the block that it is about. */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { piecesOf, shownBlocks, type TextPlace } from './leaf-runs.ts'

/** The comments to mark, and the form of a new one. */
export interface Marked {
  /** The comments, by their ids. */
  comments: readonly (TextPlace & { id: string })[]
  /** The comment whose card is active. */
  active?: string | undefined
  /** The place of the comment that is being written. */
  written?: TextPlace | undefined
  /** The form below the block of that comment, or below the page if the block is gone. */
  form?: HTMLElement | undefined
}

const KEY = new PluginKey<DecorationSet>('comments')

/** Shows the marks that `markPlaces` sets. */
export const commentMarks = new Plugin<DecorationSet>({
  key: KEY,
  state: {
    init: () => DecorationSet.empty,
    apply(tr, before) {
      const marked = tr.getMeta(KEY) as Marked | undefined
      return marked ? DecorationSet.create(tr.doc, decorationsOf(tr.doc, marked)) : before
    },
  },
  props: { decorations: (state) => KEY.getState(state) },
})

/** Marks what comments are about. */
export function markPlaces(view: EditorView, marked: Marked): void {
  view.dispatch(view.state.tr.setMeta(KEY, marked))
}

function decorationsOf(doc: Node, { comments, active, written, form }: Marked): Decoration[] {
  const blocks = new Map(shownBlocks(doc).map((one) => [one.key, one]))
  const mark = ({ key, range }: TextPlace, attributes: Record<string, string>): Decoration[] => {
    const shown = blocks.get(key)
    if (!shown) return []
    const pieces = range ? piecesOf(shown, range) : []
    if (pieces.length === 0) return [Decoration.node(shown.pos, shown.pos + shown.node.nodeSize, attributes)]
    return pieces.map(({ from, to }) => Decoration.inline(from, to, { nodeName: 'mark', ...attributes }))
  }
  const found = comments.flatMap((one) =>
    mark(one, { class: one.id === active ? 'commented active' : 'commented', 'data-comment': one.id }),
  )
  if (!written || !form) return found
  const shown = blocks.get(written.key)
  const below = shown ? doc.resolve(shown.pos + 1).after(1) : doc.content.size
  return [
    ...found,
    ...mark(written, { class: 'commented written' }),
    Decoration.widget(below, form, { side: -1, key: 'form', stopEvent: () => true, ignoreSelection: true }),
  ]
}
