/**
 * Tags of conditions in brackets that are not those of tags, such as `(% if visitor.claims.a %)`, `<% if … %>`,
 * `% if … %}`, `{x if … %}` and `{{#visitor.claims.a}}`. Other template languages have such tags, so a tag counts only if
 * it names a variable that only conditions read, and if its words up to the variable are plain text.
 */
import { finder } from './find-in-order.ts'
import { spelt, VARIABLE } from './tag-words.ts'
import type { Tag } from './tags.ts'

/** A tag in other brackets, with its offsets in the source. */
export interface BracketedTag {
  start: number
  end: number
  closes: boolean
  form?: Tag['form']
  /** The text between the brackets; undefined if the tag has no end in its line. */
  words?: string
}

/** The brackets that can stand for the braces of a tag. */
const [LEFT, RIGHT] = ['(\\[<\uff08\uff3b\uff1c', ')\\]>\uff09\uff3d\uff1e']
/** References of HTML that keep a bracket as text. */
const AS_TEXT = '&(?:lt|lcub|lsqb|lbrac[ek]|lpar|#x(?:7b|28|5b|3c|ff(?:5b|08|3b|1c))|#(?:123|40|91|60));'
/** The braces of a section of Mustache. */
const BRACES = `(?<![{\uff5b]|${AS_TEXT})[{\uff5b]{1,3}`
const GAP = '[^\\S\\r\\n]{0,3}'
/** A percent sign behind a bracket, also one that a backslash or a reference keeps as text, begins no tag. */
const ALONE = `(?<![{\uff5b${LEFT}]${GAP})(?<!${AS_TEXT})`
const PERCENT = `(?:(?<bracket>[${LEFT}]${GAP})|${ALONE})[%\uff05][-+~=_#!]?${GAP}`
/** A wrong key for the percent sign. */
const SLIP = '[{\uff5b][^{}\uff5b\uff5d%\uff05*_~`<\\[\\\\\\r\\n]{1,3}?(?<![\\p{L}\\p{N}_])'
const [IF, UNLESS, ELSE, END_WORD] = [
  spelt('if'),
  `(?<unless>${spelt('unless')})`,
  `(?<else>${spelt('el')}(?:${spelt('s')}(?:${spelt('e')})?)?${GAP})?`,
  spelt('end'),
]
const OPENS = new RegExp(
  `(?:${PERCENT}|${SLIP})(?:${ELSE}${IF}|${UNLESS})(?![\\p{L}\\p{N}_-])|(?<section>${BRACES}${GAP}[#^]${GAP})(?=${VARIABLE.source})`,
  'iuy',
)
const CLOSES = new RegExp(
  `(?:${PERCENT}|${SLIP})(?:(?:${END_WORD}${GAP}|/${GAP})(?:${IF}|${UNLESS})|${END_WORD}|\\})${GAP};?[-+~=_]?[%\uff05]${GAP}[}\uff5d${RIGHT}]|${BRACES}${GAP}/${GAP}(?:${VARIABLE.source})[^{}\uff5b\uff5d\\r\\n]{0,200}[}\uff5d]{1,3}`,
  'iuy',
)
const END = new RegExp(`[%\uff05][^\\S\\r\\n]?[}\uff5d${RIGHT}]|[\\r\\n]`, 'gu')
const SECTION_END = /[}\uff5d]{1,3}|[\r\n]/gu
/** What words have between them that are not in one text: marks, code, HTML, addresses, line breaks and other tags. */
const MARK = /[*_~`\\[$@%\uff05{}\uff5b\uff5d\r\n]|<[a-z/!?]|:\/\/|www\.|:(?=[\w+-]{1,64}:)/giu
/** The brackets and the percent sign before the words of a tag. */
const BEFORE_WORDS = /^(?:[^%\uff05]{0,4}[%\uff05]|[{\uff5b]{1,3})/u
const BRACE = /[{\uff5b]/gu
/** The most characters between the word of a condition and a variable. */
const MOST_BETWEEN = 200
/** Enough characters for any name of a variable. */
const LONGEST_NAME = 20

/** Whether a tag in other brackets begins at `at`. */
export function startsInOtherBrackets(text: string, at: number): boolean {
  const opened = matchAt(OPENS, text, at)
  if (!opened) return matchAt(CLOSES, text, at) !== null
  const from = at + opened[0].length
  const near = text.slice(from, from + MOST_BETWEEN + LONGEST_NAME)
  const variable = near.search(VARIABLE)
  const mark = near.search(MARK)
  return variable !== -1 && variable <= MOST_BETWEEN && (mark === -1 || mark >= variable)
}

/** Reads the tags of one source that are in other brackets, from its beginning to its end. */
export function bracketReader(source: string): (start: number) => BracketedTag | undefined {
  const variableFrom = finder(source, VARIABLE)
  const markFrom = finder(source, MARK)
  const braceFrom = finder(source, BRACE)
  const endFrom = finder(source, END)
  const sectionEndFrom = finder(source, SECTION_END)
  let hasOpened = false

  /** The offset of a variable that only plain text separates from the word at its offset. */
  const variableIn = (from: number) => {
    const variable = variableFrom(from)
    if (!variable || variable.index - from > MOST_BETWEEN) return undefined
    return (markFrom(from)?.index ?? Infinity) < variable.index ? undefined : variable.index
  }
  const opening = (start: number, match: RegExpExecArray): BracketedTag | undefined => {
    const { bracket, section } = match.groups ?? {}
    const from = start + match[0].length
    const variable = variableIn(from)
    if (variable === undefined) return undefined
    const found = section === undefined ? endFrom(variable) : sectionEndFrom(variable)
    const isEnded = found !== null && !/[\r\n]/.test(found[0])
    const tag = { start, closes: false, ...formOf(match) }
    if (bracket === undefined) {
      const isBraced = isEnded && /[}\uff5d]$/.test(found[0])
      if (!isBraced || (braceFrom(variable)?.index ?? Infinity) < found.index) return undefined
    }
    if (!isEnded) return { ...tag, end: from }
    const words = source.slice(start, found.index).replace(BEFORE_WORDS, '')
    return { ...tag, end: found.index + found[0].length, words }
  }
  return (start) => {
    const opened = matchAt(OPENS, source, start)
    const tag = opened && opening(start, opened)
    if (tag) hasOpened = true
    if (tag || !hasOpened) return tag ?? undefined
    const closed = matchAt(CLOSES, source, start)
    if (!closed) return undefined
    return { start, end: start + closed[0].length, closes: true, ...formOf(closed) }
  }
}

function formOf({ groups = {} }: RegExpExecArray): Pick<Tag, 'form'> {
  if (groups.unless !== undefined) return { form: 'unless' }
  return groups.else === undefined ? {} : { form: 'else' }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
