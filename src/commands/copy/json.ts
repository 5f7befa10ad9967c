/** Reads fields of responses of any server that speaks the API: fields may be missing, unknown or of another type. */
import { isRecord } from '../../core/data/is-record.ts'

/** An object of a response. */
export type JsonRecord = Record<string, unknown>

/** The text in a field; empty if it has none. */
export const jsonText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text in a field; undefined if it has none or an empty one. */
export const someText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The object in a field; an empty one if it has none. */
export const jsonRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

/** The objects of a list in a field. */
export const jsonRecords = (value: unknown): JsonRecord[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isRecord) : []

/** The fields of these names that an object has, also those that are null. */
export function fieldsIn(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(
    names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
  )
}

/** An id as a part of a path. */
export const segment = (id: string): string => encodeURIComponent(id)
