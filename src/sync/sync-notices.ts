/** Notifies users when the syncs of a space with its repository stop, and when they work again. */
import { chunks } from '../db/chunks.ts'
import type { Row, Tx } from '../db/schema.ts'
import type { Services } from '../http/route.ts'
import { membersWithRole } from '../model/access/permission.ts'
import { notifyAll } from '../model/events/notification.ts'

/** After so many milliseconds in which all syncs have failed, users are notified as if the syncs had stopped. */
const FAILING_MS = 3_600_000
/** So many users are notified of one stop. */
const MOST_NOTIFIED = 100

type Connection = Row<'repositoryConnection'>

/** What the end of a sync is to users. @param before the connection before it */
function noticeOf(
  before: Pick<Connection, 'failedSince' | 'stopNotifiedAt'>,
  { outcome, endedAt }: Pick<Row<'repositorySync'>, 'outcome' | 'endedAt'>,
): 'sync-stopped' | 'sync-resumed' | undefined {
  const isNotified = before.stopNotifiedAt !== null
  if (outcome === 'stopped') return isNotified ? undefined : 'sync-stopped'
  if (outcome !== 'failed') return isNotified ? 'sync-resumed' : undefined
  const isLasting = Date.parse(endedAt) - Date.parse(before.failedSince ?? endedAt) >= FAILING_MS
  return isLasting && !isNotified ? 'sync-stopped' : undefined
}

/** Notifies users of the end of a sync, once for each stop and once when syncs work again. */
export async function notifyOfSync(
  tx: Tx,
  { newId, enqueue, mail }: Pick<Services, 'newId' | 'enqueue' | 'mail'>,
  before: Connection,
  sync: Pick<Row<'repositorySync'>, 'outcome' | 'endedAt'>,
): Promise<void> {
  const { spaceId, connectedBy } = before
  const kind = noticeOf(before, sync)
  const { outcome, endedAt } = sync
  await tx
    .updateTable('repositoryConnection')
    .set({ failedSince: outcome === 'failed' ? (before.failedSince ?? endedAt) : null })
    .$if(kind !== undefined, (some) => some.set({ stopNotifiedAt: kind === 'sync-stopped' ? endedAt : null }))
    .where('spaceId', '=', spaceId)
    .execute()
  if (kind === undefined) return
  const space = await tx.selectFrom('space').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
  const users = await usersToNotify(tx, space, before)
  await notifyAll(tx, { newId, users, kind, actorId: connectedBy, spaceId, createdAt: endedAt })
  if (!mail.configured) return
  const tasks = users.map((userId) => ({ template: kind, userId, spaceId }))
  for (const some of chunks(tasks))
    await enqueue(tx, 'send-email', some, { organization: space.organizationId })
}

/** The user who connected the repository, and those whom the connection names, or else the administrators of the space. */
async function usersToNotify(
  tx: Tx,
  space: Row<'space'>,
  { connectedBy, notifiedUsers }: Connection,
): Promise<string[]> {
  const members = await membersWithRole(tx, { ...space, kind: 'space' })
  const named = notifiedUsers === null ? undefined : new Set(JSON.parse(notifiedUsers) as string[])
  return members
    .filter(({ userId, role }) => userId === connectedBy || (named ? named.has(userId) : role === 'admin'))
    .map(({ userId }) => userId)
    .slice(0, MOST_NOTIFIED)
}
