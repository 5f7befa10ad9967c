/** Tables of pasted text as tables of the document model: a title for each column, and cells of blocks. */
import { greatest } from '../../../../core/data/lists.ts'
import { fill, innermostFirst, lineIn, marked, styleOf, unwrap } from './marked.ts'

/** More columns than this are a spreadsheet whose empty columns were copied too. */
const MOST_COLUMNS = 50

/** Makes tables of the schema. */
export function readTables(root: HTMLElement): void {
  for (const table of innermostFirst(root, 'table')) {
    const caption = table.querySelector(':scope > caption')
    if (caption && lineIn(caption) !== '') table.before(caption)
    const rows = gridOf(table)
    const isLayout = table.getAttribute('role') === 'presentation' || rows.every((row) => row.length <= 1)
    if (rows.length === 0) table.remove()
    else if (isLayout && (rows.length === 1 || table.querySelector('th') === null)) layOut(table, rows)
    else table.replaceWith(tableOf(table, rows))
  }
  // A row or cell without its table.
  for (const part of innermostFirst(root, 'tr, td, th, tbody, thead, caption')) unwrap(part)
}

/** Replaces a table without columns with the content of its cells. */
function layOut(table: Element, rows: readonly (Element | undefined)[][]): void {
  for (const row of rows)
    for (const cell of row) {
      const box = table.ownerDocument.createElement('div')
      if (cell) fill(box, cell.childNodes)
      table.before(box)
    }
  table.remove()
}

/** The cells by rows and columns; a cell that spans several is in the first of them. */
function gridOf(table: Element): (Element | undefined)[][] {
  const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table)
  const grid: (Element | undefined)[][] = rows.map(() => [])
  const taken: Set<number>[] = rows.map(() => new Set())
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const cell of row.children) {
      while (taken[y]!.has(x)) x++
      if (x >= MOST_COLUMNS) break
      grid[y]![x] = cell
      const [width, height] = ['colspan', 'rowspan'].map(
        (name) => Number.parseInt(cell.getAttribute(name) ?? '1', 10) || 1,
      )
      for (let down = 0; down < Math.min(height!, rows.length - y); down++)
        for (let right = 0; right < Math.min(width!, MOST_COLUMNS - x); right++)
          taken[y + down]!.add(x + right)
    }
  }
  const isFilled = (cell: Element | undefined) =>
    cell !== undefined && (lineIn(cell) !== '' || cell.querySelector('[data-node]') !== null)
  const used = grid.filter((row) => row.some(isFilled))
  const columns = greatest(
    used.map((row) => row.findLastIndex(isFilled) + 1),
    0,
  )
  return used.map((row) => Array.from({ length: columns }, (_, x) => row[x]))
}

function tableOf(table: Element, rows: (Element | undefined)[][]): HTMLElement {
  const { ownerDocument: document } = table
  const [first = [], ...others] = rows
  // A row of numbers has no titles.
  const isHead = first.every((cell) => !/^[\d\s.,%€$-]+$/.test(lineIn(cell) || 'x')) && others.length > 0
  const head = first.map((cell, x) => {
    const column = { type: 'text', textAlignment: alignmentOf(others[0]?.[x] ?? cell) }
    return marked(document, 'table_header', { column }, isHead ? [lineIn(cell)] : [])
  })
  const body = (isHead ? others : rows).map((row) => {
    const cells = row.map((cell) => marked(document, 'table_cell', {}, cell ? [...cell.childNodes] : []))
    return marked(document, 'table_row', { record: null }, cells)
  })
  const data = { view: { type: 'grid', columns: [], hideHeader: !isHead } }
  return marked(document, 'table', { data }, [marked(document, 'table_head', {}, head), ...body])
}

function alignmentOf(cell: Element | undefined): 'left' | 'center' | 'right' {
  const line = cell?.querySelector('p')
  const said = `${cell?.getAttribute('align') ?? ''} ${cell ? styleOf(cell) : ''} ${line ? styleOf(line) : ''}`
  const [, found] = /(?:text-align:\s*|^)(center|right)\b/i.exec(said) ?? []
  return (found?.toLowerCase() as 'center' | 'right' | undefined) ?? 'left'
}
