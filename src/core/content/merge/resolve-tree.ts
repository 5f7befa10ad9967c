/** Resolves conflicts of the page tree. Each function returns the records to write, or the reason for a refusal. */
import { need } from '../../data/lists.ts'
import type { PageRecord } from '../revision.ts'
import { checkTree } from '../tree/rules.ts'
import { subtreeOf } from './existence.ts'
import type { Snapshot } from './model.ts'
import { freeSlugs, type PageRecords } from './valid-tree.ts'
import { type Reasoned, reasonFields } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'

/** Moves a page to its place on the other side. */
export function movePage(
  own: Snapshot,
  id: string,
  { parent, order }: { parent: string | null; order: string },
  now: string,
): PageRecords | Reasoned {
  const page = need(own.pages, id)
  if (parent !== null && !own.pages.get(parent)) return because('other-place-gone')
  if (parent === id || (parent !== null && own.pages.ancestors(parent).some((above) => above.id === id)))
    return because('other-place-below')
  return withFreeSlugs(own, new Map([[id, { ...page, parent, order, updatedAt: now }]]))
}

/** Deletes a page and all pages below it, unless there are pages below it that the conflict does not include. */
export function removePage(own: Snapshot, id: string, known: readonly PageRecord[]): PageRecords | Reasoned {
  const removed = own.pages.get(id)
  if (!removed) return new Map()
  const inConflict = new Set(known.map((page) => page.id))
  const below = subtreeOf(own, id)
  const others = below.filter((page) => page.id !== id && !inConflict.has(page.id))
  if (others.length === 0) return new Map(below.map((page) => [page.id, null]))
  const { title } = removed
  const named = others.slice(0, NAMED).map((page) => `"${page.title}"`)
  const [names, count] = [named.join(', '), others.length - named.length]
  return count === 0
    ? because('pages-below-now', { title, names })
    : because('more-pages-below-now', { title, names, count })
}

/** The most pages that a message lists by name. */
const NAMED = 5

/**
 * Restores deleted pages, each below its old parent, or at the top level if the parent is missing. Pages that exist in
 * the own content stay where they are.
 */
export function restorePages(
  own: Snapshot,
  pages: readonly PageRecord[],
  now: string,
): PageRecords | Reasoned {
  const back = pages.filter(({ id }) => !own.pages.get(id))
  const isThere = new Set(pages.map(({ id }) => id))
  const records: PageRecords = new Map()
  for (const page of back) {
    const hasParent = page.parent !== null && (isThere.has(page.parent) || own.pages.get(page.parent))
    records.set(page.id, { ...page, parent: hasParent ? page.parent : null, updatedAt: now })
  }
  return withFreeSlugs(own, records)
}

/** Gives the records slugs that are free among their siblings. */
export function withFreeSlugs(own: Snapshot, records: PageRecords): PageRecords | Reasoned {
  for (const [id, page] of freeSlugs(own.pages.apply(records), own, records.keys())) records.set(id, page)
  const [fault] = checkTree(own.pages.apply(records), records.keys())
  return fault ? reasonFields(fault) : records
}
