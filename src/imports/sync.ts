/**
 * Makes a space equal to a source. The content of the source at the last sync is the base of a three-way merge, the source
 * is one side, and the space with the edits of its users is the other.
 */
import type { Static } from 'typebox'
import type { Conflict, ContentChanges, Snapshot } from '../core/content/merge/model.ts'
import { bodiesTask, finishMerge, planMerge, withSources } from '../core/content/merge/merge.ts'
import { jsonEqual } from '../core/data/json.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import { conflict, invalidField, PrepareAgain } from '../http/errors.ts'
import {
  type Changes,
  commitRevision,
  isNothing,
  makeContent,
  makeMaps,
  needRevision,
  type NewMaps,
  storeMaps,
} from '../model/content/commit.ts'
import { sourcesOf } from '../model/content/content.ts'
import { endStoring } from '../model/content/documents/imported-document.ts'
import { storeDocuments } from '../model/content/documents/stored-document.ts'
import { useBlobs } from '../model/content/files/stored-file.ts'
import { mergeBodiesOf } from '../model/proposals/merged-bodies.ts'
import { type ContentRow, sideOf, snapshotOf } from '../model/proposals/snapshots.ts'
import {
  saveSource,
  type SourceArchive,
  type SourceContent,
  sourceOfSpace,
  type SpaceSource,
  type SyncBody,
  type SyncProposal,
  type SyncResult,
} from '../model/proposals/space-source.ts'
import { omitNullish } from '../model/common.ts'
import type { FetchedArchive } from './fetch.ts'
import {
  type ImportBody,
  type ImportContext,
  sourceReport,
  type SourceReport,
  readSource,
  type StoredSource,
} from './prepare-import.ts'
import { archiveKey, rememberedArchive } from './source-archive.ts'
import { exportedChanges, withExportedPaths } from './exported.ts'
import { archiveProposal, propose } from './proposal.ts'
import { sideAfter, sourceChanges, withRenamed } from './source-content.ts'
import { because } from '../core/languages/reasons.ts'
import { faultParameters } from '../core/languages/reasoned.ts'

/** A sync that was planned for a revision of the space and for what the space remembers of its source. */
export type PreparedSync = ReadSync | KnownSync

interface SyncPlan {
  sync: SyncBody
  current: Row<'revision'>
  known: Row<'spaceSource'> | undefined
  report: SourceReport
}

/** The space was made equal to the same archive before, so that there is nothing to read or to change. */
interface KnownSync extends SyncPlan {
  isKnown: true
  known: Row<'spaceSource'>
}

interface ReadSync extends SyncPlan, StoredSource {
  isKnown: false
  /** The archive as it is remembered; absent if the content is not that of the archive alone. */
  archive?: SourceArchive
  /** The content of the source. */
  source: { maps: NewMaps; variables: string; redirects: string }
  /** The changes that the space needs. If the source was exported from the space, they change no words. */
  merged: MergedSource
}

interface MergedSource {
  conflicts: readonly Conflict[]
  documents: ReadonlyMap<string, string>
  changes: Changes
  counts: Counts
}

type Syncing = ImportContext & {
  space: Row<'space'>
  body: Static<typeof ImportBody> & { sync: SyncBody }
  /** The former paths of files that the source has moved since the last sync, by the new ones. */
  renamed?: ReadonlyMap<string, string>
}

/** Reads a source, and merges it with the content of a space. @throws 400, 404, 409, 429 */
export async function prepareSync(context: Syncing): Promise<PreparedSync> {
  const { db, space, body } = context
  const { exported } = body.sync
  const made = exported === undefined ? undefined : await exportedRevision(db.read, space.id, exported)
  const read = async (source: StoredSource, archive: FetchedArchive): Promise<PreparedSync> => {
    const remembered = await sourceOfSpace(db.read, space.id)
    const known = remembered?.row
    const current = await currentRevision(db.read, space.id)
    const base = made ?? baseOf(current, known)
    const before = await snapshotOf(db.read, base)
    const { renamed = new Map<string, string>() } = context
    const moved = renamed.size === 0 ? [] : [withRenamed(before, renamed)]
    const others = [remembered?.proposal && { ...remembered.proposal.content, spaceId: space.id }, current]
    const after =
      made === undefined
        ? [
            ...moved,
            ...(await snapshotsOf(
              db.read,
              others.flatMap((one) => one ?? []),
            )),
          ]
        : [withExportedPaths(before, source.outline.ids)]
    const changes = await sourceChanges(before, after, source, context)
    const merged =
      made === undefined
        ? await mergeSource(context, { base, current }, sideAfter(before, changes))
        : await takeExported(db.read, current, before, changes)
    const { variables, redirects } = changes
    const report = sourceReport(source)
    return {
      ...source,
      isKnown: false,
      report,
      ...omitNullish({ archive: made === undefined ? rememberedArchive(archive, body, report) : undefined }),
      sync: body.sync,
      current,
      known,
      source: {
        maps: await makeContent(db.read, base, changes),
        variables: JSON.stringify(variables),
        redirects: JSON.stringify(redirects),
      },
      merged,
    }
  }
  return readSource(context, body, read, (archive) => knownSync(context, archive))
}

async function currentRevision(db: Reader, spaceId: string): Promise<Row<'revision'>> {
  const { revisionId } = await db
    .selectFrom('space')
    .select('revisionId')
    .where('id', '=', spaceId)
    .executeTakeFirstOrThrow()
  return needRevision(db, spaceId, revisionId)
}

/** The sync with an archive that has the content of the last sync; undefined if the archive must be read. */
async function knownSync(
  { db, space, body }: Syncing,
  archive: FetchedArchive,
): Promise<KnownSync | undefined> {
  const { sync } = body
  const key = archiveKey(archive, body)
  const remembered = await sourceOfSpace(db.read, space.id)
  // The source may differ from what was proposed last, and a proposal that was changed meanwhile is refused.
  if (!remembered || remembered.proposal || sync.exported !== undefined || key === undefined) return undefined
  const { row: known } = remembered
  const { archive: before } = JSON.parse(known.content) as SourceContent
  if (before?.key !== key) return undefined
  const current = await currentRevision(db.read, space.id)
  return { isKnown: true, sync, current, known, report: JSON.parse(before.report) as SourceReport }
}

/** The content of the last sync. A space without one has the content that it has now, so that the source replaces it. */
function baseOf(current: Row<'revision'>, known: Row<'spaceSource'> | undefined): ContentRow {
  if (!known) return current
  return { ...(JSON.parse(known.content) as SourceContent), spaceId: known.spaceId }
}

async function snapshotsOf(db: Reader, contents: readonly ContentRow[]): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = []
  for (const content of contents) snapshots.push(await snapshotOf(db, content))
  return snapshots
}

async function exportedRevision(db: Reader, spaceId: string, id: string): Promise<Row<'revision'>> {
  const revision = await db
    .selectFrom('revision')
    .selectAll()
    .where('id', '=', id)
    .where('spaceId', '=', spaceId)
    .where('changeRequestId', 'is', null)
    .executeTakeFirst()
  if (revision) return revision
  throw invalidField('body.sync.exported', because('not-exported-revision', { id }))
}

async function mergeSource(
  { db, space, now, signal }: Syncing,
  { base, current }: { base: ContentRow; current: Row<'revision'> },
  source: ReturnType<typeof sideAfter>,
): Promise<MergedSource> {
  const primary = await sideOf(db.read, base, current)
  const plan = planMerge(await snapshotOf(db.read, base), primary, source, 'own')
  const sources = await sourcesOf(db.read, space.id, plan.sources)
  const sourced = withSources(plan, sources, now.toISOString())
  const bodies = await mergeBodiesOf(bodiesTask(sourced), { db: db.read, spaceId: space.id, signal })
  const { conflicts, documents, changesTo, refused } = finishMerge(sourced, bodies)
  if (refused !== undefined) throw conflict(because('source-not-combined', faultParameters(refused)))
  const changes = changesTo('primary')
  return {
    conflicts,
    documents,
    changes: { ...changes, made: await makeMaps(db.read, current, changes) },
    counts: countPages(primary, changes.pages),
  }
}

/** Returns the changes that a space takes over from its own export. */
async function takeExported(
  db: Reader,
  current: Row<'revision'>,
  exported: Snapshot,
  source: ContentChanges,
): Promise<MergedSource> {
  const changes = exportedChanges(await snapshotOf(db, current), exported, source)
  return {
    conflicts: [],
    documents: new Map(),
    changes: { ...changes, made: await makeMaps(db, current, changes) },
    counts: NO_COUNTS,
  }
}

interface SyncContext {
  space: Row<'space'>
  userId: string
  now: Date
  newId: () => string
  /** Whether a change request gets the changes in any case. */
  isProposed?: boolean
}

/**
 * Writes a sync: as a revision of the space, or as a change request if the space is locked or there are conflicts.
 * @returns the newest revision of the space or change request
 */
export async function writeSync(
  tx: Tx,
  prepared: PreparedSync,
  context: SyncContext,
): Promise<{ id: string; sync: SyncResult }> {
  const { space, userId, now, newId } = context
  const { sync, current } = prepared
  const known = await sourceOfSpace(tx, space.id)
  if (space.revisionId !== current.id || !jsonEqual(known?.row, prepared.known)) throw new PrepareAgain()
  if (prepared.isKnown) return writeKnownSync(tx, prepared, { ...context, remembered: known })
  const { merged, storing, files, source, archive } = prepared
  if (storing) await endStoring(tx, storing.id)
  await useBlobs(tx, space.id, files)
  await storeDocuments(tx, space.id, merged.documents)
  const { variables, redirects } = source
  const maps = await storeMaps(tx, space.id, source.maps)
  const content: SourceContent = { ...maps, variables, redirects, ...omitNullish({ archive }) }

  const { oid = null } = sync
  const described = describedSource(sync, context)
  const settle = async (revisionId: string) => {
    if (known) await archiveProposal(tx, known, now)
    await saveSource(tx, { ...described, oid, content: JSON.stringify(content), revisionId, proposal: null })
  }
  const commit = async (message: string) => {
    const reason = { id: newId(), type: 'edits', message, userId, now } as const
    return (await commitRevision(tx, current, merged.changes, reason)).id
  }
  const counts = { ...merged.counts, conflicts: merged.conflicts.length }

  if (sync.exported !== undefined) {
    const waiting = known?.proposal && known.changeRequest
    if (waiting && waiting.status !== 'archived')
      throw conflict(because('sync-waiting', { number: waiting.number }))
    const id = isNothing(merged.changes) ? current.id : await commit(`Export to ${sync.name.slice(0, 70)}`)
    await settle(id)
    return { id, sync: { result: 'recorded', ...counts } }
  }
  if (isNothing(merged.changes) && merged.conflicts.length === 0) {
    await settle(current.id)
    return { id: current.id, sync: { result: 'unchanged', ...counts } }
  }
  const { isProposed = false } = context
  const isOpen =
    !isProposed && (space.editMode === 'live' || (current.pages === null && current.files === null))
  if (isOpen && merged.conflicts.length === 0) {
    const id = await commit(commitSubject(sync))
    await settle(id)
    return { id, sync: { result: 'updated', ...counts } }
  }

  const proposed = await propose(tx, {
    space,
    current,
    changes: merged.changes,
    conflicts: merged.conflicts,
    known,
    content,
    subject: commitSubject(sync),
    by: { userId, now, newId },
  })
  const { changeRequest, isNew } = proposed
  const made: SyncProposal = {
    changeRequestId: changeRequest.id,
    revisionId: changeRequest.revisionId,
    content,
    oid,
  }
  await saveSource(tx, {
    ...described,
    // The base stays that of the last sync until the change request is merged.
    oid: known?.row.oid ?? null,
    content: known?.row.content ?? JSON.stringify(contentOfRevision(current)),
    revisionId: known?.row.revisionId ?? current.id,
    proposal: isNew ? JSON.stringify(made) : (known?.row.proposal ?? null),
  })
  const { id, number, status } = changeRequest
  const result = status === 'archived' ? 'declined' : isNew ? 'proposed' : 'unchanged'
  return { id: changeRequest.revisionId, sync: { result, ...counts, changeRequest: { id, number } } }
}

/** Records that the space was synced again with the same archive. */
async function writeKnownSync(
  tx: Tx,
  { sync, current, known }: KnownSync,
  { remembered, ...context }: SyncContext & { remembered: SpaceSource | undefined },
): Promise<{ id: string; sync: SyncResult }> {
  if (remembered) await archiveProposal(tx, remembered, context.now)
  const { content } = known
  const described = describedSource(sync, context)
  const { oid = null } = sync
  await saveSource(tx, { ...described, oid, content, revisionId: current.id, proposal: null })
  return { id: current.id, sync: { result: 'unchanged', ...NO_COUNTS, conflicts: 0 } }
}

/** The columns of a source that a sync describes. */
function describedSource(sync: SyncBody, { space, userId, now }: SyncContext) {
  const { key, kind, name, url = null, branch = null, path = null } = sync
  const synced = { syncedBy: userId, syncedAt: now.toISOString() }
  return { spaceId: space.id, key, kind, name, url, branch, path, ...synced }
}

const contentOfRevision = ({
  pages,
  files,
  reusables,
  variables,
  redirects,
}: Row<'revision'>): SourceContent => ({
  pages,
  files,
  reusables,
  variables,
  redirects,
})

type Counts = Pick<SyncResult, 'created' | 'updated' | 'deleted'>

const NO_COUNTS: Counts = { created: 0, updated: 0, deleted: 0 }

function countPages(before: Snapshot, pages: ContentChanges['pages']): Counts {
  const counts = { created: 0, updated: 0, deleted: 0 }
  for (const [id, page] of pages) {
    if (page === null) counts.deleted++
    else if (before.pages.get(id)) counts.updated++
    else counts.created++
  }
  return counts
}

/** The subject of a change request, and the message of a revision. */
function commitSubject({ name, oid }: SyncBody): string {
  const commit = oid === undefined ? '' : ` at ${oid.slice(0, 7)}`
  return `Sync from ${name.slice(0, 70)}${commit}`
}
