import type { Tx } from '../db/schema.ts'
import type { Enqueue, Services } from '../http/route.ts'
import {
  askToProcess,
  dueSpecs,
  organizationsWithDueSpecs,
  processSpec,
} from '../model/openapi/process-spec.ts'
import { isJobWaiting, organizationsWithJobs } from './waiting.ts'
import type { Worker } from './queue/job-kind.ts'

/** How often Lectern looks for specifications that are to be fetched again, in milliseconds. */
const LOOK_MS = 5 * 60_000
/** So many sources of an organization are fetched at once, because servers can take long to respond. */
const AT_ONCE = 8

/** Fetches and processes the OpenAPI specifications of an organization. @param turnMs how long until others come first */
export function processOpenApi(services: Services, turnMs: number): Worker {
  return async ({ organizationId }: { organizationId: string }) => {
    const due = (await dueSpecs(services, organizationId)).toReversed()
    const end = performance.now() + turnMs
    let failure: { error: unknown } | undefined
    const runLane = async () => {
      // At least one, so that each turn gets on.
      for (let isFirst = true; isFirst || performance.now() < end; isFirst = false) {
        const specId = due.pop()
        if (specId === undefined) return
        try {
          await processSpec(services, specId)
        } catch (error) {
          // The other specifications are processed all the same.
          failure = { error }
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, runLane))
    if (failure) throw failure.error
    return due.length > 0 ? 'later' : undefined
  }
}

/** Enqueues the jobs of the organizations with specifications whose sources are to be fetched again. */
export function refreshOpenApi({ db, now, enqueue }: Pick<Services, 'db' | 'now' | 'enqueue'>): Worker {
  return async () => {
    const at = now()
    // Before anything can fail, so that the next look follows.
    await db.write((tx) => lookAgain(tx, enqueue, at))
    const organizations = await organizationsWithDueSpecs({ db, now })
    await db.write(async (tx) => {
      // A job that waits for its next try processes them too. Others beside it would be one more every five minutes.
      const waiting = await organizationsWithJobs(tx, 'process-openapi')
      for (const organizationId of organizations)
        if (!waiting.has(organizationId)) await askToProcess(tx, enqueue, organizationId)
    })
  }
}

/** Starts looking for specifications to fetch again at the start of a server, unless a look is waiting already. */
export async function beginRefreshing({
  db,
  enqueue,
  now,
}: Pick<Services, 'db' | 'enqueue' | 'now'>): Promise<void> {
  await db.write(async (tx) => {
    if (!(await isJobWaiting(tx, 'refresh-openapi'))) await lookAgain(tx, enqueue, now())
  })
}

/** The key contains the time, so that the job that runs does not displace the next one. */
async function lookAgain(tx: Tx, enqueue: Enqueue, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / LOOK_MS) + 1) * LOOK_MS)
  await enqueue(tx, 'refresh-openapi', {}, { runAt, dedupe: `refresh-openapi:${runAt.toISOString()}` })
}
