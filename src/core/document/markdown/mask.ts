import { decodeEntities } from './entities.ts'
import { LONGEST, readTag } from './tags.ts'
import type { Tag } from './tags.ts'

/**
 * The source as the Markdown parser is given it: of equal length, so that every offset holds. Tags have become
 * HTML comments; what must not reach the parser as Markdown is moved to letters that the source does not use.
 */
export interface Masked {
  text: string
  /** The tag that a comment stands for; undefined for a comment of the author's. */
  tag(comment: string): Tag | undefined
  /** The source that stood there, byte for byte. */
  raw(masked: string): string
  /** The same for text, where what was moved away from the parser is decoded as the parser would have. */
  plain(masked: string): string
}

/** Blocks of 2,048 code units to take letters from, the private ones first. */
const HOMES = [0xe000, 0xe800, 0xf000, ...Array.from({ length: 26 }, (_, index) => 0xd000 - index * 0x800)]
/** Within a home: 0–127 stand for that ASCII character, 1,024–2,047 are digits. */
const DIGITS = 1024

/** The shortest tag that can be masked: `<!--` + digits + `-->`. */
const COMMENT_LENGTH = '<!---->'.length

/** Container markers (`>`, `*`, `1.`) on one line that the parser sees; deeper ones are text. */
const DEEPEST_MARKERS = 32
/** What the line below a wide table's header is made of. */
const RULE = /^[-:|> \t\r]{200,}$/gm
/** Columns of the widest table that the parser sees. */
const MOST_COLUMNS = 100
/** Characters that the parser may copy for entities before they are kept from it: the square of a text's length. */
const ENTITY_COST = 40_000_000
/** What signs may cost before a source is not parsed: the parser's time grows with the square of a paragraph's length. */
const SIGN_COST = 10_000_000_000
/** Below this length no source can cost too much. */
const SHORT = 8_000

/**
 * Masks the source; undefined for a source that must not be parsed: one that leaves no letters to mask with, or
 * would take the parser minutes. No text that people write is either.
 */
export function mask(source: string): Masked | undefined {
  const found = findTags(source)
  if (source.length > SHORT && costOf(source) > SIGN_COST) return undefined
  const risky = source.length > SHORT || /(?:[>*+-][ \t]*){32}|(?:\d[.)][ \t]+){32}/.test(source)
  const wide = source.search(RULE) !== -1
  const escaped = /\\[:.@]/.test(source)
  if (found.length === 0 && !risky && !wide && !escaped) return untouched(source)

  const home = HOMES.find((start) => !usesHome(source, start))
  if (home === undefined) return undefined

  const tags: Tag[] = []
  let text = hideTags(source, found, tags, home)
  if (escaped) text = hideEscapes(text, home)
  if (wide) text = hideRules(text, home)
  if (risky) text = hideEntities(hideDepth(text, home), home)
  return unmasking(text, tags, home)
}

function untouched(source: string): Masked {
  return { text: source, tag: () => undefined, raw: (masked) => masked, plain: (masked) => masked }
}

function unmasking(text: string, tags: Tag[], home: number): Masked {
  const [first, last, digit] = [home, home + 127, home + DIGITS].map((code) => hex(code))
  const end = hex(home + 2 * DIGITS - 1)
  const anything = new RegExp(`[${first}-${end}]`)
  const comments = new RegExp(`<!--([${digit}-${end}]+)-->`, 'g')
  const comment = new RegExp(`^<!--([${digit}-${end}]+)-->$`)
  const shifted = new RegExp(`[${first}-${last}]`, 'g')
  const sequences = new RegExp(`[${first}-${last}]+`, 'g')
  const back = (masked: string) =>
    masked.replace(shifted, (char) => String.fromCharCode(char.charCodeAt(0) - home))
  const sources = (masked: string) =>
    masked.replace(comments, (whole, digits: string) => tags[readNumber(digits, home)]?.source ?? whole)

  return {
    text,
    tag(masked) {
      const digits = comment.exec(masked)?.[1]
      return digits === undefined ? undefined : tags[readNumber(digits, home)]
    },
    raw: (masked) => (anything.test(masked) ? sources(back(masked)) : masked),
    plain: (masked) =>
      anything.test(masked)
        ? sources(masked.replace(sequences, (run) => decodeEntities(back(run)).replace(/\\(?=[:.@])/g, '')))
        : masked,
  }
}

/** Finds tags outside of backslash escapes. Those in code are found too: their text comes back unchanged. */
function findTags(source: string): { start: number; tag: Tag }[] {
  const found: { start: number; tag: Tag }[] = []
  let end = 0

  for (let start = source.indexOf('{%'); start !== -1; start = source.indexOf('{%', start)) {
    if (end < start + 2) end = source.indexOf('%}', start + 2)
    if (end === -1) break
    const near = end - start <= LONGEST
    const tag = near && !isEscaped(source, start) ? readTag(source, start) : undefined
    if (tag && tag.source.length > COMMENT_LENGTH) found.push({ start, tag })
    start += tag ? tag.source.length : 2
  }
  return found
}

function isEscaped(source: string, at: number): boolean {
  let start = at
  while (start > 0 && at - start < 100 && source[start - 1] === '\\') start -= 1
  return (at - start) % 2 === 1
}

function hideTags(source: string, found: { start: number; tag: Tag }[], tags: Tag[], home: number): string {
  const parts: string[] = []
  let done = 0

  for (const { start, tag } of found) {
    const room = tag.source.length - COMMENT_LENGTH
    if (tags.length >= DIGITS ** room) continue
    parts.push(source.slice(done, start), `<!--${writeNumber(tags.length, room, home)}-->`)
    tags.push(tag)
    done = start + tag.source.length
  }
  parts.push(source.slice(done))
  return parts.join('')
}

/**
 * Escaped signs that keep text from being an emoji or a web address. The parser would resolve them and leave no
 * trace, then find the address all the same.
 */
function hideEscapes(text: string, home: number): string {
  return text.replace(/\\(?::(?=\/\/|[\w+-]+\\?:)|(?<=www\\)\.|@)/gi, (sign, offset: number) =>
    isEscaped(text, offset) ? sign : shift(sign, home),
  )
}

function hideDepth(text: string, home: number): string {
  const marker = /[ \t]*(?:[>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y
  const parts: string[] = []
  let done = 0

  for (let line = 0; line !== -1 && line < text.length; line = nextLine(text, line)) {
    marker.lastIndex = line
    let seen = 0
    while (seen < DEEPEST_MARKERS && marker.test(text)) seen += 1
    if (seen < DEEPEST_MARKERS) continue
    const start = lastEnd(marker, line)
    const end = endOfMarkers(text, start)
    parts.push(text.slice(done, start), shift(text.slice(start, end), home))
    done = end
  }
  if (done === 0) return text
  parts.push(text.slice(done))
  return parts.join('')
}

/** Keeps wide tables from the parser, which makes a node of every cell, those that are missing too. */
function hideRules(text: string, home: number): string {
  return text.replace(RULE, (rule) => (rule.split('|').length > MOST_COLUMNS + 2 ? shift(rule, home) : rule))
}

function nextLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? -1 : newline + 1
}

function lastEnd(pattern: RegExp, least: number): number {
  return Math.max(pattern.lastIndex, least)
}

/** Where the signs that could be markers end. */
function endOfMarkers(text: string, from: number): number {
  let end = from
  while (end < text.length && /[-+*>\d.) \t]/.test(text[end] ?? '')) end += 1
  return end
}

/** How much the parser has to do beyond the length of the source: for each sign, the length of its paragraph so far. */
function costOf(source: string): number {
  const token = /\n[ \t]*\r?(?=\n)|[*_~`[\]<>$&@]|\{%|www\.|:\/\/|\\/g
  let paragraph = 0
  let cost = 0
  for (let match = token.exec(source); match; match = token.exec(source)) {
    if (match[0].startsWith('\n')) paragraph = match.index
    else cost += match.index - paragraph
  }
  return cost
}

/** Hides entities from the parser that would cost too much memory; they are decoded afterwards. */
function hideEntities(text: string, home: number): string {
  let paragraph = 0
  let cost = 0

  return text.replace(/\n[ \t]*\r?(?=\n)|&(?:#\w{1,8}|[A-Za-z]\w{0,40});/g, (match, offset: number) => {
    if (match.startsWith('\n')) {
      paragraph = offset
      return match
    }
    cost += offset - paragraph
    return cost > ENTITY_COST ? shift(match, home) : match
  })
}

function usesHome(source: string, home: number): boolean {
  return new RegExp(`[${hex(home)}-${hex(home + 2 * DIGITS - 1)}]`).test(source)
}

function shift(ascii: string, home: number): string {
  return ascii.replace(/[\x21-\x7e]/g, (char) => String.fromCharCode(home + char.charCodeAt(0)))
}

function writeNumber(number: number, width: number, home: number): string {
  let digits = ''
  for (let rest = number, left = width; left > 0; left -= 1, rest = Math.floor(rest / DIGITS))
    digits = String.fromCharCode(home + DIGITS + (rest % DIGITS)) + digits
  return digits
}

function readNumber(digits: string, home: number): number {
  return [...digits].reduce((number, digit) => number * DIGITS + digit.charCodeAt(0) - home - DIGITS, 0)
}

function hex(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
