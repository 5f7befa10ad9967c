/** Merges records field by field. */
import { canonical } from '../map-node.ts'
import type { PageRecord } from '../revision.ts'
import type { Json, SideName } from './model.ts'

/** Deep equality of what JSON can hold; an absent field is an undefined one. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
}

/** A value as a conflict shows it. */
export function jsonOf(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(canonical(value))) as Json)
}

/** Three values of one thing; undefined is none. */
export interface Three<T> {
  base: T | undefined
  primary: T | undefined
  own: T | undefined
}

/** Which side's value stands, and whether the two conflict. */
export function choose(
  { base, primary, own }: Three<unknown>,
  keep: SideName,
): { side: SideName; conflict: boolean } {
  if (same(primary, own) || same(own, base)) return { side: 'primary', conflict: false }
  if (same(primary, base)) return { side: 'own', conflict: false }
  return { side: keep, conflict: true }
}

/** A field in which two records conflict. */
export interface FieldConflict {
  field: string
  base: Json
  primary: Json
  own: Json
}

/** Keys of a record that change together; most fields are one key of their own name. */
export type Fields = Readonly<Record<string, readonly string[]>>

/**
 * Merges the given fields of two records. Keys that no field names are those of `keep`'s record: the caller sets what
 * it knows better.
 */
export function mergeFields<R extends object>(
  records: { base: R | undefined; primary: R; own: R },
  fields: Fields,
  keep: SideName,
): { record: R; conflicts: FieldConflict[] } {
  const record = { ...records[keep] } as Record<string, unknown>
  const conflicts: FieldConflict[] = []
  for (const [field, keys] of Object.entries(fields)) {
    const three = {
      base: valueOf(records.base, keys),
      primary: valueOf(records.primary, keys),
      own: valueOf(records.own, keys),
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

/** The value of a field of one key, or the values of one of several. */
export function valueOf(record: object | undefined, keys: readonly string[]): unknown {
  const from = (record ?? {}) as Record<string, unknown>
  if (keys.length === 1) return from[keys[0]!]
  const values = Object.fromEntries(
    keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])),
  )
  return Object.keys(values).length === 0 ? undefined : values
}

/** Of pages, all but the place, the body and what is kept about them. */
export const PAGE_FIELDS = {
  type: ['type'],
  title: ['title'],
  slug: ['slug'],
  linkTitle: ['linkTitle'],
  emoji: ['emoji'],
  icon: ['icon'],
  description: ['description'],
  hidden: ['hidden'],
  noIndex: ['noIndex'],
  noRobotsIndex: ['noRobotsIndex'],
  condition: ['condition'],
  layout: ['layout'],
  cover: ['cover'],
  tags: ['tags'],
  variables: ['variables'],
  file: ['file'],
  target: ['target'],
  computed: ['computed'],
} satisfies Record<
  Exclude<keyof PageRecord, 'id' | 'parent' | 'order' | 'document' | 'oid' | 'createdAt' | 'updatedAt'>,
  readonly string[]
>

/** Of files; the bytes and what follows from them are one field. */
export const FILE_FIELDS = {
  name: ['name'],
  path: ['path'],
  content: ['hash', 'size', 'contentType', 'dimensions', 'oid'],
} satisfies Fields

/** Of reusable contents, all but the body. */
export const REUSABLE_FIELDS = {
  title: ['title'],
  path: ['path'],
  computed: ['computed'],
} satisfies Fields
