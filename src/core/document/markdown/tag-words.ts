/**
 * The words of a tag as a person reads them, however they are written: references of HTML are decoded, elements of HTML, marks
 * of Markdown, punctuation and characters without a shape are left out, and letters that look alike are the same.
 */
import { decodeReference } from './character-references.ts'

/** A word of a tag, with the offsets of its first letter and behind its last one. */
export interface TagWord {
  /** '' at the end of the text. */
  letters: string
  start: number
  end: number
  /** After how many of its letters something invisible is. */
  seams: ReadonlySet<number>
  /** Whether it may go on behind the text. */
  isCut: boolean
  /** The line breaks before it. */
  breaks: number
  /** The runs of backticks before it. */
  ticks: number
  /** Whether a slash before it makes it the word of a closing tag. */
  isClosing: boolean
}

/** The most line breaks between the brace, the percent sign and the first word of a tag. */
export const MOST_BREAKS = 3
/** The most signs before a word, and the most signs and letters of it. */
const MOST_UNITS = 64

/** What a tag that does not end in its line takes of it if it can, so that there is room for something in its place. */
export const SHORTEST_TAG = 5

/** What only conditions read. */
export const VARIABLE =
  /visitor\s{0,9}\??\s{0,3}[.[]|(?:space|page)\s{0,9}\??\s{0,3}(?:\.\s{0,3}|\.?\s{0,3}\[\s{0,3}["'`])vars\b/giu
/** The most characters of such a variable. */
export const LONGEST_VARIABLE = 40

/** Whether a text has a variable that only conditions read. */
export function namesCondition(text: string): boolean {
  return text.search(VARIABLE) !== -1
}

/** The same, for the value of a field that may have any text: the end of a sentence about a visitor is none. */
export function readsVariable(text: string): boolean {
  return READ.test(text)
}

const READ = new RegExp(`(?:${VARIABLE.source})(?:(?<=vars)|(?=["'\`]?\\w))`, 'iu')

/** White space of a line, and characters that look like it. */
const SPACE = '(?![\\r\\n])[\\s\\u2800\\u3164\\u115f\\u1160\\uffa0]'
/** Characters without a shape. */
const SHAPELESS = '(?![\\s\\u3164\\u115f\\u1160\\uffa0])[\\p{Cf}\\p{Cc}\\p{DI}]'
/** The last alternative takes what the others leave. */
const UNIT = new RegExp(
  [
    `(?<space>(?:${SPACE})+)`,
    `(?<shapeless>(?:${SHAPELESS})+)`,
    '(?<break>\\r\\n?|\\n)',
    '(?<element><[a-z/!][^<>{}\\r\\n]{0,100}>)',
    '&(?:#\\w{1,8}|[a-z]\\w{1,31});',
    '.',
  ].join('|'),
  'isuy',
)
const [SPACES, SHAPELESSNESS] = [SPACE, SHAPELESS].map((one) => new RegExp(`^(?:${one})+$`, 'u')) as [
  RegExp,
  RegExp,
]
const LETTER = /^[\p{L}\p{N}]/u
const MARK = /^[\p{M}*_~\\]/u
/** The end of code, in which what looks like a tag is none. */
const CODE_END = /^<\/(?:code|kbd|pre|samp|tt|var)\b/i

/** Letters that look like Latin ones, in lower case. */
const ALIKE: Record<string, string> = {
  a: '\u0430\u03b1',
  c: '\u0441\u03f2',
  e: '\u0435\u03b5',
  f: '\u0192\ua799\u03dd\ua4dd',
  h: '\u043d\u04bb',
  i: '\u0131\u0456\u03b9\u026a\u0269\ua4f2',
  l: '\u04cf',
  n: '\u0578\u03bd',
  s: '\u0455',
  t: '\u0442\u03c4',
  u: '\u057d\u03c5\u1d1c',
  w: '\u051d\u0461',
}
const LATIN = new Map(
  Object.entries(ALIKE).flatMap(([letter, others]) =>
    [...others].map((other): [string, string] => [other, letter]),
  ),
)

/** A pattern for a word whose letters may be full-width or look like Latin ones, with shapeless characters between them. */
export function spelt(word: string): string {
  return [...word]
    .map((letter) => {
      const dotted = letter === 'i' ? '\u0130' : ''
      const wide = String.fromCharCode(letter.charCodeAt(0) + 0xfee0)
      return `[${letter}${wide}${dotted}${ALIKE[letter] ?? ''}]\\u0307?`
    })
    .join('[\\p{Cf}\\p{DI}]*')
}

/** A part of a source that is read as one: a character, a run of white space, a reference or an element of HTML. */
interface Unit {
  source: string
  kind: 'space' | 'shapeless' | 'break' | 'element' | 'letter' | 'sign'
  /** The character that it shows. */
  shown: string
}

function unitAt(source: string, at: number): Unit {
  UNIT.lastIndex = at
  const { 0: unit, groups = {} } = UNIT.exec(source)!
  for (const kind of ['space', 'shapeless', 'break', 'element'] as const)
    if (groups[kind] !== undefined) return { source: unit, kind, shown: '' }
  // Nobody writes the words of a tag with names of letters, so the character of another name does not matter.
  const shown = unit.length > 2 ? (decodeReference(unit) ?? '&') : unit
  const blank =
    SPACES.test(shown) || /^[\r\n]/.test(shown)
      ? 'space'
      : SHAPELESSNESS.test(shown)
        ? 'shapeless'
        : undefined
  return { source: unit, kind: blank ?? (LETTER.test(shown.normalize('NFKD')) ? 'letter' : 'sign'), shown }
}

/** The offset behind the percent sign after a brace, and the line breaks before it; undefined if there is none. */
export function percentAfter(source: string, brace: number): { at: number; breaks: number } | undefined {
  let breaks = 0
  for (let at = brace + 1; at < source.length;) {
    const { source: unit, kind, shown } = unitAt(source, at)
    at += unit.length
    if (kind === 'break') breaks += 1
    if (unit === '%' || unit === '\uff05') return { at, breaks }
    // A quote goes on with this sign in the next line.
    const isQuote = breaks > 0 && shown === '>'
    if (kind === 'element' || kind === 'letter' || (kind === 'sign' && !isQuote) || breaks > MOST_BREAKS)
      return undefined
  }
  return undefined
}

/** The first word at or after an offset; undefined if a brace, the end of code or too many signs are before it. */
export function wordAt(source: string, from: number): TagWord | undefined {
  let [at, breaks, ticks, lead] = [from, 0, 0, '']
  for (let units = 0; at < source.length; units += 1) {
    const { source: unit, kind, shown } = unitAt(source, at)
    if (kind === 'letter') break
    if (kind === 'break') breaks += 1
    if (kind === 'sign') lead += shown
    if (shown === '`' && source[at - 1] !== '`') ticks += 1
    const endsCode = CODE_END.test(unit) || lead.endsWith('$$') || (breaks > 0 && lead.endsWith('~~~'))
    if (/^[{}\uff5b\uff5d]/.test(unit) || endsCode || breaks > MOST_BREAKS || units === MOST_UNITS)
      return undefined
    at += unit.length
  }
  const isClosing = /^[-+~=#]*\/$/.test(lead)
  return { ...lettersAt(source, at), start: at, breaks, ticks, isClosing }
}

function lettersAt(source: string, start: number): Pick<TagWord, 'letters' | 'end' | 'seams' | 'isCut'> {
  const seams = new Set<number>()
  let [letters, end, at] = ['', start, start]
  for (let units = 0; at < source.length && units < MOST_UNITS; units += 1) {
    const { source: unit, kind, shown } = unitAt(source, at)
    at += unit.length
    if (kind === 'letter') {
      letters += folded(shown)
      end = at
    } else if (kind === 'element' || kind === 'shapeless') seams.add(letters.length)
    else if (kind !== 'sign' || !MARK.test(shown)) return { letters, end, seams, isCut: false }
  }
  return { letters, end, seams, isCut: at >= source.length }
}

/** The letter as the Latin one that it looks like, in lower case. */
function folded(letter: string): string {
  const plain = letter.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  return LATIN.get(plain) ?? plain
}
