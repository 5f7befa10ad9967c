/** Finds the block of a conflict in a source that may have changed since, and puts another text in its place. */
import { frontMatterEnd } from '../document/front-matter.ts'
import type { BodyPlace } from './model.ts'
import { isBlank } from './units.ts'

/** The source with `wanted` where `own` stands, null being no block; undefined if its place is not found. */
export function replaceBlock(
  source: string,
  own: string | null,
  wanted: string | null,
  place: BodyPlace,
): string | undefined {
  const newline = /\r\n/.test(source) && !/(?<!\r)\n/.test(source) ? '\r\n' : '\n'
  const text = wanted?.replace(/(?:\r?\n)+$/, '').replace(/\r?\n/g, newline) ?? ''
  if (own === null || isBlank(own)) {
    if (text === '') return source
    return place.key === undefined ? inserted(source, text, place, newline) : addEntry(source, text, newline)
  }

  const start = find(source, own, place)
  if (start === undefined) return undefined
  const [before, after] = [source.slice(0, start), source.slice(start + own.length)]
  if (text !== '') return before + text + after
  if (place.key !== undefined) return before + after.replace(/^\r?\n/, '')
  const rest = after.replace(/^(?:[ \t]*\r?\n)+/, '')
  if (rest !== '') return before + rest
  return before.trimEnd() + (before.trim() === '' ? '' : (/^\r?\n/.exec(after)?.[0] ?? ''))
}

/** Where the text stands as whole lines; of several places the one with the same surroundings, then the nearest. */
function find(source: string, text: string, place: BodyPlace): number | undefined {
  // Nothing stands everywhere.
  if (isBlank(text)) return undefined
  const found: number[] = []
  for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) {
    const startsLine = at === 0 || source[at - 1] === '\n' || source[at - 1] === '\ufeff'
    if (startsLine && /^(?:\r?\n|$(?![\s\S]))/.test(source.slice(at + text.length, at + text.length + 2)))
      found.push(at)
  }
  const rank = (at: number) => surroundings(source, at, at + text.length, place)
  return found.toSorted((a, b) => rank(b) - rank(a) || distance(a, place) - distance(b, place))[0]
}

function surroundings(
  source: string,
  start: number,
  end: number,
  { before = '', after = '' }: BodyPlace,
): number {
  const [above, below] = [
    source.slice(0, start).trimEnd(),
    source.slice(end, end + after.length + 200).trimStart(),
  ]
  return (above.endsWith(before) ? 1 : 0) + (below.startsWith(after) ? 1 : 0)
}

function distance(at: number, { offset }: BodyPlace): number {
  return Math.abs(at - offset)
}

/** The source with a block more, between what stood around its place; where neither is left, at the end. */
function inserted(source: string, text: string, place: BodyPlace, newline: string): string {
  const at = endOfBefore(source, place) ?? startOfAfter(source, place) ?? source.length
  const [head, tail] = [source.slice(0, at).trimEnd(), source.slice(at).trimStart()]
  const above = head === '' ? source.slice(0, at) : head + newline + newline
  if (tail === '') return above + text + (/\r?\n$/.exec(source)?.[0] ?? '')
  return above + text + newline + newline + source.slice(at).replace(/^(?:[ \t]*\r?\n)+/, '')
}

function endOfBefore(source: string, place: BodyPlace): number | undefined {
  if (place.before === undefined) return frontMatterEnd(source)
  const line = place.before.slice(place.before.lastIndexOf('\n') + 1)
  const start = find(source, line, { offset: place.offset - line.length, ...aside(place) })
  return start === undefined ? undefined : start + line.length
}

/** The surroundings of a line that is itself one of them: only what is on the other side of the place. */
function aside({ after }: BodyPlace): Pick<BodyPlace, 'after'> {
  return after === undefined ? {} : { after }
}

function startOfAfter(source: string, place: BodyPlace): number | undefined {
  if (place.after === undefined) return source.length
  const [line = ''] = place.after.split(/\r?\n/)
  return find(source, line, place)
}

function addEntry(source: string, text: string, newline: string): string {
  const end = frontMatterEnd(source)
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  if (end <= mark.length)
    return `${mark}---${newline}${text}${newline}---${newline}${newline}${source.slice(mark.length)}`
  const closing = source.lastIndexOf('---', end)
  return source.slice(0, closing) + text + newline + source.slice(closing)
}
