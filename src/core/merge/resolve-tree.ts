/** What settling a conflict does to the page tree. Each gives the records to write, or why it cannot be done. */
import type { PageRecord } from '../revision.ts'
import { checkTree } from '../tree-rules.ts'
import { subtreeOf } from './existence.ts'
import type { Snapshot } from './model.ts'
import { freeFiles, freeSlugs, type Records } from './places.ts'

/** Moves a page to where the other side has it. */
export function movePage(
  own: Snapshot,
  id: string,
  { parent, order }: { parent: string | null; order: string },
  now: string,
): Records | string {
  const page = own.pages.get(id)!
  if (parent !== null && !own.pages.get(parent)) return 'The page above the other place is not there any more'
  if (parent === id || (parent !== null && own.pages.ancestors(parent).some((above) => above.id === id)))
    return 'The other place is below the page itself; move the page that is above it first'
  return withFreeSlugs(own, new Map([[id, { ...page, parent, order, updatedAt: now }]]))
}

/** Deletes a page and all below it; nothing if it is gone. Whatever else stands below it now is not to be lost. */
export function removePage(own: Snapshot, id: string, known: readonly PageRecord[]): Records | string {
  if (!own.pages.get(id)) return new Map()
  const inConflict = new Set(known.map((page) => page.id))
  const below = subtreeOf(own, id)
  const others = below.filter((page) => page.id !== id && !inConflict.has(page.id))
  if (others.length === 0) return new Map(below.map((page) => [page.id, null]))
  const names = others.slice(0, NAMED).map(({ title }) => `"${title}"`)
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : ''
  return `Below the page "${own.pages.get(id)!.title}" there is now what the conflict is not about: ${names.join(', ')}${more}; move that elsewhere first`
}

/** So many pages are named in a message. */
const NAMED = 5

/**
 * Brings deleted pages back, each below the page it was below, or at the top level where that is gone. Those of them
 * that are elsewhere now stay there.
 */
export function bringBack(own: Snapshot, pages: readonly PageRecord[], now: string): Records | string {
  const back = pages.filter(({ id }) => !own.pages.get(id))
  const isThere = new Set(pages.map(({ id }) => id))
  const records: Records = new Map()
  for (const page of back) {
    const hasParent = page.parent !== null && (isThere.has(page.parent) || own.pages.get(page.parent))
    records.set(page.id, { ...page, parent: hasParent ? page.parent : null, updatedAt: now })
  }
  return withFreeSlugs(own, records)
}

/** The records, with slugs that are free among their siblings, and repository paths that no other page has. */
export function withFreeSlugs(own: Snapshot, records: Records): Records | string {
  for (const [id, page] of freeSlugs(own.pages.apply(records), own, records.keys())) records.set(id, page)
  for (const [id, page] of freeFiles(records, own)) records.set(id, page)
  const [fault] = checkTree(own.pages.apply(records), records.keys())
  return fault ? fault.message : records
}
