import { needItem } from '../../data/lists.ts'
import { because } from '../../languages/reasons.ts'
import { block, filled, fragment, voidBlock } from '../../document/build.ts'
import type { Block, CellValue, ColumnDefinition, Fragment, TableRecord } from '../../document/model.ts'
import { PAGE_LIMITS } from '../../document/shape/limits.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { findAll, isElement, phraseIn } from './markup.ts'
import type { MarkupElement } from './markup.ts'

/** The content of the cells of a table, row by row. Only the first row can be a header. */
export interface TableSource {
  header: string[] | undefined
  rows: Block[][][]
  alignments: ('left' | 'center' | 'right')[]
}

/** A table of these cells, as a block. */
export function tableBlock({ header, rows, alignments }: TableSource): Block {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header?.length ?? 0)
  if (width * (rows.length + 1) > PAGE_LIMITS.cells)
    throw new ImportRefused(
      because('import-table-too-large', { rows: rows.length, columns: width, limit: PAGE_LIMITS.cells }),
    )
  const columns = Array.from({ length: width }, (_, at) => `c${at + 1}`)
  const definition = Object.fromEntries(
    columns.map((id, at): [string, ColumnDefinition] => [
      id,
      { id, title: header?.[at] ?? '', type: 'text', textAlignment: alignments[at] ?? 'left' },
    ]),
  )
  const fragments: Fragment[] = []
  const records: Record<string, TableRecord> = {}
  for (const [at, row] of rows.entries()) {
    const values: Record<string, CellValue> = {}
    for (const [place, id] of columns.entries()) {
      const name = `r${at + 1}${id}`
      values[id] = name
      fragments.push(fragment(name, filled(row[place] ?? [])))
    }
    records[`r${at + 1}`] = { orderIndex: String(at).padStart(6, '0'), values }
  }
  const view = { type: 'grid' as const, columns, hideHeader: header === undefined }
  return voidBlock('table', { view, records, definition }, fragments)
}

/** The most columns or rows that one cell may span. */
const WIDEST_SPAN = 100

/**
 * Reads a table. A cell that spans several others stands in the first of them.
 * @param read reads the content of a cell
 * @returns the blocks of the only cell if it has one, because such a table is a frame
 */
export function readTableElement(table: MarkupElement, read: (cell: MarkupElement) => Block[]): Block[] {
  const rows = findAll(table, ({ name }) => name === 'tr' || name === 'table').filter(
    ({ name }) => name === 'tr',
  )
  const cells = rows.map((row) =>
    row.children.filter((child): child is MarkupElement => isElement(child, 'td') || isElement(child, 'th')),
  )
  const filledRows = cells.filter((row) => row.length > 0)
  const [first, ...others] = filledRows
  if (!first) return []
  if (filledRows.length === 1 && first.length === 1 && needItem(first, 0).name === 'td')
    return read(needItem(first, 0))

  const head = rows.find((row) => row.children.some((child) => isElement(child) && child.name !== 'tr'))
  const isHead =
    first.every(({ name }) => name === 'th') ||
    table.children.some((child) => isElement(child, 'thead') && child.children.includes(head!))
  const body = laidOut(isHead ? others : filledRows, read)
  const title = isHead ? titlesOf(first) : undefined
  const alignments = first.map(({ attributes }) => alignmentOf(attributes))
  return [...tableCaption(table, read), tableBlock({ header: title, rows: body, alignments })]
}

function tableCaption(table: MarkupElement, read: (cell: MarkupElement) => Block[]): Block[] {
  const caption = table.children.find((child) => isElement(child, 'caption'))
  return isElement(caption) ? read(caption) : []
}

function titlesOf(row: readonly MarkupElement[]): string[] {
  return row.flatMap((cell) => [
    phraseIn(cell.children),
    ...Array.from({ length: spanOf(cell.attributes.colspan) - 1 }, () => ''),
  ])
}

function alignmentOf({ align, style, class: classes = '' }: Record<string, string>) {
  const written = /text-align:\s*(center|right)/i.exec(style ?? '')?.[1] ?? align?.toLowerCase()
  if (written === 'center' || written === 'right') return written
  if (/\btext-center\b/.test(classes)) return 'center'
  return /\btext-(?:right|end)\b/.test(classes) ? 'right' : 'left'
}

function spanOf(written: string | undefined): number {
  const span = Number(written ?? 1)
  return Number.isInteger(span) && span > 1 ? Math.min(span, WIDEST_SPAN) : 1
}

/** The content of cells, with empty ones where another cell continues. */
function laidOut(rows: readonly MarkupElement[][], read: (cell: MarkupElement) => Block[]): Block[][][] {
  const laid: Block[][][] = []
  /** By column, how many rows more a cell above continues. */
  let covered: number[] = []
  let count = 0
  for (const row of rows) {
    const line: Block[][] = []
    const next: number[] = []
    const fill = () => {
      while ((covered[line.length] ?? 0) > 0) {
        next[line.length] = needItem(covered, line.length) - 1
        line.push([])
      }
    }
    for (const cell of row) {
      fill()
      const [width, height] = [spanOf(cell.attributes.colspan), spanOf(cell.attributes.rowspan)]
      for (let at = 0; at < width; at += 1) {
        next[line.length] = height - 1
        line.push(at === 0 ? read(cell) : [])
      }
    }
    fill()
    count += line.length
    if (count > PAGE_LIMITS.cells)
      throw new ImportRefused(because('import-too-many-cells', { limit: PAGE_LIMITS.cells }))
    covered = next
    laid.push(line)
  }
  return laid
}

/** A table whose header is a paragraph, for sources that have rows of text. */
export function textTable(header: string[], rows: Block[][][]): Block {
  return tableBlock({ header, rows, alignments: [] })
}

/** A list item, for sources that have lists of blocks. */
export function listItem(blocks: Block[], checked?: boolean) {
  return block('list-item', checked === undefined ? {} : { checked }, filled(blocks))
}
