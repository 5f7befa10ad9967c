import type { FastifyInstance } from 'fastify'
import type { Blobs } from '../blobs/blobs.ts'
import type { Database } from '../db/schema.ts'
import { errorBody } from '../http/errors.ts'
import { outageOf } from '../http/response/outage.ts'
import { because } from '../core/languages/reasons.ts'
import { type Reasoned } from '../core/languages/reasoned.ts'

/** A check that takes longer has failed. */
const CHECK_WITHIN_MS = 1_500
/** Requests within this time get the same result, so that they cannot keep the disk busy. */
const CHECKED_FOR_MS = 500

/** Why the server is not ready; undefined if it is. */
type NotReady = Reasoned | undefined

/** Adds `/livez`: the process runs, and `/readyz`: the database and the disk work too. */
export function answerHealth(server: FastifyInstance, db: Database, blobs: Blobs): void {
  const hidden = { schema: { hide: true } as object }
  const check = readiness(db, blobs)
  server.get('/livez', hidden, async () => ({ status: 'live' }))
  server.get('/readyz', hidden, async (_request, reply) => {
    const reason = await check()
    if (reason === undefined) return { status: 'ready' }
    return reply.code(503).send(errorBody(503, reason))
  })
}

/** Checks the database and the disk. One check runs at a time, and ends in 1.5 seconds whatever they do. */
export function readiness(db: Pick<Database, 'check'>, blobs: Pick<Blobs, 'check'>): () => Promise<NotReady> {
  let current: { reason: Promise<NotReady>; at: number } | undefined
  const ofDatabase = bounded(() => db.check(), because('database-silent'))
  const ofBlobs = bounded(async () => blobs.check?.(), because('file-disk-silent'))

  async function reasons(): Promise<NotReady> {
    const [database, disk] = await Promise.all([ofDatabase(), ofBlobs()])
    return database ?? disk
  }

  return () => {
    const now = performance.now()
    if (!current || now - current.at > CHECKED_FOR_MS) current = { reason: reasons(), at: now }
    return current.reason
  }
}

/**
 * Waits for a step for a limited time. While an earlier call of the step still runs, no other is started, so that a
 * database that hangs does not collect checks.
 */
function bounded(step: () => Promise<void>, late: Reasoned): () => Promise<NotReady> {
  let running: Promise<NotReady> | undefined

  return async () => {
    running ??= step()
      .then(
        () => undefined,
        (error: unknown) => outageOf(error) ?? late,
      )
      .finally(() => {
        running = undefined
      })
    const { promise, resolve } = Promise.withResolvers<NotReady>()
    const timer = setTimeout(() => resolve(late), CHECK_WITHIN_MS)
    try {
      return await Promise.race([running, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
