import type { MdastNode } from 'satteri'

import { defined, fragment, isBlankLine, line, paragraph, voidBlock } from '../../build.ts'
import { holding, sourceRuns } from '../conditions/condition-tags.ts'
import type {
  Block,
  CellValue,
  ColumnDefinition,
  Fragment,
  ImageCell,
  Span,
  TableData,
  TableRecord,
  TableView,
} from '../../model.ts'
import { withoutLastBreak } from './last-break.ts'
import { pairTags } from './pair-tags.ts'
import { isBlockElement, readFlow, trimmed } from './read-element.ts'
import { attributeRef } from './read-inline-element.ts'
import { openTags } from './phrase-tags.ts'
import { phraseText } from './phrase-text.ts'
import { readLine } from './read-line.ts'
import type { Phrase, PhraseElement } from '../reading.ts'
import { childrenOf, noteSpan, spanOf } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'

/** A cell as it is read: blocks of text, or the value of a column of another type. */
type Cell = { blocks: Block[] } | { value: CellValue }

/** The limits of a table in Markdown or HTML. A larger one is kept as its source. */
const MOST_COLUMNS = 100
const MOST_CELLS = 20_000
/** The most cells of a table, padding included, as a multiple of the length of its source. */
const MOST_FILLED = 2

/** A pipe table: columns of text. Columns are `c1`, `c2` …, records `r1`, `r2` …, and a cell's fragment is `r1-c1`. */
export function readPipeTable(node: MdastNode & { type: 'table' }, reading: ReadingContext): Block {
  const { start, end } = spanOf(node)
  const [header, ...rows] = node.children.map((row) => childrenOf(row))
  const width = rows.reduce((most, row) => Math.max(most, row.length), header?.length ?? 0)
  // Short rows are padded when displayed, so a few lines could create a table far larger than the page.
  if (isTooLarge(width, rows.length) || width * rows.length > MOST_FILLED * (end - start))
    return paragraph(line(sourceRuns(reading.masked.text.slice(start, end), reading, reading.masked.raw)))

  const columns = Array.from({ length: width }, (_, index): ColumnDefinition => {
    const cell = header?.[index]
    const title = cell ? phraseText(cellLine(cell, reading), reading, 'label').trim() : ''
    return { id: `c${index + 1}`, title, type: 'text', textAlignment: node.align?.[index] ?? 'left' }
  })
  const cells = rows.map((row) =>
    row.map((cell): Cell => {
      const blocks = readPipeCell(cellLine(cell, reading), reading)
      const [only, ...others] = blocks
      if (only && others.length === 0) noteSpan(only, phrasesSpan(childrenOf(cell)), reading)
      return { blocks }
    }),
  )
  const table = tableBlock(
    { type: 'grid', columns: columns.map(({ id }) => id), hideHeader: false },
    columns,
    cells,
  )
  return holding(table, openTags(header ?? [], reading))
}

function phrasesSpan(phrases: MdastNode[]): Span | undefined {
  const [first, last] = [phrases[0], phrases.at(-1)]
  return first && last && { start: spanOf(first).start, end: spanOf(last).end }
}

function cellLine(cell: MdastNode, reading: ReadingContext): MdastNode[] {
  return withoutLastBreak(childrenOf(cell), reading)
}

function isTooLarge(width: number, height: number): boolean {
  return width > MOST_COLUMNS || width * height > MOST_CELLS
}

/** The line of a cell. It may hold blocks in HTML, because a pipe table has no other way to write them. */
function readPipeCell(phrases: Phrase[], reading: ReadingContext): Block[] {
  const paired = pairTags(phrases)
  const holdsBlocks = paired.some(
    (phrase) => phrase.type === 'element' && isBlockElement(phrase) && !INLINE.has(phrase.name),
  )
  const blocks = holdsBlocks ? readFlow(paired, reading, 1) : undefined
  return blocks ?? [paragraph(readLine(phrases, reading))]
}

const INLINE = new Set(['img', 'picture'])

/** The table block for columns and rows of cells. Empty cells have neither a fragment nor a value. */
function tableBlock(
  view: TableView,
  columns: ColumnDefinition[],
  rows: Cell[][],
  options: Partial<TableData> = {},
): Block {
  const fragments: Fragment[] = []
  const records = rows.map((row, index): [string, TableRecord] => {
    const id = `r${index + 1}`
    const values = row.flatMap((cell, position): [string, CellValue][] => {
      const column = columns[position]?.id
      if (column === undefined) return []
      if ('value' in cell) return cell.value === null ? [] : [[column, cell.value]]
      if (cell.blocks.length === 0 || (cell.blocks.length === 1 && isBlankLine(cell.blocks[0]))) return []
      fragments.push(fragment(`${id}-${column}`, cell.blocks))
      return [[column, `${id}-${column}`]]
    })
    return [id, { orderIndex: String(index + 1).padStart(6, '0'), values: Object.fromEntries(values) }]
  })
  const definition = Object.fromEntries(columns.map((column) => [column.id, column]))
  return voidBlock('table', { view, records: Object.fromEntries(records), definition, ...options }, fragments)
}

/** A table in HTML; undefined if a table block cannot hold it, for example a cell over several columns. */
export function readHtmlTable(
  element: PhraseElement,
  reading: ReadingContext,
  depth: number,
): Block | undefined {
  const rows = rowsOf(element)
  if (!rows || rows.length === 0) return undefined
  const [first, ...others] = rows
  const headed = first?.every((cell) => cell.name === 'th') ?? false
  const body = headed ? others : rows
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (isTooLarge(width, rows.length)) return undefined
  const heads = Array.from({ length: width }, (_, index) => (headed ? first?.[index] : undefined))
  const columns = heads.map((head, index) => readColumn(`c${index + 1}`, head, reading))
  if (body.some((row) => row.some((cell) => cell.name === 'th'))) return undefined

  const cells: Cell[][] = []
  for (const row of body) {
    const read = row.map((cell, index) => readCell(cell, columns[index], reading, depth))
    if (!read.every((cell) => cell !== undefined)) return undefined
    cells.push(read)
  }
  const { attributes } = element
  const table = tableBlock(readView(attributes, columns, heads, headed), columns, cells, {
    ...(attributes.get('data-full-width') === 'true' ? { fullWidth: true } : {}),
    ...(attributes.has('data-search') ? { search: attributes.get('data-search') !== 'false' } : {}),
  })
  return holding(table, headed ? openTags(first ?? [], reading) : [])
}

function rowsOf(table: PhraseElement): PhraseElement[][] | undefined {
  const rows = elementsIn(table).flatMap((part) => {
    if (part.name === 'tr') return [part]
    return part.name === 'thead' || part.name === 'tbody' ? elementsIn(part) : [part]
  })
  const known = rows.every(
    (row) =>
      row.name === 'tr' &&
      isOnly(row, ['td', 'th']) &&
      elementsIn(row).every(({ attributes }) => !attributes.has('colspan') && !attributes.has('rowspan')),
  )
  const parts = elementsIn(table).every((part) => part.name === 'tr' || isOnly(part, ['tr']))
  return known && parts && isOnly(table, ['thead', 'tbody', 'tr']) ? rows.map(elementsIn) : undefined
}

function elementsIn(element: PhraseElement): PhraseElement[] {
  return element.children.filter((child) => child.type === 'element')
}

/** True if the element holds only elements of these names. */
function isOnly(element: PhraseElement, names: string[]): boolean {
  return element.children.every((child) =>
    child.type === 'element'
      ? names.includes(child.name)
      : child.type === 'characters' && child.source.trim() === '',
  )
}

function readColumn(id: string, head: PhraseElement | undefined, reading: ReadingContext): ColumnDefinition {
  const select = head?.children.find((child) => child.type === 'element' && child.name === 'select')
  const named = head?.children.filter((child) => child !== select) ?? []
  const column = { id, title: phraseText(trimmed(named), reading, 'label').trim() }
  const attributes = head?.attributes ?? new Map<string, string>()
  const type = attributes.get('data-type') ?? (select ? 'select' : undefined)

  if (
    type === 'number' ||
    type === 'checkbox' ||
    type === 'files' ||
    type === 'content-ref' ||
    type === 'image'
  )
    return { ...column, type }
  if (type === 'users') return { ...column, type, multiple: attributes.has('data-multiple') }
  if (type === 'rating') return { ...column, type, max: Number(attributes.get('data-max') ?? 5) || 5 }
  if (type === 'select') {
    const options = select?.type === 'element' ? elementsIn(select) : []
    return {
      ...column,
      type,
      multiple: select?.type === 'element' && select.attributes.has('multiple'),
      options: options.map((option) => ({
        value: reading.masked.raw(option.attributes.get('value') ?? ''),
        label: reading.masked.raw(option.attributes.get('label') ?? phraseText(option.children, reading)),
        color: option.attributes.get('color') ?? '',
      })),
    }
  }
  const align = attributes.get('align')
  const valign = attributes.get('valign')
  const textAlignment = align === 'center' || align === 'right' ? align : 'left'
  const verticalAlignment =
    valign === 'top' || valign === 'middle' || valign === 'bottom' ? valign : undefined
  return defined({ ...column, type: 'text' as const, textAlignment, verticalAlignment })
}

function readView(
  attributes: Map<string, string>,
  columns: ColumnDefinition[],
  heads: (PhraseElement | undefined)[],
  headed: boolean,
): TableView {
  const having = (name: string) => columns[heads.findIndex((head) => head?.attributes.has(name))]?.id
  const shown = columns.filter((_, index) => !heads[index]?.attributes.has('data-hidden')).map(({ id }) => id)
  if (attributes.get('data-view') === 'cards') {
    return defined({
      type: 'cards' as const,
      cardSize: attributes.get('data-card-size') === 'large' ? ('large' as const) : ('medium' as const),
      columns: shown,
      targetDefinition: having('data-card-target'),
      coverDefinition: having('data-card-cover'),
      coverDefinitionDark: having('data-card-cover-dark'),
      hideColumnTitle: attributes.has('data-card-title-hidden') ? true : undefined,
      wrap: attributes.has('data-card-wrap') ? attributes.get('data-card-wrap') !== 'false' : undefined,
    })
  }

  const widths = columns.flatMap(({ id }, index): [string, number, boolean][] => {
    const match = /^(\d+(?:\.\d+)?)(%?)/.exec(heads[index]?.attributes.get('width') ?? '')
    return match ? [[id, Number(match[1]), match[2] !== '%']] : []
  })
  // Newer tables have widths in pixels. Older tables have shares.
  const pixels = widths.some(([, , pixel]) => pixel)
  return defined({
    type: 'grid' as const,
    columns: shown,
    columnWidths: widths.length > 0 ? Object.fromEntries(widths) : undefined,
    hideHeader: attributes.has('data-header-hidden') || !headed,
    useNewSizing: pixels ? true : undefined,
  })
}

type ReadCell<T extends ColumnDefinition['type']> = (
  cell: PhraseElement,
  reading: ReadingContext,
  column: ColumnDefinition & { type: T },
) => CellValue

const CELLS: { [T in Exclude<ColumnDefinition['type'], 'text'>]: ReadCell<T> } = {
  number: (cell, reading) => numberIn(cell, reading),
  rating: (cell, reading) => numberIn(cell, reading),
  checkbox: (cell, reading) => {
    const text = phraseText(cell.children, reading).trim()
    return text === '' ? null : text === 'true'
  },
  select: readOptions,
  users: (cell, reading) => some(addresses(cell, reading, '/users/')),
  files: (cell, reading) => some(addresses(cell, reading, '/files/')),
  'content-ref': (cell, reading) => {
    const [link] = within(cell, 'a')
    return (link && attributeRef(link, 'href', reading)) ?? null
  },
  image: readImageCell,
}

function readCell(
  cell: PhraseElement,
  column: ColumnDefinition | undefined,
  reading: ReadingContext,
  depth: number,
): Cell | undefined {
  if (column && column.type !== 'text') {
    const read = CELLS[column.type] as ReadCell<ColumnDefinition['type']>
    return { value: read(cell, reading, column) }
  }
  const blocks = readFlow(cell.children, reading, depth + 1)
  return blocks && { blocks }
}

function readImageCell(cell: PhraseElement, reading: ReadingContext): ImageCell | null {
  const [link] = within(cell, 'a')
  const [image] = within(cell, 'img')
  const ref = (image && attributeRef(image, 'src', reading)) ?? (link && attributeRef(link, 'href', reading))
  if (!ref) return null
  const fit = cell.attributes.get('data-object-fit')
  const objectFit = fit === 'contain' || fit === 'fill' || fit === 'cover' ? fit : undefined
  const alt = reading.masked.raw(image?.attributes.get('alt') ?? '') || undefined
  return objectFit === undefined && alt === undefined ? ref : defined<ImageCell>({ ref, objectFit, alt })
}

/** The options of a cell by their values. A cell without marked options names them by their labels. */
function readOptions(
  cell: PhraseElement,
  reading: ReadingContext,
  { options }: ColumnDefinition & { type: 'select' },
): CellValue {
  const marked = within(cell, 'span').flatMap(({ attributes }) => attributes.get('data-option') ?? [])
  if (marked.length > 0) return marked.map(reading.masked.raw)
  const labels = phraseText(cell.children, reading)
    .split(',')
    .map((label) => label.trim())
  const named = labels.filter((label) => label !== '')
  return some(named.map((label) => options.find((option) => option.label === label)?.value ?? label))
}

function numberIn(cell: PhraseElement, reading: ReadingContext): number | null {
  const text = phraseText(cell.children, reading).trim()
  return text === '' || !Number.isFinite(Number(text)) ? null : Number(text)
}

function some(values: string[]): string[] | null {
  return values.length > 0 ? values : null
}

/** The targets of the links in a cell. A stable address such as `/files/<id>` gives its id. */
function addresses(cell: PhraseElement, reading: ReadingContext, stable: string): string[] {
  return [...within(cell, 'a'), ...within(cell, 'img')].flatMap((link) => {
    const url = reading.masked.raw(link.attributes.get('href') ?? link.attributes.get('src') ?? '')
    if (url === '') return []
    return [url.startsWith(stable) ? url.slice(stable.length) : url]
  })
}

function within(cell: PhraseElement, name: string): PhraseElement[] {
  const found: PhraseElement[] = []
  const open: Phrase[] = [...cell.children].toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type !== 'element') continue
    if (node.name === name) found.push(node)
    else for (const child of node.children.toReversed()) open.push(child)
  }
  return found
}
