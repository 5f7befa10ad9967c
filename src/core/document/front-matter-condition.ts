/**
 * Finds the condition of a page in the lines of its front matter. A line that can only have been meant as the condition,
 * but that YAML reads as something else or not at all, hides the page, so that it is shown to nobody by mistake.
 */
import { checkExpression } from '../expression/check.ts'
import { isRecord } from '../is-record.ts'
import type { YamlReading } from '../yaml/read.ts'
import { NEVER } from './markdown/lookalikes.ts'
import { namesCondition, readsVariable, spelt } from './markdown/tag-words.ts'
import { isConditionName, isTextName } from './markdown/tags.ts'

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
    const name = NAMED.exec(written)?.[1]
    if (name !== undefined) named = isTextName(name) ? undefined : { line, name, written: written.trim() }
    const reads = named && isConditionName(named.name) ? namesCondition : readsVariable
    if (named && reads(written)) return { condition: NEVER, line: named.line, refused: named.written }
  }
  return undefined
}

/** A line at the top level with a name. */
const NAMED = /^["']?([^\s"'#:=\uff1a-][^"':=\uff1a\r\n]{0,60})["']?[ \t]*[:=\uff1a]/

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

/** The fences of front matter as other programs write them. */
const OPENING = /(?:-{3,}|\+{3,}|\*{3,})[^\S\r\n]*(?:\w+[^\S\r\n]*|#[^\r\n]*)?(?:\r\n?|\n)/y
const CLOSING = /^[ \t]*(?:-{3,}|\+{3,}|\*{3,}|\.{3})[^\S\r\n]*(?:#.*)?\r?$/m
const BLANK = /^(?!(?<=\r)\n)[ \t]*\r?$/m
const KEY_FIRST = /^\s*[^\s:#][^:\r\n]*[:=]\s/
/** The comments of Markdown, MDX and template languages, with their ends. */
const COMMENTS: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['{/*', '*/}'],
  ['/*', '*/'],
  ['{#', '#}'],
  ['{% comment %}', '{% endcomment %}'],
]
/** A definition of a link that nothing uses, which serves as a comment. */
const LINE_COMMENT = /\[[^[\]\r\n]{1,40}\]:[ \t]*(?:#|<>)[^\r\n]*/y
/** The most blocks at the beginning of a page that are read as front matter. */
const MOST_BLOCKS = 8

/** What may have been meant as front matter. */
interface MeantText {
  /** The offset of the text in the source. */
  start: number
  text: string
}

/**
 * What may have been meant as front matter: one block after another at the beginning of a source, or below the front matter
 * that Lectern knows, with comments between them. If the source names a variable of conditions, also lines with keys there
 * or below the title, and such lines between fences anywhere outside of code.
 * @param from the end of the front matter, or 0 if there is none
 * @param longest the most characters of a block
 */
export function* meantFrontMatter(source: string, from: number, longest: number): Generator<MeantText> {
  let at = from
  for (let blocks = 0; blocks < MOST_BLOCKS; blocks += 1) {
    const start = endOf(OPENING, source, afterComments(source, at))
    const block = start === -1 ? undefined : fencedText(source, start, longest)
    if (!block) break
    yield block
    at = block.end
  }
  const first = afterComments(source, at)
  const above = at === 0 ? withoutOpening(source, first, longest) : undefined
  if (above) yield above
  if (!namesCondition(source)) return
  const title = endOf(TITLE, source, first)
  for (const start of [first, ...(title === -1 ? [] : [afterComments(source, title)])]) {
    const bare = withoutFences(source, start, longest)
    if (bare) yield bare
  }
  yield* betweenFences(source, at, longest)
}

const TITLE = /#[ \t][^\r\n]*/y
/** A line with a key, and one that begins or ends a block of code, or is a fence. */
const KEY_LINE = /^\s*["']?[^\s"'#:=\uff1a-][^"':=\uff1a\r\n]{0,60}["']?\s*[:=\uff1a]/
const FENCE_OR_CODE =
  /^[ \t]{0,3}(?:(?<code>`{3,}(?=[^`\r\n]*\r?$)|~{3,})(?<info>[^\r\n]*)|(?:-{3,}|\+{3,}|\*{3,})[^\S\r\n]*\r?$)/gm

/** Lines with keys and a condition that reads a variable, up to a blank line. */
function withoutFences(source: string, start: number, longest: number): MeantText | undefined {
  const written = source.slice(start, start + longest)
  const text = written.slice(0, BLANK.exec(written)?.index)
  const isMeant = hasOnlyKeys(text) && hasMeantLine(text, (rest) => readsVariable(rest))
  return isMeant ? { start, text } : undefined
}

/** Lines with keys between two fences, one of which names a variable of conditions. */
function* betweenFences(source: string, from: number, longest: number): Generator<MeantText> {
  let code: string | undefined
  let start: number | undefined
  FENCE_OR_CODE.lastIndex = from
  for (const { 0: line, index, groups } of source.matchAll(FENCE_OR_CODE)) {
    if (groups?.code !== undefined) {
      if (code === undefined) code = groups.code
      else if (groups.code.startsWith(code) && groups.info?.trim() === '') code = undefined
      start = undefined
    } else if (code === undefined) {
      const text = start === undefined || index - start > longest ? '' : source.slice(start, index)
      if (start !== undefined && namesCondition(text) && hasOnlyKeys(text)) yield { start, text }
      start = index + line.length + (source[index + line.length] === '\n' ? 1 : 0)
    }
  }
}

/** Whether a text is lines with keys, or within them. */
function hasOnlyKeys(text: string): boolean {
  const lines = text.trimEnd().split(/\r\n?|\n/)
  const isWithin = (line: string, i: number) => i > 0 && /^(?:\s|-\s)\s*\S/.test(line)
  const isEmpty = (line: string) => /^\s*(?:#.*)?$/.test(line)
  return (
    lines.some((line) => KEY_LINE.test(line)) &&
    lines.every((line, i) => KEY_LINE.test(line) || isEmpty(line) || isWithin(line, i))
  )
}

function hasMeantLine(text: string, isMeant: (rest: string) => boolean): boolean {
  return text.split(/\r\n?|\n/).some((line) => {
    const groups = MEANT.exec(line)?.groups
    return groups?.sign !== undefined && isMeant(groups.rest ?? '')
  })
}

/** The offset of what is behind blank lines and comments. */
function afterComments(source: string, from: number): number {
  let at = from
  for (let last = -1; last !== at;) {
    last = at
    while (/[\s\ufeff\u200b]/.test(source[at] ?? '')) at += 1
    const ended = endOf(LINE_COMMENT, source, at)
    if (ended !== -1) at = ended
    for (const [opening, closing] of COMMENTS) {
      if (!source.startsWith(opening, at)) continue
      const end = source.indexOf(closing, at + opening.length)
      if (end === -1) return at
      at = end + closing.length
    }
  }
  return at
}

/** The end of what a sticky pattern matches at an offset; -1 if it does not match. */
function endOf(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(source) ? pattern.lastIndex : -1
}

function fencedText(source: string, start: number, longest: number): MeantText & { end: number } {
  const text = source.slice(start, start + longest)
  const closing = CLOSING.exec(text)
  const blank = BLANK.exec(text)?.index ?? Infinity
  // Text between two rules has blank lines. Without a second fence, they end the front matter.
  const isKeyed = closing !== null && KEY_FIRST.test(text)
  const length = isKeyed ? closing.index : Math.min(closing?.index ?? Infinity, blank, text.length)
  const isClosed = length === closing?.index
  return { start, text: text.slice(0, length), end: start + length + (isClosed ? closing[0].length : 0) }
}

/** Lines with keys and a condition at the beginning of a source, above a closing fence. Other lines are a heading. */
function withoutOpening(source: string, start: number, longest: number): MeantText | undefined {
  const first = source.slice(start, start + MOST_OF_LINE)
  if (!KEY_FIRST.test(first)) return undefined
  const written = source.slice(start, start + longest)
  const closing = CLOSING.exec(written)?.index ?? -1
  const text = written.slice(0, Math.max(0, closing))
  if (text === '' || BLANK.test(text.replace(/\r?\n$/, '')) || !MAYBE.test(text)) return undefined
  return hasMeantLine(text, (rest) => LIKE_CONDITION.test(rest)) ? { start, text } : undefined
}

/** A longer first line without a key is text. */
const MOST_OF_LINE = 1000
