/** The index behind a page tree (`tree.ts`): the children of each page, updated change by change. */
import { need } from '../../data/lists.ts'
import { flat, layered, lookUp, needIn, withChanges } from './layered.ts'
import type { Layered } from './layered.ts'
import type { PageRecord } from '../revision.ts'

/** The children of one page. `slugs` is computed on first use. A change of a slug or type creates a new list. */
export interface Siblings {
  readonly ids: readonly string[]
  slugs?: ReadonlyMap<string, string>
}

/** The data behind a page tree. */
export interface Index {
  readonly size: number
  readonly records: Layered<PageRecord>
  /** The children by the id of the parent. The roots are under the empty id. */
  readonly below: Layered<Siblings>
  /** Pages shown at the top level although their record has a parent. */
  readonly uprooted: ReadonlySet<string>
  /** Page ids by repository file, once needed. */
  files?: Layered<string>
}

/** The key of the roots, in place of a parent id. */
export const TOP = ''

/** The index of all page records of a revision. */
export function indexOf(records: ReadonlyMap<string, PageRecord>): Index {
  const uprooted = new Set<string>()
  const lists = new Map<string, PageRecord[]>([[TOP, []]])
  for (const page of records.values()) {
    const orphan = page.parent !== null && !records.has(page.parent)
    if (orphan) uprooted.add(page.id)
    const parent = orphan ? TOP : (page.parent ?? TOP)
    const list = lists.get(parent)
    if (list) list.push(page)
    else lists.set(parent, [page])
  }
  cutCycles(records, lists, uprooted)

  const below = new Map<string, Siblings>()
  for (const [parent, list] of lists)
    below.set(parent, { ids: list.toSorted(bySiblingOrder).map((page) => page.id) })
  return { size: records.size, records: layered(records), below: layered(below), uprooted }
}

/** Breaks each cycle: its page with the smallest id goes to the top level. */
function cutCycles(
  records: ReadonlyMap<string, PageRecord>,
  lists: Map<string, PageRecord[]>,
  uprooted: Set<string>,
): void {
  const reached = new Set<string>()
  const reach = (from: string) => {
    const waiting = [from]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const page of lists.get(id) ?? []) {
        reached.add(page.id)
        waiting.push(page.id)
      }
    }
  }
  reach(TOP)
  if (reached.size === records.size) return

  for (const id of records.keys()) {
    if (reached.has(id)) continue
    // The path upward from here ends in a cycle, because the walk from the roots reached all other pages.
    const walked = new Set<string>()
    let at = id
    for (; !walked.has(at); at = need(records, at).parent ?? TOP) walked.add(at)
    const around = [...walked]
    const cycle = around.slice(around.indexOf(at))
    const cut = need(
      records,
      cycle.reduce((a, b) => (a < b ? a : b)),
    )
    uprooted.add(cut.id)
    const parent = cut.parent ?? TOP
    lists.set(
      parent,
      need(lists, parent).filter((page) => page !== cut),
    )
    need(lists, TOP).push(cut)
    reached.add(cut.id)
    reach(cut.id)
  }
}

/**
 * Returns the index after changes. It is rebuilt if there are many changes, or if a page has no path to the top level
 * before or after them.
 */
export function applied(index: Index, changes: ReadonlyMap<string, PageRecord | null>): Index {
  const records = withChanges(index.records, changes)
  const anew = () => indexOf(flat(records))
  if (index.uprooted.size > 0 || changes.size * 4 > index.size) return anew()

  let size = index.size
  const moved = new Set<string>()
  const parents = new Set<string>()
  for (const [id, after] of changes) {
    const before = lookUp(index.records, id)
    if (before && after && samePlace(before, after)) continue
    size += (after ? 1 : 0) - (before ? 1 : 0)
    moved.add(id)
    if (before) parents.add(before.parent ?? TOP)
    if (after) parents.add(after.parent ?? TOP)
  }

  const lists = new Map<string, Siblings | null>()
  for (const parent of parents) {
    const pages = idsBelow(index, parent)
      .filter((id) => !moved.has(id))
      .map((id) => needIn(records, id))
    for (const id of moved) {
      const page = lookUp(records, id)
      if (page && (page.parent ?? TOP) === parent) pages.push(page)
    }
    lists.set(
      parent,
      pages.length === 0 ? null : { ids: pages.toSorted(bySiblingOrder).map((page) => page.id) },
    )
  }
  const below = withChanges(index.below, lists)

  const next = { size, records, below, uprooted: index.uprooted }
  for (const id of moved) {
    const page = lookUp(records, id)
    if (page ? !hasWayUp(next, page) : idsBelow(next, id).length > 0) return anew()
  }
  const files = index.files && filesAfter(index, index.files, changes)
  return files ? { ...next, files } : next
}

function samePlace(a: PageRecord, b: PageRecord): boolean {
  return a.parent === b.parent && a.order === b.order && a.slug === b.slug && a.type === b.type
}

function hasWayUp({ records, size }: Index, page: PageRecord): boolean {
  let at: PageRecord | undefined = page
  for (let steps = 0; steps <= size; steps++) {
    if (!at) return false
    if (at.parent === null) return true
    at = lookUp(records, at.parent)
  }
  return false
}

/**
 * Updates the index of files. Returns undefined if a page gave up a file, or two pages share one: another page may then
 * own the file, so the index is rebuilt on the next use.
 */
function filesAfter(
  index: Index,
  files: Layered<string>,
  changes: ReadonlyMap<string, PageRecord | null>,
): Layered<string> | undefined {
  const added = new Map<string, string>()
  for (const [id, after] of changes) {
    const before = lookUp(index.records, id)
    if (before?.file === after?.file) continue
    if (before?.file !== undefined) return undefined
    if (after?.file === undefined) continue
    if (added.has(after.file) || lookUp(files, after.file) !== undefined) return undefined
    added.set(after.file, id)
  }
  return withChanges(files, added)
}

/** The ids of the direct children of a page, in order. */
export function idsBelow(index: Index, id: string): readonly string[] {
  return lookUp(index.below, id)?.ids ?? []
}

/** The id of the page above, null at the top level. */
export function parentOf(index: Index, id: string): string | null {
  return index.uprooted.has(id) ? null : (lookUp(index.records, id)?.parent ?? null)
}

/** The pages above a page, the nearest first. */
export function ancestorsOf(index: Index, id: string): PageRecord[] {
  const above: PageRecord[] = []
  for (let at = parentOf(index, id); at !== null; at = parentOf(index, at))
    above.push(needIn(index.records, at))
  return above
}

/** Sorts siblings by order key, then by id. */
export function bySiblingOrder(a: PageRecord, b: PageRecord): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1
  return a.id < b.id ? -1 : 1
}
