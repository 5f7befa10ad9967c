/**
 * The three-way merge of two contents: of pages (existence, place, fields, body), files, reusable contents, variables
 * and redirects. Its laws are in `merge.test.ts`. Nothing here reads storage: `planMerge` says which documents are
 * needed, and `finishMerge` is given them.
 */
import { LIMITS } from '../revision.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revision.ts'
import { checkTree } from '../tree-rules.ts'
import { mergeBody, sourcesOf } from './bodies.ts'
import { mergeEffort } from './body.ts'
import { same } from './fields.ts'
import type { Conflict, ContentChanges, Merged, Side, SideName, Snapshot } from './model.ts'
import { mergePages, type PagesMerged } from './pages.ts'
import { mergeFiles, mergeNamed, mergeReusables, type RecordsMerged } from './records.ts'

/** What is decided before any document is read. */
export interface MergePlan {
  /**
   * Hashes of the documents that `finishMerge` needs: of pages and reusable contents whose body both sides changed, or
   * whose body one changed and whose title or front matter the other.
   */
  readonly sources: readonly string[]
  readonly base: Snapshot
  readonly primary: Side
  readonly own: Side
  readonly keep: SideName
  readonly pages: PagesMerged
  readonly files: RecordsMerged<FileRecord>
  readonly reusables: RecordsMerged<ReusableRecord>
}

/**
 * Merges two sides that have the content `base` in common: all that can be told from the records. `keep` says whose
 * side stands in the result where the two conflict; without conflicts the result is the same either way.
 */
export function planMerge(base: Snapshot, primary: Side, own: Side, keep: SideName): MergePlan {
  const pages = mergePages(base, primary, own, keep)
  const files = mergeFiles(base, primary, own, keep)
  const reusables = mergeReusables(base, primary, own, keep)
  const sources = new Set([...pages.both, ...reusables.both].flatMap(sourcesOf))
  return { sources: [...sources], base, primary, own, keep, pages, files, reusables }
}

/** Merges the documents too, given their sources by hash. `now` (ISO 8601) is when what was merged was updated. */
export function finishMerge(plan: MergePlan, sources: ReadonlyMap<string, string>, now: string): Merged {
  const { primary, own, keep } = plan
  const conflicts: Conflict[] = [
    ...plan.pages.conflicts,
    ...plan.files.conflicts,
    ...plan.reusables.conflicts,
  ]
  const documents = new Map<string, string>()
  const effort = mergeEffort()
  const pages = new Map(plan.pages.records)
  const reusables = new Map(plan.reusables.records)
  for (const both of plan.pages.both) {
    const merged = mergeBody<PageRecord>('page', both, sources, keep, now, effort)
    pages.set(merged.record.id, merged.record)
    conflicts.push(...merged.conflicts)
    if (merged.source !== undefined) documents.set(merged.record.document!, merged.source)
  }
  for (const both of plan.reusables.both) {
    const merged = mergeBody<ReusableRecord>('reusable-content', both, sources, keep, now, effort)
    reusables.set(merged.record.id, merged.record)
    conflicts.push(...merged.conflicts)
    if (merged.source !== undefined) documents.set(merged.record.document!, merged.source)
  }

  const variables = mergeNamed('variables', valuesOf(plan, 'variables'), keep)
  const redirects = mergeNamed('redirects', valuesOf(plan, 'redirects'), keep)
  conflicts.push(...variables.conflicts, ...redirects.conflicts)

  const changesTo = (name: SideName): ContentChanges => {
    const side = name === 'primary' ? primary : own
    return {
      pages: differences(pages, (id) => side.pages.get(id)),
      files: differences(plan.files.records, (id) => side.files.get(id)),
      reusables: differences(reusables, (id) => side.reusables.get(id)),
      ...(same(variables.values, side.variables) ? {} : { variables: variables.values }),
      ...(same(redirects.values, side.redirects) ? {} : { redirects: redirects.values }),
    }
  }
  const refused = refusal(plan, pages, documents)
  return {
    conflicts: ordered(conflicts),
    documents,
    changesTo,
    ...(refused === undefined ? {} : { refused }),
  }
}

function valuesOf<K extends 'variables' | 'redirects'>({ base, primary, own }: MergePlan, field: K) {
  return { base: base[field], primary: primary[field], own: own[field] }
}

function differences<R>(
  records: ReadonlyMap<string, R | null>,
  get: (id: string) => R | undefined,
): Map<string, R | null> {
  return new Map([...records].filter(([id, record]) => !same(record ?? undefined, get(id))))
}

/** Faults that neither side has by itself, and that nobody's choice between two values would mend. */
function refusal(
  { base, primary, own }: MergePlan,
  pages: ReadonlyMap<string, PageRecord | null>,
  documents: ReadonlyMap<string, string>,
): string | undefined {
  for (const source of documents.values()) {
    if (source.length > LIMITS.documentBytes / 3 && Buffer.byteLength(source) > LIMITS.documentBytes)
      return `Both sides of a page together are more than ${LIMITS.documentBytes} bytes`
  }
  if (primary.changes.pages.length === 0 || own.changes.pages.length === 0) return undefined
  const [fault] = checkTree(base.pages.apply(pages), pages.keys())
  return fault?.message
}

const KINDS = ['existence', 'place', 'field', 'body'] as const satisfies Conflict['kind'][]

/** By object, then by kind; the fields of one object, and the blocks of one body, stay in their order. */
function ordered(conflicts: readonly Conflict[]): Conflict[] {
  const objects = ['page', 'reusable-content', 'file', 'space'] as const satisfies Conflict['object'][]
  return conflicts.toSorted(
    (a, b) =>
      objects.indexOf(a.object) - objects.indexOf(b.object) ||
      (a.id === b.id ? 0 : a.id < b.id ? -1 : 1) ||
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
  )
}
