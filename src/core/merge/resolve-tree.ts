/** What settling a conflict does to the page tree. Each gives the records to write, or why it cannot be done. */
import type { PageRecord } from '../revision.ts'
import { checkTree } from '../tree-rules.ts'
import { subtreeOf } from './existence.ts'
import type { Snapshot } from './model.ts'
import { cutCycles, freeFiles, freeSlugs, type Records } from './places.ts'

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

/** Deletes a page and all below it; nothing if it is gone. */
export function removePage(own: Snapshot, id: string): Records {
  return new Map(own.pages.get(id) ? subtreeOf(own, id).map((page) => [page.id, null]) : [])
}

/**
 * Brings deleted pages back, each below the page it was below, or at the top level where that is gone. Those of them
 * that are elsewhere now are moved there.
 */
export function bringBack(own: Snapshot, pages: readonly PageRecord[], now: string): Records | string {
  const back = new Set(pages.map(({ id }) => id))
  const records: Records = new Map()
  for (const page of pages) {
    const parent =
      page.parent !== null && (back.has(page.parent) || own.pages.get(page.parent)) ? page.parent : null
    const present = own.pages.get(page.id)
    records.set(page.id, { ...(present ?? page), parent, order: page.order, updatedAt: now })
  }
  cutCycles(records, own, own)
  return withFreeSlugs(own, records)
}

/** The records, with slugs that are free among their siblings, and repository paths that no other page has. */
export function withFreeSlugs(own: Snapshot, records: Records): Records | string {
  for (const [id, page] of freeSlugs(own.pages.apply(records), own, records.keys())) records.set(id, page)
  for (const [id, page] of freeFiles(records, own)) records.set(id, page)
  const [fault] = checkTree(own.pages.apply(records), records.keys())
  return fault ? fault.message : records
}
