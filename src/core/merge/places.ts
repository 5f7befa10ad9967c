/** Keeps a merged tree a tree: no cycles, no page without its parent, no two siblings of one slug, no two pages of one file. */
import { hasPath } from '../revision.ts'
import type { PageRecord } from '../revision.ts'
import type { PageTree } from '../tree.ts'
import { uniqueSlug } from '../tree-rules.ts'
import type { Snapshot } from './model.ts'
import { freePaths } from './paths.ts'

/** Records of the result by id, where a side changed them; null where they are gone. */
export type Records = Map<string, PageRecord | null>

/**
 * Pages whose parent is gone stand below the nearest page above it that is there. One side moved such a page from a
 * page that it deleted to one that the other side deleted: no page is left that both would have it below.
 */
export function liftOrphans(records: Records, base: Snapshot, trees: readonly Snapshot[]): void {
  const get = (id: string) => (records.has(id) ? records.get(id) : base.pages.get(id))
  for (const [id, page] of records) {
    if (!page || page.parent === null || get(page.parent)) continue
    const tree = trees.find(({ pages }) => pages.get(page.parent!)) ?? base
    records.set(id, { ...page, parent: livingAbove(page, tree, get) })
  }
}

/**
 * Takes apart the cycles that moves of both sides make together: the pages in them stand where `kept` has them. Gives
 * the ids of the pages in cycles.
 */
export function cutCycles(records: Records, base: Snapshot, kept: Snapshot): Set<string> {
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
    // Not reached by contents that are trees themselves; a tree comes of any.
    const first = cycle.reduce((a, b) => (a.id < b.id ? a : b))
    records.set(first.id, { ...first, parent: null })
  }
  return inCycles
}

type Get = (id: string) => PageRecord | null | undefined

function findCycle(records: Records, get: Get): PageRecord[] {
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

/** The nearest page above a place that is still there; null is the top level. */
export function livingAbove(place: PageRecord, tree: Snapshot, get: Get): string | null {
  let above: string | null = place.parent
  while (above !== null && !get(above)) above = tree.pages.get(above)?.parent ?? null
  return above
}

/**
 * New slugs for pages that have one with a sibling in common. Who had it at that place in the base keeps it, else the
 * page with the smallest id; the others get the next that is free.
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

/** New repository paths for pages that have one with another page in common. */
export function freeFiles(records: Records, { pages }: Snapshot): Map<string, PageRecord> {
  return freePaths('file', records, { get: pages.get, byPath: (path) => pages.byFile(path)?.id })
}

function byClaim(pages: readonly PageRecord[], base: Snapshot): PageRecord[] {
  const claims = new Map(
    pages.map((page) => {
      const before = base.pages.get(page.id)
      const had =
        before?.parent === page.parent &&
        before.slug.toLowerCase() === page.slug.toLowerCase() &&
        hasPath(before)
      return [page.id, had ? 0 : 1]
    }),
  )
  return pages.toSorted((a, b) => claims.get(a.id)! - claims.get(b.id)! || (a.id < b.id ? -1 : 1))
}
