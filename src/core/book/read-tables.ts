/** Reads tables, cards and blocks of code for a book. */
import { needLast } from '../data/lists.ts'
import type { Element, ElementContent } from 'hast'
import type { BookBlock, BookCell, BookInline, CodeLine } from './model.ts'

type ReadBlocks = (children: readonly ElementContent[]) => BookBlock[]
type LinkInBook = Extract<BookInline, { t: 'a' }>
/** The links found so far, with their addresses as they are in the HTML. */
type Links = { node: LinkInBook; href: string }[]

/** The classes of tokens, as `TOKEN_CLASS` of the renderer has them. */
const TOKENS = new Set('tc tk ts tn tf ty tv tp tt ti td th te tb'.split(' '))
/** A table has so many columns in Markdown, too. */
const MOST_COLUMNS = 100
/** With more columns beside one another, none would have room for a word. */
const COLUMNS_OF_SHEET = 10

/**
 * A table. Cells that span several columns are followed by empty ones, so that every row is as long as the others. Of a table
 * with more columns than fit on a sheet, several tables have a part each, behind its first column.
 */
export function readBookTable(table: Element, blocks: ReadBlocks): BookBlock[] {
  const read = rowsIn(table)
  const [first] = read
  const hasHead =
    first !== undefined &&
    (first.inHead || first.cells.every(({ tagName }) => tagName === 'th')) &&
    read.length > 1
  const widest = read.reduce((most, { cells }) => Math.max(most, widthOfRow(cells)), 1)
  const columns = Math.min(MOST_COLUMNS, widest)
  const made = read.map(({ cells }) => bookRow(cells, columns, blocks))
  const [head, ...rows] = made
  const widths = widthsOf(table, columns)
  const whole: BookTable = {
    t: 'table',
    ...(widths ? { widths } : {}),
    ...(hasHead && head ? { head, rows } : { rows: made }),
  }
  return columns > COLUMNS_OF_SHEET ? partsOfTable(whole, columns) : [whole]
}

type BookTable = Extract<BookBlock, { t: 'table' }>

function partsOfTable({ widths, head, rows }: BookTable, columns: number): BookTable[] {
  const parts: BookTable[] = []
  for (let from = 1; from < columns; from += COLUMNS_OF_SHEET - 1) {
    const part = <T>(row: readonly T[]) => [
      ...row.slice(0, 1),
      ...row.slice(from, from + COLUMNS_OF_SHEET - 1),
    ]
    const known = widths && part(widths)
    parts.push({
      t: 'table',
      ...(known?.some((width) => width !== null) ? { widths: known } : {}),
      ...(head ? { head: part(head) } : {}),
      rows: rows.map(part),
    })
  }
  return parts
}

interface Row {
  inHead: boolean
  cells: Element[]
}

function rowsIn(table: Element): Row[] {
  return table.children.flatMap((child): Row[] => {
    if (child.type !== 'element') return []
    if (child.tagName === 'tr') return [{ inHead: false, cells: cellsOf(child) }]
    if (!/^t(?:head|body|foot)$/.test(child.tagName)) return []
    return child.children.flatMap((row) =>
      row.type === 'element' && row.tagName === 'tr'
        ? [{ inHead: child.tagName === 'thead', cells: cellsOf(row) }]
        : [],
    )
  })
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(
    (cell): cell is Element => cell.type === 'element' && (cell.tagName === 'td' || cell.tagName === 'th'),
  )
}

const spanOf = ({ properties }: Element) =>
  Math.min(MOST_COLUMNS, Math.max(1, Number(properties.colSpan ?? properties.colspan ?? 1) || 1))

const widthOfRow = (cells: readonly Element[]) => cells.reduce((sum, cell) => sum + spanOf(cell), 0)

function bookRow(cells: readonly Element[], columns: number, blocks: ReadBlocks): BookCell[] {
  const row = cells.flatMap((cell): BookCell[] => {
    const align = alignOf(cell)
    const own: BookCell = { b: blocks(cell.children), ...(align ? { align } : {}) }
    return [own, ...Array.from({ length: spanOf(cell) - 1 }, () => ({ b: [] }))]
  })
  while (row.length < columns) row.push({ b: [] })
  return row.slice(0, columns)
}

function alignOf({ properties }: Element): 'center' | 'end' | undefined {
  const named = [properties.className ?? [], properties.align ?? [], properties.style ?? []].flat().join(' ')
  if (/center/.test(named)) return 'center'
  return /right|end/.test(named) ? 'end' : undefined
}

/** The widths that the writer gave to columns, in pixels or per cent; null for the others. */
function widthsOf(table: Element, columns: number): (number | null)[] | undefined {
  const group = table.children.find(
    (child): child is Element => child.type === 'element' && child.tagName === 'colgroup',
  )
  const widths = (group?.children ?? []).flatMap((column) => {
    if (column.type !== 'element') return []
    const value = Number.parseFloat(String(column.properties.width ?? ''))
    return [value > 0 ? value : null]
  })
  if (!widths.some((width) => width !== null)) return undefined
  return Array.from({ length: columns }, (_, index) => widths[index] ?? null)
}

/** Cards. The link of a card becomes the link of its first line. */
export function readCards(
  list: Element,
  { links }: { links: Links },
  blocks: ReadBlocks,
  textOf: (node: ElementContent) => string,
): BookBlock {
  const items = list.children
    .filter((child): child is Element => child.type === 'element' && child.tagName === 'li')
    .map((card) => {
      const link = card.children.find(
        (child): child is Element => child.type === 'element' && child.tagName === 'a',
      )
      const b = blocks(card.children.filter((child) => child !== link))
      const href = link?.properties.href ?? ''
      if (href !== '') linkFirst(b, href, link?.properties.ariaLabel ?? textOf(card), links)
      return { b }
    })
  return { t: 'cards', items }
}

function linkFirst(b: BookBlock[], href: string, name: string, links: Links): void {
  const first = b.find((block) => block.t === 'p' || block.t === 'h')
  const hasLink = first !== undefined && first.c.some((one) => one.t === 'a')
  if (first && hasLink) return
  const node: LinkInBook = { t: 'a', c: first ? first.c : [{ t: 's', s: name }] }
  links.push({ node, href })
  if (first) first.c = [node]
  else b.push({ t: 'p', c: [node] })
}

/** A block of code, by lines. Neighbouring runs of one kind are joined. */
export function readCode(pre: Element, title: string | undefined, numbered: boolean): BookBlock {
  const lines: CodeLine[] = [{ c: [] }]
  visit(pre.children, undefined, false)
  // The last line feed ends a line, and begins none.
  if (lines.length > 1 && needLast(lines).c.length === 0) lines.pop()
  return { t: 'code', ...(title ? { title } : {}), ...(numbered ? { numbered: true } : {}), lines }

  function visit(nodes: readonly ElementContent[], kind: string | undefined, marked: boolean): void {
    for (const node of nodes) {
      if (node.type === 'text') add(node.value, kind, marked)
      else if (node.type === 'element') {
        const classes = [node.properties.className ?? []].flat().map(String)
        const isMarked = marked || classes.includes('highlighted')
        visit(node.children, classes.find((name) => TOKENS.has(name)) ?? kind, isMarked)
      }
    }
  }

  function add(text: string, kind: string | undefined, marked: boolean): void {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push({ c: [] })
      const line = needLast(lines)
      if (marked) line.marked = true
      const value = part.replaceAll('\r', '').replaceAll('\t', '    ')
      if (value === '') return
      const last = line.c.at(-1)
      if (last && last[1] === kind) last[0] += value
      else line.c.push(kind === undefined ? [value] : [value, kind])
    })
  }
}
