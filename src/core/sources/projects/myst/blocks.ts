/** The blocks of MyST: fences of ticks or colons with the name of a directive, code, and the text between them. */
import { isRecord } from '../../../data/is-record.ts'
import { needItem } from '../../../data/lists.ts'
import { readRepositoryYaml } from '../../../repository/yaml.ts'

/** A directive, such as `:::{note} Title`. */
export interface MystDirective {
  kind: 'directive'
  name: string
  /** What is written behind the name. */
  argument: string
  options: ReadonlyMap<string, string>
  /** The lines of its content, without the indentation of its fence. */
  body: string[]
  /** The line at which it begins, and that of the first line of its content, from 1. */
  line: number
  bodyLine: number
  /** The character of its fence. */
  sign: string
  /** What is before the fence in its line, and before the other lines of the block. */
  before: string
  indent: string
}

/** Lines outside of blocks. */
export interface MystText {
  kind: 'text'
  lines: string[]
  line: number
}

/** A fenced block of code, as it is written. */
interface MystCode {
  kind: 'code'
  lines: string[]
}

export type MystPart = MystDirective | MystText | MystCode

const OPENING = /^([ \t]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}){0,8})(`{3,}|~{3,}|:{3,})(.*)$/
const NAME = /^[ \t]{0,20}\{([\w:.+-]{1,80})\}[ \t]{0,20}(.*)$/
const ITEM = /^([ \t]{0,200})(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}/

/** Reads the blocks of some lines, in linear time. Blocks in directives are not read. @param first its line, from 1 */
export function readMyst(lines: readonly string[], first: number): MystPart[] {
  const parts: MystPart[] = []
  let text: MystText | undefined
  // The columns at which the items of lists begin in which the line is.
  const items: number[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = needItem(lines, at)
    const opening = OPENING.exec(line)
    const [, before = '', sign = '', info = ''] = opening ?? []
    const name = NAME.exec(info)
    const isBlock =
      opening && (sign.startsWith(':') ? name !== null : !sign.startsWith('`') || !info.includes('`'))
    trackItems(items, line, before)
    if (!isBlock) {
      if (!text) parts.push((text = { kind: 'text', lines: [], line: first + at }))
      text.lines.push(line)
      continue
    }
    text = undefined
    const indent = before.replace(/[^\t]/g, ' ')
    const end = endOfBlock(lines, at + 1, sign, (items.at(-1) ?? 0) > 0 ? indent.length : 0)
    const body = lines.slice(at + 1, end.at).map((one) => withoutIndent(one, indent.length))
    const block = { line: first + at, sign: sign.charAt(0), before, indent }
    if (name) parts.push({ kind: 'directive', ...block, ...readDirective(name, body, first + at + 1) })
    else parts.push({ kind: 'code', lines: lines.slice(at, end.next) })
    at = end.next - 1
  }
  return parts
}

/** Notes the lists in which a line is. */
function trackItems(items: number[], line: string, before: string): void {
  if (line.trim() === '') return
  const column = line.length - line.trimStart().length
  while (items.length > 0 && column < (items.at(-1) ?? 0)) items.pop()
  const item = ITEM.exec(line)
  if (item) items.push(Math.max(item[0].length, /\S/.test(before) ? before.length : 0))
}

/** Where a block ends: at its sign, at a line outside of the item of a list in which it is, or with the text. */
function endOfBlock(
  lines: readonly string[],
  from: number,
  sign: string,
  column: number,
): { at: number; next: number } {
  const character = sign.charAt(0)
  for (let at = from; at < lines.length; at += 1) {
    const text = needItem(lines, at).trim()
    if (text === '') continue
    if (text.startsWith(sign) && text === character.repeat(text.length)) return { at, next: at + 1 }
    if (column > 1 && columnOf(needItem(lines, at)) < Math.min(column, 2)) return { at, next: at }
  }
  return { at: lines.length, next: lines.length }
}

const columnOf = (line: string) => line.length - line.trimStart().length

const withoutIndent = (line: string, indent: number) => line.slice(Math.min(indent, columnOf(line)))

/** The most options of a directive. */
const MOST_OPTIONS = 50

function readDirective(
  [, name = '', argument = '']: RegExpExecArray,
  body: string[],
  line: number,
): Pick<MystDirective, 'name' | 'argument' | 'options' | 'body' | 'bodyLine'> {
  const { options, length } = readOptions(body)
  let start = length
  if (start > 0) while (start < body.length && body[start]?.trim() === '') start += 1
  const rest = start === 0 ? body : body.slice(start)
  return { name: name.toLowerCase(), argument: argument.trim(), options, body: rest, bodyLine: line + start }
}

/** Options are lines such as `:class: dropdown`, or YAML between lines of dashes. */
function readOptions(body: readonly string[]): { options: Map<string, string>; length: number } {
  const options = new Map<string, string>()
  if (body[0]?.trim() === '---') {
    const end = body.findIndex((line, at) => at > 0 && line.trim() === '---')
    if (end === -1) return { options, length: 0 }
    const { value } = readRepositoryYaml(body.slice(1, end).join('\n'))
    for (const [key, one] of Object.entries(isRecord(value) ? value : {}))
      options.set(key, typeof one === 'string' || typeof one === 'number' ? String(one) : '')
    return { options, length: end + 1 }
  }
  let length = 0
  let last = ''
  for (; length < body.length && options.size < MOST_OPTIONS; length += 1) {
    const line = needItem(body, length)
    const [, key, value = ''] = /^[ \t]{0,20}:([\w-]{1,60}):[ \t]{0,20}(.*)$/.exec(line) ?? []
    const more = /^:[ \t]{1,20}(.*)$/.exec(line)?.[1]
    if (key !== undefined) {
      last = key
      options.set(
        key,
        value
          .trim()
          .replace(/^(["'])((?:(?!\1).)*)\1$/, '$2')
          .replace(/^[|>]$/, ''),
      )
    } else if (more !== undefined && last !== '')
      options.set(last, `${options.get(last) ?? ''} ${more}`.trim())
    else break
  }
  return { options, length }
}
