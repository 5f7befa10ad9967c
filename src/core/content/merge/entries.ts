/** Merges the front matter of three sources key by key, so that different keys never conflict. */
import { need } from '../../data/lists.ts'
import type { Effort } from '../myers-diff.ts'
import { mergeLines, splitLines } from '../line-merge.ts'
import type { SideName } from './model.ts'
import { isBlankUnit, withoutBreak } from '../body-units.ts'
import type { BlockConflict, Woven } from './weave.ts'
import { withoutEnd } from '../../text/trimming.ts'

interface FrontMatter {
  opening: string
  /** The lines of each key, in order, with the comments and blank lines before the key. */
  entries: ReadonlyMap<string, string>
  closing: string
}

/** Front matter of the three sources, with its fences; empty if a source has none. */
type Three = Readonly<Record<'base' | SideName, string>>

/** Merges front matter. If both sides set a key differently, the result has the value of side `keep`. */
export function mergeEntries(three: Three, keep: SideName, effort: Effort): Woven {
  const clean = mergeLines(three.base, three.primary, three.own, effort)
  if (clean !== undefined) return { text: clean, conflicts: [] }

  const [base, primary, own] = [entriesOf(three.base), entriesOf(three.primary), entriesOf(three.own)]
  const fences = [primary, own, base].find(({ opening }) => opening !== '') ?? base
  const newline = fences.opening.endsWith('\r\n') ? '\r\n' : '\n'
  const parts: string[] = []
  const conflicts: BlockConflict[] = []
  let offset = fences.opening.length
  for (const key of keysOf(base, primary, own)) {
    const entry = ({ entries }: FrontMatter) => entries.get(key) ?? null
    const values = { base: entry(base), primary: entry(primary), own: entry(own) }
    const merged = mergeEntry(values, effort)
    const text = withBreak((merged === undefined ? values[keep] : merged) ?? '', newline)
    if (merged === undefined)
      conflicts.push({
        key,
        base: bare(values.base),
        primary: bare(values.primary),
        own: bare(values.own),
        offset,
        length: withoutBreak(text).length,
      })
    parts.push(text)
    offset += text.length
  }
  if (parts.every((part) => part === ''))
    return { text: '', conflicts: conflicts.map((one) => ({ ...one, offset: 0 })) }
  return { text: fences.opening + parts.join('') + fences.closing, conflicts }
}

/** The value of a key in each of the three sources; null where it has none. */
type EntryValues = Readonly<Record<'base' | SideName, string | null>>

/** The merged value of a key; undefined if both sides set it differently. */
function mergeEntry({ base, primary, own }: EntryValues, effort: Effort): string | null | undefined {
  if (primary === own || own === base) return primary
  if (primary === base) return own
  const merged =
    base === null || primary === null || own === null ? undefined : mergeLines(base, primary, own, effort)
  if (merged !== undefined) return merged
  // A difference in blank lines alone is not a conflict.
  const [before, theirs, mine] = [bare(base), bare(primary), bare(own)]
  if (theirs === mine) return (own ?? '') < (primary ?? '') ? primary : own
  if (mine === before) return primary
  return theirs === before ? own : undefined
}

/**
 * The keys of all three sources. The base keeps its order; keys that a side added after a base key follow it, sorted by
 * name.
 */
function keysOf(base: FrontMatter, ...sides: FrontMatter[]): string[] {
  const known = [...base.entries.keys()]
  const places = new Map(known.map((key, i) => [key, i]))
  const added = new Map<string, number>()
  for (const { entries } of sides) {
    let place = -1
    for (const key of entries.keys()) {
      const inBase = places.get(key)
      if (inBase === undefined) added.set(key, Math.max(place, added.get(key) ?? -1))
      else place = inBase
    }
  }
  const all = [...places, ...added].map(([key, place]) => ({ key, place, isNew: added.has(key) ? 1 : 0 }))
  const sorted = all.toSorted((a, b) => a.place - b.place || a.isNew - b.isNew || (a.key < b.key ? -1 : 1))
  // Lines that no key follows stay at the end. Elsewhere they would become the comment of another key.
  return sorted.map(({ key }) => key).toSorted((a, b) => Number(a === '') - Number(b === ''))
}

const KEY = /^(?:"([^"]*)"[ \t]*|'([^']*)'[ \t]*|([^\s#"'-][^:]*)):(?:\s|$)/

/** Splits front matter, with its fences, into entries. */
export function entriesOf(text: string): FrontMatter {
  const lines = splitLines(text)
  if (lines.length === 0) return { opening: '', entries: new Map(), closing: '' }
  const [opening = '', closing = ''] = [lines.shift(), lines.pop()]
  const entries = new Map<string, string>()
  let key = ''
  let waiting = ''
  for (const line of lines) {
    const match = KEY.exec(line)
    const found = match?.[1] ?? match?.[2] ?? (match?.[3] && withoutEnd(match[3], ' \t'))
    if (found !== undefined) {
      key = entries.has(found) ? `${found} ${entries.size}` : found
      entries.set(key, waiting + line)
      waiting = ''
    } else if (/^(?:#|\s*$)/.test(line) || key === '') waiting += line
    else {
      entries.set(key, need(entries, key) + waiting + line)
      waiting = ''
    }
  }
  if (waiting !== '') entries.set('', waiting)
  return { opening, entries, closing }
}

/** The entry as a conflict shows it; null for an entry that has only blank lines. */
function bare(text: string | null): string | null {
  return text === null || isBlankUnit(text) ? null : withoutBreak(text)
}

function withBreak(text: string, newline: string): string {
  return text === '' || text.endsWith('\n') ? text : text + newline
}
