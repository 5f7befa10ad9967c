/** Merges everything outside the page tree: files, reusable contents, variables and redirects. */
import { needValue } from '../../data/lists.ts'
import type { FileRecord, ReusableRecord } from '../revision.ts'
import { makeConflict } from './conflict.ts'
import { choose, FILE_FIELDS, jsonOf, mergeFields, REUSABLE_FIELDS, type FieldKeys } from './fields.ts'
import { jsonEqual } from '../../data/json.ts'
import type { Conflict, JsonValue, Side, SideName, Snapshot } from './model.ts'
import type { BothChanged } from './pages.ts'

export interface RecordsMerged<R> {
  /** The merged records, by id, that a side changed; null removes a record. */
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
  // Both sides may have added the same file. It keeps the earlier creation time.
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
  /** The property that holds the record in the values of an existence conflict. */
  wrap: string
  fields: FieldKeys
  /** Bookkeeping keys. A change of these alone does not count as a change. */
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
    if (jsonEqual(primary, own) || jsonEqual(primary, base) || jsonEqual(own, base)) {
      records.set(id, (side === 'primary' ? primary : own) ?? null)
    } else if (primary && own) {
      const fieldsMerged = mergeFields({ base, primary, own }, fields, keep)
      records.set(id, fieldsMerged.record)
      both.push({ base, primary, own, merged: fieldsMerged.record })
      for (const { field, ...values } of fieldsMerged.conflicts)
        conflicts.push(makeConflict(object, titled(fieldsMerged.record), 'field', values, { field }))
    } else {
      const living = needValue(primary ?? own, 'the record of a side')
      if (base && jsonEqual(bare(base), bare(living))) {
        records.set(id, null)
        continue
      }
      const shown = (record: R | undefined): JsonValue => (record ? jsonOf({ [wrap]: record }) : null)
      const values = { base: shown(base), primary: shown(primary), own: shown(own) }
      conflicts.push(makeConflict(object, titled(living), 'existence', values))
      records.set(id, (keep === 'primary' ? primary : own) ?? null)
    }
  }
  return { records, conflicts, both }
}

/** Merges named values: the variables or the redirects of a space. */
export function mergeNamed<V extends JsonValue>(
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
    conflicts.push(makeConflict('space', { id: '', title: name }, 'field', shown, { field, name }))
  }
  return { values, conflicts }
}
