/** Replaces the block of a conflict in a source that may have changed since the merge. */
import { findBlock, findGap } from './body-place.ts'
import type { BodyPlace } from './model.ts'
import { replaceEntry } from './resolve-entry.ts'
import { isBlankUnit } from '../body-units.ts'
import { withoutEnd } from '../../text/trimming.ts'

/**
 * Returns the source with the block `own` replaced by `wanted`; null means no block. Returns undefined if the place is
 * not found.
 */
export function replaceBlock(
  source: string,
  own: string | null,
  wanted: string | null,
  place: BodyPlace,
): string | undefined {
  const newline = /\r\n/.test(source) && !/(?<!\r)\n/.test(source) ? '\r\n' : '\n'
  const text = asBlock(wanted ?? '', newline)
  const present = own === null || isBlankUnit(own) ? null : own
  if (place.key !== undefined) return replaceEntry(source, place.key, present, text, newline)
  if (present === null) return text === '' ? source : inserted(source, text, place, newline)

  const start = findBlock(source, present, place)
  if (start === undefined) return undefined
  const [before, after] = [source.slice(0, start), source.slice(start + present.length)]
  if (text !== '') return before + text + after
  const rest = after.replace(/^(?:[ \t]*\r?\n)+/, '')
  if (rest !== '') return before + rest
  return before.trimEnd() + (before.trim() === '' ? '' : (/^\r?\n/.exec(after)?.[0] ?? ''))
}

/** The text of a block without line breaks at its end, and with those of the source in between. */
export function asBlock(text: string, newline: '\n' | '\r\n'): string {
  return withoutEnd(text.replaceAll('\r\n', '\n'), '\n').replaceAll('\n', newline)
}

/** Inserts a block between the neighbours of its place. If neither neighbour is left, the block goes to the end. */
function inserted(source: string, text: string, place: BodyPlace, newline: string): string {
  const at = findGap(source, place) ?? source.length
  const [head, tail] = [source.slice(0, at).trimEnd(), source.slice(at).trimStart()]
  const above = head === '' ? source.slice(0, at) : head + newline + newline
  if (tail === '') return above + text + (/\r?\n$/.exec(source)?.[0] ?? '')
  return above + text + newline + newline + source.slice(at).replace(/^(?:[ \t]*\r?\n)+/, '')
}
