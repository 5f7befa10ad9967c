/** Puts another text in the place of a block of a conflict, in a source that may have changed since. */
import { findBlock, findGap } from './body-place.ts'
import type { BodyPlace } from './model.ts'
import { replaceEntry } from './resolve-entry.ts'
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
  const standing = own === null || isBlank(own) ? null : own
  if (place.key !== undefined) return replaceEntry(source, place.key, standing, text, newline)
  if (standing === null) return text === '' ? source : inserted(source, text, place, newline)

  const start = findBlock(source, standing, place)
  if (start === undefined) return undefined
  const [before, after] = [source.slice(0, start), source.slice(start + standing.length)]
  if (text !== '') return before + text + after
  const rest = after.replace(/^(?:[ \t]*\r?\n)+/, '')
  if (rest !== '') return before + rest
  return before.trimEnd() + (before.trim() === '' ? '' : (/^\r?\n/.exec(after)?.[0] ?? ''))
}

/** The source with a block more, between what stood around its place; where neither is left, at the end. */
function inserted(source: string, text: string, place: BodyPlace, newline: string): string {
  const at = findGap(source, place) ?? source.length
  const [head, tail] = [source.slice(0, at).trimEnd(), source.slice(at).trimStart()]
  const above = head === '' ? source.slice(0, at) : head + newline + newline
  if (tail === '') return above + text + (/\r?\n$/.exec(source)?.[0] ?? '')
  return above + text + newline + newline + source.slice(at).replace(/^(?:[ \t]*\r?\n)+/, '')
}
