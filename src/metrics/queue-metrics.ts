/** Metrics of the queue of jobs, which all copies of the server share. They are read from the database. */
import type { Registry } from 'prom-client'
import { promClient } from '../core/runtime/libraries.ts'
import type { Database } from '../db/schema.ts'

/** Scrapes within this time get the same values, so that they cannot load the database. */
const KEPT_MS = 10_000
/** A database that takes longer has no values in this scrape. */
const WITHIN_MS = 2_000
/** Rows beyond this number are not counted. */
const MOST_ROWS = 10_000

interface QueueState {
  jobs: { kind: string; state: string; count: number; oldest: string }[]
  backlog: number
}

/** What is read. */
export interface QueueSources {
  db: Pick<Database, 'read'>
  now: () => Date
  /** Every kind of job: each has a value, also if none of its jobs waits. */
  kinds: readonly string[]
}

/** Adds the metrics of the queue to a registry. */
export function addQueueMetrics(registry: Registry, { db, now, kinds }: QueueSources): void {
  const client = promClient()
  const registers = [registry]
  const failures = new client.Counter({
    name: 'lectern_metrics_database_failures_total',
    help: 'Scrapes whose values could not be read from the database.',
    registers,
  })
  const state = keptFor(KEPT_MS, () => within(WITHIN_MS, readQueue(db)), failures)
  // Made before the metrics that use it, so that a scrape reads all of them at once.
  const jobs = new client.Gauge({
    name: 'lectern_jobs',
    help: `Jobs in the database, by kind and state, up to ${MOST_ROWS} of each state. \`failed\` jobs are not tried again.`,
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      jobs.reset()
      const known = await state()
      if (!known) return
      for (const kind of kinds) for (const one of ['waiting', 'failed']) jobs.set({ kind, state: one }, 0)
      for (const { kind, state: one, count } of known.jobs) jobs.set({ kind, state: one }, count)
    },
  })
  const ages = new client.Gauge({
    name: 'lectern_job_oldest_due_seconds',
    help: 'For how long the oldest job of a kind has been due; 0 if none is.',
    labelNames: ['kind'],
    registers,
    async collect() {
      ages.reset()
      const known = await state()
      if (!known) return
      for (const kind of kinds) ages.set({ kind }, 0)
      for (const { kind, state: one, oldest } of known.jobs)
        if (one === 'waiting') ages.set({ kind }, Math.max(0, (now().getTime() - Date.parse(oldest)) / 1000))
    },
  })
  const backlog = new client.Gauge({
    name: 'lectern_search_backlog_spaces',
    help: 'Spaces with content that the search index does not have yet.',
    registers,
    async collect() {
      backlog.reset()
      const known = await state()
      if (known) backlog.set(known.backlog)
      else backlog.remove()
    },
  })
}

/** Both reads end after a bounded number of rows, in the order of an index. */
async function readQueue(db: Pick<Database, 'read'>): Promise<QueueState> {
  const byState = (state: 'waiting' | 'failed') =>
    db.read
      .selectFrom((eb) =>
        eb
          .selectFrom('job')
          .select(['kind', 'runAt'])
          .where('state', '=', state)
          .orderBy('runAt')
          .limit(MOST_ROWS)
          .as('some'),
      )
      .select(({ fn }) => ['kind', fn.countAll().as('count'), fn.min('runAt').as('oldest')])
      .groupBy('kind')
      .execute()
  const waiting = await byState('waiting')
  const failed = await byState('failed')
  const { count } = await db.read
    .selectFrom((eb) => eb.selectFrom('searchTask').select('spaceId').distinct().limit(MOST_ROWS).as('some'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return {
    jobs: [
      ...waiting.map((row) => ({ ...row, state: 'waiting', count: Number(row.count) })),
      ...failed.map((row) => ({ ...row, state: 'failed', count: Number(row.count) })),
    ],
    backlog: Number(count),
  }
}

/** Reads a value at most once in a time. One that cannot be read is undefined, and counted. */
function keptFor<T>(ms: number, read: () => Promise<T>, failures: { inc(): void }) {
  let kept: { value: Promise<T | undefined>; at: number } | undefined

  return (): Promise<T | undefined> => {
    const at = performance.now()
    if (!kept || at - kept.at >= ms) {
      const value = read().catch(() => {
        failures.inc()
        return undefined
      })
      kept = { value, at }
    }
    return kept.value
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The database took too long')), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
