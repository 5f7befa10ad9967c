/**
 * Tags of conditions in brackets that are not those of tags, such as `(% if visitor.claims.a %)`, `<% if … %>`,
 * `% if … %}`, `{x if … %}`, `{{#visitor.claims.a}}` and `{{#if visitor.claims.a}}`. Other template languages have such tags, so a tag counts only if
 * it names a variable that only conditions read, and if its words up to the variable are plain text.
 */
import { beginningsOfTags } from './beginnings.ts'
import { finder } from './find-in-order.ts'
import { LONGEST_VARIABLE, SHORTEST_TAG, spelt, VARIABLE } from './tag-words.ts'
import type { Tag } from './tags.ts'

/** A tag in other brackets, with its offsets in the source. */
export interface BracketedTag {
  start: number
  end: number
  closes: boolean
  form?: Tag['form']
  /** The text between the brackets; undefined if the tag has no end in its line. */
  words?: string
  /** Of a section of Mustache or Handlebars, its helper, or '' without one. Only the end of such a section ends it. */
  section?: string
}

/** The brackets that can stand for the braces of a tag. */
const [LEFT, RIGHT] = ['(\\[<\uff08\uff3b\uff1c', ')\\]>\uff09\uff3d\uff1e']
/** References of HTML that keep a bracket as text. */
const AS_TEXT = '&(?:lt|lcub|lsqb|lbrac[ek]|lpar|#x(?:7b|28|5b|3c|ff(?:5b|08|3b|1c))|#(?:123|40|91|60));'
/** The braces of a section of Mustache. */
const BRACES = `(?<![{\uff5b]|${AS_TEXT})[{\uff5b]{1,3}~?`
const GAP = '[^\\S\\r\\n]{0,3}'
/** A percent sign behind a bracket, also one that a backslash or a reference keeps as text, begins no tag. */
const ALONE = `(?<![{\uff5b${LEFT}]${GAP})(?<!${AS_TEXT})`
const PERCENT = `(?:(?<bracket>[${LEFT}]${GAP})|${ALONE})[%\uff05][-+~=_#!]?${GAP}`
/** A wrong key for the percent sign, such as the 5 that has the same key. */
const SLIP = '[{\uff5b][^{}\uff5b\uff5d%\uff05*_~`<\\[\\\\\\r\\n]{1,3}?(?<![\\p{L}_]|(?!5)\\p{N})'
const [IF, UNLESS, ELSE, END_WORD] = [
  spelt('if'),
  `(?<unless>${spelt('unless')})`,
  `(?<else>${spelt('el')}(?:${spelt('s')}(?:${spelt('e')})?)?${GAP})?`,
  spelt('end'),
]
/** Words that stand before a condition, or for the word of one. */
const [BEFORE_IF, INSTEAD] = [`(?:(?:not|only)${GAP})?`, '(?<case>case|switch|when)']
/** The helpers of Handlebars that have a condition, and those that read a variable. */
const [CONDITION_HELPER, HELPER] = ['(?:if|unless)', '(?:each|when|with)']
const OPENS = new RegExp(
  [
    `(?<section>${BRACES}${GAP}[#^?]${GAP}(?:(?<helper>${CONDITION_HELPER})(?![\\w-])|(?:(?<reader>${HELPER})\\s${GAP})?(?=${VARIABLE.source})))`,
    `(?:${PERCENT}|${SLIP})${BEFORE_IF}(?:${ELSE}${IF}|${UNLESS}|${INSTEAD})(?![\\p{L}\\p{N}_-])`,
    `(?<bare>[${LEFT}]${GAP}[%\uff05]${GAP}[!(]{0,3})(?=${VARIABLE.source})`,
  ].join('|'),
  'iuy',
)
/** The beginnings of tags that have the same closing tags as conditions. */
const PLAIN = new RegExp(
  [
    `(?<section>${BRACES}${GAP}[#^?]${GAP}(?<helper>${CONDITION_HELPER}|${HELPER}))(?![\\w-])`,
    `(?:${PERCENT}|${SLIP})${BEFORE_IF}(?:${IF}|${UNLESS}|case|switch)(?![\\p{L}\\p{N}_-])`,
  ].join('|'),
  'iuy',
)
const CLOSES = new RegExp(
  [
    `(?:${PERCENT}|${SLIP})(?:(?:${END_WORD}${GAP}|/${GAP})(?:${IF}|${UNLESS}|${INSTEAD})|${END_WORD}|\\})${GAP};?[-+~=_]?[%\uff05]${GAP}[}\uff5d${RIGHT}]`,
    `(?<section>${BRACES}${GAP}/${GAP}(?:(?<helper>${CONDITION_HELPER}|${HELPER})(?![\\w-])|${VARIABLE.source})[^{}\uff5b\uff5d\\r\\n]{0,200}[}\uff5d]{1,3})`,
  ].join('|'),
  'iuy',
)
const END = new RegExp(`[%\uff05][^\\S\\r\\n]?[}\uff5d${RIGHT}]|[\\r\\n]`, 'gu')
const SECTION_END = /[}\uff5d]{1,3}|[\r\n]/gu
/** A string without signs of Markdown, and a list of such strings, which is no link. */
const IN_STRING = '[\\]`\\\\*_~<'
const STRING = `(?:"[^"${IN_STRING}]{0,60}"|'[^'${IN_STRING}]{0,60}')`
const STRINGS = `${STRING}(?:, ?${STRING}){0,20}\\](?![([:])`
/** What words have between them that are not in one text. A line break before a letter and an underscore in a word are none. */
const MARK = new RegExp(
  [
    '[*~`\\\\$@%\uff05{}\uff5b\uff5d]',
    '(?:\\r\\n?|\\n)(?![^\\S\\r\\n]{0,9}\\p{L})',
    '(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])',
    `\\[(?!${STRINGS})`,
    '<[a-z/!?]|:\\/\\/|www\\.|:(?=[\\w+-]{1,64}:)',
  ].join('|'),
  'giu',
)
/** The brackets and the percent sign before the words of a tag. */
const BEFORE_WORDS = /^(?:[^%\uff05]{0,4}[%\uff05]|[{\uff5b]{1,3})/u
const BRACE = /[{\uff5b]/gu
/** The most characters between the word of a condition and a variable. */
const MOST_BETWEEN = 200

/** Whether a tag in other brackets begins at `at`. */
export function startsInOtherBrackets(text: string, at: number): boolean {
  const opened = matchAt(OPENS, text, at)
  if (!opened) return matchAt(CLOSES, text, at) !== null
  const from = at + opened[0].length
  const near = text.slice(from, from + MOST_BETWEEN + LONGEST_VARIABLE)
  const variable = near.search(VARIABLE)
  const mark = near.search(MARK)
  return variable !== -1 && variable <= MOST_BETWEEN && (mark === -1 || mark >= variable)
}

/** Whether what begins at `at` can be a section of Mustache or Handlebars with a condition. */
export function startsSection(text: string, at: number): boolean {
  return matchAt(OPENS, text, at)?.groups?.section !== undefined
}

/**
 * Reads the tags of one source that are in other brackets, from its beginning to its end. A closing tag may be the end of
 * something that is no condition here, such as a loop within one, so the last ones before the next condition count.
 */
export function bracketReader(source: string): (start: number) => BracketedTag | undefined {
  const opening = openingReader(source)
  let ends: ReadonlySet<number> | undefined
  let isOpened = false
  return (start) => {
    const opened = opening(start)
    if (opened) {
      if (!isOpened) ends = endsAfter(source, start)
      isOpened = true
      return opened
    }
    const closed = matchAt(CLOSES, source, start)
    if (!closed) return undefined
    // A condition may begin in the value of a tag, where the caller does not read it.
    ends ??= endsAfter(source, 0)
    return ends.has(start)
      ? { start, end: start + closed[0].length, closes: true, ...sectionAndForm(closed) }
      : undefined
  }
}

/** The opening and closing tags of one kind, of those that only their own closing tags end. */
class EndsOfKind {
  /** How many conditions began, and how many of them have not ended. */
  private opened = 0
  private open = 0
  /** How many openings without a variable have not ended. */
  private plain = 0
  /** The closing tags since the last condition began, and all before it. */
  private run: number[] = []
  private earlier: number[] = []
  /** Of the closing tags before, the end of those in doubt, and how many of the last of these end conditions. */
  private doubtful = { to: 0, count: 0 }
  /** The closing tags behind them that end conditions. */
  private ends: number[] = []

  begin(): void {
    this.endRun()
    this.opened += 1
    this.open += 1
  }

  /** An "else" is before the end of its "if". */
  branch(): void {
    if (this.open > 0) this.run = []
    else this.begin()
  }

  beginPlain(): void {
    if (this.opened > 0) this.plain += 1
  }

  close(at: number): void {
    if (this.plain > 0) this.plain -= 1
    else if (this.opened > 0) this.run.push(at)
  }

  finish(): readonly number[] {
    this.endRun()
    const { to, count } = this.doubtful
    return [...this.earlier.slice(to - count, to), ...this.ends]
  }

  private endRun(): void {
    const isEnded = this.open < this.opened
    const isDoubtful = isEnded && this.run.length > this.open
    for (const at of this.run) this.earlier.push(at)
    if (isDoubtful) {
      // A condition before seemed to end at the closing tag of something in it, so all of them end at the last closing tags.
      const to = this.earlier.length
      this.doubtful = { to, count: Math.min(this.opened, to) }
      this.ends = []
      this.open = this.opened - this.doubtful.count
    } else if (this.open > 0) {
      const last = this.run.slice(-this.open)
      for (const at of last) this.ends.push(at)
      this.open -= last.length
    }
    this.run = []
  }
}

/**
 * The offsets of the closing tags that can end a condition: of a run of them, as many as conditions are open. The sections of
 * each helper, and those without one, are counted apart. A closing tag first ends an opening without a variable.
 */
function endsAfter(source: string, from: number): Set<number> {
  const opening = openingReader(source)
  const plainOpening = plainReader(source)
  const kinds = new Map<string | undefined, EndsOfKind>()
  const kindFor = (section: string | undefined) => {
    const kind = kinds.get(section) ?? new EndsOfKind()
    kinds.set(section, kind)
    return kind
  }
  for (const at of beginningsOfTags(source, from)) {
    const opened = opening(at)
    if (opened && source[at - 1] === '\\' && at !== from) continue
    if (opened) {
      const kind = kindFor(opened.section)
      if (opened.form === 'else') kind.branch()
      else kind.begin()
      continue
    }
    const closed = matchAt(CLOSES, source, at)
    if (closed) {
      kindFor(sectionAndForm(closed).section).close(at)
      continue
    }
    const plain = plainOpening(at)
    if (plain) kindFor(plain.section).beginPlain()
  }
  return new Set([...kinds.values()].flatMap((kind) => kind.finish()))
}

/** Finds the opening tags of one source that name no variable, from its beginning to its end. */
function plainReader(source: string): (start: number) => Pick<BracketedTag, 'section'> | undefined {
  const endFrom = finder(source, END)
  const braceFrom = finder(source, BRACE)
  return (start) => {
    const match = matchAt(PLAIN, source, start)
    if (!match) return undefined
    const { section, bracket } = match.groups ?? {}
    if (section !== undefined) return sectionAndForm(match)
    const from = start + match[0].length
    const end = endFrom(from)
    if (!end || /[\r\n]/.test(end[0])) return undefined
    if (bracket !== undefined) return {}
    const isBraced = /[}\uff5d]$/.test(end[0]) && (braceFrom(from)?.index ?? Infinity) > end.index
    return isBraced ? {} : undefined
  }
}

/** Reads the opening tags of one source, from its beginning to its end. */
function openingReader(source: string): (start: number) => BracketedTag | undefined {
  const variableFrom = finder(source, VARIABLE)
  const markFrom = finder(source, MARK)
  const braceFrom = finder(source, BRACE)
  const endFrom = finder(source, END)
  const sectionEndFrom = finder(source, SECTION_END)

  /** The offset of a variable that only plain text separates from the word at its offset. */
  const variableIn = (from: number) => {
    const variable = variableFrom(from)
    if (!variable || variable.index - from > MOST_BETWEEN) return undefined
    return (markFrom(from)?.index ?? Infinity) < variable.index ? undefined : variable.index
  }
  return (start) => {
    const match = matchAt(OPENS, source, start)
    if (!match) return undefined
    const { bracket, bare, section } = match.groups ?? {}
    const from = start + match[0].length
    const variable = variableIn(from)
    if (variable === undefined) return undefined
    const found = section === undefined ? endFrom(variable) : sectionEndFrom(variable)
    const isEnded = found !== null && !/[\r\n]/.test(found[0])
    const tag = { start, closes: false, ...sectionAndForm(match) }
    if (bracket === undefined && bare === undefined) {
      const isBraced = isEnded && /[}\uff5d]$/.test(found[0])
      if (!isBraced || (braceFrom(variable)?.index ?? Infinity) < found.index) return undefined
    }
    if (bare !== undefined && !isEnded) return undefined
    const isCut = !isEnded || /[\r\n]/.test(source.slice(from, variable))
    if (isCut) return { ...tag, end: Math.max(from, Math.min(start + SHORTEST_TAG, variable)) }
    const words = source.slice(start, found.index).replace(BEFORE_WORDS, '')
    return { ...tag, end: found.index + found[0].length, words }
  }
}

function sectionAndForm({ groups = {} }: RegExpExecArray): Pick<BracketedTag, 'form' | 'section'> {
  if (groups.section !== undefined) {
    const section = (groups.helper ?? groups.reader ?? '').toLowerCase()
    return section === 'unless' ? { form: 'unless', section } : { section }
  }
  if (groups.unless !== undefined) return { form: 'unless' }
  if (groups.case !== undefined) return { form: 'case' }
  return groups.else === undefined ? {} : { form: 'else' }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
