/** Puts the changes of a printed text into the text as its author wrote it. */
import { needItem } from '../../data/lists.ts'
import { writtenConditions } from '../../document/markdown/mask.ts'
import { diffSequences, type Hunk } from '../line-merge.ts'
import { type Replacement, withLinkLabels } from './link-labels.ts'
import { hunksInCharacters, offsetsOf, splitWords, type ThreeTexts, wordEffort } from './word-merge.ts'

/**
 * How much around a change is written with it: only the letters, where the texts around them are alike or in words that
 * both texts have as often, or directly beside such a word; the words up to the blank space around them; the lines; or all.
 */
export type ChangeReach = 'letters' | 'same-words' | 'words' | 'lines' | 'all'

/** What a page has besides the text that changes. */
interface AroundText {
  /** What ends a new line. */
  newline: string
  /** The labels of the definitions of links, as `normalLabel` compares them. */
  linkLabels: ReadonlySet<string>
}

/**
 * Returns the text `primary`, which the author wrote for what is printed as `base`, with the changes from `base` to `own`.
 * What both spell differently keeps the spelling of the author, unless the change touches it. A link whose text is its
 * label, such as `[docs]`, keeps its definition: `[the docs][docs]`.
 */
export function placeChanges(
  { base, primary, own }: ThreeTexts,
  reach: ChangeReach,
  { newline, linkLabels }: AroundText,
): string {
  const asWritten = (text: string) => (newline === '\n' ? text : text.replaceAll('\n', newline))
  if (own === base) return primary
  if (primary === base || reach === 'all') return asWritten(own)
  const words = { base: spacedWords(base), primary: spacedWords(primary), own: spacedWords(own) }
  const spellings = spellingsOf(words)
  const changes = diffSequences(words.base, words.own, wordEffort())
  const replaced = withLinkLabels(
    primary,
    PLACES[reach]({ base, primary, own }, words, spellings, changes),
    linkLabels,
  )
  const isTagKept = !base.includes('{%') && primary.includes('{%')
  let [text, done] = ['', 0]
  for (const { start, end, text: fresh } of replaced) {
    const from = Math.max(done, start)
    text += primary.slice(done, from) + asWritten(fresh)
    done = Math.max(done, end)
    // The tags of a condition around blocks are not printed with what is in the blocks.
    if (isTagKept) text += writtenConditions(primary.slice(from, done)).join('')
  }
  return text + primary.slice(done)
}

type Words = Record<keyof ThreeTexts, readonly string[]>
type Place = (
  texts: ThreeTexts,
  words: Words,
  spellings: readonly Hunk[],
  changes: readonly Hunk[],
) => Replacement[]

const PLACES: Record<Exclude<ChangeReach, 'all'>, Place> = {
  letters: placeLetters,
  'same-words': placeSameWords,
  words: placeWords,
  lines: placeLines,
}

/** The words and signs of a text, and the blank space between them. */
function spacedWords(text: string): string[] {
  const parts: string[] = []
  let isAfterBlank = false
  for (const word of splitWords(text)) {
    const isSpace = isBlank(word)
    if (isSpace && isAfterBlank) parts.push((parts.pop() ?? '') + word)
    else parts.push(word)
    isAfterBlank = isSpace
  }
  return parts
}

const isBlank = (part: string) => part.trim() === ''

/** The parts that the author writes differently. Blank space is the same however long it is, so that it stays apart. */
function spellingsOf({ base, primary }: Words): Hunk[] {
  const alike = (part: string) => (isBlank(part) ? ' ' : part)
  const hunks = diffSequences(base.map(alike), primary.map(alike), wordEffort())
  const spellings: Hunk[] = []
  let [inBase, inPrimary] = [0, 0]
  const same = (to: number) => {
    for (; inBase < to; inBase++, inPrimary++)
      if (base[inBase] !== primary[inPrimary])
        spellings.push({ aStart: inBase, aEnd: inBase + 1, bStart: inPrimary, bEnd: inPrimary + 1 })
  }
  for (const hunk of hunks) {
    same(hunk.aStart)
    spellings.push(hunk)
    inBase = hunk.aEnd
    inPrimary = hunk.bEnd
  }
  same(base.length)
  return spellings
}

function placeLetters(
  texts: ThreeTexts,
  words: Words,
  spellings: readonly Hunk[],
  changes: readonly Hunk[],
): Replacement[] {
  const { base, own, primary } = texts
  const inBase = offsetsOf(words.base)
  const inOwn = offsetsOf(words.own)
  const placeOf = placing(base, primary, hunksInCharacters(spellings, inBase, offsetsOf(words.primary)))
  return hunksInCharacters(changes, inBase, inOwn).map(({ aStart, aEnd, bStart, bEnd }) => {
    const [was, is] = [base.slice(aStart, aEnd), own.slice(bStart, bEnd)]
    const before = sharedStart(was, is)
    const after = sharedEnd(was.slice(before), is.slice(before))
    const [from, to] = [aStart + before, aEnd - after]
    const text = is.slice(before, is.length - after)
    // An insertion stays beside the letters of its word, a deletion leaves what the author wrote around it.
    if (from === to) {
      const start = placeOf(from, before === 0 && after > 0)
      return { start, end: start, text }
    }
    const start = placeOf(from, true)
    return { start, end: Math.max(start, placeOf(to, false)), text }
  })
}

/**
 * Returns a function that finds the offset in the author's text for one in the printed text; the offsets that it is
 * asked for must not decrease. @param isBehind of `placeOf`: whether it is behind what only the author wrote there
 */
function placing(base: string, primary: string, spellings: readonly Hunk[]) {
  let next = 0
  let within: { hunk: Hunk; placeIn: (offset: number) => number } | undefined
  return function placeOf(offset: number, isBehind: boolean): number {
    while ((spellings[next]?.aEnd ?? Infinity) < offset) next++
    const last = spellings[next - 1]
    const shift = last ? last.bEnd - last.aEnd : 0
    const hunk = spellings[next]
    if (!hunk || offset < hunk.aStart) return offset + shift
    const { aStart, aEnd, bStart, bEnd } = hunk
    if (aStart === aEnd) return isBehind ? bEnd : bStart
    if (offset === aStart) return bStart
    if (offset === aEnd) return bEnd
    if (within?.hunk !== hunk)
      within = { hunk, placeIn: placingLetters(base.slice(aStart, aEnd), primary.slice(bStart, bEnd)) }
    return bStart + within.placeIn(offset - aStart)
  }
}

/** The longest text that is compared by letters. */
const MOST_LETTERS = 2000

function placingLetters(base: string, primary: string): (offset: number) => number {
  const [start, end] = [sharedStart(base, primary), sharedEnd(base, primary)]
  let letters: Hunk[] | undefined
  return (offset) => {
    if (offset <= start) return offset
    if (base.length - offset <= end) return primary.length - (base.length - offset)
    if (base.length + primary.length > MOST_LETTERS) return Math.min(offset, primary.length)
    letters ??= diffSequences(base.split(''), primary.split(''), wordEffort())
    let shift = 0
    for (const { aStart, aEnd, bStart, bEnd } of letters) {
      if (offset < aStart) break
      if (offset < aEnd) return bStart
      shift = bEnd - aEnd
    }
    return offset + shift
  }
}

/**
 * Replaces words that the author's text has as often as the printed one, though elsewhere, such as attributes in another order,
 * and writes what a change adds or removes directly beside such a word.
 */
function placeSameWords(
  texts: ThreeTexts,
  words: Words,
  spellings: readonly Hunk[],
  changes: readonly Hunk[],
): Replacement[] {
  const { base, own, primary } = texts
  const [inBase, inOwn] = [offsetsOf(words.base), offsetsOf(words.own)]
  const { starts, ends } = sameWords(words)
  const replaced = changes.map(({ aStart, aEnd, bStart, bEnd }): Replacement | undefined => {
    const [from, to] = [needItem(inBase, aStart), needItem(inBase, aEnd)]
    const is = own.slice(inOwn[bStart], inOwn[bEnd])
    const word = starts.get(from)
    if (word !== undefined && aEnd - aStart === 1) return { start: word, end: word + (to - from), text: is }

    const was = base.slice(from, to)
    const before = sharedStart(was, is)
    const after = sharedEnd(was.slice(before), is.slice(before))
    const gone = was.slice(before, was.length - after)
    const behind = ends.get(from + before)
    const next = starts.get(to - after)
    const start = behind ?? (next === undefined ? undefined : next - gone.length)
    if (start === undefined || start < 0 || !primary.startsWith(gone, start)) return undefined
    return { start, end: start + gone.length, text: is.slice(before, is.length - after) }
  })
  if (!replaced.every((one) => one !== undefined)) return placeWords(texts, words, spellings, changes)
  return replaced.toSorted((a, b) => a.start - b.start)
}

/** Where the words that both texts have as often begin and end: the offsets in the author's text by those in the printed one. */
function sameWords(words: Words): Record<'starts' | 'ends', Map<number, number>> {
  const [inBase, inPrimary] = [offsetsOf(words.base), offsetsOf(words.primary)]
  const inAuthors = wordPlaces(words.primary)
  const [starts, ends] = [new Map<number, number>(), new Map<number, number>()]
  for (const [word, places] of wordPlaces(words.base)) {
    const same = inAuthors.get(word) ?? []
    if (isBlank(word) || same.length !== places.length) continue
    for (const [nth, at] of places.entries()) {
      const place = needItem(same, nth)
      starts.set(needItem(inBase, at), needItem(inPrimary, place))
      ends.set(needItem(inBase, at + 1), needItem(inPrimary, place + 1))
    }
  }
  return { starts, ends }
}

function wordPlaces(words: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, word] of words.entries()) {
    const known = places.get(word)
    if (known) known.push(at)
    else places.set(word, [at])
  }
  return places
}

function placeWords(...[texts, words, spellings, changes]: Parameters<Place>): Replacement[] {
  return placeRegions(texts, words, spellings, changes, words.base.map(isBlank))
}

/** Replaces lines of the author, because what the change needs stands elsewhere in them, such as the end of a link. */
function placeLines(...[texts, words, spellings, changes]: Parameters<Place>): Replacement[] {
  const isBreak = words.base.map(() => false)
  let [at, inPrimary] = [0, 0]
  const seeUpTo = (end: number) => {
    for (; at < end; at++, inPrimary++) {
      const part = words.primary[inPrimary] ?? ''
      isBreak[at] = isBlank(needItem(words.base, at)) && isBlank(part) && part.includes('\n')
    }
  }
  for (const { aStart, aEnd, bStart, bEnd } of spellings) {
    seeUpTo(aEnd - aStart === 1 && bEnd - bStart === 1 ? aEnd : aStart)
    at = aEnd
    inPrimary = bEnd
  }
  seeUpTo(words.base.length)
  return placeRegions(texts, words, spellings, changes, isBreak)
}

/** Replaces what is between the edges around each change. @param isEdge for each part of the printed text */
function placeRegions(
  texts: ThreeTexts,
  words: Words,
  spellings: readonly Hunk[],
  changes: readonly Hunk[],
  isEdge: readonly boolean[],
): Replacement[] {
  const { base } = words
  const [inPrimary, inOwn] = [offsetsOf(words.primary), offsetsOf(words.own)]
  const within = new Uint8Array(base.length + 1)
  for (const { aStart, aEnd } of spellings) within.fill(1, aStart + 1, Math.max(aStart + 1, aEnd))
  const blank = (range: readonly [number, number]) => words.primary.slice(...range).every(isBlank)
  const regions: { from: number; to: number; ownFrom: number; ownTo: number }[] = []
  for (const { aStart, aEnd, bStart, bEnd } of changes) {
    const before = regions.at(-1)
    const isWithin = before !== undefined && aStart < before.to
    let from = aStart
    if (!isWithin) while (from > 0 && (within[from] === 1 || !isEdge[from - 1])) from--
    let to = isWithin ? Math.max(aEnd, before.to) : aEnd
    while (to < base.length && (within[to] === 1 || !isEdge[to])) to++
    const ownTo = bEnd + (to - aEnd)
    if (isWithin) Object.assign(before, { to, ownTo })
    else regions.push({ from, to, ownFrom: bStart - (aStart - from), ownTo })
  }
  let shift = 0
  let next = 0
  const edgeAt = (at: number) => {
    let hunk = spellings[next]
    for (; hunk && hunk.aEnd < at; hunk = spellings[++next]) shift = shiftOf(hunk)
    return edgeOf(hunk, at, shift)
  }
  return regions.map(({ from, to, ownFrom, ownTo }) => {
    const [first, last] = [edgeAt(from), edgeAt(to)]
    const start = offsetIn(inPrimary, blank(first) ? first[1] : first[0])
    const stop = offsetIn(inPrimary, blank(last) ? last[0] : last[1])
    return { start, end: Math.max(start, stop), text: texts.own.slice(inOwn[ownFrom], inOwn[ownTo]) }
  })
}

/** The offset of a part. A region that begins before the one before it ends may lie outside; a larger reach is tried then. */
function offsetIn(offsets: readonly number[], part: number): number {
  return needItem(offsets, Math.min(Math.max(part, 0), offsets.length - 1))
}

const shiftOf = ({ aEnd, bEnd }: Hunk) => bEnd - aEnd

/** The words that only the author has at a place between two words. */
function edgeOf(hunk: Hunk | undefined, at: number, shift: number): readonly [number, number] {
  if (!hunk || at < hunk.aStart) return [at + shift, at + shift]
  if (hunk.aStart === hunk.aEnd) return [hunk.bStart, hunk.bEnd]
  const edge = at === hunk.aStart ? hunk.bStart : hunk.bEnd
  return [edge, edge]
}

function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[length] === b[length]) length++
  return length
}

function sharedEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}
