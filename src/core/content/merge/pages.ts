/** Merges the page records of two sides. */
import { need } from '../../data/lists.ts'
import type { PageRecord } from '../revision.ts'
import { makeConflict } from './conflict.ts'
import { deletionsOf, subtreeOf, type Deletion } from './existence.ts'
import { jsonOf, mergeFields, PAGE_FIELDS } from './fields.ts'
import { jsonEqual } from '../../data/json.ts'
import type { Conflict, Side, SideName, Snapshot } from './model.ts'
import { cutCycles, freeSlugs, liftOrphans, type PageRecords } from './valid-tree.ts'

/** A record that both sides changed, merged except for its body. */
export interface BothChanged<R> {
  readonly base: R | undefined
  readonly primary: R
  readonly own: R
  /** The merged record; its body fields come from one side. */
  readonly merged: R
}

export interface PagesMerged {
  /** The merged records, by id, of all pages that a side changed; null removes a page. */
  readonly records: PageRecords
  readonly conflicts: readonly Conflict[]
  readonly both: readonly BothChanged<PageRecord>[]
}

export function mergePages(base: Snapshot, primary: Side, own: Side, keep: SideName): PagesMerged {
  const sides = { primary, own }
  const records: PageRecords = new Map()
  const conflicts: Conflict[] = []
  for (const { key, after } of [...primary.changes.pages, ...own.changes.pages]) {
    records.set(key, after && records.get(key) !== null ? after : null)
  }

  const kept = new Set<string>()
  for (const by of ['primary', 'own'] as const) {
    const living = by === 'primary' ? 'own' : 'primary'
    const { deletions, carried } = deletionsOf(base, by, sides[by], sides[living])
    for (const id of carried) records.set(id, need(sides[living].pages, id))
    for (const deletion of deletions) {
      if (deletion.touched) conflicts.push(existenceConflict(base, sides, deletion))
      settleDeletion(records, deletion, sides[living], deletion.touched && keep === living)
      for (const id of deletion.movedIn) kept.add(id)
    }
  }

  const both: BothChanged<PageRecord>[] = []
  for (const { key: id } of primary.changes.pages.length < own.changes.pages.length
    ? primary.changes.pages
    : own.changes.pages) {
    const three = { base: base.pages.get(id), primary: primary.pages.get(id), own: own.pages.get(id) }
    if (!records.get(id) || !three.primary || !three.own) continue
    const changed = { base: three.base, primary: three.primary, own: three.own }
    if (three.base && (jsonEqual(three.base, three.primary) || jsonEqual(three.base, three.own))) continue
    const fields = mergeFields(changed, PAGE_FIELDS, keep)
    const place = mergePlace(changed, sides, kept.has(id) ? keep : undefined, keep)
    const merged = { ...fields.record, parent: place.record.parent, order: place.record.order }
    records.set(id, merged)
    both.push({ ...changed, merged })
    for (const { field, ...values } of fields.conflicts)
      conflicts.push(makeConflict('page', merged, 'field', values, { field }))
    if (place.conflict) conflicts.push(placeConflict(merged, three))
  }
  for (const id of kept) {
    const [record, place] = [records.get(id), sides[keep].pages.get(id)]
    if (record && place) records.set(id, { ...record, parent: place.parent, order: place.order })
  }

  repair(records, base, sides, keep, conflicts)
  const repaired = both.flatMap((one) => {
    const merged = records.get(one.merged.id)
    return merged ? [{ ...one, merged }] : []
  })
  return { records, conflicts, both: repaired }
}

function existenceConflict(base: Snapshot, sides: Record<SideName, Side>, { root, by }: Deletion): Conflict {
  const pages = (side: Snapshot) => jsonOf({ pages: subtreeOf(side, root) })
  const living = by === 'primary' ? 'own' : 'primary'
  const values = { base: pages(base), primary: null, own: null, [living]: pages(sides[living]) }
  return makeConflict('page', need(sides[living].pages, root), 'existence', values)
}

function settleDeletion(records: PageRecords, deletion: Deletion, living: Side, lives: boolean): void {
  for (const id of [...deletion.pages, ...deletion.added])
    records.set(id, lives ? need(living.pages, id) : null)
}

type Three = { base: PageRecord | undefined; primary: PageRecord; own: PageRecord }

function mergePlace(
  { base, primary, own }: Three,
  sides: Record<SideName, Side>,
  forced: SideName | undefined,
  keep: SideName,
): { record: PageRecord; conflict: boolean } {
  const records = { primary, own }
  if (forced) return { record: records[forced], conflict: false }
  const unmoved = (page: PageRecord) => page.parent === base?.parent && page.order === base.order
  if (unmoved(own) || (primary.parent === own.parent && primary.order === own.order))
    return { record: primary, conflict: false }
  if (unmoved(primary)) return { record: own, conflict: false }

  // A new place among siblings has no meaning if the other side moved the page away and deleted the parent.
  const moot = (page: PageRecord, other: Side) =>
    page.parent !== null && page.parent === base?.parent && !other.pages.get(page.parent)
  if (moot(own, sides.primary)) return { record: primary, conflict: false }
  if (moot(primary, sides.own)) return { record: own, conflict: false }
  return { record: records[keep], conflict: true }
}

function placeConflict(page: PageRecord, three: Record<'base' | SideName, PageRecord | undefined>): Conflict {
  const place = (record: PageRecord | undefined) =>
    record ? { parent: record.parent, order: record.order } : null
  const values = { base: place(three.base), primary: place(three.primary), own: place(three.own) }
  return makeConflict('page', page, 'place', values)
}

/** Restores a valid tree if the changes of both sides together break it. */
function repair(
  records: PageRecords,
  base: Snapshot,
  sides: Record<SideName, Side>,
  keep: SideName,
  conflicts: Conflict[],
): void {
  liftOrphans(records, base, [sides[keep], sides.primary, sides.own])
  const reported = new Set(conflicts.filter(({ kind }) => kind === 'place').map(({ id }) => id))
  for (const id of cutCycles(records, base, sides[keep])) {
    const three = {
      base: base.pages.get(id),
      primary: sides.primary.pages.get(id),
      own: sides.own.pages.get(id),
    }
    const moved = [three.primary, three.own].some(
      (page) => page && (page.parent !== three.base?.parent || page.order !== three.base.order),
    )
    if (!moved || reported.has(id)) continue
    conflicts.push(placeConflict(records.get(id) ?? need(sides[keep].pages, id), three))
  }
  const tree = base.pages.apply(records)
  for (const [id, page] of freeSlugs(tree, base, records.keys())) records.set(id, page)
}
