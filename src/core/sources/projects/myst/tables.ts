/** Tables of MyST that are lists or CSV. */
import { because } from '../../../languages/reasons.ts'
import { needItem } from '../../../data/lists.ts'
import { dialectLines } from '../../markdown/dialect.ts'
import { readCsv } from '../../notion/csv.ts'
import type { MystDirective } from './blocks.ts'
import type { MystPrinter } from './printer.ts'

/** A table with its caption. Without header rows, the header is empty. */
function tableLines(rows: readonly string[][], headers: number, caption: string): string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns === 0) return []
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => row[at] ?? '').join(' | ')} |`
  const [head = [], ...rest] = headers > 0 ? rows : [[], ...rows]
  const table = [line(head), `|${' --- |'.repeat(columns)}`, ...rest.map(line)]
  return caption === '' ? table : [`**${caption}**`, '', ...table]
}

/** The most columns of a table, and the most cells that its rows are filled up to. */
const MOST_COLUMNS = 90

const ROW = /^([*+-][ \t]{1,9})([*+-])(?:[ \t]{1,9}(.*))?$/
const CELL = /^([ \t]{1,20})([*+-])(?:[ \t]{1,9}(.*))?$/

/** A list of lists: `* - Cell`, and `  - Cell` for the other cells of a row. */
export function listTable(directive: MystDirective, printer: MystPrinter): string[] {
  interface Cell {
    lines: string[]
    line: number
  }
  const rows: Cell[][] = []
  let column = 0
  for (const [at, text] of directive.body.entries()) {
    const line = directive.bodyLine + at
    const [, start = '', , first] = ROW.exec(text) ?? []
    if (start !== '') {
      column = start.length
      rows.push([{ lines: [first ?? ''], line }])
      continue
    }
    const [, indent = '', , rest] = CELL.exec(text) ?? []
    if (indent !== '' && indent.length === column) rows.at(-1)?.push({ lines: [rest ?? ''], line })
    else
      rows
        .at(-1)
        ?.at(-1)
        ?.lines.push(text.slice(Math.min(column + 2, text.length - text.trimStart().length)))
  }
  const cells = rows.map((row) =>
    row.slice(0, MOST_COLUMNS).map(({ lines, line }) => cellText(printer.print(lines, line))),
  )
  const caption = printer.inline(directive.argument, directive.line)
  return tableLines(cells, Number(directive.options.get('header-rows') ?? 0), caption)
}

/** Rows of CSV, in the directive or in a file. */
export function csvTable(directive: MystDirective, printer: MystPrinter): string[] {
  const { options, body, line, argument } = directive
  const address = options.get('file')
  const file = address === undefined ? undefined : printer.context.file(address)
  if (address !== undefined && !file)
    printer.context.unknown.add(because('unknown-table', { name: address }), line)
  const named = options.get('delim') ?? ','
  const sign = named === 'tab' ? '\t' : named === 'space' ? ' ' : named
  const read = (text: string) => csvRows(text, sign)
  const header = options.get('header')
  const rows = [...(header === undefined ? [] : read(header)), ...read(file ? file.text : body.join('\n'))]
  const cells = rows.map((row) =>
    row.slice(0, MOST_COLUMNS).map((text) => cellText(printer.print(text.trim().split('\n'), line))),
  )
  const headers = header === undefined ? Number(options.get('header-rows') ?? 0) : 1
  return tableLines(cells, headers, printer.inline(argument, line))
}

/** A character that no text has, for commas while another sign divides the values. */
const COMMA = '\ue000'

function csvRows(text: string, sign: string): string[][] {
  // Values may be behind spaces: `1, "2"`.
  const spaced = text.replace(/,[ \t]{1,9}(?=")/g, ',')
  if (sign.length !== 1 || sign === ',') return readCsv(spaced)
  return readCsv(text.replaceAll(',', COMMA).replaceAll(sign, ',')).map((row) =>
    row.map((value) => value.replaceAll(',', sign).replaceAll(COMMA, ',')),
  )
}

/** The Markdown of a cell in one line. Lines of code are code within the line. */
function cellText(lines: readonly string[]): string {
  const segments: string[] = []
  let isNew = true
  let isInFence = false
  for (const { text, isCode } of dialectLines(lines.join('\n'))) {
    const line = text.trim()
    if (isCode) {
      if (!isInFence || /^(?:`{3,}|~{3,})$/.test(line)) isInFence = true
      else if (line !== '') segments.push(`\`${line.replaceAll('`', "'")}\``)
      isNew = true
      continue
    }
    isInFence = false
    if (line === '' || /^\{% .{0,1000} %\}$/.test(line)) isNew = true
    else if (isNew || segments.length === 0 || /^(?:[*+-]|\d{1,9}[.)])[ \t]/.test(line)) {
      segments.push(line)
      isNew = false
    } else segments[segments.length - 1] = `${needItem(segments, segments.length - 1)} ${line}`
  }
  return segments.join('<br>').replaceAll('|', String.raw`\|`)
}
