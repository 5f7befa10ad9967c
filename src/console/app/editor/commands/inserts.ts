/** Inserts blocks and inlines at the caret. */
import type { Fragment, Node } from 'prosemirror-model'
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from 'prosemirror-state'
import { schema } from '../../content/schema/schema.ts'
import type { Column, HeaderAttrs } from '../../content/schema/schema-table.ts'
import { fitsCell, isInCell } from '../caret/cell-content.ts'
import { type } from './keys.ts'

const line = () => type('paragraph').create()

/** Where one begins to write in a new block: in cards behind the titles of their columns, which readers do not see. */
function startOf(node: Node): number {
  const { view } = (node.attrs.data ?? {}) as { view?: { type: string } }
  return view?.type === 'cards' ? (node.firstChild?.nodeSize ?? 0) : 0
}

/** Inserts a block: instead of an empty paragraph, or after the block of the caret. */
export function insertNode(node: Node): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    if (isInCell($from) && !fitsCell(node)) return false
    const isEmpty = $from.parent.type === type('paragraph') && $from.parent.content.size === 0
    // A title, a header or a caption is no place for blocks: they go below what it belongs to.
    let { depth } = $from
    while (depth > 0) {
      const after = $from.indexAfter(depth - 1)
      if ($from.node(depth - 1).canReplaceWith(after, after, node.type)) break
      depth -= 1
    }
    const from = isEmpty ? $from.before() : depth === 0 ? state.selection.to : $from.after(depth)
    const tr = isEmpty ? state.tr.replaceWith(from, $from.after(), node) : state.tr.insert(from, node)
    const end = from + node.nodeSize
    const next = tr.doc.resolve(end).nodeAfter
    // The writer goes on below the block, also below an image, whose caption is written only if somebody wants one. An
    // empty line that stays is not saved.
    const isDone = node.isAtom || node.type === type('images')
    if (isDone && (next?.type !== type('paragraph') || next.content.size > 0)) tr.insert(end, line())
    const start = from + (isDone ? node.nodeSize : 1 + startOf(node))
    const inside = TextSelection.findFrom(tr.doc.resolve(start), 1, true)
    tr.setSelection(inside ?? NodeSelection.create(tr.doc, from))
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** Inserts blocks at the caret: in place of an empty line, or else below the block of the caret. */
export function insertAllBelow(blocks: Fragment): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    const block = $from.node(1)
    const isEmpty = block.type === type('paragraph') && block.content.size === 0
    const from = isEmpty ? $from.before(1) : $from.after(1)
    const tr = state.tr.replaceWith(from, $from.after(1), blocks)
    tr.setSelection(
      TextSelection.findFrom(tr.doc.resolve(from), 1, true) ?? Selection.near(tr.doc.resolve(from)),
    )
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** Inserts a node whose settings are known: an inline at the caret, an image in a new group. */
export function insertAny(node: Node): Command {
  if (node.type === type('image')) return insertNode(type('images').create(null, node))
  if (!node.isInline) return insertNode(node)
  return (state, dispatch) => {
    const { from, $from, empty } = state.selection
    if (!$from.parent.inlineContent) return false
    const isAround = !node.isLeaf && !empty
    const made = isAround
      ? node.type.create(node.attrs, state.selection.content().content.firstChild?.content)
      : node
    const tr = isAround ? state.tr.replaceSelectionWith(made) : state.tr.replaceSelectionWith(made, true)
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(from + made.nodeSize))).scrollIntoView())
    return true
  }
}

/** A table of text with a header. */
export function newTable(columns: number, rows: number): Node {
  const cells = Array.from({ length: columns }, () => type('table_cell').create(null, line()))
  return type('table').create(null, [
    type('table_head').create(
      null,
      cells.map(() => type('table_header').create()),
    ),
    ...Array.from({ length: rows }, () => type('table_row').create(null, cells)),
  ])
}

/** Cards with a title, a text, a cover and a target. */
export function newCards(): Node {
  const columns: [title: string, column: Column][] = [
    ['Title', { id: 'title', type: 'text', textAlignment: 'left' }],
    ['Text', { id: 'text', type: 'text', textAlignment: 'left' }],
    ['Cover', { id: 'cover', type: 'image' }],
    ['Link', { id: 'link', type: 'content-ref' }],
  ]
  const card = columns.map(([, column]) =>
    column.type === 'text'
      ? type('table_cell').create(null, line())
      : type('table_value').create({ kind: column.type }),
  )
  const view = {
    type: 'cards',
    cardSize: 'medium',
    columns: [],
    targetDefinition: 'link',
    coverDefinition: 'cover',
    hideColumnTitle: true,
  }
  const headers = columns.map(([title, column]) =>
    type('table_header').create(
      { column, isHidden: column.type !== 'text' } satisfies Partial<HeaderAttrs>,
      schema.text(title),
    ),
  )
  const rows = [card, card, card].map((cells) => type('table_row').create(null, cells))
  return type('table').create({ data: { view } }, [type('table_head').create(null, headers), ...rows])
}

/** The beginning of a command: a slash at the start of a word, and what follows it. */
export function slashAt({ selection }: EditorState): { from: number; query: string } | undefined {
  const { $from, empty } = selection
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code === true) return undefined
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, '￼', '￼')
  const found = /(?:^|\s)\/([\p{L}\p{N} ]*)$/u.exec(before)
  if (!found) return undefined
  const query = found[1] ?? ''
  return { from: $from.pos - query.length - 1, query }
}
