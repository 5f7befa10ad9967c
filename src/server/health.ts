import type { FastifyInstance } from 'fastify'
import type { Blobs } from '../blobs/blobs.ts'
import type { Database } from '../db/schema.ts'
import { errorBody } from '../http/errors.ts'
import { outageOf } from '../http/response/outage.ts'
import { because } from '../core/languages/reasons.ts'
import type { WatchedMail } from './watched-mail.ts'
import { type Reasoned, reasonFields } from '../core/languages/reasoned.ts'

/** A check that takes longer has failed. */
const CHECK_WITHIN_MS = 1_500
/** Requests within this time get the same result, so that they cannot keep the disk busy. */
const CHECKED_FOR_MS = 500
/** The same for a bucket, where each check is a request to another service. */
const SHARED_CHECKED_FOR_MS = 10_000

/** What the server needs of others, and why it does not work. */
interface Check {
  name: 'database' | 'files' | 'mail'
  /** Undefined if it works. */
  fault: Reasoned | undefined
}

interface Readiness {
  /** Why no request should be sent to this copy of the server; undefined if it is ready. */
  refusal: Reasoned | undefined
  checks: Check[]
}

/** What health checks look at. */
interface Checked {
  db: Pick<Database, 'check'>
  blobs: Pick<Blobs, 'check' | 'shared'>
  mail?: Pick<WatchedMail, 'fault'>
}

/**
 * Adds `/livez`, also as `/healthz`: the process runs, and `/readyz`: the database and the disk work too. The body of
 * `/readyz` has the result of each check.
 */
export function answerHealth(server: FastifyInstance, checked: Checked): void {
  const hidden = { schema: { hide: true } as object }
  const check = readiness(checked)
  const live = async () => ({ status: 'live' })
  server.get('/livez', hidden, live)
  server.get('/healthz', hidden, live)
  server.get('/readyz', hidden, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const { refusal, checks } = await check()
    const shown = { checks: checks.map(shownCheck) }
    if (refusal === undefined) return { status: 'ready', ...shown }
    return reply.code(503).send({ ...errorBody(503, refusal), ...shown })
  })
}

function shownCheck({ name, fault }: Check) {
  return fault ? { name, status: 'failing', ...reasonFields(fault) } : { name, status: 'ok' }
}

/**
 * Checks the database, the store of files and the mail server. One check of each runs at a time, and ends in 1.5 seconds
 * whatever they do. A bucket that fails is in the result, but does not refuse requests: it fails for all copies of the
 * server, so to take each out of a load balancer would end also all that needs no files.
 */
export function readiness({ db, blobs, mail }: Checked): () => Promise<Readiness> {
  const shared = blobs.shared === true
  const silent = because(shared ? 'file-store-slow' : 'file-disk-silent')
  const ofDatabase = kept(
    bounded(() => db.check(), because('database-silent')),
    CHECKED_FOR_MS,
  )
  const ofBlobs = kept(
    bounded(() => blobs.check(), silent),
    shared ? SHARED_CHECKED_FOR_MS : CHECKED_FOR_MS,
  )

  return async () => {
    const [database, files] = await Promise.all([ofDatabase(), ofBlobs()])
    const ofMail = mail ? [{ name: 'mail' as const, fault: mail.fault() }] : []
    return {
      refusal: database ?? (shared ? undefined : files),
      checks: [{ name: 'database', fault: database }, { name: 'files', fault: files }, ...ofMail],
    }
  }
}

/** Gives all callers within some time the same result. */
function kept(check: () => Promise<Reasoned | undefined>, keptMs: number) {
  let current: { fault: Promise<Reasoned | undefined>; at: number } | undefined

  return () => {
    const now = performance.now()
    if (!current || now - current.at > keptMs) current = { fault: check(), at: now }
    return current.fault
  }
}

/**
 * Waits for a step for a limited time. While an earlier call of the step still runs, no other is started, so that a
 * database that hangs does not collect checks.
 */
function bounded(step: () => Promise<void>, late: Reasoned): () => Promise<Reasoned | undefined> {
  let running: Promise<Reasoned | undefined> | undefined

  return async () => {
    running ??= step()
      .then(
        () => undefined,
        (error: unknown) => outageOf(error) ?? late,
      )
      .finally(() => {
        running = undefined
      })
    const { promise, resolve } = Promise.withResolvers<Reasoned>()
    const timer = setTimeout(() => resolve(late), CHECK_WITHIN_MS)
    try {
      return await Promise.race([running, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
