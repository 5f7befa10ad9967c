/** Keeps documents as the server accepts them, whatever a command or a paste makes of them. */
import { type Node, Slice, Fragment } from 'prosemirror-model'
import { Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import { ReplaceAroundStep, ReplaceStep } from 'prosemirror-transform'
import type { CellValue } from '../../../../core/document/model.ts'
import { fitsCell, forCell } from './cell-content.ts'
import { namesFor } from '../../content/schema/convert-table.ts'
import { type CellPlaces, cellPlaces, inStep } from './in-step.ts'
import { schema } from '../../content/schema/schema.ts'
import { type Column, type HeaderAttrs, isCellOf } from '../../content/schema/schema-table.ts'

const { nodes } = schema

/** Nodes in one another, beyond which the server might refuse the document. */
const DEEPEST = 18

/** Corrects what a transaction has changed, and refuses what would be nested too deeply. */
export const normalizer = new Plugin({
  filterTransaction(tr, { doc }) {
    if (!tr.docChanged) return true
    const changed = [...changedBlocks(doc, tr.doc)]
    return changed.every(([node]) => depthOf(node) <= DEEPEST) || depthOf(tr.doc) <= depthOf(doc)
  },
  appendTransaction(changes, { doc: before }, { doc, tr }) {
    if (!changes.some(({ docChanged }) => docChanged)) return null
    const found: [correct: Correction, pos: number, parent: Node][] = []
    const find = (node: Node, pos: number, parent: Node) => {
      const correct = CORRECTIONS[node.type.name]
      if (correct) found.push([correct, pos, parent])
      return !node.isTextblock
    }
    for (const [block, pos] of changedBlocks(before, doc)) {
      find(block, pos, doc)
      block.descendants((node, offset, parent) => find(node, pos + 1 + offset, parent ?? block))
    }
    let known: CellPlaces | undefined
    const places = () => (known ??= cellPlaces(before, doc))
    // From the end, so that a correction does not move the places of the others.
    for (const [correct, pos, parent] of found.toReversed()) correct(tr, pos, parent, places)
    return tr.docChanged ? tr : null
  },
})

type Correction = (tr: Transaction, pos: number, parent: Node, places: () => CellPlaces) => void

const CORRECTIONS: Readonly<Record<string, Correction>> = {
  table: correctTable,
  code_block: correctCode,
  list_item: correctItem,
  images: correctImages,
  update: correctUpdate,
}

/** The top-level blocks that another document does not have in their places, from its ends. */
function* changedBlocks(before: Node, doc: Node): Generator<[node: Node, pos: number]> {
  const known = new Set(before.children)
  let pos = 0
  for (const node of doc.children) {
    if (!known.has(node)) yield [node, pos]
    pos += node.nodeSize
  }
}

function depthOf(node: Node): number {
  let deepest = 0
  node.forEach((child) => {
    if (!child.isText) deepest = Math.max(deepest, 1 + depthOf(child))
  })
  return deepest
}

/** The items of a list of tasks are done or not, and those of other lists neither. */
function correctItem(tr: Transaction, pos: number, parent: Node): void {
  const { checked } = tr.doc.nodeAt(pos)!.attrs.data as { checked?: boolean }
  const isTask = parent.type === nodes.list_tasks
  if (isTask !== (checked !== undefined))
    tr.setNodeMarkup(pos, null, { data: isTask ? { checked: false } : {} })
}

/** An image that ProseMirror made to hold a text shows nothing: its caption becomes a paragraph. */
function correctImages(tr: Transaction, pos: number): void {
  const images = tr.doc.nodeAt(pos)!
  const end = pos + images.nodeSize
  const isShown = ({ attrs }: Node) => (attrs.data as { ref?: unknown }).ref !== undefined
  const shown = images.children.filter(isShown)
  if (shown.length === images.childCount) return
  if (images.childCount === 1) {
    const line = new Slice(Fragment.from(nodes.paragraph!.create()), 0, 0)
    // The caption itself stays, and with it the caret.
    tr.step(new ReplaceAroundStep(pos, end, pos + 2, end - 2, line, 1, true))
    return
  }
  const texts = images.children.filter((image) => !isShown(image) && image.content.size > 0)
  const lines = texts.map(({ content }) => nodes.paragraph!.create(null, content))
  const above = shown.length > 0 ? [images.copy(Fragment.from(shown))] : []
  const rest = [...above, ...lines]
  const { parent, parentOffset } = tr.selection.$head
  const index = texts.indexOf(parent)
  tr.replaceWith(pos, end, rest.length > 0 ? rest : nodes.paragraph!.create())
  if (index === -1) return
  const before = rest.slice(0, above.length + index)
  const start = before.reduce((at, { nodeSize }) => at + nodeSize, pos + 1)
  tr.setSelection(TextSelection.create(tr.doc, start + parentOffset))
}

/** An update that was split off another, or made to hold a text, is from today. */
function correctUpdate(tr: Transaction, pos: number): void {
  const { data } = tr.doc.nodeAt(pos)!.attrs as { data: { date?: string } }
  if (data.date === undefined)
    tr.setNodeMarkup(pos, null, { data: { ...data, date: new Date().toISOString().slice(0, 10) } })
}

/** A line of code is one line, and bold as a whole or not at all if it is highlighted. */
function correctCode(tr: Transaction, pos: number): void {
  const code = tr.doc.nodeAt(pos)!
  code.forEach((line, offset) => {
    const { highlighted } = line.attrs.data as { highlighted?: boolean }
    if (highlighted) tr.removeMark(pos + 1 + offset, pos + 1 + offset + line.nodeSize, schema.marks.bold)
  })
  const breaks: number[] = []
  code.descendants((node, offset) => {
    if (node.isText)
      for (const { index } of (node.text ?? '').matchAll(/\n/g)) breaks.push(pos + 1 + offset + index)
    return true
  })
  for (const at of breaks.toReversed()) {
    const $at = tr.doc.resolve(at)
    // Lines in annotations and conditions cannot be split.
    if ($at.parent.type === nodes.code_line) tr.delete(at, at + 1).split(at)
    else tr.insertText(' ', at, at + 1)
  }
}

/** Keeps the cells in their columns, names the columns, and makes each cell one of its column. */
function correctTable(tr: Transaction, pos: number, _parent: Node, places: () => CellPlaces): void {
  replaceDifference(tr, pos, inStep(tr.doc.nodeAt(pos)!, places()))
  const table = tr.doc.nodeAt(pos)!
  const head = table.firstChild!
  const columns = withNames(head.children.map(({ attrs }) => (attrs as HeaderAttrs).column))
  // The headers are not replaced, so that a caret in one of them stays.
  head.forEach((header, offset, i) => {
    if (header.attrs.column !== columns[i])
      tr.setNodeMarkup(pos + 2 + offset, null, { ...header.attrs, column: columns[i] })
  })
  const rows = table.children.slice(1).map((row) => {
    const cells = columns.map((column, i) => cellOf(column, row.maybeChild(i)))
    const isSame = cells.length === row.childCount && cells.every((cell, i) => cell === row.child(i))
    return isSame ? row : row.type.create(row.attrs, cells)
  })
  if (rows.every((row, i) => row === table.child(i + 1))) return
  const named = tr.doc.nodeAt(pos)!.firstChild!
  replaceDifference(tr, pos, table.type.create(table.attrs, [named, ...rows]))
}

/** Columns with names. A new column does not take that of another. */
function withNames(columns: readonly (Column | null)[]): Column[] {
  const name = namesFor()
  const known = columns.map((column) => (column?.id ? name(column.id, 'c') : undefined))
  return columns.map((column, i) => {
    const id = known[i] ?? name(null, 'c')
    return column?.id === id ? column : { type: 'text', textAlignment: 'left', ...column, id }
  })
}

/** Makes a node what it should be. Only what differs is replaced, so that the caret stays in its cell. */
function replaceDifference(tr: Transaction, pos: number, made: Node): void {
  const { content } = tr.doc.nodeAt(pos)!
  const start = content.findDiffStart(made.content)
  const end = content.findDiffEnd(made.content)
  if (start === null || !end) return
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const slice = made.slice(start, end.b + overlap)
  tr.step(new ReplaceStep(pos + 1 + start, pos + 1 + end.a + overlap, slice))
}

/** The cell as one of its column: with the same content, or what this is as another type. */
function cellOf(column: Column, cell: Node | null): Node {
  if (column.type === 'text') {
    if (cell && cell.type === nodes.table_cell) return fitted(plain(cell))
    const text = cell ? textOfValue(cell.attrs.value as CellValue) : ''
    const line = nodes.paragraph!.create(null, text === '' ? [] : schema.text(text))
    return nodes.table_cell!.create(null, line)
  }
  if (
    cell &&
    cell.type === nodes.table_value &&
    cell.attrs.kind === column.type &&
    isCellOf(column, cell.attrs.value as CellValue)
  )
    return plain(cell)
  const text = !cell
    ? ''
    : cell.type === nodes.table_value
      ? textOfValue(cell.attrs.value as CellValue)
      : cell.textBetween(0, cell.content.size, ' ', '')
  const value = valueOfText(column, text.trim())
  return nodes.table_value!.create({ kind: column.type, value: isCellOf(column, value) ? value : null })
}

const fitted = (cell: Node): Node =>
  cell.children.every(fitsCell) ? cell : cell.type.create(cell.attrs, cell.children.flatMap(forCell))

/** Cells are never joined. */
const plain = (cell: Node): Node =>
  cell.attrs.colspan === 1 && cell.attrs.rowspan === 1
    ? cell
    : cell.type.create({ ...cell.attrs, colspan: 1, rowspan: 1 }, cell.content)

/** A value of a cell as a text. */
function textOfValue(value: CellValue): string {
  if (value === null || typeof value === 'boolean') return value === true ? '✓' : ''
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.join(', ')
  const ref = 'ref' in value ? value.ref : value
  return ref.kind === 'url' ? ref.url : ''
}

/** Returns the value that a text stands for in a column; null if it stands for none. */
function valueOfText(column: Column, text: string): CellValue {
  const number = text === '' ? Number.NaN : Number(text.replace(',', '.'))
  switch (column.type) {
    case 'number':
      return Number.isFinite(number) ? number : null
    case 'rating':
      return Number.isFinite(number) ? Math.max(0, Math.min(column.max, Math.round(number))) : null
    case 'checkbox':
      return /^(?:✓|x|yes|true|1)$/i.test(text)
    case 'content-ref':
    case 'image':
      return /^https?:\/\/\S+$/i.test(text) ? { kind: 'url', url: text } : null
    case 'select': {
      const found = text
        .split(',')
        .flatMap(
          (part) =>
            column.options.find(({ label, value }) => [label, value].includes(part.trim()))?.value ?? [],
        )
      return found.length > 0 ? (column.multiple ? found : found.slice(0, 1)) : null
    }
    default:
      return null
  }
}
