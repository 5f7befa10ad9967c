/** The place of a block of a conflict in a source: recorded when the conflict is found, and found again after other edits. */
import { need } from '../../data/lists.ts'
import { frontMatterEnd } from '../../document/front-matter/front-matter.ts'
import type { BodyPlace } from './model.ts'
import { isBlankUnit } from '../body-units.ts'

/** The most characters recorded before and after a block. */
const CONTEXT = 200
/** The most characters by which other edits may have moved a block if only one of its neighbours is left. */
const FAR = 1000

/** The place of `length` characters of a source; `key` is that of an entry of the front matter. */
export function placeInBody(source: string, offset: number, length: number, key?: string): BodyPlace {
  const before = source.slice(0, offset).trimEnd().slice(-CONTEXT)
  const after = source
    .slice(offset + length, offset + length + 2 * CONTEXT)
    .trimStart()
    .slice(0, CONTEXT)
  const times = length === 0 ? 0 : occurrencesOf(source, source.slice(offset, offset + length)).length
  return {
    offset,
    ...(key === undefined ? {} : { key }),
    ...(before === '' ? {} : { before }),
    ...(after === '' ? {} : { after }),
    ...(times > 1 ? { times } : {}),
  }
}

/**
 * The present offset of the block, if it is certain: between its old neighbours, at its old offset, or near it and beside
 * one of the neighbours. A block elsewhere with the same text is a different block.
 */
export function findBlock(source: string, text: string, place: BodyPlace): number | undefined {
  const body = frontMatterEnd(source)
  const found = occurrencesOf(source, text).filter((at) => at >= body)
  const beside = new Map(found.map((at) => [at, neighbours(source, at, at + text.length, place)]))
  const between = found.filter((at) => need(beside, at).every(({ like }) => like))
  if (between.length > 0) return nearest(between, place.offset)

  // If one of several equal blocks is gone, only the whole context distinguishes the others.
  const areFewer = found.length < (place.times ?? 1)
  if (!areFewer && found.includes(place.offset)) return place.offset
  const wanted = areFewer ? 'whole' : 'like'
  return nearest(
    found.filter((at) => need(beside, at).some((side) => side[wanted]) && Math.abs(at - place.offset) <= FAR),
    place.offset,
  )
}

/** The offset at which to insert a missing block: after the text before it, or before the text after it. */
export function findGap(source: string, place: BodyPlace): number | undefined {
  return endOfBefore(source, place) ?? startOfAfter(source, place)
}

/** The places of blocks after an edit elsewhere in their source, by id: those that it changes and that are certain. */
export function followPlaces(
  blocks: readonly { id: string; own: string | null; place: BodyPlace }[],
  before: string,
  after: string,
): Map<string, BodyPlace> {
  const moved = new Map<string, BodyPlace>()
  if (before === after) return moved
  const edit = editBetween(before, after)
  for (const { id, own, place } of blocks) {
    const next = followed(place, own, before, after, edit)
    if (next && (next.before !== place.before || next.after !== place.after)) moved.set(id, next)
  }
  return moved
}

/** The number of characters that two sources share at the start, and after those at the end. */
function editBetween(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return { start, end }
}

/** The place after an edit elsewhere in the source; undefined if it is not certain. */
function followed(
  place: BodyPlace,
  own: string | null,
  before: string,
  after: string,
  { start, end }: { start: number; end: number },
): BodyPlace | undefined {
  const length = own?.length ?? 0
  const at = own === null ? findGap(before, place) : findBlock(before, own, place)
  if (at === undefined) return undefined
  if (at + length <= start) return placeInBody(after, at, length)
  if (at < before.length - end) return undefined
  return placeInBody(after, at + after.length - before.length, length)
}

/** Whether a source contains a text as whole lines. */
export function isInBody(source: string, text: string): boolean {
  return occurrencesOf(source, text).length > 0
}

/** The offsets at which a text occurs as whole lines. */
function occurrencesOf(source: string, text: string): number[] {
  // A blank text would occur everywhere.
  if (isBlankUnit(text)) return []
  const found: number[] = []
  for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) {
    const startsLine = at === 0 || source[at - 1] === '\n' || source[at - 1] === '\ufeff'
    if (startsLine && /^(?:\r?\n|$(?![\s\S]))/.test(source.slice(at + text.length, at + text.length + 2)))
      found.push(at)
  }
  return found
}

/** Whether the context on a side matches, and whether it is complete. */
interface Neighbour {
  like: boolean
  whole: boolean
}

function neighbours(source: string, start: number, end: number, place: BodyPlace): [Neighbour, Neighbour] {
  const { before, after } = place
  const above = source.slice(0, start).trimEnd()
  const below = source.slice(end).trimStart()
  const isFirst = isBlankUnit(source.slice(Math.min(frontMatterEnd(source), start), start))
  return [
    before === undefined
      ? { like: isFirst, whole: isFirst }
      : { like: above.endsWith(before), whole: above.endsWith(before) && isWhole(before, above) },
    after === undefined
      ? { like: below === '', whole: below === '' }
      : { like: below.startsWith(after), whole: below.startsWith(after) && isWhole(after, below) },
  ]
}

function isWhole(context: string, side: string): boolean {
  return context.length === CONTEXT || context === side
}

function nearest(offsets: readonly number[], to: number): number | undefined {
  return offsets.toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to))[0]
}

function endOfBefore(source: string, { before, after, offset }: BodyPlace): number | undefined {
  if (before === undefined) return frontMatterEnd(source)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const ends = occurrencesOf(source, line).map((at) => at + line.length)
  const rightly = ends.filter((at) =>
    source
      .slice(at)
      .trimStart()
      .startsWith(after ?? ''),
  )
  return nearest(rightly.length > 0 ? rightly : ends, offset)
}

function startOfAfter(source: string, { before = '', after, offset }: BodyPlace): number | undefined {
  if (after === undefined) return source.length
  const [line = ''] = after.split(/\r?\n/)
  const starts = occurrencesOf(source, line)
  const rightly = starts.filter((at) => source.slice(0, at).trimEnd().endsWith(before))
  return nearest(rightly.length > 0 ? rightly : starts, offset)
}
