/**
 * Tags of conditions in brackets that are not those of tags, such as `(% if visitor.claims.a %)`, `<% if … %>`,
 * `% if … %}`, `{x if … %}`, `{{#visitor.claims.a}}` and `{{#if visitor.claims.a}}`. Other template languages have such tags, so a tag counts only if
 * it names a variable that only conditions read, and if its words up to the variable are plain text.
 */
import { beginningsOfTags, LEFT, OPENING_BRACKETS, RIGHT } from './beginnings.ts'
import { finder, spanFinder } from './find-in-order.ts'
import { LONGEST_VARIABLE, SHORTEST_TAG, spelt, VARIABLE } from './tag-words.ts'
import type { Tag } from './tags.ts'
import type { Span } from '../model.ts'

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

/** References of HTML that keep a bracket as text. */
const AS_TEXT = `&(?:lt|lcub|lsqb|lbrac[ek]|lpar|#x(?:${codesOf(16)})|#(?:${codesOf(10)}));`
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
/** The name of a helper of Handlebars, such as `if`, `each` or `ifEquals`. */
const HELPER = '(?<helper>[\\p{L}_$][\\p{L}\\p{N}_$-]{0,40}(?![\\p{L}\\p{N}_$.-]))'
/** A section without a sign before its word, such as `{if visitor.claims.a}`. */
const BARE = '(?<word>if|unless)(?=[\\s(!])'
/** A later part of a section. It ends where its section ends. */
const CHAIN = `(?<chain>:?(?:${spelt('else')}${GAP}(?:${spelt('if')}|${spelt('unless')})?|${spelt('el')}(?:${spelt('s')})?${spelt('if')})(?![\\p{L}\\p{N}_-]))`
const OPENS = new RegExp(
  [
    `(?<section>${BRACES}${GAP}(?:[#^?]${GAP}(?:(?=${VARIABLE.source})|${HELPER})|${BARE}|${CHAIN}))`,
    `(?:${PERCENT}|(?<slip>${SLIP}))${BEFORE_IF}(?:${ELSE}${IF}|${UNLESS}|${INSTEAD})(?![\\p{L}\\p{N}_-])`,
    `(?<bare>[${LEFT}]${GAP}[%\uff05]${GAP}[!(]{0,3})(?=${VARIABLE.source})`,
  ].join('|'),
  'iuy',
)
/** The beginnings of tags that have the same closing tags as conditions. */
const PLAIN = new RegExp(
  [
    `(?<section>${BRACES}${GAP}(?:[#^?]${GAP}${HELPER}|${BARE}))`,
    `(?:${PERCENT}|${SLIP})${BEFORE_IF}(?:${IF}|${UNLESS}|case|switch)(?![\\p{L}\\p{N}_-])`,
  ].join('|'),
  'iuy',
)
const CLOSES = new RegExp(
  [
    `(?:${PERCENT}|${SLIP})(?:(?:${END_WORD}${GAP}|/${GAP})(?:${IF}|${UNLESS}|${INSTEAD})|${END_WORD}|\\})${GAP};?[-+~=_]?[%\uff05]${GAP}[}\uff5d${RIGHT}]`,
    `(?<section>${BRACES}${GAP}(?:/${GAP}(?!end(?:if|unless))(?:${VARIABLE.source}|${HELPER})[^{}\uff5b\uff5d\\r\\n]{0,200}|[#^?]?${GAP}${END_WORD}${GAP}(?<word>if|unless)${GAP}[#^?]?)[}\uff5d]{1,3})`,
    `(?<![{\uff5b])${SLIP}(?:${END_WORD}${GAP}|/${GAP})(?:${IF}|${UNLESS}|${INSTEAD})${GAP}[^{}\\s\uff5b\uff5d]{0,3}[}\uff5d]`,
  ].join('|'),
  'iuy',
)
const END = new RegExp(`[%\uff05][^\\S\\r\\n]?[}\uff5d${RIGHT}]|[\\r\\n]`, 'gu')
const SECTION_END = /[}\uff5d]{1,3}|[\r\n]/gu
/** The end of a tag whose wrong key can also be at its end. */
const SLIP_END = /[%\uff05]?[^\S\r\n]?[}\uff5d]|[\r\n]/gu
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

/** The numbers of the characters that can begin a tag, as alternatives of a pattern. */
function codesOf(radix: number): string {
  return ['{', '\uff5b', ...OPENING_BRACKETS].map((one) => one.charCodeAt(0).toString(radix)).join('|')
}

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

/** Whether what begins at `at` can be a section of Mustache or Handlebars with a condition, also without a sign before its word. */
export function startsSection(text: string, at: number): boolean {
  return matchAt(OPENS, text, at)?.groups?.section !== undefined
}

/** What is known of a source in which tags in other brackets are read. */
export interface BracketContext {
  /** The code in it, in order: nothing there begins or ends a condition. */
  code?: readonly Span[]
  /** The conditions that begin before it and have not ended, as in the front matter. */
  before?: readonly Pick<BracketedTag, 'section'>[]
  /** The offsets of the tags with values in which conditions in braces begin and do not end, in order. Any tag may end one. */
  values?: readonly number[]
  /** The offsets of tags that are text, because a sentence names them, see `tagsInProse`. */
  prose?: ReadonlySet<number>
}

/**
 * Reads the tags of one source that are in other brackets, from its beginning to its end. A closing tag may be the end of
 * something that is no condition here, such as a loop within one, so the last ones before the next condition count.
 */
export function bracketReader(
  source: string,
  context: BracketContext = {},
): (start: number) => BracketedTag | undefined {
  const opening = openingReader(source)
  let found: ReturnType<typeof endsAfter> | undefined
  let isOpened = false
  return (start) => {
    const opened = opening(start)
    if (opened) {
      if (!found || !isOpened) found = endsAfter(source, context.values?.length ? 0 : start, context)
      isOpened = true
      const section = found.chains.get(start)
      return section === undefined ? opened : { ...opened, section }
    }
    const closed = matchAt(CLOSES, source, start)
    if (!closed) return undefined
    // A condition may begin in the value of a tag, where the caller does not read it.
    found ??= endsAfter(source, 0, context)
    return found.ends.has(start)
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

/** The most sections around one of which the names are known. */
const DEEPEST = 50

/** The sections that have begun and not ended, by their helpers. */
class SectionStack {
  private readonly names: string[] = []

  begin(name: string): void {
    if (this.names.length < DEEPEST) this.names.push(name)
  }

  end(name: string): void {
    const at = this.names.lastIndexOf(name)
    if (at !== -1) this.names.length = at
  }

  /** The innermost one, which an `else` belongs to. */
  last(): string {
    return this.names.at(-1) ?? 'if'
  }
}

/** The closing tags that end nothing in other brackets. They may be meant for conditions in values, whatever their brackets. */
class LeftEnds {
  private readonly plain = new Map<string | undefined, number>()
  private readonly offsets: number[] = []

  beginPlain(section: string | undefined): void {
    this.plain.set(section, (this.plain.get(section) ?? 0) + 1)
  }

  close(at: number, section: string | undefined): void {
    const plain = this.plain.get(section) ?? 0
    if (plain > 0) this.plain.set(section, plain - 1)
    else this.offsets.push(at)
  }

  /** As many of the last ones as there are conditions before them, so that none ends too early. */
  lastFor(values: readonly number[], ends: ReadonlySet<number>): number[] {
    const from = values[0] ?? Infinity
    const left = this.offsets.filter((at) => at > from && !ends.has(at))
    return left.slice(-values.length)
  }
}

/**
 * The offsets of the closing tags that can end a condition: of a run of them, as many as conditions are open. The sections of
 * each helper, and those without one, are counted apart. A closing tag first ends an opening without a variable.
 * @returns also the section to which each `else` with a condition belongs, by its offset
 */
function endsAfter(
  source: string,
  from: number,
  { code = [], before = [], values = [] }: BracketContext,
): { ends: ReadonlySet<number>; chains: ReadonlyMap<number, string> } {
  const opening = openingReader(source)
  const plainOpening = plainReader(source)
  const kinds = new Map<string | undefined, EndsOfKind>()
  const kindFor = (section: string | undefined) => {
    const kind = kinds.get(section) ?? new EndsOfKind()
    kinds.set(section, kind)
    return kind
  }
  const around = new SectionStack()
  const left = new LeftEnds()
  const chains = new Map<number, string>()
  for (const { section } of before) kindFor(section).begin()
  const isCode = spanFinder(code)
  for (const at of beginningsOfTags(source)) {
    if (isCode(at)) continue
    const opened = opening(at)
    if (opened && source[at - 1] === '\\' && at !== from) continue
    if (opened) {
      const isChain = opened.form === 'else' && opened.section !== undefined
      const section = isChain ? around.last() : opened.section
      if (isChain) chains.set(at, around.last())
      else if (section !== undefined) around.begin(section)
      if (at < from) continue
      const kind = kindFor(section)
      if (opened.form === 'else') kind.branch()
      else kind.begin()
      continue
    }
    const closed = matchAt(CLOSES, source, at)
    if (closed) {
      const { section } = sectionAndForm(closed)
      if (section !== undefined) around.end(section)
      if (at >= from) kindFor(section).close(at)
      if (values.length > 0) left.close(at, section)
      continue
    }
    const plain = plainOpening(at)
    if (!plain) continue
    if (plain.section !== undefined) around.begin(plain.section)
    if (at >= from) kindFor(plain.section).beginPlain()
    if (values.length > 0) left.beginPlain(plain.section)
  }
  const ends = new Set([...kinds.values()].flatMap((kind) => kind.finish()))
  for (const at of left.lastFor(values, ends)) ends.add(at)
  return { ends, chains }
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
  const slipEndFrom = finder(source, SLIP_END)

  /** The offset of a variable that only plain text separates from the word at its offset. */
  const variableIn = (from: number) => {
    const variable = variableFrom(from)
    if (!variable || variable.index - from > MOST_BETWEEN) return undefined
    return (markFrom(from)?.index ?? Infinity) < variable.index ? undefined : variable.index
  }
  return (start) => {
    const match = matchAt(OPENS, source, start)
    if (!match) return undefined
    const { bracket, bare, section, slip } = match.groups ?? {}
    const from = start + match[0].length
    const variable = variableIn(from)
    if (variable === undefined) return undefined
    // The second brace of a section is not before a wrong key.
    const isSlip = slip !== undefined && !/[{\uff5b]/.test(source[start - 1] ?? '')
    const nextEnd = section !== undefined ? sectionEndFrom : isSlip ? slipEndFrom : endFrom
    const found = nextEnd(variable)
    const isEnded = found !== null && !/[\r\n]/.test(found[0])
    const tag = { start, closes: false, ...sectionAndForm(match) }
    if (bracket === undefined && bare === undefined) {
      // The words of a section may go on in the next line.
      const isBraced = isEnded ? /[}\uff5d]$/.test(found[0]) : found !== null && section !== undefined
      if (!isBraced || (braceFrom(variable)?.index ?? Infinity) < (found?.index ?? 0)) return undefined
    }
    if (bare !== undefined && !isEnded) return undefined
    const isCut = !isEnded || /[\r\n]/.test(source.slice(from, variable))
    // A section may have nothing before its variable, so the variable gives it room.
    const most = section === undefined ? variable : (found?.index ?? source.length)
    if (isCut) return { ...tag, end: Math.max(from, Math.min(start + SHORTEST_TAG, most)) }
    const words = source.slice(start, found.index).replace(BEFORE_WORDS, '')
    return { ...tag, end: found.index + found[0].length, words }
  }
}

function sectionAndForm({ groups = {} }: RegExpExecArray): Pick<BracketedTag, 'form' | 'section'> {
  if (groups.section !== undefined) {
    if (groups.chain !== undefined) return { form: 'else', section: 'if' }
    const section = (groups.helper ?? groups.word ?? '').toLowerCase()
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
