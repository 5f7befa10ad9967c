/**
 * Finds deleted pages and existence conflicts. In an existence conflict, one side deleted a page, and the other side
 * changed it or added pages below it.
 */
import { append, need } from '../../data/lists.ts'
import { jsonEqual } from '../../data/json.ts'
import type { Side, SideName, Snapshot } from './model.ts'
import type { PageRecord } from '../revision.ts'

/** A page that one side deleted, with all pages below it on the other side. */
export interface Deletion {
  /** The topmost deleted page. */
  readonly root: string
  readonly by: SideName
  /** The deleted pages that the other side still has. */
  readonly pages: string[]
  /** Pages that the other side added below. */
  readonly added: string[]
  /** Existing pages that the other side moved into the subtree. */
  readonly movedIn: string[]
  /** Whether the other side changed anything in the subtree. */
  touched: boolean
}

/** The deletions of one side, given the changes of the other. */
export interface Deletions {
  readonly deletions: readonly Deletion[]
  /**
   * Deleted pages that the result keeps, because the other side moved them, or an ancestor, out of the deleted subtree.
   */
  readonly carried: readonly string[]
}

/** The pages of the base that one side deleted, and their state on the other, `living` side. */
export function deletionsOf(base: Snapshot, by: SideName, deleter: Side, living: Side): Deletions {
  const deleted = new Set(
    deleter.changes.pages.filter(({ after, key }) => !after && base.pages.get(key)).map(({ key }) => key),
  )
  if (deleted.size === 0) return { deletions: [], carried: [] }

  // For each page of the living side: the topmost deleted page of its deleted subtree, or null if it is in none.
  const homes = new Map<string, string | null>()
  const homeOf = (id: string): string | null => {
    const known = homes.get(id)
    if (known !== undefined) return known
    const home = findHome(id)
    homes.set(id, home)
    return home
  }
  const findHome = (id: string): string | null => {
    if (base.pages.get(id) && !deleted.has(id)) return null
    const { parent } = need(living.pages, id)
    const above = parent === null || !living.pages.get(parent) ? null : homeOf(parent)
    return above ?? (deleted.has(id) ? id : null)
  }

  const found = new Map<string, Deletion>()
  const deletionOf = (root: string): Deletion => {
    const deletion = found.get(root) ?? { root, by, pages: [], added: [], movedIn: [], touched: false }
    found.set(root, deletion)
    return deletion
  }
  for (const id of deleted) {
    const home = living.pages.get(id) ? homeOf(id) : null
    if (home !== null) deletionOf(home).pages.push(id)
  }
  for (const { key: id, before, after } of living.changes.pages) {
    if (!after) continue
    const home = !before || deleted.has(id) ? homeOf(id) : movedTo(before, after, living, homeOf)
    if (home === null) continue
    if (before && deleted.has(id) && sameButForTime(before, after)) continue
    const deletion = deletionOf(home)
    deletion.touched = true
    if (!before) deletion.added.push(id)
    else if (!deleted.has(id)) deletion.movedIn.push(id)
  }

  // If one side deleted an ancestor of this page, and the other side had moved the page out of that subtree, the page
  // stays, without a conflict. If the other side also added pages below it, this is a conflict.
  const carried = ({ root, added }: Deletion) => {
    const { parent } = need(base.pages, root)
    return parent !== null && deleted.has(parent) && added.length === 0
  }
  const all = [...found.values()]
  return {
    deletions: all.filter((one) => !carried(one)),
    carried: all.filter(carried).flatMap(({ pages }) => pages),
  }
}

function movedTo(
  before: PageRecord,
  { parent }: PageRecord,
  living: Side,
  homeOf: (id: string) => string | null,
): string | null {
  if (parent === null || parent === before.parent || !living.pages.get(parent)) return null
  return homeOf(parent)
}

/** Whether two records are equal, apart from their bookkeeping. */
function sameButForTime(a: PageRecord, b: PageRecord): boolean {
  return jsonEqual({ ...a, updatedAt: '', oid: '' }, { ...b, updatedAt: '', oid: '' })
}

/** A page of a side, and all pages below it, in reading order. */
export function subtreeOf(side: Snapshot, root: string): PageRecord[] {
  const found: PageRecord[] = []
  const waiting = [side.pages.get(root)]
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    found.push(page)
    append(waiting, side.pages.children(page.id).toReversed())
  }
  return found
}
