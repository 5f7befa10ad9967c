/** The connection of a space with a repository: what the server stores of it, and how the API shows it. */
import { type Static, Type } from 'typebox'
import type { Reasoned } from '../../core/languages/reasoned.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { missing } from '../../http/errors.ts'
import type { Enqueue, Sealing } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { because } from '../../core/languages/reasons.ts'
import { oneOf, omitNullish, ReasonOfMessage, Timestamp } from '../common.ts'

/** So many syncs of a space are kept. */
const MOST_SYNCS = 100

const OUTCOMES = ['synced', 'waiting', 'failed', 'stopped'] as const

/** What a sync ended with. */
const ENDED = {
  outcome: oneOf(OUTCOMES, {
    description:
      '`waiting`: a change request has the changes of the repository; merge or archive it first. `failed`: the next sync tries again. `stopped`: there is no next sync until somebody decides how to go on.',
  }),
  fault: Type.Optional(Type.Object({ message: Type.String(), ...ReasonOfMessage })),
  importedCommit: Type.Optional(
    Type.String({ description: 'The last commit that came from the repository' }),
  ),
  exportedCommit: Type.Optional(Type.String({ description: 'The last commit that went to the repository' })),
}

/** A connection. */
export const GitConnection = Type.Object(
  {
    object: oneOf(['git-connection']),
    url: Type.String({ description: 'The address of the repository, without credentials' }),
    branch: Type.String(),
    path: Type.Optional(Type.String({ description: 'The folder of the documentation' })),
    hasCredentials: Type.Boolean({ description: 'Whether the server has credentials for the repository' }),
    intervalMinutes: Type.Integer(),
    syncing: Type.Boolean({ description: 'Whether a sync runs or is due' }),
    ...ENDED,
    outcome: Type.Optional(ENDED.outcome),
    connectedBy: Type.String({ description: 'The id of the user whose role allows the syncs' }),
    connectedAt: Timestamp,
    syncedAt: Type.Optional(Timestamp),
    nextSyncAt: Type.Optional(Timestamp),
    notify: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The ids of the users who are notified when syncs stop, besides `connectedBy`; absent for the administrators of the space',
      }),
    ),
    webhook: Type.Optional(
      Type.Object(
        {
          url: Type.String({ description: 'The address to which the host of the repository sends webhooks' }),
          createdAt: Timestamp,
          receivedAt: Type.Optional({
            ...Timestamp,
            description: 'When a webhook with a valid signature last arrived',
          }),
        },
        { description: 'Absent if the host of the repository sends no webhooks' },
      ),
    ),
  },
  { title: 'GitConnection' },
)

/** A sync of a connection. */
export const GitConnectionSync = Type.Object(
  {
    object: oneOf(['git-sync']),
    id: Type.String(),
    ...ENDED,
    changeRequest: Type.Optional(
      Type.Integer({ description: 'The number of the change request that has the changes' }),
    ),
    startedAt: Timestamp,
    endedAt: Timestamp,
  },
  { title: 'GitConnectionSync' },
)

type Ended = Pick<Row<'repositorySync'>, 'fault' | 'importedOid' | 'exportedOid'>

const shownEnd = ({ fault, importedOid: importedCommit, exportedOid: exportedCommit }: Ended) => ({
  ...omitNullish({ importedCommit, exportedCommit }),
  ...(fault !== null && { fault: JSON.parse(fault) as Reasoned }),
})

/** A connection as the API returns it. @param now the time of the request */
export function toGitConnection(
  urls: Pick<Urls, 'git'>,
  row: Row<'repositoryConnection'>,
  now: Date,
): Static<typeof GitConnection> {
  const { webhookCreatedAt: createdAt, webhookReceivedAt: receivedAt } = row
  const { url, branch, path, intervalMinutes, outcome, connectedBy, connectedAt, syncedAt, nextSyncAt } = row
  return {
    object: 'git-connection',
    url,
    branch,
    ...(path !== '' && { path }),
    hasCredentials: row.sealedAuthorization !== null,
    intervalMinutes,
    syncing: isSyncing(row, now),
    ...omitNullish({ outcome }),
    ...shownEnd(row),
    connectedBy,
    connectedAt,
    ...omitNullish({ syncedAt, nextSyncAt }),
    ...(row.notifiedUsers !== null && { notify: JSON.parse(row.notifiedUsers) as string[] }),
    ...(createdAt !== null && {
      webhook: { url: webhookUrl(urls, row.spaceId), createdAt, ...omitNullish({ receivedAt }) },
    }),
  }
}

/** The address to which the host of a repository sends webhooks. */
export const webhookUrl = (urls: Pick<Urls, 'git'>, spaceId: string) => urls.git(`/webhooks/${spaceId}`)

/** A process that was killed leaves a start without an end. No sync runs longer than this, in milliseconds. */
const LONGEST_SYNC_MS = 30 * 60_000

function isSyncing({ nextSyncAt, syncStartedAt }: Row<'repositoryConnection'>, now: Date): boolean {
  const isDue = nextSyncAt !== null && nextSyncAt <= now.toISOString()
  const started = syncStartedAt === null ? -Infinity : Date.parse(syncStartedAt)
  return isDue || now.getTime() - started < LONGEST_SYNC_MS
}

/** A sync as the API returns it. */
export function toGitConnectionSync(row: Row<'repositorySync'>): Static<typeof GitConnectionSync> {
  const { id, outcome, changeRequest, startedAt, endedAt } = row
  return {
    object: 'git-sync',
    id,
    outcome,
    ...shownEnd(row),
    ...omitNullish({ changeRequest }),
    startedAt,
    endedAt,
  }
}

/** For what the credentials of a connection are sealed. */
export const repositoryPurpose = (spaceId: string) => `repository of ${spaceId}`

/** The `Authorization` header of a connection for its column. */
export function sealAuthorization(
  sealing: Pick<Sealing, 'seal'>,
  spaceId: string,
  authorization: string | undefined,
): string | null {
  return authorization === undefined ? null : sealing.seal(authorization, repositoryPurpose(spaceId))
}

/** The `Authorization` header of a connection. */
export function openAuthorization(
  sealing: Pick<Sealing, 'open'>,
  { spaceId, sealedAuthorization }: Row<'repositoryConnection'>,
): string | undefined {
  if (sealedAuthorization === null) return undefined
  const opened = sealing.open(sealedAuthorization, repositoryPurpose(spaceId))
  if (opened === undefined) throw new Error(`The credentials of ${spaceId} were sealed with another secret`)
  return opened
}

/** For what the secret of the webhooks of a connection is sealed. */
export const webhookPurpose = (spaceId: string) => `webhook of ${spaceId}`

/** The secret of the webhooks of a connection for its column. */
export const sealWebhookSecret = (sealing: Pick<Sealing, 'seal'>, spaceId: string, secret: string) =>
  sealing.seal(secret, webhookPurpose(spaceId))

/** The secret of the webhooks of a connection; undefined if it has none. */
export function openWebhookSecret(
  sealing: Pick<Sealing, 'open'>,
  row: Row<'repositoryConnection'> | undefined,
): string | undefined {
  if (!row || row.sealedWebhookSecret === null) return undefined
  return sealing.open(row.sealedWebhookSecret, webhookPurpose(row.spaceId))
}

/** The connection of a space, if it has one. */
export function findConnection(
  db: Reader,
  spaceId: string,
): Promise<Row<'repositoryConnection'> | undefined> {
  return db.selectFrom('repositoryConnection').selectAll().where('spaceId', '=', spaceId).executeTakeFirst()
}

/** @throws 404 if a space has no connection */
export async function needConnection(db: Reader, spaceId: string): Promise<Row<'repositoryConnection'>> {
  const found = await findConnection(db, spaceId)
  if (!found) throw missing(because('not-connected'))
  return found
}

/**
 * What a sync does if the history of the branch was rewritten: it merges the branch as it is now, or pushes the content of the
 * space on top of it. Without a decision, it stops.
 */
export type RewrittenDecision = 'follow' | 'push-back'

/** Enqueues a sync of a space. One that waits already with the same decision is the same. */
export async function enqueueSync(
  tx: Tx,
  enqueue: Enqueue,
  { spaceId, organizationId }: { spaceId: string; organizationId: string },
  rewritten?: RewrittenDecision,
): Promise<void> {
  const dedupe = `sync-repository:${spaceId}:${rewritten ?? ''}`
  await enqueue(tx, 'sync-repository', { spaceId, rewritten }, { dedupe, organization: organizationId })
}

/**
 * Stores the end of a sync, and forgets the oldest ones. A sync that changed nothing is not listed.
 * @returns the connection as it was before; undefined if the space was disconnected meanwhile
 */
export async function saveSyncEnd(
  tx: Tx,
  sync: Row<'repositorySync'>,
  { sameRevisionId, nextSyncAt }: { sameRevisionId: string | undefined; nextSyncAt: string | null },
): Promise<Row<'repositoryConnection'> | undefined> {
  const { spaceId, outcome, fault, importedOid, exportedOid, endedAt } = sync
  const before = await findConnection(tx, spaceId)
  if (!before) return undefined
  await tx
    .updateTable('repositoryConnection')
    .set({ outcome, fault, syncedAt: endedAt, syncStartedAt: null })
    .set(omitNullish({ importedOid, exportedOid, sameRevisionId }))
    // A sync that was asked for meanwhile stays due.
    .set(before.nextSyncAt !== null && nextSyncAt !== null ? {} : { nextSyncAt })
    .where('spaceId', '=', spaceId)
    .execute()
  const isSame = before.outcome === outcome && before.fault === fault
  if (isSame && importedOid === null && exportedOid === null) return before
  await tx.insertInto('repositorySync').values(sync).execute()
  const oldest = await tx
    .selectFrom('repositorySync')
    .select('id')
    .where('spaceId', '=', spaceId)
    .orderBy('id', 'desc')
    .offset(MOST_SYNCS)
    .limit(MOST_SYNCS)
    .execute()
  if (oldest.length > 0)
    await tx
      .deleteFrom('repositorySync')
      .where(
        'id',
        'in',
        oldest.map(({ id }) => id),
      )
      .execute()
  return before
}
