/** Arranges a table of contents, so that all of its pages can be imported. */
import { append } from '../data/lists.ts'
import type { LongPages } from './long-pages.ts'
import { type Entry, type PageEntry, repositoryLimits } from './model.ts'

/** A table of contents that is arranged, with the number of entries that were nested too deeply. */
interface Arranged {
  entries: Entry[]
  tooDeep: number
}

/**
 * Places entries that are nested too deeply beside the deepest that are allowed, and the parts of a long page behind the page.
 * @param locate finds the file of an entry's path
 */
export function arrangeEntries(
  given: readonly Entry[],
  locate: (path: string) => string | undefined,
  { pages }: LongPages,
): Arranged {
  const arranged: Arranged = { entries: [], tooDeep: 0 }
  const divided = new Set<string>()
  const partsAfter = (entry: Entry): PageEntry[] => {
    const file = pages.size > 0 && entry.kind === 'page' && entry.path ? locate(entry.path) : undefined
    const page = file === undefined || divided.has(file) ? undefined : pages.get(file)
    if (entry.kind !== 'page' || file === undefined || !page) return []
    divided.add(file)
    return page.following.map((part, nth) => ({
      kind: 'page',
      title: `${entry.title || page.title} (${nth + 2})`,
      file: part,
      children: [],
    }))
  }
  const arrangeLevel = (level: readonly Entry[], depth: number): Entry[] => {
    const result: Entry[] = []
    for (const entry of depth < repositoryLimits.depth ? level : flattened(level)) {
      result.push(entry)
      if (entry.kind !== 'computed') entry.children = arrangeLevel(entry.children, depth + 1)
      append(result, partsAfter(entry))
    }
    return result
  }
  const flattened = (level: readonly Entry[]): Entry[] => {
    const flat: Entry[] = []
    const waiting = level.toReversed()
    for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
      flat.push(entry)
      if (entry.kind === 'computed') continue
      append(waiting, entry.children.toReversed())
      entry.children = []
    }
    arranged.tooDeep += flat.length - level.length
    return flat
  }
  arranged.entries = arrangeLevel(given, 1)
  return arranged
}
