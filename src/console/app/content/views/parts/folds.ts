/** Expandable blocks that are written. They begin as readers see them, and are open where the caret is. */
import type { Node, ResolvedPos } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Selection, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView, type NodeViewConstructor } from 'prosemirror-view'
import { element } from '../../../ui/element.ts'
import { t } from '../../../words/words.ts'
import { ignoresControls } from '../controls.ts'
import { positionsNow } from './open-tabs.ts'

interface FoldState {
  /** The positions of the closed blocks. */
  closed: readonly number[]
  bodies: DecorationSet
}

/** What happens to the block at a position. */
interface Fold {
  pos: number
  isClosed: boolean
}

const KEY = new PluginKey<FoldState>('folds')

/** Keeps which expandable blocks are closed, and hides their texts. A block that is inserted is open. */
export const folds = (): Plugin<FoldState> =>
  new Plugin<FoldState>({
    key: KEY,
    state: {
      init: (_config, { doc, selection }) => {
        const open = textsAt(selection)
        return foldState(
          doc,
          closedAtFirst(doc).filter((pos) => !open.includes(pos)),
        )
      },
      apply(tr, before) {
        const opened = tr.docChanged || tr.selectionSet ? textsAt(tr.selection) : []
        let closed = tr.docChanged ? positionsNow(before.closed, tr, 'expandable') : before.closed
        const fold = tr.getMeta(KEY) as Fold | undefined
        if (fold) closed = [...closed.filter((pos) => pos !== fold.pos), ...(fold.isClosed ? [fold.pos] : [])]
        if (closed.some((pos) => opened.includes(pos))) closed = closed.filter((pos) => !opened.includes(pos))
        return closed === before.closed ? before : foldState(tr.doc, closed)
      },
    },
    props: { decorations: (state) => KEY.getState(state)?.bodies },
  })

/** The expandable blocks that readers see closed. */
function closedAtFirst(doc: Node): number[] {
  const closed: number[] = []
  doc.descendants((node, pos) => {
    const { defaultExpanded } = (node.attrs.data ?? {}) as { defaultExpanded?: boolean }
    if (node.type.name === 'expandable' && defaultExpanded !== true) closed.push(pos)
    return !node.isTextblock
  })
  return closed
}

/** The expandable blocks whose texts are around a position. */
const textsAround = ($pos: ResolvedPos): number[] =>
  Array.from({ length: $pos.depth }, (_, index) => index + 1).flatMap((depth) =>
    $pos.node(depth).type.name === 'expandable_body' ? [$pos.before(depth - 1)] : [],
  )

/** The expandable blocks with an end of a selection in their texts. */
const textsAt = ({ $anchor, $head }: Selection): number[] => [$anchor, $head].flatMap(textsAround)

function foldState(doc: Node, closed: readonly number[]): FoldState {
  const bodies = closed.flatMap((pos) => {
    const block = doc.nodeAt(pos)!
    const from = pos + 1 + block.firstChild!.nodeSize
    return [
      Decoration.node(pos, pos + block.nodeSize, {}, { isClosed: true }),
      Decoration.node(from, from + block.lastChild!.nodeSize, { hidden: '' }),
    ]
  })
  return { closed, bodies: DecorationSet.create(doc, bodies) }
}

/** Whether the expandable block at a position is closed. */
export const isFolded = (state: EditorState, pos: number): boolean =>
  KEY.getState(state)?.closed.includes(pos) === true

/** Opens the expandable blocks around a position. */
export function unfoldAround(view: EditorView, pos: number): void {
  for (const at of textsAround(view.state.doc.resolve(pos)))
    view.dispatch(view.state.tr.setMeta(KEY, { pos: at, isClosed: false } satisfies Fold))
}

/** Opens or closes a block. A caret in a text that is closed goes to the end of the title. */
function toggle(view: EditorView, pos: number): void {
  const { selection, doc, tr } = view.state
  const isClosed = !isFolded(view.state, pos)
  if (isClosed && textsAt(selection).includes(pos)) {
    const title = doc.nodeAt(pos)!.firstChild!
    tr.setSelection(TextSelection.create(doc, pos + 2 + title.content.size))
  }
  view.dispatch(tr.setMeta(KEY, { pos, isClosed } satisfies Fold))
}

/** An expandable block that is written, with a button that opens and closes it. */
export const writtenExpandableView: NodeViewConstructor = (node, view, getPos, decorations) => {
  const attributes = { type: 'button', class: 'fold', contenteditable: 'false' }
  const button = element('button', { ...attributes, 'aria-label': t('block.expandable') })
  const content = element('div')
  const show = (now: readonly Decoration[]) => {
    const isClosed = now.some(({ spec }) => (spec as { isClosed?: boolean }).isClosed === true)
    button.setAttribute('aria-expanded', String(!isClosed))
  }
  show(decorations)
  button.addEventListener('click', () => {
    const pos = getPos()
    if (pos !== undefined) toggle(view, pos)
  })
  return {
    dom: element('div', { class: 'expandable' }, button, content),
    contentDOM: content,
    update(next, now) {
      if (next.type !== node.type) return false
      show(now)
      return true
    },
    stopEvent: ({ target }) => target === button,
    ignoreMutation: ignoresControls,
  }
}
