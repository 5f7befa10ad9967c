/** Where the colours of code are in a document. They are decorations: the document does not change. */
import type { Transaction } from 'prosemirror-state'
import { Plugin, PluginKey } from 'prosemirror-state'
import { type Decoration, DecorationSet } from 'prosemirror-view'

/** Other colours for parts of a document. */
interface ColorChange {
  /** Places without the colours of before. */
  cleared: readonly { from: number; to: number }[]
  colors: readonly Decoration[]
}

const KEY = new PluginKey<DecorationSet>('code-colors')

/**
 * Keeps the colours where their words are, also while these are moved and changed.
 * @param known the colours to begin with
 */
export const codeColors = (known: readonly Decoration[] = []): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key: KEY,
    state: {
      init: (_config, { doc }) => DecorationSet.create(doc, [...known]),
      apply(tr, before) {
        const { cleared, colors } = (tr.getMeta(KEY) ?? { cleared: [], colors: [] }) as ColorChange
        const kept = cleared.reduce(
          (set, { from, to }) => set.remove(set.find(from, to)),
          before.map(tr.mapping, tr.doc),
        )
        return colors.length > 0 ? kept.add(tr.doc, [...colors]) : kept
      },
    },
    props: { decorations: (state) => KEY.getState(state) },
  })

/** Adds other colours to a transaction. */
export const recolor = (tr: Transaction, change: ColorChange): Transaction => tr.setMeta(KEY, change)

/** The colours of a document; undefined for an editor that has none. */
export const colorsIn = (state: Parameters<typeof KEY.getState>[0]): DecorationSet | undefined =>
  KEY.getState(state)
