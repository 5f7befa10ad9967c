/** Redirects as people paste them: rows of a spreadsheet, or lines of a CSV file. */

/** A redirect as the API takes it; null deletes the one with this source. */
export interface ListedRedirect {
  source: string
  destination: { kind: 'external'; url: string } | null
}

/** The cells of a line that tabs, commas or semicolons separate. A cell in quotation marks can have them too. */
function cellsOf(line: string): string[] {
  const separator = line.includes('\t') ? '\t' : line.includes(',') ? ',' : ';'
  const cells: string[] = ['']
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!
    if (isQuoted && sign === '"' && line[at + 1] === '"') {
      cells[cells.length - 1] += '"'
      at++
    } else if (sign === '"') isQuoted = !isQuoted
    else if (sign === separator && !isQuoted) cells.push('')
    else cells[cells.length - 1] += sign
  }
  return cells.map((cell) => cell.trim())
}

/**
 * Reads redirects. A first line whose first cell is no path is a heading.
 * @param addressOf the address that a destination names; undefined if it names none
 * @returns the redirects, and the numbers of the lines that are none
 */
export function readRedirects(
  text: string,
  addressOf: (destination: string) => string | undefined,
): { redirects: ListedRedirect[]; faults: number[] } {
  const redirects: ListedRedirect[] = []
  const faults: number[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [source = '', to = ''] = cellsOf(line)
    const url = to === '' ? undefined : addressOf(to)
    const isRead = source.startsWith('/') && (to === '' || url !== undefined)
    if (isRead) redirects.push({ source, destination: url === undefined ? null : { kind: 'external', url } })
    else if (at > 0) faults.push(at + 1)
  }
  return { redirects, faults }
}
