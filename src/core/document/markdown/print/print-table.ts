import type {
  Block,
  BlockOf,
  CellValue,
  ColumnDefinition,
  ContentRef,
  ImageCell,
  TableRecord,
} from '../../model.ts'
import type { Line } from '../../build.ts'
import { printAddress } from '../addresses.ts'
import { attribute, escapeHtmlText, escapeText, keepEdges } from './escape.ts'
import { htmlCell } from './print-html.ts'
import { printRuns } from './print-line.ts'
import type { Printing } from './print-line.ts'
import { onOneLine } from '../../../text/trimming.ts'

type Table = BlockOf<'table'>

/** A pipe table if it can hold everything, else a table in HTML. */
export function printTable(block: Table, printing: Printing): string {
  return isPlain(block) ? printPipeTable(block, printing) : printHtmlTable(block, printing)
}

/** The records in their order. */
function orderedRecords({ data }: Table): TableRecord[] {
  return Object.values(data.records).toSorted((a, b) =>
    a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0,
  )
}

/** The columns in the order of the output: the view's columns first, then the hidden columns. */
function orderedColumns({ data }: Table): ColumnDefinition[] {
  const shown = data.view.columns.flatMap((id) => data.definition[id] ?? [])
  return [...shown, ...Object.values(data.definition).filter((column) => !shown.includes(column))]
}

/** True if every cell is one line of text and the table has no widths, types or hidden header. */
function isPlain(block: Table): boolean {
  const { data } = block
  const cells = cellsOf(block)
  const { view } = data
  if (
    view.type !== 'grid' ||
    view.hideHeader ||
    view.columnWidths ||
    data.fullWidth ||
    data.search !== undefined
  )
    return false
  const columns = orderedColumns(block)
  if (columns.length === 0 || columns.length > view.columns.length) return false
  if (!columns.every((column) => column.type === 'text' && column.verticalAlignment === undefined))
    return false
  return orderedRecords(block).every((record) =>
    columns.every(({ id }) => {
      const [first, ...others] = cells(record.values[id])
      if (others.length > 0) return false
      return (
        first === undefined ||
        (first.type === 'paragraph' && first.data.align === undefined && !holdsBar(first.nodes))
      )
    }),
  )
}

/** Whether HTML or a condition in a line contains a bar, which cannot be escaped there. */
function holdsBar(nodes: Line): boolean {
  return nodes.some(
    (node) =>
      node.object === 'inline' &&
      (((node.type === 'inline-html' || node.type === 'inline-if') &&
        JSON.stringify(node.data).includes('|')) ||
        holdsBar(node.nodes ?? [])),
  )
}

/** A pipe table. Blocks in its cells are HTML. */
export function printPipeTable(block: Table, printing: Printing): string {
  const cells = cellsOf(block)
  const columns = orderedColumns(block)
  const row = (texts: string[]) => `| ${texts.join(' | ')} |`
  const rule = columns.map((column) => {
    if (column.type !== 'text' || column.textAlignment === 'left') return '---'
    return column.textAlignment === 'center' ? ':---:' : '---:'
  })
  const records = orderedRecords(block).map((record) =>
    row(columns.map(({ id }) => printPipeCell(cells(record.values[id]), printing))),
  )
  const titles = columns.map(({ title }) => withBars(keepEdges(escapeText(flat(title)))))
  return [row(titles), row(rule), ...records].join('\n')
}

/** The blocks of a cell of a pipe table. */
export function printPipeCell(blocks: Block[], printing: Printing): string {
  const [only, ...others] = blocks
  if (only?.type !== 'paragraph' || only.data.align !== undefined || others.length > 0)
    return withBars(htmlCell(blocks, { ...printing, inCell: true }))
  return withBars(keepEdges(printRuns(only.nodes, 'cell', printing)))
}

/** A backslash keeps a bar in its cell, even in code. */
function withBars(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** A table in HTML, on one line: a blank line would end it. */
export function printHtmlTable(block: Table, printing: Printing): string {
  const { data } = block
  const { view } = data
  const cards = view.type === 'cards' ? view : undefined
  const attributes = [
    attribute('data-view', cards && 'cards'),
    attribute('data-card-size', cards?.cardSize === 'large' ? 'large' : undefined),
    attribute('data-card-wrap', cards?.wrap === undefined ? undefined : String(cards.wrap)),
    attribute('data-card-title-hidden', cards?.hideColumnTitle ? 'true' : undefined),
    attribute('data-header-hidden', view.type === 'grid' && view.hideHeader ? '' : undefined),
    attribute('data-full-width', data.fullWidth ? 'true' : undefined),
    attribute('data-search', data.search === undefined ? undefined : String(data.search)),
  ].join('')
  const cells = cellsOf(block)
  const columns = orderedColumns(block)
  const head = columns.map((column) => printHead(column, block)).join('')
  const rows = orderedRecords(block).map(
    (record) =>
      `<tr>${columns.map((column) => printCell(column, record.values[column.id], cells, printing)).join('')}</tr>`,
  )
  return `<table${attributes}><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function printHead(column: ColumnDefinition, { data: { view } }: Table): string {
  const { id } = column
  const text = column.type === 'text' ? column : undefined
  const width = view.type === 'grid' ? view.columnWidths?.[id] : undefined
  const share = view.type === 'grid' && !view.useNewSizing ? '%' : ''
  const flags = [
    view.columns.includes(id) ? '' : ' data-hidden',
    view.type === 'cards' && view.targetDefinition === id ? ' data-card-target' : '',
    view.type === 'cards' && view.coverDefinition === id ? ' data-card-cover' : '',
    view.type === 'cards' && view.coverDefinitionDark === id ? ' data-card-cover-dark' : '',
    attribute('data-type', text ? undefined : column.type),
    attribute('align', text && text.textAlignment !== 'left' ? text.textAlignment : undefined),
    attribute('valign', text?.verticalAlignment),
    attribute('width', width === undefined ? undefined : `${width}${share}`),
    attribute('data-max', column.type === 'rating' ? column.max : undefined),
    attribute('data-multiple', column.type === 'users' && column.multiple ? '' : undefined),
  ].join('')
  return `<th${flags}>${keepEdges(escapeHtmlText(flat(column.title)))}${column.type === 'select' ? printOptions(column) : ''}</th>`
}

function printOptions(column: ColumnDefinition & { type: 'select' }): string {
  const options = column.options.map(
    ({ value, label, color }) =>
      `<option${attribute('value', value)}${attribute('label', label)}${attribute('color', color)}></option>`,
  )
  return `<select${column.multiple ? ' multiple' : ''}>${options.join('')}</select>`
}

type PrintCell<T extends ColumnDefinition['type']> = (
  value: CellValue,
  column: ColumnDefinition & { type: T },
) => string

const CELLS: { [T in Exclude<ColumnDefinition['type'], 'text'>]: PrintCell<T> } = {
  number: (value) => scalar(value),
  rating: (value) => scalar(value),
  checkbox: (value) => scalar(value),
  files: (value) => linked(value, '/files/'),
  users: (value) => linked(value, '/users/'),
  'content-ref': (value) => (isRef(value) ? link(printAddress(value)) : ''),
  image: (value) => (isRef(value) ? link(printAddress(value)) : isImage(value) ? printImage(value) : ''),
  select: (value, column) =>
    list(value)
      .map((option) => {
        const label = column.options.find((one) => one.value === option)?.label ?? option
        return `<span${attribute('data-option', option)}>${escapeHtmlText(label)}, </span>`
      })
      .join(''),
}

function printCell(
  column: ColumnDefinition,
  value: CellValue | undefined,
  cells: Cells,
  printing: Printing,
): string {
  if (column.type === 'text') return `<td>${htmlCell(cells(value), printing)}</td>`
  const print = CELLS[column.type] as PrintCell<ColumnDefinition['type']>
  const fit = isImage(value ?? null) ? attribute('data-object-fit', (value as Image).objectFit) : ''
  return `<td${fit}>${print(value ?? null, column)}</td>`
}

/** The blocks of a text cell: those of the fragment that its value names. */
type Cells = (value: CellValue | undefined) => Block[]

/** Indexes the fragments by name: a table has as many fragments as cells, and a search for each would be quadratic. */
function cellsOf(block: Table): Cells {
  const names = new Map((block.fragments ?? []).map((fragment) => [fragment.fragment ?? '', fragment.nodes]))
  return (value) => (typeof value === 'string' ? (names.get(value) ?? []) : [])
}

type Image = Extract<ImageCell, { ref: ContentRef }>

function isRef(value: CellValue): value is ContentRef {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function isImage(value: CellValue): value is Image {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'ref' in value
}

function printImage({ ref, alt }: Image): string {
  const url = printAddress(ref)
  return alt === undefined ? link(url) : `<img${attribute('src', url)}${attribute('alt', alt)}>`
}

/** Prints links to addresses. Ids become their stable addresses. */
function linked(value: CellValue, stable: string): string {
  return list(value)
    .map((one) => link(/^[\w-]+$/.test(one) ? `${stable}${one}` : one))
    .join(' ')
}

function link(url: string): string {
  return `<a${attribute('href', url)}>${escapeHtmlText(url.split('/').findLast((part) => part !== '') ?? url)}</a>`
}

function list(value: CellValue): string[] {
  return Array.isArray(value) ? value : []
}

function scalar(value: CellValue): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function flat(title: string): string {
  return onOneLine(title)
}
