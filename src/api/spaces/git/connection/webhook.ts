import { Type } from 'typebox'
import { onSpace } from '../../../../access/checks/on.ts'
import { randomText } from '../../../../core/data/id.ts'
import { ABSENT, route } from '../../../../http/route.ts'
import { InSpace } from '../../../../model/common.ts'
import {
  findConnection,
  needConnection,
  sealWebhookSecret,
  webhookUrl,
} from '../../../../model/proposals/repository-connection.ts'

/** 248 bits, in characters that every host accepts. */
const SECRET_LENGTH = 48

export const createGitConnectionWebhook = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/git/connection/webhook',
  summary: 'Create the webhook of a connection, or replace its secret',
  description:
    'Returns the address and the secret for the webhook settings of the host. The server stores the secret encrypted, and returns it only once. The secret of before becomes invalid. A push to the connected branch then starts a sync at once. GitHub, GitLab, Gitea, Forgejo and Bitbucket can send such webhooks.',
  access: onSpace('create'),
  params: InSpace,
  returns: Type.Object({ url: Type.String(), secret: Type.String() }),
  audit: 'space.git.webhook.create',
  async handler({ tx, space, urls, now, sealing, audit }) {
    await needConnection(tx, space.id)
    const secret = randomText(SECRET_LENGTH)
    await tx
      .updateTable('repositoryConnection')
      .set({
        sealedWebhookSecret: sealWebhookSecret(sealing, space.id, secret),
        webhookCreatedAt: now.toISOString(),
        webhookReceivedAt: null,
      })
      .where('spaceId', '=', space.id)
      .execute()
    audit({ target: { type: 'space', id: space.id, label: space.title }, after: {} })
    return { url: webhookUrl(urls, space.id), secret }
  },
})

export const deleteGitConnectionWebhook = route({
  method: 'DELETE',
  path: '/v1/spaces/:spaceId/git/connection/webhook',
  summary: 'Delete the webhook of a connection',
  description: 'The server refuses the webhooks of the host from now on. Syncs still run at the interval.',
  access: onSpace('create'),
  params: InSpace,
  audit: 'space.git.webhook.delete',
  async handler({ tx, space, audit }) {
    const before = await findConnection(tx, space.id)
    if (!before || before.sealedWebhookSecret === null) return ABSENT
    await tx
      .updateTable('repositoryConnection')
      .set({ sealedWebhookSecret: null, webhookCreatedAt: null, webhookReceivedAt: null })
      .where('spaceId', '=', space.id)
      .execute()
    audit({ target: { type: 'space', id: space.id, label: space.title }, before: {}, after: {} })
    return undefined
  },
})
