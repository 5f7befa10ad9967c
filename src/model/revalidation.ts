/** Asks a renderer in front of the server to forget what it has cached of data that changed. */
import { sql } from 'kysely'
import { causeOfJob } from '../core/runtime/work.ts'
import type { Tx } from '../db/schema.ts'

/** The kind of the jobs that send a tag to the renderer. */
export const REVALIDATE = 'revalidate'

/** A tag is sent at most once in this time, in milliseconds, however often its data changes. */
const COALESCED_MS = 1_000

let hasRenderer = false

/** Sets for the whole process whether there is a renderer. Without one, changes ask for no jobs. */
export function useRenderer(isConfigured: boolean): void {
  hasRenderer = isConfigured
}

/**
 * Asks for a job for each tag, unless one is waiting. It is called in the transaction of every change that readers see, so
 * that the job runs if, and only if, it is committed.
 */
export async function revalidate(tx: Tx, now: Date, ...tags: string[]): Promise<void> {
  if (!hasRenderer) return
  const runAt = new Date(now.getTime() + COALESCED_MS).toISOString()
  const traceParent = causeOfJob(REVALIDATE)
  for (const tag of tags) {
    // The queue runs a job again whose payload changed while it ran.
    const payload = JSON.stringify({ tag, at: now.toISOString() })
    await tx
      .insertInto('job')
      .values({
        id: `${REVALIDATE}-${tag}`,
        kind: REVALIDATE,
        payload,
        askedBy: '',
        organizationId: '',
        dedupe: null,
        state: 'waiting',
        attempts: 0,
        lostLeases: 0,
        runAt,
        leasedUntil: null,
        error: null,
        traceParent,
        firstTriedAt: null,
        lastTriedAt: null,
        createdAt: now.toISOString(),
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          payload,
          traceParent,
          state: 'waiting',
          attempts: 0,
          firstTriedAt: null,
          // A job that waits keeps its time, so that changes one after the other do not put it off.
          runAt: sql<string>`case when "job"."state" = 'waiting' and "job"."runAt" < ${runAt} then "job"."runAt" else ${runAt} end`,
        }),
      )
      .execute()
  }
}
