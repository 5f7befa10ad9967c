import { Type } from 'typebox'
import { onSpace } from '../../../access/checks/on.ts'
import { partyFor } from '../../../core/runtime/turns.ts'
import { visibleSpaces } from '../../../access/roles/visible.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { because } from '../../../core/languages/reasons.ts'
import { invalidField, unknownId } from '../../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { ABSENT, route } from '../../../http/route.ts'
import { Id, InSpace, nullable } from '../../../model/common.ts'
import {
  enqueueSync,
  findConnection,
  GitConnection,
  GitConnectionSync,
  needConnection,
  openAuthorization,
  sealAuthorization,
  toGitConnection,
  toGitConnectionSync,
} from '../../../model/proposals/repository-connection.ts'
import { branchHead } from '../../../sync/copy.ts'
import { inRepositorySlot, refuseReplacing } from '../../../sync/import-repository.ts'
import { auditedBranch, branchIn, NAMED_BRANCH } from '../../../sync/repository-body.ts'
import { gitKey } from '../../../sync/source-address.ts'

/** How often a space is synced, unless its connection says otherwise. */
const DEFAULT_MINUTES = 5
const MOST_MINUTES = 7 * 24 * 60
/** So many users can be named to hear when syncs stop. */
const MOST_NAMED = 20

const spaceTarget = ({ id, title: label }: Row<'space'>) => ({ type: 'space', id, label })

export const getGitConnection = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/git/connection',
  summary: 'Get the connection of a space with a repository',
  access: onSpace('create'),
  params: InSpace,
  returns: GitConnection,
  handler: async ({ db, space, urls, now }) => toGitConnection(urls, await needConnection(db, space.id), now),
})

export const connectGitRepository = route({
  method: 'PUT',
  path: '/v1/spaces/:spaceId/git/connection',
  summary: 'Connect a space with a branch of a repository, or change its connection',
  description:
    'From now on, the server syncs the space and the branch in both directions, as long as the caller has `create` on the space. Credentials in `url` are stored encrypted, and no response contains them. If `url` has none and the address stays the same, those of before stay. The server reads the repository before it responds. A missing branch is created at the first sync.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({
    ...NAMED_BRANCH,
    intervalMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_MINUTES,
        default: DEFAULT_MINUTES,
        description: 'The time from one sync to the next',
      }),
    ),
    notify: Type.Optional(
      nullable(Type.Array(Id, { maxItems: MOST_NAMED, uniqueItems: true }), {
        description:
          'The ids of up to 20 users who are notified when syncs stop and when they work again. The user who connects the repository is notified too. null, the default, is for the administrators of the space.',
      }),
    ),
    force: Type.Optional(
      Type.Boolean({
        description:
          'Whether the first sync may replace the content of a space that was never synced with the branch. Earlier revisions are kept.',
      }),
    ),
  }),
  returns: GitConnection,
  audit: 'space.git.connect',
  async prepare(context) {
    const { db, body, space, sealing, signal } = context
    const { remote, branch, path, force } = branchIn(body)
    const before = await findConnection(db.read, space.id)
    const known = before?.url === remote.url ? openAuthorization(sealing, before) : undefined
    const authorization = remote.authorization ?? known
    const head = await inRepositorySlot(
      partyFor(space.organizationId),
      () => branchHead(context, { url: remote.url, authorization }, branch, signal),
      signal,
    )
    if (head !== undefined && !force) await refuseReplacing(context, gitKey(remote.url, branch, path))
    return { authorization }
  },
  async handler({ tx, me, body, prepared: { authorization }, space, urls, now, sealing, enqueue, audit }) {
    const named = branchIn(body)
    const at = now.toISOString()
    const before = await findConnection(tx, space.id)
    const notifiedUsers = await notifiedBy(tx, space.id, body.notify, before)
    const { remote, branch, path } = named
    const row: Row<'repositoryConnection'> = {
      spaceId: space.id,
      url: remote.url,
      branch,
      path,
      sealedAuthorization: sealAuthorization(sealing, space.id, authorization),
      intervalMinutes: body.intervalMinutes ?? DEFAULT_MINUTES,
      outcome: null,
      fault: null,
      importedOid: null,
      exportedOid: null,
      sameRevisionId: null,
      connectedBy: me.userId,
      connectedAt: at,
      syncedAt: null,
      nextSyncAt: at,
      syncStartedAt: null,
      // The host of the repository goes on sending webhooks.
      sealedWebhookSecret: before?.sealedWebhookSecret ?? null,
      webhookCreatedAt: before?.webhookCreatedAt ?? null,
      webhookReceivedAt: before?.webhookReceivedAt ?? null,
      notifiedUsers,
      failedSince: before?.failedSince ?? null,
      stopNotifiedAt: before?.stopNotifiedAt ?? null,
    }
    const { spaceId: _spaceId, ...columns } = row
    await tx
      .insertInto('repositoryConnection')
      .values(row)
      .onConflict((known) => known.column('spaceId').doUpdateSet(columns))
      .execute()
    await enqueueSync(tx, enqueue, { spaceId: space.id, organizationId: space.organizationId })
    const { intervalMinutes } = row
    audit({
      target: spaceTarget(space),
      before: before ? { url: before.url, branch: before.branch, path: before.path } : {},
      after: { ...auditedBranch(named), intervalMinutes, ...(body.notify && { notify: body.notify }) },
    })
    return toGitConnection(urls, row, now)
  },
})

/** The column of the users who are notified. Those of before stay if the body names none. @throws 400 */
async function notifiedBy(
  tx: Tx,
  spaceId: string,
  named: readonly string[] | null | undefined,
  before: Row<'repositoryConnection'> | undefined,
): Promise<string | null> {
  if (named === undefined) return before?.notifiedUsers ?? null
  if (named === null) return null
  for (const [nth, userId] of named.entries())
    if ((await visibleSpaces(tx, { userId }, [spaceId])).size === 0)
      throw unknownId(`body.notify.${nth}`, userId, 'a user who can see the space')
  return JSON.stringify(named)
}

export const disconnectGitRepository = route({
  method: 'DELETE',
  path: '/v1/spaces/:spaceId/git/connection',
  summary: 'Disconnect a space from its repository',
  description:
    'The content of the space and of the repository stays. The server forgets the credentials and the list of syncs. If the space is connected with the branch again, edits are merged with those of the last sync.',
  access: onSpace('create'),
  params: InSpace,
  audit: 'space.git.disconnect',
  async handler({ tx, space, audit }) {
    const before = await findConnection(tx, space.id)
    if (!before) return ABSENT
    await tx.deleteFrom('repositoryConnection').where('spaceId', '=', space.id).execute()
    await tx.deleteFrom('repositorySync').where('spaceId', '=', space.id).execute()
    const { url, branch, path } = before
    audit({ target: spaceTarget(space), before: { url, branch, path } })
    return undefined
  },
})

export const syncGitConnection = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/git/connection/sync',
  summary: 'Sync a space with its repository now',
  description:
    'The sync begins within a second if the server is not busy. `GET …/git/connection` returns how it ended.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({
    follow: Type.Optional(
      Type.Boolean({
        description:
          'If the history of the branch was rewritten, merge the branch as it is now with the space. Earlier revisions stay.',
      }),
    ),
    pushBack: Type.Optional(
      Type.Boolean({
        description:
          'If the history of the branch was rewritten, push the content of the space as a new commit on top of the branch as it is now. It undoes the other changes of the branch, which stay in its history. Without `follow` and `pushBack`, such a sync stops.',
      }),
    ),
  }),
  audit: 'space.git.trigger-sync',
  async handler({ tx, body: { follow = false, pushBack = false }, space, now, enqueue, audit }) {
    if (follow && pushBack) throw invalidField('body.pushBack', because('follow-and-push-back'))
    await needConnection(tx, space.id)
    const rewritten = follow ? 'follow' : pushBack ? 'push-back' : undefined
    const nextSyncAt = now.toISOString()
    await tx.updateTable('repositoryConnection').set({ nextSyncAt }).where('spaceId', '=', space.id).execute()
    await enqueueSync(tx, enqueue, { spaceId: space.id, organizationId: space.organizationId }, rewritten)
    audit({ target: spaceTarget(space), after: { follow, pushBack } })
  },
})

export const listGitConnectionSyncs = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/git/connection/syncs',
  summary: 'List the last syncs of a space with its repository, newest first',
  description:
    'The last 100 syncs that changed something or failed. A sync that ends like the one before it and changes nothing is not listed.',
  access: onSpace('create'),
  params: InSpace,
  query: ListQuery,
  returns: listOf(GitConnectionSync),
  async handler({ db, page, space }) {
    const syncs = db.selectFrom('repositorySync').selectAll().where('spaceId', '=', space.id)
    const list = await listRows(syncs, page, { by: ['id'], order: 'desc' })
    return { ...list, items: list.items.map(toGitConnectionSync) }
  },
})
