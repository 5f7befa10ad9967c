/**
 * Finds the condition of a page in the lines of its front matter. A line that can only have been meant as the condition,
 * but that YAML reads as something else or not at all, hides the page, so that it is shown to nobody by mistake.
 */
import { checkExpression } from '../../expression/check.ts'
import { isRecord } from '../../data/is-record.ts'
import type { YamlReading } from '../../yaml/read.ts'
import { NEVER } from '../markdown/lookalikes.ts'
import { namesCondition, readsVariable, spelt } from '../markdown/tag-words.ts'
import { isConditionName, isTextName } from '../markdown/tags.ts'

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

/**
 * A field with another name that has an expression which only conditions have, in its line or in those within it, such as
 * `unless:` or `audience:`. A field with a text may be about the variables of conditions.
 */
function namedCondition(text: string): PageCondition | undefined {
  if (!namesCondition(text)) return undefined
  let named: { line: number; name: string; written: string } | undefined
  for (const [line, written] of text.split(/\r\n?|\n/).entries()) {
    const name = TOP_FIELD.exec(written)?.[1]
    if (name !== undefined) named = isTextName(name) ? undefined : { line, name, written: written.trim() }
    const reads = named && isConditionName(named.name) ? namesCondition : readsVariable
    if (named && reads(written)) return { condition: NEVER, line: named.line, refused: named.written }
  }
  return undefined
}

/** The name of a field, with quotes or without. */
const NAME = `["']?([^\\s"'#:=\uff1a-][^"':=\uff1a\\r\\n]{0,60})["']?`
/** A line at the top level with a name. */
export const TOP_FIELD = new RegExp(`^${NAME}[ \\t]*[:=\uff1a]`)
/** The same at any level. */
export const FIELD = new RegExp(`^\\s*${NAME}\\s*[:=\uff1a]`)

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
  return !isOther && below.every((one) => one.trim() === '') && hidesSomething(rest)
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
function hidesSomething(text: string): boolean {
  const parsed = checkExpression(text)
  if (!parsed.ok || VALUES.has(parsed.expression.type)) return false
  return parsed.expression.type !== 'Literal' || typeof parsed.expression.value !== 'string'
}

function scalar(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : undefined
}

/** Whether a text is lines with the names of fields, or within them. */
export function hasOnlyKeys(text: string): boolean {
  const lines = text.trimEnd().split(/\r\n?|\n/)
  const isWithin = (line: string, i: number) => i > 0 && /^(?:\s|-\s)\s*\S/.test(line)
  const isEmpty = (line: string) => /^\s*(?:#.*)?$/.test(line)
  return (
    lines.some((line) => FIELD.test(line)) &&
    lines.every((line, i) => FIELD.test(line) || isEmpty(line) || isWithin(line, i))
  )
}

/** Whether a line of a text can only have been meant as a condition that `isMeant` accepts. */
export function hasMeantLine(text: string, isMeant: (written: string) => boolean): boolean {
  return text.split(/\r\n?|\n/).some((line) => {
    const groups = MEANT.exec(line)?.groups
    return groups?.sign !== undefined && isMeant(groups.rest ?? '')
  })
}

/** Whether a text is like the front matter of a page with a condition. Other lines above a fence are a heading. */
export function isLikeFrontMatter(text: string): boolean {
  return MAYBE.test(text) && hasMeantLine(text, (written) => LIKE_CONDITION.test(written))
}
