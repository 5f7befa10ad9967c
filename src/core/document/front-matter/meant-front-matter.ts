/** Finds what may have been meant as front matter where Lectern knows none: other fences, other places, or no fences. */
import { hasConditionField } from './condition-fields.ts'
import { hasMeantLine, hasOnlyKeys, isLikeFrontMatter } from './front-matter-condition.ts'
import { namesCondition, readsVariable } from '../markdown/tag-words.ts'

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
 * or below the title, and lines with keys and a condition between fences anywhere outside of code.
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
/** A line that begins or ends a block of code, or is a fence. */
const FENCE_OR_CODE =
  /^[ \t]{0,3}(?:(?<code>`{3,}(?=[^`\r\n]*\r?$)|~{3,})(?<info>[^\r\n]*)|(?:-{3,}|\+{3,}|\*{3,})[^\S\r\n]*\r?$)/gm

/** Lines with keys and a condition that reads a variable, up to a blank line. */
function withoutFences(source: string, start: number, longest: number): MeantText | undefined {
  const written = source.slice(start, start + longest)
  const text = written.slice(0, BLANK.exec(written)?.index)
  const isMeant = hasOnlyKeys(text) && hasMeantLine(text, readsVariable)
  return isMeant ? { start, text } : undefined
}

/** Lines with keys between two fences, one of which is a condition that reads a variable. Others are text between two rules. */
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
      if (start !== undefined && hasOnlyKeys(text) && hasConditionField(text)) yield { start, text }
      start = index + line.length + (source[index + line.length] === '\n' ? 1 : 0)
    }
  }
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
  if (text === '' || BLANK.test(text.replace(/\r?\n$/, ''))) return undefined
  return isLikeFrontMatter(text) ? { start, text } : undefined
}

/** A longer first line without a key is text. */
const MOST_OF_LINE = 1000
