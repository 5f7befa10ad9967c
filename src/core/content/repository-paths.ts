/**
 * Repository paths. They resolve links, and an import finds the records to update by them, so a path belongs to one
 * page or file. A reusable content may share the path of a page or file that was imported from the same file.
 */
import type { Targets } from './links.ts'
import type { FileRecord, PageRecord, ReusableRecord } from './revision.ts'
import type { PageTree } from './tree/tree.ts'
import type { Reasoned } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { freeName } from '../text/slug.ts'

/** The records of a content that have repository paths. */
export interface PathContent {
  readonly pages: Pick<PageTree, 'get' | 'byFile'>
  readonly files: ReadonlyMap<string, FileRecord>
  readonly reusables: ReadonlyMap<string, ReusableRecord>
}

/** Records to set, by id; null removes a record. */
export interface PathChanges {
  readonly pages?: ReadonlyMap<string, PageRecord | null>
  readonly files?: ReadonlyMap<string, FileRecord | null>
  readonly reusables?: ReadonlyMap<string, ReusableRecord | null>
}

const KINDS = ['pages', 'files', 'reusables'] as const
type Kind = (typeof KINDS)[number]
type Placed = PageRecord | FileRecord | ReusableRecord

/** The kinds whose records share no path with one of this kind. */
const APART: Readonly<Record<Kind, readonly Kind[]>> = {
  pages: ['pages', 'files'],
  files: ['pages', 'files'],
  reusables: ['reusables'],
}

/** The repository path of a record. */
function recordPath(record: Placed | null | undefined): string | undefined {
  if (!record) return undefined
  return 'slug' in record ? record.file : 'path' in record ? record.path : undefined
}

/** A record with a path that is new to it. */
interface Claim {
  readonly kind: Kind
  readonly record: Placed
  readonly path: string
}

function claimsOf(before: PathContent, changes: PathChanges): Claim[] {
  return KINDS.flatMap((kind) =>
    [...(changes[kind]?.values() ?? [])].flatMap((record: Placed | null): Claim[] => {
      const path = recordPath(record)
      if (!record || path === undefined || recordPath(before[kind].get(record.id)) === path) return []
      return [{ kind, record, path }]
    }),
  )
}

/** The id of the record of a kind that has a path, unless the changes take the path from it. */
function holderOf(before: PathContent, changes: PathChanges, kind: Kind, path: string): string | undefined {
  const id = kind === 'pages' ? before.pages.byFile(path)?.id : idAtPath(before[kind], path)
  if (id === undefined) return undefined
  const changed: Placed | null | undefined = changes[kind]?.get(id)
  return changed === undefined || recordPath(changed) === path ? id : undefined
}

/**
 * The paths that changes would give to a second record, one refusal each. Only paths that are new to a record are
 * checked, so the cost does not depend on the size of the content.
 */
export function pathProblems(before: PathContent, changes: PathChanges): Reasoned[] {
  const given = new Set<string>()
  return claimsOf(before, changes).flatMap(({ kind, record, path }) => {
    const key = `${APART[kind][0]} ${path}`
    const isHeld = APART[kind].some((other) => {
      const holder = holderOf(before, changes, other, path)
      return holder !== undefined && !(other === kind && holder === record.id)
    })
    if (!isHeld && !given.has(key)) {
      given.add(key)
      return []
    }
    return [because(TAKEN[kind], { id: record.id, path })]
  })
}

const TAKEN = {
  pages: 'page-path-taken',
  files: 'file-path-taken',
  reusables: 'reusable-content-path-taken',
} as const satisfies Record<Kind, string>

/** The records whose paths differ from the given changes. */
export interface FreedPaths {
  readonly pages: Map<string, PageRecord>
  readonly files: Map<string, FileRecord>
  readonly reusables: Map<string, ReusableRecord>
}

/**
 * The records whose path another record has too, with the next path that is free. The record that had the path before
 * keeps it; otherwise the record with the smallest id does. The folder stays the same, so that relative links in the
 * record lead to the same targets.
 * @param apart the kinds that share no path with one of a kind; by default the kinds that may not
 */
export function freePaths(before: PathContent, changes: PathChanges, apart = APART): FreedPaths {
  const claims = claimsOf(before, changes).toSorted((a, b) =>
    a.record.id === b.record.id ? 0 : a.record.id < b.record.id ? -1 : 1,
  )
  const claimed = new Set(claims.map(({ path }) => path))
  const given: Readonly<Record<Kind, Set<string>>> = {
    pages: new Set(),
    files: new Set(),
    reusables: new Set(),
  }
  const freed = { pages: new Map(), files: new Map(), reusables: new Map() }
  for (const { kind, record, path: wanted } of claims) {
    const isTaken = (path: string) =>
      apart[kind].some(
        (other) => given[other].has(path) || holderOf(before, changes, other, path) !== undefined,
      )
    // A numbered path never takes a path that another record claims.
    const path = freePath(wanted, (one) => isTaken(one) || (one !== wanted && claimed.has(one)))
    given[kind].add(path)
    const key = kind === 'pages' ? 'file' : 'path'
    if (path !== wanted) freed[kind].set(record.id, { ...record, [key]: path })
  }
  return freed
}

/** No two kinds share a path, so that an address keeps its target when a record returns. */
const ALL_APART: typeof APART = { pages: KINDS, files: KINDS, reusables: KINDS }

/**
 * The changes with free paths for records that come back into a content. A path is taken there if a page, a file or a
 * reusable content has it.
 */
export function withFreePaths<C extends PathChanges>(content: PathContent, changes: C): C {
  const freed = freePaths(content, changes, ALL_APART)
  const renamed = KINDS.filter((kind) => freed[kind].size > 0)
  const merged = renamed.map((kind) => [
    kind,
    new Map<string, unknown>([...(changes[kind] ?? []), ...freed[kind]]),
  ])
  return { ...changes, ...Object.fromEntries(merged) }
}

/**
 * The pages and files whose path changes give to a record of the other kind, with the next path that is free: in an
 * import, the repository decides whether a path is a page or a file.
 */
export function displacedRecords(content: PathContent, changes: PathChanges): FreedPaths {
  const claims = claimsOf(content, changes)
  const claimed = new Set(claims.map(({ path }) => path))
  const displaced = { pages: new Map(), files: new Map(), reusables: new Map() }
  for (const { kind, path } of claims) {
    for (const other of APART[kind]) {
      const holder = other === kind ? undefined : holderOf(content, changes, other, path)
      if (holder === undefined) continue
      const free = freePath(path, (one) => claimed.has(one) || isPathTaken(content, one))
      claimed.add(free)
      const record = content[other].get(holder)
      displaced[other].set(holder, { ...record, [other === 'pages' ? 'file' : 'path']: free })
    }
  }
  return displaced
}

/** The path, or the first of `setup-1.md`, `setup-2.md` … that is not taken. */
export function freePath(path: string, isTaken: (path: string) => boolean): string {
  const [, stem = path, extension = ''] = /^(.*[^/])(\.[^./]*)$/.exec(path) ?? []
  return freeName(stem, isTaken, { after: extension })
}

/** Whether a page, a file or a reusable content has a path. */
export function isPathTaken({ pages, files, reusables }: PathContent, path: string): boolean {
  return [pages.byFile(path)?.id, idAtPath(files, path), idAtPath(reusables, path)].some(Boolean)
}

/** Lookups that resolve the relative links of a content by the paths of its records. */
export function pathTargets({ pages, files, reusables }: PathContent & { pages: PageTree }): Targets {
  return {
    pageByFile: (file) => pages.byFile(file)?.id,
    pageByPath: (path) => pages.byPath(path)?.id,
    fileByPath: (path) => idAtPath(files, path),
    reusableByPath: (path) => idAtPath(reusables, path),
  }
}

const indexes = new WeakMap<ReadonlyMap<string, object>, ReadonlyMap<string, string>>()

/** The id of the record with a path. If several have it, the oldest is used, because ids sort by time. */
function idAtPath(
  records: ReadonlyMap<string, { readonly id: string; readonly path?: string }>,
  path: string,
): string | undefined {
  const index = indexes.get(records) ?? indexByPath(records)
  indexes.set(records, index)
  return index.get(path)
}

function indexByPath(records: ReadonlyMap<string, { readonly id: string; readonly path?: string }>) {
  const ids = new Map<string, string>()
  for (const { id, path } of records.values())
    if (path !== undefined && id < (ids.get(path) ?? '\uffff')) ids.set(path, id)
  return ids
}
