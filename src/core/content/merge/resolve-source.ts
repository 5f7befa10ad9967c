/** Writes the resolution of a conflict into the source of a record. */
import { parsePage } from '../../document/parse.ts'
import { type ReadingProblem, readingProblems } from '../../document/shown/unshown.ts'
import { documentHash, gitObjectId } from '../hash.ts'
import { pageProblem } from '../limits.ts'
import type { PageRecord, ReusableRecord } from '../revision.ts'
import { followPlaces } from './body-place.ts'
import type { BodyPlace, Conflict } from './model.ts'
import { replaceBlock } from './resolve-body.ts'
import { faultOfEntry } from './resolve-entry.ts'
import { syncSource, updateFromSource, writeFields } from './source-fields.ts'
import type { Reasoned } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'

/** A record that has its own source. */
export type RewrittenRecord = PageRecord | ReusableRecord

/** A change of a source that resolves a conflict: plain data, so that a thread can make it. */
export interface Rewrite {
  readonly object: Conflict['object']
  readonly record: RewrittenRecord
  /** The source of the record; empty if it has none. */
  readonly source: string
  readonly change:
    | {
        readonly kind: 'block'
        readonly own: string | null
        readonly wanted: string | null
        readonly place: BodyPlace
        /** Whether the caller has written `wanted`, which is checked then. */
        readonly isGiven: boolean
      }
    | { readonly kind: 'fields'; readonly record: RewrittenRecord }
}

/** The rewritten record and its source, or the reason why it cannot be written. */
export type Rewritten =
  | { readonly record: RewrittenRecord; readonly source: string }
  | { readonly refused: Reasoned; readonly because: 'content' | 'state' }

/** A block of another conflict in the same source: its text in the source, and its place before the rewrite. */
export interface OtherPlace {
  readonly id: string
  readonly own: string | null
  readonly place: BodyPlace
}

/** A rewrite, and the places of other conflicts that have to follow it. */
export interface RewriteTask {
  readonly rewrite: Rewrite
  readonly others: readonly OtherPlace[]
}

/** The result of a rewrite, and the places of other conflicts that it moved, by their ids. */
export interface RewriteResult {
  readonly rewritten: Rewritten
  readonly places: ReadonlyMap<string, BodyPlace>
  /** What the rewritten source does not show as its author meant it, if the caller has written a part of it. */
  readonly problems: readonly ReadingProblem[]
}

/** Rewrites a source as a task for a thread. */
export function rewriteTask({ rewrite, others }: RewriteTask): RewriteResult {
  const rewritten = rewriteSource(rewrite)
  if ('refused' in rewritten) return { rewritten, places: new Map(), problems: [] }
  const { source } = rewritten
  return {
    rewritten,
    places: followPlaces(others, rewrite.source, source),
    problems: isWritten(rewrite) ? readingProblems(parsePage(source), source) : [],
  }
}

const isWritten = ({ change }: Rewrite) => change.kind === 'block' && change.isGiven

/** Writes the resolution of a conflict into a source. */
export function rewriteSource({ object, record, source, change }: Rewrite): Rewritten {
  if (change.kind === 'fields') return checked(change.record, syncSource(source, record, change.record))

  const { own, wanted, place, isGiven } = change
  const { key } = place
  const fault = isGiven && key !== undefined && wanted?.trim() ? faultOfEntry(wanted, key) : undefined
  if (fault !== undefined) return { refused: fault, because: 'content' }
  const next = replaceBlock(source, own, wanted, place)
  if (next === undefined) {
    const refused = because('conflict-block-changed', { title: record.title })
    return { refused, because: 'state' }
  }
  const [before, after] = [parsePage(source).title, parsePage(next).title]
  const title = before === record.title && after !== undefined ? after : record.title
  // The source of an empty page has no front matter yet.
  const written = source === '' && next !== '' ? writeFields(next, record) : next
  const reread = object === 'page' ? updateFromSource(record, source, written) : record
  return checked({ ...reread, title }, written)
}

/** Gives a record its new source, unless that exceeds a limit. */
function checked(record: RewrittenRecord, source: string): Rewritten {
  const problem = pageProblem(record.title, source)
  if (problem !== undefined) return { refused: problem, because: 'content' }
  const { document: _document, oid, ...rest } = record
  return {
    record: {
      ...rest,
      ...(source === '' ? {} : { document: documentHash(source) }),
      ...(oid === undefined || source === '' ? {} : { oid: gitObjectId(Buffer.from(source)) }),
    },
    source,
  }
}
