/** Which pages are gone, and where that is a conflict: deleted by one side, and changed, added to or moved into by the other. */
import { same } from './fields.ts'
import type { Side, SideName, Snapshot } from './model.ts'
import type { PageRecord } from '../revision.ts'

/** A page that one side deleted, with all that stands below it on the other. */
export interface Deletion {
  /** The topmost deleted page. */
  readonly root: string
  readonly by: SideName
  /** Deleted pages that still stand there on the other side. */
  readonly pages: string[]
  /** What the other side added below. */
  readonly added: string[]
  /** What the other side moved below from elsewhere. */
  readonly movedIn: string[]
  /** Whether the other side did anything there. */
  touched: boolean
}

/** What one side's deletions mean, given what the other did. */
export interface Deletions {
  readonly deletions: readonly Deletion[]
  /** Deleted pages that live on, where the other side has moved them, or a page above them, out of what was deleted. */
  readonly carried: readonly string[]
}

/** What a side deleted of the base, and what became of it on the other, `living` side. */
export function deletionsOf(base: Snapshot, by: SideName, deleter: Side, living: Side): Deletions {
  const deleted = new Set(
    deleter.changes.pages.filter(({ after, key }) => !after && base.pages.get(key)).map(({ key }) => key),
  )
  if (deleted.size === 0) return { deletions: [], carried: [] }

  // For each page of the living side, the topmost deleted page that it stands below and goes with, or null.
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
    const { parent } = living.pages.get(id)!
    const above = parent === null || !living.pages.get(parent) ? null : homeOf(parent)
    return above ?? (deleted.has(id) ? id : null)
  }

  const found = new Map<string, Deletion>()
  const deletionOf = (root: string): Deletion => {
    const deletion = found.get(root) ?? { root, by, pages: [], added: [], movedIn: [], touched: false }
    found.set(root, deletion)
    return deletion
  }
  for (const id of deleted) if (living.pages.get(id)) deletionOf(homeOf(id)!).pages.push(id)
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

  // A page that only went along with the one above it lives on where the other side has taken it out of there. If pages
  // were added below it, whoever deleted has not seen what they would bring back: that is asked.
  const carried = ({ root, added }: Deletion) => {
    const { parent } = base.pages.get(root)!
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

/** Whether two records say the same, but for what is only kept about them. */
export function sameButForTime(a: PageRecord, b: PageRecord): boolean {
  return same({ ...a, updatedAt: '', oid: '' }, { ...b, updatedAt: '', oid: '' })
}

/** A page of a side, and all pages below it, in reading order. */
export function subtreeOf(side: Snapshot, root: string): PageRecord[] {
  const found: PageRecord[] = []
  const waiting = [side.pages.get(root)]
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    found.push(page)
    waiting.push(...side.pages.children(page.id).toReversed())
  }
  return found
}
