/** Merges records field by field. */
import { canonical, jsonEqual } from '../../data/json.ts'
import { MERGED_PAGE_FIELDS } from '../page-fields.ts'
import type { JsonValue, SideName } from './model.ts'

/** A value as a conflict shows it. */
export function jsonOf(value: unknown): JsonValue {
  return value === undefined ? null : (JSON.parse(JSON.stringify(canonical(value))) as JsonValue)
}

/** Three values of one thing. Undefined means that a version has no value. */
export interface Three<T> {
  base: T | undefined
  primary: T | undefined
  own: T | undefined
}

/** Which side's value the result has, and whether the two values conflict. */
export function choose(
  { base, primary, own }: Three<unknown>,
  keep: SideName,
): { side: SideName; conflict: boolean } {
  if (jsonEqual(primary, own) || jsonEqual(own, base)) return { side: 'primary', conflict: false }
  if (jsonEqual(primary, base)) return { side: 'own', conflict: false }
  return { side: keep, conflict: true }
}

/** A field in which two records conflict. */
export interface FieldConflict {
  field: string
  base: JsonValue
  primary: JsonValue
  own: JsonValue
}

/** Groups of record keys that change together. Most fields are one key with the same name as the field. */
export type FieldKeys = Readonly<Record<string, readonly string[]>>

/**
 * Merges the given fields of two records. The record has all other keys from side `keep`; the caller sets those that
 * need another value.
 */
export function mergeFields<R extends object>(
  records: { base: R | undefined; primary: R; own: R },
  fields: FieldKeys,
  keep: SideName,
): { record: R; conflicts: FieldConflict[] } {
  const record = { ...records[keep] } as Record<string, unknown>
  const conflicts: FieldConflict[] = []
  for (const [field, keys] of Object.entries(fields)) {
    const three = {
      base: keyedValue(records.base, keys),
      primary: keyedValue(records.primary, keys),
      own: keyedValue(records.own, keys),
    }
    const { side, conflict } = choose(three, keep)
    for (const key of keys) {
      const value = (records[side] as Record<string, unknown>)[key]
      if (value === undefined) delete record[key]
      else record[key] = value
    }
    if (conflict)
      conflicts.push({
        field,
        base: jsonOf(three.base),
        primary: jsonOf(three.primary),
        own: jsonOf(three.own),
      })
  }
  return { record: record as R, conflicts }
}

/** The value of a field that has one key, or an object of the values of a field that has several. */
export function keyedValue(record: object | undefined, keys: readonly string[]): unknown {
  const from = (record ?? {}) as Record<string, unknown>
  const [only] = keys
  if (only !== undefined && keys.length === 1) return from[only]
  const values = Object.fromEntries(
    keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])),
  )
  return Object.keys(values).length === 0 ? undefined : values
}

/** The fields of pages. */
export const PAGE_FIELDS: FieldKeys = Object.fromEntries(MERGED_PAGE_FIELDS.map((field) => [field, [field]]))

/** The fields of files. The bytes and the values derived from them are one field. */
export const FILE_FIELDS = {
  name: ['name'],
  path: ['path'],
  content: ['hash', 'size', 'contentType', 'dimensions', 'oid'],
} satisfies FieldKeys

/** The fields of reusable contents, without the body. */
export const REUSABLE_FIELDS = {
  title: ['title'],
  path: ['path'],
  computed: ['computed'],
} satisfies FieldKeys
