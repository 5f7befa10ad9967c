/** The tables of reStructuredText: grids, and simple ones between lines of `=`. */

/** The cells of each row, and the number of rows in the header; undefined if cells span several columns or rows. */
export interface RstTable {
  rows: string[][]
  headers: number
}

/** Reads a table whose borders are `+---+`. */
export function gridTable(lines: readonly string[]): RstTable | undefined {
  const [top = ''] = lines
  const columns = [...top].flatMap((sign, at) => (sign === '+' ? [at] : []))
  const rows: string[][] = []
  let headers = 0
  let row: string[] | undefined
  for (const line of lines.slice(1)) {
    const isBorder = /^\+[-=+]+\+$/.test(line)
    if (isBorder) {
      if (line.length !== top.length || columns.some((at) => line.charAt(at) !== '+')) return undefined
      if (row) rows.push(row)
      row = undefined
      if (line.includes('=')) headers = rows.length
      continue
    }
    if (columns.some((at) => line.charAt(at) !== '|')) return undefined
    const cells = columns.slice(0, -1).map((at, place) => line.slice(at + 1, columns[place + 1]).trim())
    row = row ? row.map((text, place) => [text, cells[place] ?? ''].filter(Boolean).join(' ')) : cells
  }
  return row ? undefined : { rows, headers }
}

/** Reads a table whose columns are under runs of `=`. @param lines with the borders at the top and the end */
export function simpleTable(lines: readonly string[]): RstTable | undefined {
  const starts = [...(lines[0] ?? '').matchAll(/=+/g)].map(({ index }) => index)
  const rows: string[][] = []
  let headers = 0
  let borders = 0
  for (const line of lines) {
    if (/^=[= ]*$/.test(line)) {
      borders += 1
      if (borders === 2) headers = rows.length
      continue
    }
    // Lines of dashes are under cells that span columns.
    if (/^-[- ]*$/.test(line) && line.includes('--')) return undefined
    if (line.trim() === '') continue
    const cells = starts.map((at, place) => line.slice(at, starts[place + 1]).trim())
    if (starts.some((at, place) => place > 0 && /\S/.test(line.charAt(at - 1)))) return undefined
    const last = rows.at(-1)
    // Without a text in its first column, a line continues the row above.
    if (cells[0] === '' && last && rows.length > headers)
      for (const [place, cell] of cells.entries())
        last[place] = [last[place] ?? '', cell].filter(Boolean).join(' ')
    else rows.push(cells)
  }
  return { rows, headers: borders > 2 ? headers : 0 }
}
