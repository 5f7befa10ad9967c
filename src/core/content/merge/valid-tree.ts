/** Keeps a merged tree valid: it removes cycles, missing parents and duplicate slugs among siblings. */
import { hasPath } from '../revision.ts'
import type { PageRecord } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import { uniqueSlug } from '../tree/rules.ts'
import type { Snapshot } from './model.ts'

/** Records of the result, by id, that a side changed; null removes a page. */
export type PageRecords = Map<string, PageRecord | null>

/**
 * Moves each page whose parent is missing below its nearest remaining ancestor. A parent is missing if one side deleted
 * the old parent of a page and moved the page below another one, and the other side deleted that one.
 */
export function liftOrphans(records: PageRecords, base: Snapshot, trees: readonly Snapshot[]): void {
  const get = (id: string) => (records.has(id) ? records.get(id) : base.pages.get(id))
  for (const [id, page] of records) {
    if (!page) continue
    const { parent } = page
    if (parent === null || get(parent)) continue
    const tree = trees.find(({ pages }) => pages.get(parent)) ?? base
    records.set(id, { ...page, parent: livingAbove(page, tree, get) })
  }
}

/**
 * Breaks the cycles that moves of both sides cause together. Pages in a cycle get their place in `kept`. Returns the
 * ids of the pages in cycles.
 */
export function cutCycles(records: PageRecords, base: Snapshot, kept: Snapshot): Set<string> {
  const get = (id: string) => (records.has(id) ? records.get(id) : base.pages.get(id))
  const inCycles = new Set<string>()
  for (let cycle = findCycle(records, get); cycle.length > 0; cycle = findCycle(records, get)) {
    let changed = false
    for (const page of cycle) {
      inCycles.add(page.id)
      const place = kept.pages.get(page.id)
      if (!place || (place.parent === page.parent && place.order === page.order)) continue
      records.set(page.id, { ...page, parent: livingAbove(place, kept, get), order: place.order })
      changed ||= place.parent !== page.parent
    }
    if (changed) continue
    // Contents that are valid trees never reach this line. It guarantees a tree for any input.
    const first = cycle.reduce((a, b) => (a.id < b.id ? a : b))
    records.set(first.id, { ...first, parent: null })
  }
  return inCycles
}

type Get = (id: string) => PageRecord | null | undefined

function findCycle(records: PageRecords, get: Get): PageRecord[] {
  const clear = new Set<string>()
  for (const start of records.keys()) {
    const line = new Map<string, PageRecord>()
    for (
      let page = get(start);
      page && !clear.has(page.id);
      page = page.parent === null ? null : get(page.parent)
    ) {
      if (line.has(page.id)) {
        const ids = [...line.keys()]
        return [...line.values()].slice(ids.indexOf(page.id))
      }
      line.set(page.id, page)
    }
    for (const id of line.keys()) clear.add(id)
  }
  return []
}

/** The nearest ancestor of a place that still exists; null is the top level. */
function livingAbove(place: PageRecord, tree: Snapshot, get: Get): string | null {
  let above: string | null = place.parent
  while (above !== null && !get(above)) above = tree.pages.get(above)?.parent ?? null
  return above
}

/**
 * Assigns new slugs to siblings that share one. The page that had the slug at that place in the base keeps it;
 * otherwise the page with the smallest id does. Each other page gets the next free slug.
 */
export function freeSlugs(
  tree: PageTree,
  base: Snapshot,
  changed: Iterable<string>,
): Map<string, PageRecord> {
  const parents = new Set<string | null>()
  for (const id of changed) {
    const [page, before] = [tree.get(id), base.pages.get(id)]
    if (
      !page ||
      (before && before.parent === page.parent && before.slug === page.slug && before.type === page.type)
    )
      continue
    parents.add(page.parent)
  }
  const renamed = new Map<string, PageRecord>()
  for (const parent of parents) {
    const taken = new Set<string>()
    const late: PageRecord[] = []
    for (const page of byClaim(tree.children(parent).filter(hasPath), base)) {
      const slug = page.slug.toLowerCase()
      if (taken.has(slug)) late.push(page)
      taken.add(slug)
    }
    for (const page of late) {
      const slug = uniqueSlug(page.slug, taken)
      taken.add(slug.toLowerCase())
      renamed.set(page.id, { ...page, slug })
    }
  }
  return renamed
}

function byClaim(pages: readonly PageRecord[], base: Snapshot): PageRecord[] {
  const claims = pages
    .map((page) => {
      const before = base.pages.get(page.id)
      const had =
        before?.parent === page.parent &&
        before.slug.toLowerCase() === page.slug.toLowerCase() &&
        hasPath(before)
      return { page, rank: had ? 0 : 1 }
    })
    .toSorted((a, b) => a.rank - b.rank || (a.page.id < b.page.id ? -1 : 1))
  return claims.map(({ page }) => page)
}
