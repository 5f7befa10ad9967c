/** Receives the webhooks of the hosts of connected repositories: a push to a connected branch starts a sync at once. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sizeLimit } from '../core/text/byte-size.ts'
import { because } from '../core/languages/reasons.ts'
import type { Row } from '../db/schema.ts'
import { signInRequired, tooLarge } from '../http/errors.ts'
import { clientOf } from '../http/limits/networks.ts'
import { admitBody } from '../http/request/request-body.ts'
import type { Services } from '../http/route.ts'
import { enqueueSync, findConnection, openWebhookSecret } from '../model/proposals/repository-connection.ts'
import { announcedBy, changesBranch, checkWebhook } from './webhook.ts'

/** GitHub, whose payloads are the largest, sends at most 25 MB. */
const MOST_BYTES = 25 * 1024 ** 2
/** So much of a body is kept and read. A longer one is only checked, and then any branch may have changed. */
const MOST_KEPT = 1024 ** 2
const ID = /^[\w-]{1,64}$/

/** Adds the address of webhooks to the server. @param count counts a request by its client @throws 429 */
export async function mountWebhooks(
  server: FastifyInstance,
  services: Services,
  count: (request: FastifyRequest, reply: FastifyReply) => void,
): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      count(request, reply)
    })
    scope.route({
      method: 'POST',
      url: '/git/webhooks/:spaceId',
      schema: { hide: true },
      // CORS is for the clients of the API.
      config: { cors: false } as object,
      bodyLimit: MOST_BYTES,
      // The body is passed on as it arrives.
      preParsing: (request, reply, payload, done) => {
        const admitting = admitBody(request, reply, { limit: undefined, caller: () => clientOf(request.ip) })
        if (!admitting) return done(null, payload)
        // oxlint-disable-next-line promise/no-callback-in-promise
        admitting.then(() => done(null, payload), done)
      },
      async handler(request, reply) {
        const { spaceId = '' } = request.params as { spaceId?: string }
        const isStarted = await receiveWebhook(services, spaceId, request)
        return reply.code(isStarted ? 202 : 204).send()
      },
    })
  })
}

/**
 * Checks a webhook, and starts a sync if it announces a push to the connected branch.
 * @returns whether it did
 * @throws 401, which is the same for an unknown space, one without a webhook, and a wrong signature
 */
async function receiveWebhook(
  services: Services,
  spaceId: string,
  { raw, headers }: FastifyRequest,
): Promise<boolean> {
  const { db, sealing } = services
  const connection = ID.test(spaceId) ? await findConnection(db.read, spaceId) : undefined
  // The body of a request to an unknown space is checked too, so that the time says nothing.
  const secret = openWebhookSecret(sealing, connection) ?? randomBytes(32).toString('hex')
  const check = checkWebhook(headers, secret)
  const kept: Buffer[] = []
  let size = 0
  for await (const piece of raw as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MOST_BYTES) throw tooLarge(because('body-too-large', { limit: sizeLimit(MOST_BYTES) }))
    check.take(piece)
    if (size <= MOST_KEPT) kept.push(piece)
  }
  if (!check.isSigned() || !connection) throw signInRequired(because('webhook-unsigned'))
  const event = announcedBy(headers, size <= MOST_KEPT ? Buffer.concat(kept).toString() : undefined)
  return startSync(services, connection, changesBranch(event, connection.branch))
}

/** Notes that a webhook arrived, and enqueues a sync unless syncs have stopped. @returns whether it did */
async function startSync(
  { db, now, enqueue }: Services,
  { spaceId }: Row<'repositoryConnection'>,
  isPush: boolean,
): Promise<boolean> {
  const at = now().toISOString()
  return db.write(async (tx) => {
    const connections = tx.updateTable('repositoryConnection').where('spaceId', '=', spaceId)
    await connections.set({ webhookReceivedAt: at }).execute()
    if (!isPush) return false
    const { organizationId, deletedAt } = await tx
      .selectFrom('space')
      .select(['organizationId', 'deletedAt'])
      .where('id', '=', spaceId)
      .executeTakeFirstOrThrow()
    if (deletedAt !== null) return false
    // A sync that runs may have read the branch before the push; the time makes it due again.
    const due = await connections
      .set({ nextSyncAt: at })
      .where('nextSyncAt', 'is not', null)
      .returning('spaceId')
      .executeTakeFirst()
    if (!due) return false
    await enqueueSync(tx, enqueue, { spaceId, organizationId })
    return true
  })
}
