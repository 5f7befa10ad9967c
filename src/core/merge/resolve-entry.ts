/** Finds the entry of a conflict in the front matter of a source, and puts another text in its place. */
import { frontMatterEnd } from '../document/front-matter.ts'
import { entriesOf } from './entries.ts'
import { isBlank, withoutBreak } from './units.ts'

/** The source with `wanted` for an entry that is `own`, null being none; undefined if it is not that any more. */
export function replaceEntry(
  source: string,
  key: string,
  own: string | null,
  wanted: string,
  newline: string,
): string | undefined {
  const start = source.startsWith('\ufeff') ? 1 : 0
  const end = frontMatterEnd(source)
  const { opening, entries, closing } = entriesOf(source.slice(start, end))
  const present = entries.get(key) ?? ''
  if ((isBlank(present) ? null : withoutBreak(present)) !== own) return undefined
  if (isBlank(present) && wanted === '') return source

  const next = new Map(entries)
  if (wanted === '') next.delete(key)
  else next.set(key, wanted + newline)
  // Comments after the last key stay after it, and do not become those of another.
  const last = next.get('') ?? ''
  next.delete('')
  const text = [...next.values(), last].join('')
  if (text === '') return source.slice(0, start) + source.slice(end).replace(/^(?:[ \t]*\r?\n)+/, '')
  const rest = source.slice(end)
  if (opening === '') return `${source.slice(0, start)}---${newline}${text}---${newline}${newline}${rest}`
  return source.slice(0, start) + opening + text + closing + rest
}
