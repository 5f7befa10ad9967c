/** Writing over selected cells, and pasting cells: rows keep as many cells as the table has columns. */
import { type Attrs, Fragment, type Node } from 'prosemirror-model'
import { keydownHandler } from 'prosemirror-keymap'
import { type Command, Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import {
  __clipCells as clipCells,
  __insertCells as insertCells,
  __pastedCells as pastedCells,
  CellSelection,
  isInTable,
  selectedRect,
} from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { schema } from '../../content/schema/schema.ts'

const { nodes } = schema
const line = () => nodes.paragraph!.create()

/** The content or the value of a cell that is deleted; the cell stays. */
function emptied(cell: Node): Node {
  if (cell.type === nodes.table_value) return cell.type.create({ ...cell.attrs, value: null })
  return cell.type.create(cell.attrs, cell.type === nodes.table_cell ? line() : null)
}

function clear(tr: Transaction, selection: CellSelection): void {
  const { anchor, head } = selection.toJSON() as { anchor: number; head: number }
  const places: { cell: Node; pos: number }[] = []
  selection.forEachCell((cell, pos) => places.push({ cell, pos }))
  // From the end, so that the places of the others stay.
  for (const { cell, pos } of places.toReversed()) tr.replaceWith(pos, pos + cell.nodeSize, emptied(cell))
  // Of the two, only the later one can have moved.
  tr.setSelection(CellSelection.create(tr.doc, tr.mapping.map(anchor, -1), tr.mapping.map(head, -1)))
}

const clearCells: Command = (state, dispatch) => {
  if (!(state.selection instanceof CellSelection)) return false
  const { tr } = state
  clear(tr, state.selection)
  dispatch?.(tr)
  return true
}

/** Goes to the text of the last selected cell, and never splits a cell. */
const enterCell: Command = (state, dispatch) => {
  if (!(state.selection instanceof CellSelection)) return false
  const { $headCell } = state.selection
  const end = $headCell.pos + $headCell.nodeAfter!.nodeSize - 1
  const { type } = $headCell.nodeAfter!
  if (type !== nodes.table_value)
    dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve(end), -1)).scrollIntoView())
  return true
}

/** Replaces the content of the selected cells, in the first of them that holds text. */
function writeOver(view: EditorView, selection: CellSelection, write: (tr: Transaction) => void): boolean {
  const { tr } = view.state
  const places: number[] = []
  selection.forEachCell((cell, pos) => {
    if (cell.type !== nodes.table_value) places.push(pos)
  })
  if (places.length > 0) {
    clear(tr, selection)
    write(
      tr.setSelection(
        TextSelection.near(tr.doc.resolve(places.reduce((first, pos) => Math.min(first, pos)) + 1)),
      ),
    )
    view.dispatch(tr.scrollIntoView())
  }
  return true
}

/** Empties the selected cells, with the caret in the first of them that holds text. */
export const emptyCells = (view: EditorView, selection: CellSelection): boolean =>
  writeOver(view, selection, () => undefined)

/** A cell as the title of a column, which stays the column that it is. */
function asHeader(cell: Node, column: Attrs | undefined): Node {
  const text = cell.textBetween(0, cell.content.size, ' ', '')
  return nodes.table_header!.create(column, text === '' ? null : schema.text(text))
}

const asCell = (cell: Node): Node =>
  cell.type === nodes.table_header
    ? nodes.table_cell!.create(null, nodes.paragraph!.create(null, cell.content))
    : cell

export const cellSelection = new Plugin({
  props: {
    handleKeyDown: keydownHandler({
      Backspace: clearCells,
      'Mod-Backspace': clearCells,
      Delete: clearCells,
      'Mod-Delete': clearCells,
      Enter: enterCell,
    }),
    handleTextInput(view, _from, _to, text) {
      const { selection } = view.state
      if (!(selection instanceof CellSelection)) return false
      return writeOver(view, selection, (tr) => tr.insertText(text))
    },
    handlePaste: (view, _event, slice) => {
      const { state } = view
      if (!isInTable(state)) return false
      const cells = pastedCells(slice)
      if (!cells)
        return (
          state.selection instanceof CellSelection &&
          writeOver(view, state.selection, (tr) => tr.replaceSelection(slice))
        )
      const rect = selectedRect(state)
      const clipped =
        state.selection instanceof CellSelection
          ? clipCells(cells, rect.right - rect.left, rect.bottom - rect.top)
          : cells
      const rows = clipped.rows.map((row, index) => {
        const made: Node[] = []
        row.forEach((cell, _offset, i) => {
          const header = rect.table.firstChild!.maybeChild(rect.left + i)
          made.push(rect.top + index === 0 ? asHeader(cell, header?.attrs) : asCell(cell))
        })
        return Fragment.from(made)
      })
      insertCells(state, view.dispatch, rect.tableStart, rect, { ...clipped, rows })
      return true
    },
  },
})
