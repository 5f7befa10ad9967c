/**
 * Tags that can only have been meant as conditions, such as `{%- if a -%}`, `{% IF a %}`, `{% unless a %}` or an `{% if`
 * that does not end on its line. They never hold, so that what the author wanted to hide is shown to nobody.
 */
import { beginningsOfTags, replaceBeginnings } from './beginnings.ts'
import { finder } from './find-in-order.ts'
import { bracketReader, startsInOtherBrackets, startsSection } from './other-brackets.ts'
import type { BracketContext } from './other-brackets.ts'
import { MOST_BREAKS, percentAfter, SHORTEST_TAG, VARIABLE, wordAt } from './tag-words.ts'
import type { TagWord } from './tag-words.ts'
import { hasOwnCondition, inCode, namesTag, readTag, tagReader } from './tags.ts'
import type { Tag } from './tags.ts'

/** What a condition is, if it is no `if`. Each form ends at its own closing tag, and an `else` at that of its `if`. */
type ConditionForm = NonNullable<Tag['form']>

/** Reads what looks like the tag of a condition at an offset. The tag may begin below it. */
type LookalikeReader = (at: number) => { start: number; tag: Tag } | undefined

/** An expression that is never true: that of a tag whose words it cannot have. */
export const NEVER = 'false /* */'

/** The end of a tag or of its line. */
const END = /[%\uff05][^\S\r\n]?[}\uff5d]|[\r\n]/gu
/** The end of a tag without a percent sign at its beginning, or of its line. */
const BRACE_END = /[}\uff5d]|[\r\n]/gu
/** The words with which a tag can begin that has no percent sign there. */
const BRACE_WORDS = ['if', 'unless', 'endif', 'endunless', 'not']
/** The beginning of a tag that is a condition without its word, such as `{% plan == "pro" %}`. */
const COMPARISON = /^[\s!(]{0,9}[\w.$[\]"']{1,100}\s{0,9}(?:[=!]==?|&&|\|\||[<>]=?)/
/** The most braces of a section of Mustache or Handlebars. */
const MOST_BRACES = 3
/** The most characters before the words of a line. */
const MOST_MARKERS = 64
/** What stands behind the word of a closing tag that ends without a percent sign. */
const WRONG_END = /[^\S\r\n]{0,3}(?:5|[^\p{L}\p{N}\s{}%\uff05\uff5b\uff5d]{0,3})[^\S\r\n]?[}\uff5d]/uy
/** What may stand behind the word of a closing tag: some words, but no beginning of another tag, and no end of code. */
const CLOSING_WORDS = /^[^{}\uff5b\uff5d`<>|\]]{0,100}$/u

/** The offset of the first tag that is or looks like one of a condition; -1 if there is none. */
export function firstCondition(source: string): number {
  for (const at of conditionsIn(source)) return at
  return -1
}

/** The offsets of the tags that are or look like those of conditions, in order. */
export function* conditionsIn(source: string): Generator<number> {
  const readLookalike = lookalikeReader(source)
  const readKnown = tagReader(source)
  let done = 0
  for (const at of beginningsOfTags(source)) {
    if (readLookalike(at)) {
      yield at
      continue
    }
    const known = at < done ? undefined : readKnown(at)
    if (!known) continue
    if (hasOwnCondition(known)) yield at
    done = at + known.source.length
  }
}

/** Whether the sign at `at` begins a tag, or could with what follows the text. */
export function startsTag(text: string, at: number): boolean {
  if (startsInOtherBrackets(text, at)) return true
  if (!isBrace(text, at)) return false
  if (percentAfter(text, at)) return true
  const word = wordAt(text, at + 1)
  if (!word) return false
  if (word.isCut && BRACE_WORDS.some((one) => one.startsWith(word.letters))) return true
  return /^(?:(?:end)?(?:if|unless)|(?:end|not)$)/.test(word.letters)
}

/** Text in which nothing begins a tag: `write` writes each sign that would. */
export function withoutBeginnings(text: string, write: (sign: string) => string): string {
  return replaceBeginnings(text, (sign, at) => (startsTag(text, at) ? write(sign) : sign))
}

function isBrace(text: string, at: number): boolean {
  return text[at] === '{' || text[at] === '\uff5b'
}

/** Reads the tags of one source that look like those of conditions, from its beginning to its end. */
export function lookalikeReader(source: string, context: BracketContext = {}): LookalikeReader {
  const readInBraces = braceReader(source)
  const readInOthers = bracketReader(source, context)
  return (at) => {
    if (context.prose?.has(at)) return undefined
    // A section ends at its own end, which is no tag in braces. A backslash before its first brace makes all of it text.
    const first = firstBrace(source, at)
    const section = startsSection(source, first) ? readInOthers(first) : undefined
    if (section && first < at) return undefined
    const found = !section && isBrace(source, at) ? readInBraces(at) : undefined
    // With another sign for the percent sign, a tag ends at an end with such a sign.
    const isSlip = found && !found.tag.closes && !percentAfter(source, at)
    const other = section ?? (found && !isSlip ? undefined : readInOthers(at))
    if (!other || (found && (other.closes || other.words === undefined))) return found
    const { start, end, form, closes, words, section: helper } = other
    const argument = closes ? '' : neverFor(words?.trim() ?? '')
    const tag = tagOf(source.slice(start, end), form, closes, argument)
    return {
      start,
      tag: { ...tag, isInOtherBrackets: true, ...(helper !== undefined && { section: helper }) },
    }
  }
}

/** The offset of the first of the braces that are together at an offset. */
function firstBrace(source: string, at: number): number {
  let first = at
  while (at - first < MOST_BRACES && isBrace(source, first) && isBrace(source, first - 1)) first -= 1
  return first
}

/** Reads the tags that begin with a brace. */
function braceReader(source: string): LookalikeReader {
  const endFrom = finder(source, END)
  const braceFrom = finder(source, BRACE_END)
  const variableFrom = finder(source, VARIABLE)
  const nextFrom = finder(source, /\{%/g)
  const closingFrom = finder(source, /[}\uff5d]/gu)

  /** Whether a tag names a variable before its end, and before another tag begins. */
  const namesVariable = (start: number, from: number, end: number) => {
    const at = variableFrom(from)?.index ?? Infinity
    return at < end && at < (nextFrom(start + 1)?.index ?? Infinity)
  }
  return (start) => {
    const percent = percentAfter(source, start)
    const inside = percent?.at ?? start + 1
    const word = wordAt(source, inside)
    if (!word || word.letters === '' || endsCode(source, start, word)) return undefined
    const breaks = (percent?.breaks ?? 0) + word.breaks
    const end = (percent ? endFrom : braceFrom)(word.start)
    const stop = Math.min(end?.index ?? source.length, nextFrom(word.start)?.index ?? Infinity)
    const isEnded = end?.index === stop && !/[\r\n]/.test(end[0])
    const to = isEnded ? stop + end[0].length : stop
    const isNamed = namesVariable(start, word.start, to)
    const words = conditionWords(source, word)
    if (breaks > (percent ? MOST_BREAKS : 0)) return undefined
    if (percent && !words) {
      const isVariable = isNamed && (isEnded || variableFrom(word.start)?.index === word.start)
      const isCompared = isEnded && COMPARISON.test(source.slice(inside, end.index))
      if (!(isVariable || isCompared) || namesTag(source, start)) return undefined
    }
    const isPercent =
      percent !== undefined || /[%\uff05]\s?.$/.test(source.slice(Math.max(start, to - 3), to))
    const isMeant = words?.isBrace && ((isNamed && !words.closes) || (isEnded && isPercent))
    if (!percent && !isMeant) return undefined

    if (!isNamed && inCode(source, start, to)) return undefined

    const form = words?.form
    const isWhole = isEnded && breaks === 0
    if (words?.closes) {
      // An end that reaches over other text would take the tag of a condition there, or end one too early.
      const wrongEnd = percent && breaks === 0 ? endOfMatch(WRONG_END, source, words.end) : undefined
      if (wrongEnd !== undefined && form !== 'else')
        return {
          start,
          tag: { ...tagOf(source.slice(start, wrongEnd), form, true, ''), ...IN_WRONG_BRACKETS },
        }
      if (!isWhole || form === 'else' || !CLOSING_WORDS.test(source.slice(words.end, end.index)))
        return undefined
      return { start, tag: tagOf(source.slice(start, to), form, true, '') }
    }
    if (isWhole) {
      const inner = source.slice(inside, end.index)
      const written = percent ? inner : inner.replace(/[%\uff05]\s?$/, '')
      return { start, tag: tagOf(source.slice(start, to), form, false, neverFor(written.trim())) }
    }
    if (breaks === 0) {
      const cut = Math.max(words?.end ?? word.end, Math.min(start + SHORTEST_TAG, to))
      const tag = tagOf(source.slice(start, cut), form, false, NEVER)
      const isBraced = percent && (closingFrom(word.end)?.index ?? Infinity) < stop
      return { start, tag: isBraced ? { ...tag, ...IN_WRONG_BRACKETS } : tag }
    }
    // The word is in a line below `{%`, which stays text: a tag of two lines could end a block of code.
    const below = to - word.start < SHORTEST_TAG ? endInNextLine(source, word.start, to) : to
    return below === undefined
      ? undefined
      : { start: word.start, tag: tagOf(source.slice(word.start, below), form, false, NEVER) }
  }
}

/** Where a short tag ends that goes on in the next line; undefined if no words are there. */
function endInNextLine(source: string, start: number, end: number): number | undefined {
  const [next] =
    source.slice(end, end + MOST_MARKERS).match(/^(?:\r\n?|\n)[^\S\r\n]*(?:>[^\S\r\n]*)*\p{L}/u) ?? []
  return next === undefined ? undefined : Math.max(end + next.length, start + SHORTEST_TAG)
}

/** A tag without the percent sign at its end: only an end without it ends it, but for those that are plainly written. */
const IN_WRONG_BRACKETS = { isInOtherBrackets: true, section: '{%' } as const

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Whether the backticks before a word end code that began before the tag: they are not those around the word. */
function endsCode(source: string, start: number, { ticks, start: from, end }: TagWord): boolean {
  if (ticks === 0) return false
  return source[start - 1] === '`' || ticks > 1 || source[from - 1] !== '`' || source[end] !== '`'
}

/** The words of a condition. */
interface ConditionWords {
  form?: ConditionForm
  closes: boolean
  /** Whether they make a tag of braces without a percent sign at its beginning. */
  isBrace: boolean
  /** The offset behind them. */
  end: number
}

/** The words with which a condition begins, or what looks like one. */
function conditionWords(source: string, first: TagWord): ConditionWords | undefined {
  const isApart = first.letters === 'not' || first.letters === 'end'
  const word = isApart ? wordAt(source, first.end) : first
  if (!word || (isApart && word.breaks > 0)) return undefined
  const isEnd = word.letters.startsWith('end')
  const closes = first.isClosing || first.letters === 'end' || isEnd
  const letters = isEnd ? word.letters.slice(3) : word.letters
  const { end, seams } = word
  const is = (one: string) =>
    letters === one || (letters.startsWith(one) && seams.has(one.length + (isEnd ? 3 : 0)))
  if (/^if(?!rame)/.test(letters)) return { closes, isBrace: true, end }
  if (/^el(?:se?)?if/.test(letters)) return { form: 'else', closes, isBrace: false, end }
  if (/^el(?:se?)?$/.test(letters)) {
    const next = wordAt(source, end)
    if (next?.letters.startsWith('if') && next.breaks === 0)
      return { form: 'else', closes, isBrace: false, end: next.end }
  }
  // A name with a hyphen may begin like one of these.
  if (source[end] === '-' && /\w/.test(source[end + 1] ?? '')) return undefined
  if (is('unless')) return { form: 'unless', closes, isBrace: true, end }
  if (is('case') || is('switch')) return { form: 'case', closes, isBrace: false, end }
  return is('else') || is('when') ? { form: 'else', closes, isBrace: false, end } : undefined
}

function tagOf(source: string, form: ConditionForm | undefined, closes: boolean, argument: string): Tag {
  return { source, name: 'if', closes, argument, ...(form && { form }) }
}

/** What an expression that is never true stands for: the words of a tag that looks like a condition, '' if it has none. */
export function wordsOfLookalike(expression: string): string | undefined {
  if (expression === NEVER) return ''
  return /^false \/\* (.*) \*\/ *$/s.exec(expression)?.[1]
}

/** An expression that is never true, with the words of the author if a tag can have them. */
export function neverFor(words: string): string {
  if (words === '') return NEVER
  const argument = `false /* ${words} */`
  // A quote that is open goes on up to the next one, behind the tag.
  const isSafe = [`"'"`, '"', "'"].every(
    (quotes) => readTag(`{% if ${argument} %} ${quotes} %}`, 0)?.argument === argument,
  )
  return isSafe && !words.includes('*/') ? argument : NEVER
}
