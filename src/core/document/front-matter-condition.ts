/**
 * Finds the condition of a page in the lines of its front matter. A line that can only have been meant as the condition,
 * but that YAML reads as something else or not at all, hides the page, so that it is shown to nobody by mistake.
 */
import { checkExpression } from '../expression/check.ts'
import { isRecord } from '../is-record.ts'
import type { YamlReading } from '../yaml/read.ts'
import { NEVER } from './markdown/lookalikes.ts'
import { namesCondition, spelt } from './markdown/tag-words.ts'
import { isConditionName } from './markdown/tags.ts'

/** The condition of a page as its front matter gives it. */
export interface PageCondition {
  condition: string
  /** The line of the text in which it is, from 0. */
  line: number
  /** The line as written, if it is no condition, so that the page is hidden from everybody. */
  refused?: string
}

/** White space, and characters without a width. */
const GAP = '[\\s\\p{Cf}\\p{Cc}]'
const MEANT = new RegExp(
  `^(?<lead>(?:${GAP}|["'?]|[!&]\\S*(?=\\s))*)${spelt('if')}(?:(?:${GAP}|["'])*(?<sign>[:=\uff1a])|${GAP}+|(?=[(!])|["']?$)(?<rest>.*)$`,
  'isu',
)
const MAYBE = new RegExp(spelt('if'), 'iu')
const FLOW_KEY = new RegExp(`[{,]\\s*["']?${spelt('if')}["']?\\s*:`, 'iu')
/** What conditions have and sentences have not. */
const LIKE_CONDITION = /\bvisitor\.|\.vars\b|[!=]=|&&|\|\||^(?:true|false)$/i
/** The end of a line below which indented lines belong to it. */
const OPENS = /(?:[:{[,]|[|>][-+\d]*)(?:[ \t]+#.*)?[ \t]*$|^[ \t]*-[ \t]/
/** What begins a tag, an anchor or an alias of YAML, but may have been meant as part of an expression. */
const NODE_SIGN = /^[!&*]/
/** Expressions that are true for everybody and hide nothing. */
const VALUES = new Set(['ArrayExpression', 'ObjectExpression', 'ArrowFunctionExpression', 'TemplateLiteral'])

interface MeantLine {
  line: number
  sign: string
  rest: string
  /** The lines below that belong to it. */
  below: string[]
}

/**
 * The condition in the text of front matter; undefined if it has none. Never throws, and takes linear time.
 * @param whole the text as YAML
 * @param read reads one line as YAML
 */
export function conditionIn(
  text: string,
  whole: YamlReading,
  read: (line: string) => YamlReading,
): PageCondition | undefined {
  return ownCondition(text, whole, read) ?? namedCondition(text)
}

/** A line with another name for a condition, such as `unless:`, and an expression that only conditions have. */
function namedCondition(text: string): PageCondition | undefined {
  if (!namesCondition(text)) return undefined
  const lines = text.split(/\r\n?|\n/)
  const line = lines.findIndex((one) => {
    const [, name, rest = ''] = NAMED.exec(one) ?? []
    return name !== undefined && isConditionName(name) && namesCondition(rest)
  })
  return line === -1 ? undefined : { condition: NEVER, line, refused: lines[line]!.trim() }
}

/** A line at the top level with a name and a value. */
const NAMED = /^["']?([\w.-]{1,40})["']?[ \t]*[:=](.*)$/

function ownCondition(
  text: string,
  whole: YamlReading,
  read: (line: string) => YamlReading,
): PageCondition | undefined {
  const values = isRecord(whole.value) ? whole.value : {}
  const lines = text.split(/\r\n?|\n/)
  const [first, second] = MAYBE.test(text) ? meantLines(lines, whole.fault === undefined) : []
  const isClean = whole.fault === undefined && second === undefined
  const never = (line: number): PageCondition => ({ condition: NEVER, line, refused: lines[line]!.trim() })

  if (second) return never(second.line)
  if (!first) {
    if (whole.fault !== undefined && values.if === undefined && isFlowWithIf(text)) return never(0)
    const written = scalar(values.if) ?? (values.if == null ? '' : undefined)
    if (written === undefined) return never(0)
    return written === '' ? undefined : { condition: written, line: 0 }
  }

  const { line, sign, rest, below } = first
  // A key alone, as after `?`, has its value on another line, which is not looked for.
  if (sign === '' && rest === '') return never(line)
  const isOwn = isClean && 'if' in values
  const alone = isOwn ? whole : read([`if: ${rest}`, ...below].join('\n'))
  const value = isRecord(alone.value) ? alone.value.if : undefined
  const isRead = alone.fault === undefined && !NODE_SIGN.test(rest)
  const condition = isRead ? scalar(value) : undefined
  if (condition) return { condition, line }
  const isEmpty = condition === '' || (value == null && /^(?:#.*|~|null)?$/i.test(rest))
  if (isRead && isEmpty) return isClean ? undefined : never(line)
  const isOther = isRead && value != null
  return !isOther && below.every((one) => one.trim() === '') && isCondition(rest)
    ? { condition: rest, line }
    : never(line)
}

/** Whether a text is a map in braces with a condition. */
function isFlowWithIf(text: string): boolean {
  return /^\s*\{/.test(text) && FLOW_KEY.test(text)
}

/** The first two lines at the top level that can only have been meant as a condition. */
function meantLines(lines: string[], isClean: boolean): MeantLine[] {
  const found: MeantLine[] = []
  /** The lines around the current one, each indented more than the one before it. */
  const around: { indent: number; opens: boolean; within?: number }[] = []
  for (const [line, text] of lines.entries()) {
    if (text.trim() === '' || /^[ \t]*#/.test(text)) continue
    const indent = indentOf(text)
    while (around.length > 0 && around.at(-1)!.indent >= indent) around.pop()
    const outer = around.at(-1)
    around.push({ indent, opens: OPENS.test(text) })
    // YAML that can be read says itself what is within what. In other YAML, that begins as far in as its first line.
    if (outer) outer.within ??= indent
    if (outer && (isClean || (outer.opens && indent >= outer.within!))) continue
    const groups = MEANT.exec(text)?.groups
    if (!groups) continue
    const { lead = '', sign = '', rest = '' } = groups
    const written = rest.trim()
    if (sign === '' && (written === '' ? !lead.includes('?') : !LIKE_CONDITION.test(written))) continue
    if (found.push({ line, sign, rest: written, below: linesBelow(lines, line, indent) }) === 2) break
  }
  return found
}

function linesBelow(lines: string[], line: number, indent: number): string[] {
  const end = lines.findIndex(
    (text, i) => i > line && text.trim() !== '' && indentOf(text) <= indent && !/^[ \t]*-(?:\s|$)/.test(text),
  )
  return lines.slice(line + 1, end === -1 ? undefined : end)
}

const indentOf = (text: string) => /^[ \t]*/.exec(text)![0].length

/** Whether a text is an expression that can hide something. */
function isCondition(text: string): boolean {
  const parsed = checkExpression(text)
  if (!parsed.ok || VALUES.has(parsed.expression.type)) return false
  return parsed.expression.type !== 'Literal' || typeof parsed.expression.value !== 'string'
}

function scalar(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : undefined
}

/** The first fence of front matter as other programs write it, and what may be around it. */
const OPENING =
  /^\ufeff?(?:\s|<!--(?:(?!-->)[^]){0,2000}-->)*(?:-{3,}|\+{3,})[ \t]*(?:\w+[ \t]*)?(?:\r\n?|\n)/
const CLOSING = /^[ \t]*(?:-{3,}|\+{3,}|\.{3})[ \t]*\r?$/m
const BLANK = /^[ \t]*\r?$/m
const KEY_FIRST = /^\s*[^\s:#][^:\r\n]*[:=]\s/

/** What may have been meant as front matter at the beginning of a source that has none that Lectern knows. */
export function meantFrontMatter(
  source: string,
  longest: number,
): { start: number; text: string } | undefined {
  const start = OPENING.exec(source)?.[0].length
  if (start === undefined) return withoutOpening(source, longest)
  return fencedText(source, start, longest)
}

/** What may have been meant as front matter right below the front matter of a source, whose end is at `from`. */
export function secondFrontMatter(
  source: string,
  from: number,
  longest: number,
): { start: number; text: string } | undefined {
  const below = source.slice(from, from + longest)
  const start = OPENING.exec(below)?.[0].length
  return start === undefined ? undefined : fencedText(source, from + start, longest)
}

function fencedText(source: string, start: number, longest: number): { start: number; text: string } {
  const text = source.slice(start, start + longest)
  const [closing, blank] = [CLOSING.exec(text)?.index ?? Infinity, BLANK.exec(text)?.index ?? Infinity]
  // Text between two rules has blank lines. Without a second fence, they end the front matter.
  const isKeyed = closing < Infinity && KEY_FIRST.test(text)
  return { start, text: text.slice(0, isKeyed ? closing : Math.min(closing, blank)) }
}

/** Lines with keys and a condition at the beginning of a source, above a closing fence. Other lines are a heading. */
function withoutOpening(source: string, longest: number): { start: number; text: string } | undefined {
  const start = /^\ufeff?\s*/.exec(source)![0].length
  const first = source.slice(start, start + MOST_OF_LINE)
  if (!KEY_FIRST.test(first)) return undefined
  const written = source.slice(start, start + longest)
  const closing = CLOSING.exec(written)?.index ?? -1
  const text = written.slice(0, Math.max(0, closing))
  if (text === '' || BLANK.test(text.replace(/\r?\n$/, '')) || !MAYBE.test(text)) return undefined
  const isMeant = text.split(/\r\n?|\n/).some((line) => {
    const groups = MEANT.exec(line)?.groups
    return groups?.sign !== undefined && LIKE_CONDITION.test(groups.rest ?? '')
  })
  return isMeant ? { start, text } : undefined
}

/** A longer first line without a key is text. */
const MOST_OF_LINE = 1000
