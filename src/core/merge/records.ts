/** Merges what has no place in a tree: files, reusable contents, and what is kept by name. */
import type { FileRecord, ReusableRecord } from '../revision.ts'
import { conflictOf } from './conflict.ts'
import { choose, FILE_FIELDS, jsonOf, mergeFields, REUSABLE_FIELDS, same, type Fields } from './fields.ts'
import type { Conflict, Json, Side, SideName, Snapshot } from './model.ts'
import type { BothChanged } from './pages.ts'
import { foundByPath, freePaths } from './paths.ts'

export interface RecordsMerged<R> {
  /** By id, of every record that a side changed; null where it is gone. */
  readonly records: Map<string, R | null>
  readonly conflicts: readonly Conflict[]
  readonly both: readonly BothChanged<R>[]
}

export function mergeFiles(
  base: Snapshot,
  primary: Side,
  own: Side,
  keep: SideName,
): RecordsMerged<FileRecord> {
  const titled = (file: FileRecord) => ({ id: file.id, title: file.name })
  const merged = mergeRecords<FileRecord>(
    { base: base.files, primary: primary.files, own: own.files },
    [...primary.changes.files, ...own.changes.files].map(({ key }) => key),
    { object: 'file', wrap: 'file', fields: FILE_FIELDS, kept: ['oid', 'createdAt'], titled },
    keep,
  )
  // Both may have added the same file: it is there since the earlier time.
  for (const { primary: a, own: b, merged: file } of merged.both)
    merged.records.set(file.id, { ...file, createdAt: a.createdAt < b.createdAt ? a.createdAt : b.createdAt })
  return merged
}

export function mergeReusables(
  base: Snapshot,
  primary: Side,
  own: Side,
  keep: SideName,
): RecordsMerged<ReusableRecord> {
  return mergeRecords<ReusableRecord>(
    { base: base.reusables, primary: primary.reusables, own: own.reusables },
    [...primary.changes.reusables, ...own.changes.reusables].map(({ key }) => key),
    {
      object: 'reusable-content',
      wrap: 'reusable',
      fields: REUSABLE_FIELDS,
      kept: ['oid'],
      titled: (one) => one,
    },
    keep,
  )
}

interface Noun<R> {
  object: Conflict['object']
  /** The key of the record in a conflict of existence. */
  wrap: string
  fields: Fields
  /** What is only kept about a record: a change of it alone is none. */
  kept: readonly string[]
  titled: (record: R) => { id: string; title: string }
}

function mergeRecords<R extends { readonly id: string; readonly path?: string }>(
  maps: Readonly<Record<'base' | SideName, ReadonlyMap<string, R>>>,
  ids: readonly string[],
  { object, wrap, fields, kept, titled }: Noun<R>,
  keep: SideName,
): RecordsMerged<R> {
  const records = new Map<string, R | null>()
  const conflicts: Conflict[] = []
  const both: BothChanged<R>[] = []
  const bare = (record: R) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !kept.includes(key)))

  for (const id of new Set(ids)) {
    const [base, primary, own] = [maps.base.get(id), maps.primary.get(id), maps.own.get(id)]
    const { side } = choose({ base, primary, own }, keep)
    if (same(primary, own) || same(primary, base) || same(own, base)) {
      records.set(id, (side === 'primary' ? primary : own) ?? null)
    } else if (primary && own) {
      const fieldsMerged = mergeFields({ base, primary, own }, fields, keep)
      records.set(id, fieldsMerged.record)
      both.push({ base, primary, own, merged: fieldsMerged.record })
      for (const { field, ...values } of fieldsMerged.conflicts)
        conflicts.push(conflictOf(object, titled(fieldsMerged.record), 'field', values, { field }))
    } else {
      const living = (primary ?? own)!
      if (base && same(bare(base), bare(living))) {
        records.set(id, null)
        continue
      }
      const shown = (record: R | undefined): Json => (record ? jsonOf({ [wrap]: record }) : null)
      const values = { base: shown(base), primary: shown(primary), own: shown(own) }
      conflicts.push(conflictOf(object, titled(living), 'existence', values))
      records.set(id, (keep === 'primary' ? primary : own) ?? null)
    }
  }
  for (const [id, record] of freePaths('path', records, foundByPath('path', maps.base)))
    records.set(id, record)
  return {
    records,
    conflicts,
    both: both.map((one) => ({ ...one, merged: records.get(one.merged.id)! })),
  }
}

/** Merges values by name: the variables and the redirects of a space. */
export function mergeNamed<V extends Json>(
  field: 'variables' | 'redirects',
  { base, primary, own }: Readonly<Record<'base' | SideName, Readonly<Record<string, V>>>>,
  keep: SideName,
): { values: Record<string, V>; conflicts: Conflict[] } {
  const values: Record<string, V> = {}
  const conflicts: Conflict[] = []
  const get = (from: Readonly<Record<string, V>>, name: string) =>
    Object.hasOwn(from, name) ? from[name] : undefined
  for (const name of new Set([base, primary, own].flatMap((one) => Object.keys(one)).toSorted())) {
    const three = { base: get(base, name), primary: get(primary, name), own: get(own, name) }
    const { side, conflict } = choose(three, keep)
    const value = three[side]
    if (value !== undefined)
      Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true })
    if (!conflict) continue
    const shown = { base: jsonOf(three.base), primary: jsonOf(three.primary), own: jsonOf(three.own) }
    conflicts.push(conflictOf('space', { id: '', title: name }, 'field', shown, { field, name }))
  }
  return { values, conflicts }
}
