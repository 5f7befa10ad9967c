/** Changes of the columns of a table. */
import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { TableView } from '../../../../core/document/model.ts'
import { schema } from './schema.ts'
import type { Column, HeaderAttrs } from './schema-table.ts'

const { nodes } = schema

/** A column of a table, by the place of its header. */
export interface ColumnPlace {
  table: Node
  tablePos: number
  index: number
}

/** The column of a header or of a cell. */
export function columnAt(doc: Node, pos: number): ColumnPlace {
  const $pos = doc.resolve(pos)
  return { table: $pos.node(-1), tablePos: $pos.before(-1), index: $pos.index() }
}

/** The definition of a column. */
export const columnOf = ({ table, index }: ColumnPlace): Column =>
  (table.firstChild!.child(index).attrs as HeaderAttrs).column ?? {
    id: '',
    type: 'text',
    textAlignment: 'left',
  }

/** The rows of a table with their cells changed. */
function withRows(
  { table, tablePos }: ColumnPlace,
  tr: Transaction,
  change: (cells: readonly Node[], isHead: boolean) => Node[],
): Transaction {
  const rows = table.children.map((row, i) => row.type.create(row.attrs, change(row.children, i === 0)))
  return tr.replaceWith(tablePos + 1, tablePos + table.nodeSize - 1, rows)
}

/** Moves a column by one place. */
export function moveColumn(state: EditorState, place: ColumnPlace, step: -1 | 1): Transaction | undefined {
  const to = place.index + step
  if (to < 0 || to >= place.table.firstChild!.childCount) return undefined
  return withRows(place, state.tr, (cells) =>
    cells.toSpliced(place.index, 1).toSpliced(to, 0, cells[place.index]!),
  )
}

/** Adds a column of text beside another one. */
export function addColumn(state: EditorState, place: ColumnPlace, side: 0 | 1): Transaction {
  return withRows(place, state.tr, (cells, isHead) =>
    cells.toSpliced(
      place.index + side,
      0,
      isHead ? nodes.table_header!.create() : nodes.table_cell!.create(null, nodes.paragraph!.create()),
    ),
  )
}

/** Deletes a column, and with the last one the table. */
export function dropColumn(state: EditorState, place: ColumnPlace): Transaction {
  if (place.table.firstChild!.childCount > 1)
    return withRows(place, state.tr, (cells) => cells.toSpliced(place.index, 1))
  const { tr } = state
  return tr.replaceWith(place.tablePos, place.tablePos + place.table.nodeSize, nodes.paragraph!.create())
}

/** The settings that the dialog of a column changes. */
export interface ColumnEdit extends HeaderAttrs {
  column: Column
  title: string
  view: TableView
}

/**
 * Changes the definition of a column. The normalizer then makes each of its cells one of the new type. Cells are new
 * nodes, so that they show the new options.
 */
export function changeColumn(state: EditorState, place: ColumnPlace, change: ColumnEdit): Transaction {
  const { title, view, ...attrs } = change
  const tr = withRows(place, state.tr, (cells, isHead) =>
    cells.map((cell, i) => {
      if (i !== place.index) return cell
      if (!isHead) return cell.type.create(cell.attrs, cell.content)
      return cell.type.create({ ...cell.attrs, ...attrs }, title === '' ? [] : schema.text(title))
    }),
  )
  const { data } = place.table.attrs as { data: object }
  return tr.setNodeMarkup(place.tablePos, null, { data: { ...data, view } })
}

/** The options that the texts of a column are, for a column that becomes a choice. */
export function optionsIn({ table, index }: ColumnPlace): { value: string; label: string; color: string }[] {
  const texts = table.children.slice(1).map((row) => row.maybeChild(index)?.textContent.trim() ?? '')
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .slice(0, 50)
    .map((label, i) => ({ value: `o${i + 1}`, label, color: COLORS[i % COLORS.length]! }))
}

/** The colours of options. */
export const COLORS = ['blue', 'green', 'yellow', 'red', 'purple', 'gray'] as const
