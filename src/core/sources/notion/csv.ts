/** The rows of a CSV file (RFC 4180), in linear time. */
export function readCsv(source: string): string[][] {
  const text = source.replace(/^\ufeff/, '')
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let value = ''
    if (text[at] === '"') {
      at += 1
      const parts: string[] = []
      for (;;) {
        const end = text.indexOf('"', at)
        parts.push(text.slice(at, end === -1 ? text.length : end))
        at = end === -1 ? text.length : end + 1
        if (text[at] !== '"' || end === -1) break
        parts.push('"')
        at += 1
      }
      value = parts.join('')
    }
    const start = at
    while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at += 1
    row.push(value + text.slice(start, at))
    if (text[at] === ',') {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    at += 1
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((one) => one.some((value) => value !== ''))
}
