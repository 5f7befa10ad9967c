/**
 * The content of a pushed commit. A revision has more than its files show, such as the emoji of pages. Therefore the files
 * of the revision and those of the commit are read alike, and the revision gets what differs between the two.
 */
import type { ContentChanges, Snapshot } from '../core/content/merge/model.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/content/revision.ts'
import { checkTree } from '../core/content/tree/rules.ts'
import { append } from '../core/data/lists.ts'
import { jsonEqual } from '../core/data/json.ts'
import { faultParameters } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'
import type { Problem, ProblemKind } from '../core/repository/model.ts'
import { placeContent } from '../core/repository/print/place.ts'
import type { RepositoryLayout } from '../core/repository/print/model.ts'
import { partyFor } from '../core/runtime/turns.ts'
import type { Row } from '../db/schema.ts'
import { invalid } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import type { StoringImport } from '../model/content/documents/imported-document.ts'
import { snapshotOf } from '../model/proposals/snapshots.ts'
import { withExportedPaths } from './exported.ts'
import type { ImportOutline, ImportPart, OutlinedPage, StoredFile } from './plan-outline.ts'
import { storeArchiveParts, type StoringContext } from './prepare-import.ts'
import { readImport } from './read.ts'
import { inImportSlot } from './slots.ts'
import { type Making, type ReadSource, sideAfter, sourceChanges, withRenamed } from './source-content.ts'

/** The problems with which a part of a commit would be lost. */
const REFUSED: ReadonlySet<ProblemKind | undefined> = new Set<ProblemKind>([
  'missing-page',
  'unlisted-page',
  'mdx',
  'unreadable',
  'setting',
  'redirect',
])

/** An import divides a page that is too long. The files of a commit would no longer be those of the space. */
const DIVIDED = new Set(['page-divided', 'page-divided-hidden'])

/** The files of a repository that are those of no record. */
const SETTINGS = ['SUMMARY.md', '.gitbook.yaml', '.gitbook/vars.yaml']

/** What a commit is read with. */
export type PushContext = StoringContext & Pick<Services, 'imports'>

/** The files of a commit, and of the revision that it is based on. */
export interface PushedFiles {
  /** The revision. */
  base: Row<'revision'>
  /** Where a commit of the revision has its settings. */
  layout: RepositoryLayout
  /** The archives of both, on the disk. */
  before: string
  after: string
  /** The paths of the commit. */
  paths: readonly string[]
  /** The paths that the revision has too, with the same content or another. */
  known: ReadonlySet<string>
  /** The former paths of files that the commit has at other paths. */
  renamed: ReadonlyMap<string, string>
}

/** The changes of a commit, whose documents and files are stored. */
export interface PreparedPush {
  base: Row<'revision'>
  /** What the revision needs to have the content of the commit. */
  changes: ContentChanges
  files: readonly StoredFile[]
  storing: StoringImport | undefined
  /** The faults of the commit, which the revision has not. */
  problems: readonly Problem[]
}

/** A commit has parts that a space cannot store. */
export class PushRefused extends Error {
  override name = 'PushRefused'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super('A space cannot store the commit')
    this.problems = problems
  }
}

/** Reads a commit. @throws PushRefused, 400, 409, 429 */
export async function preparePush(context: PushContext, pushed: PushedFiles): Promise<PreparedPush> {
  const { space, imports, now, signal } = context
  using progress = imports.track(space.id, now)
  const party = partyFor(space.organizationId)
  const read = async (): Promise<PreparedPush> => {
    const { base } = pushed
    // An import needs a page.
    const before = base.pages === null ? undefined : await readBefore(context, pushed.before)
    const oids = new Map(before?.files.map(({ path, oid }) => [path, oid]))
    const isKnown = ({ path, oid }: Pick<StoredFile, 'path' | 'oid'>) =>
      oid !== undefined && oids.get(path) === oid
    const archive = { path: pushed.after, name: 'push.zip' }
    const options = { source: 'markdown', root: '', progress, isKnown } as const
    const after = await storeArchiveParts(context, archive, options)
    const problems = newProblems(before?.outline, after.outline)
    const refused = [
      ...problems.filter(({ kind, reason }) => REFUSED.has(kind) || DIVIDED.has(reason)),
      ...problemsOfPlaces(pushed, after),
    ]
    if (refused.length > 0) throw new PushRefused(refused)
    const changes = await changesOfPush(
      await snapshotOf(context.db.read, base),
      pushed,
      { before, after },
      context,
    )
    const files = after.files.filter(({ hash }) => hash !== '')
    return { base, changes, files, storing: after.storing, problems }
  }
  return inImportSlot(party, read, signal)
}

/** Reads the files of the revision, and stores nothing. */
async function readBefore({ space, signal }: PushContext, path: string): Promise<ReadSource> {
  const files: StoredFile[] = []
  const take = async (part: ImportPart) => {
    if ('files' in part)
      append(
        files,
        part.files.map(({ bytes: _bytes, ...file }) => ({ ...file, hash: '' })),
      )
  }
  const task = { source: 'markdown', name: 'base.zip', path, root: '' } as const
  return { outline: await readImport(task, partyFor(space.organizationId), take, signal), files }
}

function newProblems(before: ImportOutline | undefined, after: ImportOutline): Problem[] {
  const identify = ({ kind, path, message }: Problem) => JSON.stringify([kind, path, message])
  const known = new Set(before?.problems.map(identify))
  return after.problems.filter((one) => !known.has(identify(one)))
}

/** The files of a commit that would be lost, because they are neither pages nor used by a page. */
function problemsOfPlaces(
  { paths, known }: PushedFiles,
  { outline, files }: Pick<ReadSource, 'outline' | 'files'>,
): Problem[] {
  const taken = new Set([
    ...SETTINGS,
    ...files.map(({ path }) => path),
    ...outline.reusables.map(({ path }) => path),
  ])
  const takePages = (pages: readonly OutlinedPage[]) => {
    for (const { fields, children } of pages) {
      if (fields.file !== undefined) taken.add(fields.file)
      takePages(children)
    }
  }
  takePages(outline.pages)
  const isNamed = new Set(outline.problems.map(({ path }) => path))
  return paths
    .filter((path) => !known.has(path) && !taken.has(path.normalize('NFC')) && !isNamed.has(path))
    .map((path) => ({ path, ...because('git-file-without-place') }))
}

/** The changes between the files of a revision and those of a commit, as changes of the revision. */
async function changesOfPush(
  revision: Snapshot,
  { layout, renamed }: Pick<PushedFiles, 'layout' | 'renamed'>,
  { before, after }: { before: ReadSource | undefined; after: ReadSource },
  making: Making,
): Promise<ContentChanges> {
  const ids = Object.fromEntries(placeContent(revision, layout).fresh)
  const placed = withExportedPaths(revision, ids)
  const printed = before && (await sourceChanges(placed, [], before, making))
  const from = sideAfter(placed, printed ?? { pages: new Map(), files: new Map(), reusables: new Map() })
  const to = await sourceChanges(from, [withRenamed(from, renamed)], after, making)

  const pages = patched(
    to.pages,
    (id) => from.pages.get(id),
    (id) => revision.pages.get(id),
    withFile,
  )
  const files = patched<FileRecord>(
    to.files,
    (id) => from.files.get(id),
    (id) => revision.files.get(id),
  )
  const reusables = patched<ReusableRecord>(
    to.reusables,
    (id) => from.reusables.get(id),
    (id) => revision.reusables.get(id),
    withPath,
  )
  const [fault] = checkTree(revision.pages.apply(pages))
  if (fault) throw invalid(because('import-refused', faultParameters(fault)))
  return {
    pages,
    files,
    reusables,
    ...patchedNames('variables', { revision, from, to }),
    ...patchedNames('redirects', { revision, from, to }),
  }
}

/** Applies what differs between two states of records to those of a revision. */
function patched<R extends object>(
  changes: ReadonlyMap<string, R | null>,
  from: (id: string) => R | undefined,
  own: (id: string) => R | undefined,
  complete: (next: R, before: R, after: R) => R = (next) => next,
): Map<string, R | null> {
  const result = new Map<string, R | null>()
  for (const [id, after] of changes) {
    const [before, record] = [from(id), own(id)]
    if (after === null) {
      if (record) result.set(id, null)
    } else if (!before || !record) result.set(id, after)
    else {
      const next = complete(withDifferences(record, before, after), before, after)
      if (!isSameRecord(next, record)) result.set(id, next)
    }
  }
  return result
}

/** Whether two records are the same but for the time of their last change; null is a record that is not there. */
export function isSameRecord(a: object | null, b: object | null): boolean {
  return a === null || b === null ? a === b : jsonEqual({ ...a, updatedAt: '' }, { ...b, updatedAt: '' })
}

function withDifferences<R extends object>(record: R, before: R, after: R): R {
  const next = { ...record } as Record<string, unknown>
  const [then, since] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
  for (const key of new Set([...Object.keys(then), ...Object.keys(since)])) {
    if (jsonEqual(then[key], since[key])) continue
    if (since[key] === undefined) delete next[key]
    else next[key] = since[key]
  }
  return next as R
}

/** A body of a commit has addresses that are relative to its path. */
function withFile(next: PageRecord, before: PageRecord, { document, file }: PageRecord): PageRecord {
  return before.document === document || file === undefined ? next : { ...next, file }
}

function withPath(
  next: ReusableRecord,
  before: ReusableRecord,
  { document, path }: ReusableRecord,
): ReusableRecord {
  return before.document === document || path === undefined ? next : { ...next, path }
}

function patchedNames<K extends 'variables' | 'redirects'>(
  kind: K,
  { revision, from, to }: { revision: Snapshot; from: Snapshot; to: ContentChanges },
): Pick<ContentChanges, K> {
  const [then, since] = [from[kind], to[kind] ?? from[kind]]
  if (jsonEqual(then, since)) return {} as Pick<ContentChanges, K>
  return { [kind]: withDifferences<object>(revision[kind], then, since) } as Pick<ContentChanges, K>
}
