/** Merges the bodies of records that both sides changed. */
import { documentHash, gitObjectId } from '../hash.ts'
import { pageProblem } from '../limits.ts'
import { mergeBodies } from './body.ts'
import { placeInBody } from './body-place.ts'
import type { Effort } from '../myers-diff.ts'
import { makeConflict } from './conflict.ts'
import { jsonEqual } from '../../data/json.ts'
import type { BodyPlace, Conflict, SideName } from './model.ts'
import type { BothChanged } from './pages.ts'
import { syncSource, resolveFields, writeFields, haveSameFields, type SourceFields } from './source-fields.ts'
import type { BlockConflict } from './weave.ts'
import type { Reasoned } from '../../languages/reasoned.ts'

/** The fields that pages and reusable contents share. */
export type WithBody = SourceFields & {
  readonly id: string
  readonly document?: string
  readonly oid?: string
  readonly updatedAt?: string
  readonly createdAt?: string
}

/** Hashes of the sources that merging a body needs. */
export function sourcesToMerge({ base, primary, own, merged }: BothChanged<WithBody>): string[] {
  const from = documentSide(base, primary, own)
  if (from === 'both') return [base, primary, own].flatMap((record) => record?.document ?? [])
  const record = from === 'primary' ? primary : own
  return record.document === undefined || from === 'same' || haveSameFields(record, merged)
    ? []
    : [record.document]
}

/** Which side's document the result has: one side's, the same one as both sides, or a merge of both. */
function documentSide(
  base: WithBody | undefined,
  primary: WithBody,
  own: WithBody,
): SideName | 'same' | 'both' {
  if (primary.document === own.document) return 'same'
  if (primary.document === base?.document) return 'own'
  return own.document === base?.document ? 'primary' : 'both'
}

export interface BodyMerged<R> {
  record: R
  /** The source of the record's document, if neither side has it. */
  source?: string
  conflicts: Conflict[]
  /** Why the source cannot be written, if it exceeds a limit. */
  problem?: Reasoned
}

/** Returns the merged record with its body and its bookkeeping: creation and update times, and the git object id. */
export function mergeBody<R extends WithBody>(
  object: 'page' | 'reusable-content',
  both: BothChanged<R>,
  sources: ReadonlyMap<string, string>,
  keep: SideName,
  now: string,
  effort: Effort,
): BodyMerged<R> {
  const { base, primary, own, merged } = both
  const from = documentSide(base, primary, own)
  const read = (record: R | undefined) => {
    if (record?.document === undefined) return ''
    const source = sources.get(record.document)
    if (source === undefined) throw new Error(`The source of the document ${record.document} is not given`)
    return source
  }
  const withDocument = (document: string | undefined, oid: string | undefined): R =>
    complete({ ...without(merged, 'document', 'oid'), ...given({ document, oid }) } as R, both, now)
  const withSource = (source: string): BodyMerged<R> => {
    const tracked = primary.oid !== undefined || own.oid !== undefined
    const oid = tracked ? gitObjectId(Buffer.from(source)) : undefined
    if (source === '') return { record: withDocument(undefined, undefined), conflicts: [] }
    const document = documentHash(source)
    const known = [primary, own].find((one) => one.document === document)
    const record = withDocument(document, known ? known.oid : oid)
    if (known) return { record, conflicts: [] }
    const problem = pageProblem(record.title, source)
    return { record, source, conflicts: [], ...(problem === undefined ? {} : { problem }) }
  }

  if (from !== 'both') {
    const record = from === 'own' ? own : primary
    if (from === 'same') return { record: withDocument(record.document, sameOid(both)), conflicts: [] }
    if (record.document === undefined || haveSameFields(record, merged))
      return { record: withDocument(record.document, record.oid), conflicts: [] }
    return withSource(syncSource(read(record), record, merged))
  }

  const authors = [primary, own].map((record) => ({ record, source: read(record) }))
  const synced = (record: R | undefined) => {
    const source = read(record)
    if (!record) return source
    // A side that emptied the page did not change the fields in its front matter.
    return source === '' ? writeFields('', merged) : syncSource(source, record, merged, authors)
  }
  const three = { base: synced(base), primary: synced(primary), own: synced(own) }
  const woven = mergeBodies(three, keep, effort)
  const settled = resolveFields(woven.text, [three.primary, three.own])
  const seen = new Map<string | null, number>()
  const conflicts = woven.conflicts.map((one) => {
    const nth = seen.get(one.base) ?? 0
    seen.set(one.base, nth + 1)
    const place = conflictPlace(settled, woven.text, one)
    return makeConflict(
      object,
      merged,
      'body',
      { base: one.base, primary: one.primary, own: one.own },
      { place, nth },
    )
  })
  return { ...withSource(settled), conflicts }
}

/**
 * The place in the settled source of a conflict in the woven text. `resolveFields` may have rewritten the text before
 * it.
 */
function conflictPlace(settled: string, text: string, { offset, length, key }: BlockConflict): BodyPlace {
  const isLater = settled.endsWith(text.slice(offset))
  return placeInBody(settled, isLater ? offset + settled.length - text.length : offset, length, key)
}

/** Sets the times of a merged record. If the record equals a side apart from its times, it gets that side's times. */
function complete<R extends WithBody>(record: R, { primary, own }: BothChanged<R>, now: string): R {
  const alike = [primary, own].filter((side) => sameButForTimes(record, side))
  const [first, second] = alike
  if (first && second) return later(first, second)
  if (first) return first
  const [createdAt] = [primary, own].flatMap((side) => side.createdAt ?? []).toSorted()
  if (record.createdAt === undefined || createdAt === undefined) return record
  return { ...record, createdAt, ...(record.updatedAt === undefined ? {} : { updatedAt: now }) }
}

function sameButForTimes(a: WithBody, b: WithBody): boolean {
  return jsonEqual(without(a, 'updatedAt', 'createdAt', 'oid'), without(b, 'updatedAt', 'createdAt', 'oid'))
}

function later<R extends WithBody>(a: R, b: R): R {
  const order = (one: R) => `${one.updatedAt ?? ''} ${one.oid ?? ''}`
  return order(a) < order(b) ? b : a
}

function sameOid({ base, primary, own }: BothChanged<WithBody>): string | undefined {
  if (primary.oid === base?.oid) return own.oid
  return own.oid === base?.oid ? primary.oid : later(primary, own).oid
}

function without<T extends object>(record: T, ...keys: string[]): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key))) as Partial<T>
}

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}
