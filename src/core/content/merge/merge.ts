/**
 * The three-way merge of two contents. It merges pages (existence, place, fields, body), files, reusable contents,
 * variables and redirects. `merge.test.ts` checks its invariants. The merge reads no storage: `planMerge` returns the
 * hashes of the documents it needs, `withSources` takes them, `mergePlannedBodies` merges them, and `finishMerge` puts the
 * result together.
 */
import { append } from '../../data/lists.ts'
import { sourceProblem } from '../limits.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revision.ts'
import { freePaths } from '../repository-paths.ts'
import { checkTree } from '../tree/rules.ts'
import { type BodyMerged, mergeBody, sourcesToMerge, type WithBody } from './bodies.ts'
import { mergeEffort } from './body.ts'
import { jsonEqual } from '../../data/json.ts'
import type { Conflict, ContentChanges, Merged, Side, SideName, Snapshot } from './model.ts'
import { followPaths, recordsToFollow, type Following } from './follow-paths.ts'
import { type BothChanged, mergePages } from './pages.ts'
import { mergeFiles, mergeNamed, mergeReusables, type RecordsMerged } from './records.ts'
import { type Reasoned, reasonFields } from '../../languages/reasoned.ts'

/** The part of a merge that needs no documents. */
export interface MergePlan {
  /**
   * Hashes of the documents that merging the bodies needs. These belong to pages and reusable contents whose body both sides
   * changed, or where one side changed the body and the other the title or front matter. If a record gets another
   * path, they also belong to the records that its side changed, because their links may have to follow.
   */
  readonly sources: readonly string[]
  readonly base: Snapshot
  readonly primary: Side
  readonly own: Side
  readonly keep: SideName
  readonly pages: RecordsMerged<PageRecord>
  readonly files: RecordsMerged<FileRecord>
  readonly reusables: RecordsMerged<ReusableRecord>
  readonly following: Following
}

/**
 * Merges the records of two sides with the common ancestor `base`. In a conflict, the result has the value of side
 * `keep`. Without conflicts, `keep` does not affect the result.
 */
export function planMerge(base: Snapshot, primary: Side, own: Side, keep: SideName): MergePlan {
  const merged = {
    pages: mergePages(base, primary, own, keep),
    files: mergeFiles(base, primary, own, keep),
    reusables: mergeReusables(base, primary, own, keep),
  }
  const freed = freePaths(base, {
    pages: merged.pages.records,
    files: merged.files.records,
    reusables: merged.reusables.records,
  })
  const pages = withRecords(merged.pages, freed.pages)
  const files = withRecords(merged.files, freed.files)
  const reusables = withRecords(merged.reusables, freed.reusables)
  const following = recordsToFollow([primary, own], freed)
  const sources = new Set([...pages.both, ...reusables.both].flatMap(sourcesToMerge))
  for (const { document } of following.linking) sources.add(document)
  return { sources: [...sources], base, primary, own, keep, pages, files, reusables, following }
}

/** Replaces records in the result of a merge. */
function withRecords<R extends { readonly id: string }>(
  { records, conflicts, both }: RecordsMerged<R>,
  replaced: ReadonlyMap<string, R>,
): RecordsMerged<R> {
  return {
    conflicts,
    records: new Map([...records, ...replaced]),
    both: both.map((one) => ({ ...one, merged: replaced.get(one.merged.id) ?? one.merged })),
  }
}

/** The bodies to merge for a plan: plain data, so that a thread can do it. */
export interface BodiesTask {
  pages: readonly BothChanged<PageRecord>[]
  reusables: readonly BothChanged<ReusableRecord>[]
  /** The documents that the plan needs, by hash. */
  sources: ReadonlyMap<string, string>
  keep: SideName
  /** The update time of the merged records, ISO 8601. */
  now: string
}

/** The merged bodies, in the order of the task. */
export interface BodiesOfPlan {
  pages: BodyMerged<PageRecord>[]
  reusables: BodyMerged<ReusableRecord>[]
}

/** Returns the bodies that have to be merged for a plan. */
export function bodiesTask({ plan, sources, now }: SourcedPlan): BodiesTask {
  const { pages, reusables, keep } = plan
  return { pages: pages.both, reusables: reusables.both, sources, keep, now }
}

/** Merges the bodies of a plan. All of them share one effort. */
export function mergePlannedBodies({ pages, reusables, sources, keep, now }: BodiesTask): BodiesOfPlan {
  const effort = mergeEffort()
  return {
    pages: pages.map((both) => mergeBody('page', both, sources, keep, now, effort)),
    reusables: reusables.map((both) => mergeBody('reusable-content', both, sources, keep, now, effort)),
  }
}

/** Completes a merge with the merged bodies of its plan. */
export function finishMerge({ plan, followed }: SourcedPlan, bodies: BodiesOfPlan): Merged {
  const { primary, own, keep } = plan
  const conflicts: Conflict[] = [
    ...plan.pages.conflicts,
    ...plan.files.conflicts,
    ...plan.reusables.conflicts,
  ]
  const documents = new Map<string, string>()
  const pages = new Map(plan.pages.records)
  const reusables = new Map(plan.reusables.records)
  const take = <R extends WithBody>(merged: BodyMerged<R>, records: Map<string, R | null>) => {
    records.set(merged.record.id, merged.record)
    append(conflicts, merged.conflicts)
    const { document } = merged.record
    if (merged.source !== undefined && document !== undefined) documents.set(document, merged.source)
  }
  for (const merged of bodies.pages) take(merged, pages)
  for (const merged of bodies.reusables) take(merged, reusables)
  for (const { document } of [...pages.values(), ...reusables.values()].flatMap((record) => record ?? [])) {
    if (document === undefined) continue
    const source = followed.get(document)
    if (source !== undefined) documents.set(document, source)
  }

  const variables = mergeNamed('variables', valuesOf(plan, 'variables'), keep)
  const redirects = mergeNamed('redirects', valuesOf(plan, 'redirects'), keep)
  append(conflicts, [...variables.conflicts, ...redirects.conflicts])

  const changesTo = (name: SideName): ContentChanges => {
    const side = name === 'primary' ? primary : own
    return {
      pages: differences(pages, (id) => side.pages.get(id)),
      files: differences(plan.files.records, (id) => side.files.get(id)),
      reusables: differences(reusables, (id) => side.reusables.get(id)),
      ...(jsonEqual(variables.values, side.variables) ? {} : { variables: variables.values }),
      ...(jsonEqual(redirects.values, side.redirects) ? {} : { redirects: redirects.values }),
    }
  }
  const refused = refusal(plan, pages, bodies, followed)
  return {
    conflicts: ordered(conflicts),
    documents,
    changesTo,
    ...(refused === undefined ? {} : { refused }),
  }
}

/** A plan with the documents that it needs. */
export interface SourcedPlan {
  plan: MergePlan
  /** By hash. */
  sources: ReadonlyMap<string, string>
  /** Those of them that are new, because links in them follow records whose paths changed. */
  followed: ReadonlyMap<string, string>
  /** The update time of the merged records, ISO 8601. */
  now: string
}

/** Adds its documents to a plan. The links of each side follow the records whose paths change in the merge. */
export function withSources(plan: MergePlan, known: ReadonlyMap<string, string>, now: string): SourcedPlan {
  const { base, following, primary, own } = plan
  if (following.linking.length === 0) return { plan, sources: known, followed: new Map(), now }

  const { sources, follow } = followPaths(following, known, () => ({
    pages: base.pages.apply(plan.pages.records),
    files: applied(base.files, plan.files.records),
    reusables: applied(base.reusables, plan.reusables.records),
  }))
  const followIn = <R extends PageRecord | ReusableRecord>(all: RecordsMerged<R>): RecordsMerged<R> => {
    const records = new Map(all.records)
    for (const { side, record } of following.linking) {
      const merged = records.get(record.id)
      if (!merged || merged.document !== record.document) continue
      const next = follow(side, merged)
      if (next !== merged) records.set(record.id, { ...next, ...('updatedAt' in next && { updatedAt: now }) })
    }
    const both = all.both.map((one) => ({
      ...one,
      primary: follow(primary, one.primary),
      own: follow(own, one.own),
    }))
    return { ...all, records, both }
  }
  return {
    plan: { ...plan, pages: followIn(plan.pages), reusables: followIn(plan.reusables) },
    sources: new Map([...known, ...sources]),
    followed: sources,
    now,
  }
}

function applied<R>(before: ReadonlyMap<string, R>, changes: ReadonlyMap<string, R | null>): Map<string, R> {
  const after = new Map(before)
  for (const [id, record] of changes) {
    if (record === null) after.delete(id)
    else after.set(id, record)
  }
  return after
}

function valuesOf<K extends 'variables' | 'redirects'>({ base, primary, own }: MergePlan, field: K) {
  return { base: base[field], primary: primary[field], own: own[field] }
}

function differences<R>(
  records: ReadonlyMap<string, R | null>,
  get: (id: string) => R | undefined,
): Map<string, R | null> {
  return new Map([...records].filter(([id, record]) => !jsonEqual(record ?? undefined, get(id))))
}

/** Why the result cannot be written: the changes of both sides together exceed a limit. */
function refusal(
  { base, primary, own }: MergePlan,
  pages: ReadonlyMap<string, PageRecord | null>,
  bodies: BodiesOfPlan,
  followed: ReadonlyMap<string, string>,
): Reasoned | undefined {
  for (const { problem } of [...bodies.pages, ...bodies.reusables]) if (problem !== undefined) return problem
  for (const record of pages.values()) {
    const problem = sourceProblem(record?.title ?? '', followed.get(record?.document ?? '') ?? '')
    if (problem !== undefined) return problem
  }
  if (primary.changes.pages.length === 0 || own.changes.pages.length === 0) return undefined
  const [fault] = checkTree(base.pages.apply(pages), pages.keys())
  return fault && reasonFields(fault)
}

const KINDS = ['existence', 'place', 'field', 'body'] as const satisfies Conflict['kind'][]

/** Sorts conflicts by object, then by kind. The fields of one object and the blocks of one body keep their order. */
function ordered(conflicts: readonly Conflict[]): Conflict[] {
  const objects = ['page', 'reusable-content', 'file', 'space'] as const satisfies Conflict['object'][]
  return conflicts.toSorted(
    (a, b) =>
      objects.indexOf(a.object) - objects.indexOf(b.object) ||
      (a.id === b.id ? 0 : a.id < b.id ? -1 : 1) ||
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
  )
}
