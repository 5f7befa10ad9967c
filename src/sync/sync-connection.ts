/** Keeps a space in step with the repository that it is connected with: takes over its commits, and pushes those of the space. */
import { atLeast } from '../access/roles/roles.ts'
import { findSpace } from '../access/checks/on.ts'
import { type Reasoned, reasonFields } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'
import type { SyncOutcome } from '../db/source-tables.ts'
import type { Row, Tx } from '../db/schema.ts'
import { commitMessage, identityLine } from '../git/commit-text.ts'
import { commitsAfter, type RevisionCommit } from '../git/history.ts'
import { GitFault } from '../git/process.ts'
import { ApiError, conflict, notFound, PrepareAgain } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import { type PreparedSync, writeSync } from '../imports/sync.ts'
import { takeLanguage } from '../imports/write.ts'
import { newestRevision } from '../model/content/commit.ts'
import { appendAuditEvent, BY_SYSTEM } from '../model/audit/chain.ts'
import { appendSpaceEvents } from '../model/events/event.ts'
import {
  findConnection,
  openAuthorization,
  type RewrittenDecision,
  saveSyncEnd,
} from '../model/proposals/repository-connection.ts'
import { sourceOfSpace, type SpaceSource, type SyncResult } from '../model/proposals/space-source.ts'
import { branchHead, copyBranch, type RemoteBranch } from './copy.ts'
import { identityOf, pushExport } from './export-repository.ts'
import { prepareCommit, type RepositoryContext } from './import-repository.ts'
import { gitKey, gitSource } from './source-address.ts'
import { notifyOfSync } from './sync-notices.ts'

/** How often a sync begins again because the space or the branch changed meanwhile. */
const ATTEMPTS = 3
/** So many revisions are named in the message of one commit. */
const MOST_NAMED = 50

/** The message of a commit that puts the content of a space back after the history of the branch was rewritten. */
const PUT_BACK = 'Put the documentation back after the history was rewritten'

type Connection = Row<'repositoryConnection'>

/** What a sync did. */
interface SyncEnd {
  outcome: SyncOutcome
  fault?: Reasoned
  imported?: string
  exported?: string
  changeRequest?: number
  /** The revision of the space whose content the branch has. */
  same?: string
}

/** The syncs of a connection do not go on until somebody decides. */
class SyncStopped extends ApiError {
  override name = 'SyncStopped'
}

const stopped = (why: Reasoned) => new SyncStopped(409, why)

/** Syncs a space with its repository once, and stores how that ended. @param rewritten what to do if the history was rewritten */
export async function syncConnection(
  services: Services,
  spaceId: string,
  signal: AbortSignal,
  rewritten: RewrittenDecision | undefined,
): Promise<void> {
  const { db, now, newId } = services
  const connection = await findConnection(db.read, spaceId)
  if (!connection) return
  const startedAt = now().toISOString()
  const minutes = connection.intervalMinutes
  const nextSyncAt = new Date(now().getTime() + minutes * 60_000).toISOString()
  // Before anything can fail, so that the next sync follows.
  await db.write((tx) =>
    tx
      .updateTable('repositoryConnection')
      .set({ nextSyncAt, syncStartedAt: startedAt })
      .where('spaceId', '=', spaceId)
      .execute(),
  )
  const end = await endOfSync(services, connection, signal, rewritten)
  const sync: Row<'repositorySync'> = {
    id: newId(),
    spaceId,
    outcome: end.outcome,
    fault: end.fault ? JSON.stringify(reasonFields(end.fault)) : null,
    importedOid: end.imported ?? null,
    exportedOid: end.exported ?? null,
    changeRequest: end.changeRequest ?? null,
    startedAt,
    endedAt: now().toISOString(),
  }
  const next = { sameRevisionId: end.same, nextSyncAt: end.outcome === 'stopped' ? null : nextSyncAt }
  await db.write(async (tx) => {
    const before = await saveSyncEnd(tx, sync, next)
    if (before) await notifyOfSync(tx, services, before, sync)
  })
}

async function endOfSync(
  services: Services,
  connection: Connection,
  signal: AbortSignal,
  rewritten: RewrittenDecision | undefined,
): Promise<SyncEnd> {
  try {
    for (let attempt = 1; ; attempt++) {
      const end = await syncOnce(services, connection, signal, rewritten)
      if (end) return end
      if (attempt === ATTEMPTS)
        throw conflict(because('repository-raced', { branch: connection.branch, count: ATTEMPTS }))
    }
  } catch (error) {
    if (error instanceof SyncStopped) return { outcome: 'stopped', fault: error }
    if (error instanceof ApiError) return { outcome: 'failed', fault: error }
    if (signal.aborted) return { outcome: 'failed', fault: because('sync-too-slow') }
    throw error
  }
}

/** @returns undefined if the branch or the space changed meanwhile */
async function syncOnce(
  services: Services,
  connection: Connection,
  signal: AbortSignal,
  rewritten: RewrittenDecision | undefined,
): Promise<SyncEnd | undefined> {
  const { db, now } = services
  const { spaceId, connectedBy, url, branch, path } = connection
  const found = await findSpace(db.read, { userId: connectedBy }, spaceId)
  if (!found || !atLeast(found.role, 'create')) throw stopped(because('sync-without-role'))
  // A space that comes back from the trash is synced again.
  if (found.space.deletedAt !== null) throw notFound('space')
  const context = { ...services, space: found.space, now: now(), signal }
  const syncing = { context, connection }
  const remote = { url, authorization: openAuthorization(services.sealing, connection) }
  const key = gitKey(url, branch, path)
  const source = await sourceWithKey(context, key)
  let same = connection.sameRevisionId
  // Most syncs find nothing new, and need no copy of the repository.
  const head = await branchHead(services, remote, branch, signal)
  if (head !== undefined && head === newestRead(source)) {
    if (source?.proposal) return waitingFor(source.changeRequest, undefined)
    if (same === found.space.revisionId) return { outcome: 'synced', same }
  }
  await using copy = await copyBranch(services, remote, branch, signal)
  const isRead = copy.oid === undefined || newestRead(source) === copy.oid
  if (!isRead) {
    const known = source?.row.oid ?? undefined
    const isRewritten = known !== undefined && !(await hasCommit(copy, known))
    if (isRewritten && rewritten === 'push-back') {
      const exported = await exportNewest(syncing, copy, source, null, true)
      return exported && { outcome: 'synced', ...exported }
    }
    const sync = gitSource(url, branch, path, copy.oid!)
    const prepared = await prepareCommit(context, copy, sync, { isDated: true })
    if (isRewritten && rewritten !== 'follow') throw stoppedByRewriting(copy, known, prepared)
    const done = await written(syncing, prepared)
    if (!done) return undefined
    const { changeRequest, result } = done.sync
    if (changeRequest) return waitingFor(changeRequest, result === 'proposed' ? copy.oid : undefined)
    // Without edits of its users, the space has what the branch has.
    if (source === undefined || same === prepared.current.id) same = done.id
  }
  const end: SyncEnd = { outcome: 'synced', ...(isRead ? {} : { imported: copy.oid! }) }
  const after = await sourceWithKey(context, key)
  if (after?.proposal) return waitingFor(after.changeRequest, undefined)
  const exported = await exportNewest(syncing, copy, after, same)
  return exported && { ...end, ...exported }
}

const waitingFor = (
  changeRequest: { number: number } | undefined,
  imported: string | undefined,
): SyncEnd => ({
  outcome: 'waiting',
  ...(imported !== undefined && { imported }),
  ...(changeRequest && { changeRequest: changeRequest.number }),
})

/** The source of a space, if it is the branch with a key. */
async function sourceWithKey(
  { db, space }: RepositoryContext,
  key: string,
): Promise<SpaceSource | undefined> {
  const source = await sourceOfSpace(db.read, space.id)
  return source?.row.key === key ? source : undefined
}

/** The newest commit that a space has, or a change request of it. */
const newestRead = (source: SpaceSource | undefined) =>
  source?.proposal ? source.proposal.oid : (source?.row.oid ?? undefined)

/** Says what following a branch whose history was rewritten would do. @param known the commit of the last sync */
function stoppedByRewriting({ branch }: RemoteBranch, known: string, prepared: PreparedSync): SyncStopped {
  const { created, updated, deleted } = prepared.isKnown
    ? { created: 0, updated: 0, deleted: 0 }
    : prepared.merged.counts
  const commit = known.slice(0, 7)
  return stopped(because('repository-rewritten', { commit, branch, created, updated, deleted }))
}

/** Whether a commit is in the history of a branch. */
async function hasCommit(copy: RemoteBranch, commit: string): Promise<boolean> {
  try {
    await copy.run(['merge-base', '--is-ancestor', commit, copy.oid!])
    return true
  } catch (error) {
    if (error instanceof GitFault) return false
    throw error
  }
}

interface Syncing {
  context: RepositoryContext & Omit<Services, 'now'>
  connection: Connection
}

/** Writes a sync. @returns what it did, and the newest revision; undefined if the space changed since it was prepared */
async function written(
  { context, connection }: Syncing,
  prepared: PreparedSync,
): Promise<{ id: string; sync: SyncResult } | undefined> {
  const { db, now, newId, tellListeners } = context
  const { spaceId, connectedBy: userId } = connection
  try {
    const made = await db.write(async (tx) => {
      const space = await tx
        .selectFrom('space')
        .selectAll()
        .where('id', '=', spaceId)
        .executeTakeFirstOrThrow()
      const done = await writeSync(tx, prepared, { space, userId, now, newId })
      if (done.sync.result === 'updated' && 'outline' in prepared) await takeLanguage(tx, spaceId, prepared)
      await announce(tx, { context, connection }, space, { ...done, oid: prepared.sync.oid })
      return done
    })
    tellListeners()
    return made
  } catch (error) {
    if (error instanceof PrepareAgain) return undefined
    throw error
  }
}

/** Adds the events of a sync that changed the space or a change request, and its entry of the audit log. */
async function announce(
  tx: Tx,
  { context: { now, sealing }, connection }: Syncing,
  before: Row<'space'>,
  { id: revision, sync, oid }: { id: string; sync: SyncResult; oid: string | undefined },
): Promise<void> {
  const { spaceId, connectedBy: by, url, branch, path } = connection
  const isProposed = sync.result === 'proposed'
  if (!isProposed && (sync.changeRequest || revision === before.revisionId)) return
  await appendSpaceEvents(
    tx,
    spaceId,
    isProposed
      ? [
          {
            kind: 'change-request',
            changeRequestId: sync.changeRequest?.id,
            data: { change: 'updated', status: 'open', by },
          },
        ]
      : [{ kind: 'content', data: { revision, by } }],
    now,
  )
  await appendAuditEvent(tx, sealing, before.organizationId, {
    ...BY_SYSTEM,
    occurredAt: now.toISOString(),
    action: 'space.git.sync',
    targetType: 'space',
    targetId: spaceId,
    targetLabel: before.title,
    payload: JSON.stringify({
      before: { revision: before.revisionId },
      after: { url, branch, path, oid, revision, sync },
    }),
  })
}

/**
 * Pushes what the space has and the branch lacks.
 * @param same the revision of the space whose content the branch has
 * @param isPutBack whether changes of the branch that the space has not seen are undone
 * @returns what it pushed; undefined if the branch or the space changed meanwhile
 */
async function exportNewest(
  syncing: Syncing,
  copy: RemoteBranch,
  source: SpaceSource | undefined,
  same: string | null,
  isPutBack = false,
): Promise<Pick<SyncEnd, 'exported' | 'same'> | undefined> {
  const { context, connection } = syncing
  const { url, path } = connection
  const { id: revisionId } = await newestRevision(context.db.read, 'space', context.space.id)
  if (copy.oid !== undefined && same === revisionId) return { same: revisionId }
  const commits = await commitsSince(context, same ?? undefined, source?.row.revisionId)
  const { author, committer } = commits.at(-1)!.facts
  const pushed = await pushExport(context, copy, {
    address: url,
    path,
    force: false,
    undoesUnseen: isPutBack,
    message: isPutBack ? PUT_BACK : messageOf(commits),
    identity: identityOf(author, committer),
  })
  if (!pushed) return undefined
  const { made, prepared } = pushed
  const recorded = await written(syncing, prepared)
  if (!recorded) return undefined
  // The next sync pushes what users have edited since the export.
  const isNewest = prepared.current.id === made.from.revision
  return { ...(isNewest && { same: recorded.id }), ...(made.isNew && { exported: made.oid }) }
}

/** The revisions after one that users made, oldest first; the newest of all if there are none. @param synced that of the last sync */
async function commitsSince(
  { db, space }: RepositoryContext,
  from: string | undefined,
  synced: string | undefined,
): Promise<RevisionCommit[]> {
  const sequences = await db.read
    .selectFrom('revision')
    .select(['id', 'sequence'])
    .where('spaceId', '=', space.id)
    .where('changeRequestId', 'is', null)
    .orderBy('sequence', 'desc')
    .limit(MOST_NAMED + 1)
    .execute()
  const after = async (sequence = 0) => Array.fromAsync(commitsAfter(db, space.id, sequence))
  const newest = () => after(sequences.at(1)?.sequence)
  const known = sequences.find(({ id }) => id === (from ?? synced))
  const commits = await (known ? after(known.sequence) : newest())
  const own = commits.filter(({ revision }) => revision.id !== synced)
  // What the branch lacks can be what its own import has made, such as pages without a place in the branch.
  return own.length > 0 ? own : (await newest()).slice(-1)
}

/** The message of a commit: that of its only revision, or the subjects of all. */
function messageOf(commits: readonly RevisionCommit[]): string {
  const [first] = commits
  if (first && commits.length === 1) return commitMessage(first.facts).trimEnd()
  const printed = commits.map(({ facts }) => commitMessage(facts).trimEnd().split('\n\n'))
  const subjects = printed.map(([subject = '']) => `* ${subject}`)
  const trailers = new Set(printed.flatMap(([, own = '']) => own.split('\n')))
  const authors = new Set(commits.map(({ facts }) => `Co-authored-by: ${identityLine(facts.author)}`))
  const newest = commits.at(-1)
  if (newest) authors.delete(`Co-authored-by: ${identityLine(newest.facts.author)}`)
  return [
    `Update the documentation: ${commits.length} changes`,
    subjects.join('\n'),
    [...new Set([...trailers, ...authors])].join('\n'),
  ].join('\n\n')
}
