import { beginningsOfTags } from './beginnings.ts'
import { standInForCjk } from './cjk.ts'
import type { StandIns } from './cjk.ts'
import { decodeEntities } from './entities.ts'
import { hasWideRule, hideDepth, hideEntities, hideEscapes, hideRules, isEscaped } from './hide-signs.ts'
import { lookalikeReader } from './lookalikes.ts'
import type { BracketContext } from './other-brackets.ts'
import { isShort, isTooCostly } from './parse-cost.ts'
import { DIGITS, hex, HOMES, OTHERS, readNumber, shift, usesHome, writeNumber } from './stand-in-letters.ts'
import { tagReader } from './tags.ts'
import type { Tag } from './tags.ts'

/**
 * The source in the form that the Markdown parser receives. It has the same length, so all offsets stay valid. HTML
 * comments replace tags. Letters that do not occur in the source replace characters that the parser must not read as
 * Markdown.
 */
export interface Masked {
  text: string
  /** The tag that a comment replaces; undefined for a comment of the author. */
  tag(comment: string): Tag | undefined
  /** The original source, byte for byte. */
  raw(masked: string): string
  /** The original text, with hidden escapes and entities decoded as the parser would decode them. */
  plain(masked: string): string
  /** Splits masked text at its tags. The pieces are masked too, and together they are the text. */
  pieces(masked: string): Piece[]
  /** How many characters of a tag an empty line and what is before the tag stand for. */
  leadOf(tag: Tag): number
  /** All tags in order, those in code too, each with its offset in the source. */
  tags: ReadonlyMap<Tag, number>
}

/** A part of a masked text: a tag, or the text up to the next one. */
export interface Piece {
  text: string
  tag?: Tag
}

/** Braille patterns, which the parser takes for punctuation. */
const SIGNS = { from: 0x2800, to: 0x28ff }

/** Around the number of a tag: a comment, and an instruction for tags without room for one. Both are HTML. */
const COMMENT = ['<!--', '-->'] as const
const INSTRUCTION = ['<?', '?>'] as const
/** Declarations of HTML, for tags without room for an instruction. Each stands for one tag. */
const DECLARATIONS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map(
  (letter) => `<!${letter}>`,
)

/** The tags for which something else than a comment stands, by their offsets in the source. */
export interface TagPlaces {
  /** In comments of the author, which the comments of tags would end. */
  commented?: ReadonlySet<number>
  /** For which instructions stand in, because the comments would end what is no comment. */
  instructed?: ReadonlySet<number>
  /** Below an empty line that is a part of what stands for the tag, with what comes before it in its line. */
  apart?: ReadonlyMap<number, string>
}

/**
 * Masks the source. Returns undefined if the source must not be parsed, because it leaves no letters for masking or
 * because the parser would need minutes. Text written by people causes neither.
 * @param context what is known of conditions in other brackets
 */
export function mask(
  written: string,
  places: TagPlaces = {},
  context: BracketContext = {},
): Masked | undefined {
  // The parser works on UTF-8, which cannot encode half of a surrogate pair. The offsets after it would shift.
  const source = written.toWellFormed()
  const found = findTags(source, context)
  if (isTooCostly(source)) return undefined
  const risky = !isShort(source) || /(?:[>*+-][ \t]*){32}|(?:\d[.)][ \t]+){32}/.test(source)
  const wide = hasWideRule(source)
  const escaped = /\\[:.@]/.test(source)
  const cjk = /[\u2e80-\uffe6]/.test(source) && /[*~]/.test(source)
  if (found.length === 0 && !risky && !wide && !escaped && !cjk) return untouched(source)

  const home = HOMES.find((start) => !usesHome(source, start))
  if (home === undefined) return undefined

  const hidden: HiddenTags = { tags: new Map(), declared: new Map(), leads: new Map(), home }
  let text = hideTags(source, found, places, hidden)
  if (text === undefined) return undefined
  if (escaped) text = hideEscapes(text, home)
  if (wide) text = hideRules(text, home)
  if (risky) text = hideEntities(hideDepth(text, home), home)
  const originals = new Map<string, string>()
  if (cjk) text = standInForCjk(text, allocate(source, home, originals))
  return text === source ? untouched(source) : unmasking(text, hidden, originals)
}

/** Assigns substitutes to characters, and records in `originals` which character each one replaces. */
function allocate(source: string, home: number, originals: Map<string, string>): StandIns {
  const known = new Map<string, string>()
  const takeFrom = (first: number, last: number) => {
    let next = first
    return (char: string): string | undefined => {
      const before = known.get(char)
      if (before !== undefined || next > last) return before
      const standIn = String.fromCharCode(next)
      next += 1
      known.set(char, standIn)
      originals.set(standIn, char)
      return standIn
    }
  }
  const hasBraille = new RegExp(`[${hex(SIGNS.from)}-${hex(SIGNS.to)}]`).test(source)
  return {
    letter: takeFrom(home + OTHERS, home + DIGITS - 1),
    sign: hasBraille ? () => undefined : takeFrom(SIGNS.from, SIGNS.to),
  }
}

function untouched(source: string): Masked {
  return {
    text: source,
    tag: () => undefined,
    raw: (masked) => masked,
    plain: (masked) => masked,
    pieces: (masked) => [{ text: masked }],
    leadOf: () => 0,
    tags: new Map(),
  }
}

/** The tags of a source, and what stands for them in the masked text. */
interface HiddenTags {
  /** Each tag with its offset, in order. */
  tags: Map<Tag, number>
  /** The tag for which a declaration stands. */
  declared: Map<string, Tag>
  /** The empty line before what stands for a tag, with what comes before it in its line. */
  leads: Map<Tag, string>
  home: number
}

function unmasking(
  text: string,
  { tags: places, declared, leads, home }: HiddenTags,
  originals: Map<string, string>,
): Masked {
  const tags = [...places.keys()]
  const [first, last, digit] = [home, home + 127, home + DIGITS].map((code) => hex(code))
  const end = hex(home + 2 * DIGITS - 1)
  const others = new RegExp(
    `[${hex(home + OTHERS)}-${hex(home + DIGITS - 1)}${hex(SIGNS.from)}-${hex(SIGNS.to)}]`,
    'g',
  )
  const anything = new RegExp(`[${first}-${end}]`)
  // The parser takes the angle brackets off a comment that is the destination of a link.
  const comments = new RegExp(
    [`<?(?:!--|\\?)([${digit}-${end}]+)(?:--|\\?)>?`, ...declared.keys()].join('|'),
    'g',
  )
  const comment = new RegExp(`^<(?:!--|\\?)([${digit}-${end}]+)(?:--|\\?)>$`)
  const hiddenTag = (written: string, digits: string | undefined) =>
    digits === undefined ? declared.get(written) : tags[readNumber(digits, home)]
  const shifted = new RegExp(`[${first}-${last}]`, 'g')
  const sequences = new RegExp(`[${first}-${last}]+`, 'g')
  const back = (masked: string) =>
    masked.replace(shifted, (char) => String.fromCharCode(char.charCodeAt(0) - home))
  const original = (masked: string) =>
    originals.size === 0 ? masked : masked.replace(others, (char) => originals.get(char) ?? char)
  const pieces = (masked: string) => {
    const found: Piece[] = []
    let done = 0
    for (const { 0: written, 1: digits, index } of masked.matchAll(comments)) {
      const tag = hiddenTag(written, digits)
      if (!tag) continue
      const lead = leads.get(tag) ?? ''
      const start = masked.endsWith(lead, index) ? index - lead.length : index
      if (start > done) found.push({ text: masked.slice(done, start) })
      done = index + written.length
      found.push({ text: masked.slice(start, done), tag })
    }
    if (done < masked.length) found.push({ text: masked.slice(done) })
    return found
  }
  const sources = (masked: string) =>
    pieces(masked)
      .map(({ tag, text: other }) => tag?.source ?? other)
      .join('')

  return {
    text,
    tag(masked) {
      return hiddenTag(masked, comment.exec(masked)?.[1])
    },
    raw(masked) {
      const written = original(masked)
      return anything.test(written) ? sources(back(written)) : written
    },
    plain(masked) {
      const written = original(masked)
      if (!anything.test(written)) return written
      return sources(
        written.replace(sequences, (run) => decodeEntities(back(run)).replace(/\\(?=[:.@])/g, '')),
      )
    },
    pieces,
    leadOf: (tag) => leads.get(tag)?.length ?? 0,
    tags: places,
  }
}

/** The tags of conditions in a source, as they are written. */
export function writtenConditions(source: string): string[] {
  return findTags(source).flatMap(({ tag }) => (tag.name === 'if' ? [tag.source] : []))
}

/** The source without the tags of conditions. */
export function cutConditions(source: string): string {
  const kept: string[] = []
  let done = 0
  for (const { start, tag } of findTags(source)) {
    if (tag.name !== 'if') continue
    kept.push(source.slice(done, start))
    done = start + tag.source.length
  }
  return kept.join('') + source.slice(done)
}

/** Finds tags outside of backslash escapes. It finds tags in code too; their text is restored unchanged. */
function findTags(source: string, context: BracketContext = {}): { start: number; tag: Tag }[] {
  const found: { start: number; tag: Tag }[] = []
  const readLookalike = lookalikeReader(source, context)
  const readKnown = tagReader(source)
  let done = 0

  for (const start of beginningsOfTags(source)) {
    if (start < done || isEscaped(source, start)) continue
    const tag = readKnown(start)
    const one = tag ? { start, tag } : readLookalike(start)
    if (!one) continue
    if (one.tag.name === 'if' || roomIn(one.tag, COMMENT) > 0) found.push(one)
    done = one.start + one.tag.source.length
  }
  return found
}

function roomIn({ source }: Tag, [before, after]: typeof COMMENT | typeof INSTRUCTION, lead = ''): number {
  return source.length - lead.length - before.length - after.length
}

/** Returns undefined if a condition has no room for its number: as text it would hide nothing. */
function hideTags(
  source: string,
  found: { start: number; tag: Tag }[],
  { commented, instructed, apart }: TagPlaces,
  { tags, declared, leads, home }: HiddenTags,
): string | undefined {
  const parts: string[] = []
  let done = 0
  const put = (start: number, tag: Tag, standIn: string) => {
    parts.push(source.slice(done, start), standIn)
    tags.set(tag, start)
    done = start + tag.source.length
  }

  for (const { start, tag } of found) {
    if (commented?.has(start)) {
      put(start, tag, shift(tag.source, home))
      continue
    }
    const forms = instructed?.has(start) ? [INSTRUCTION] : [COMMENT, INSTRUCTION]
    const line = apart?.get(start)
    const lead = line === undefined ? '' : `\n${line}`
    let written = standInFor(tag, tags.size, forms, home, lead)
    if (written !== undefined && lead !== '') leads.set(tag, lead)
    written ??= standInFor(tag, tags.size, forms, home, '')
    if (written !== undefined) {
      put(start, tag, written)
      continue
    }
    if (tag.name !== 'if') continue
    const free = (one: string) =>
      one.length === tag.source.length && !declared.has(one) && !source.includes(one)
    const declaration = DECLARATIONS.find(free)
    if (declaration === undefined) return undefined
    declared.set(declaration, tag)
    put(start, tag, declaration)
  }
  parts.push(source.slice(done))
  return parts.join('')
}

/** What stands for a tag with a number; undefined if the tag has no room for it. */
function standInFor(
  tag: Tag,
  number: number,
  forms: readonly (typeof COMMENT | typeof INSTRUCTION)[],
  home: number,
  lead: string,
): string | undefined {
  for (const form of forms) {
    const room = roomIn(tag, form, lead)
    if (room > 0 && number < DIGITS ** room) return lead + form.join(writeNumber(number, room, home))
  }
  return undefined
}
