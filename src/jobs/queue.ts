import type { Database, Instant, Row, Tx } from '../db/schema.ts'
import type { Enqueue } from '../http/route.ts'

const LEASE_MS = 60_000
const IDLE_MS = 1_000
const ATTEMPTS = 8
const BATCH = 10

/** Does one kind of job. It may run twice, so doing it again must do no harm. */
export type Worker = (payload: never, job: Row<'job'>) => Promise<void>

/** What the loop tells of failures; given up ones stay in the table with their error. */
export interface QueueLog {
  warn(fact: object, message: string): void
  error(fact: object, message: string): void
}

/** Inserts jobs in the transaction that makes them due. */
export function enqueuer(newId: () => string, clock: () => Date): Enqueue {
  return async (tx, kind, payload, { runAt, dedupe } = {}) => {
    const now = clock()
    const jobs = [payload].flat().map((one) => ({
      id: newId(),
      kind,
      payload: JSON.stringify(one),
      dedupe: dedupe ?? null,
      state: 'waiting' as const,
      attempts: 0,
      runAt: (runAt ?? now).toISOString(),
      leasedUntil: null,
      error: null,
      createdAt: now.toISOString(),
    }))
    if (jobs.length === 0) return
    await tx
      .insertInto('job')
      .values(jobs)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Does due jobs in this process until stopped: lease, run, retry later each time, give up visibly. */
export function jobLoop(db: Database, workers: Record<string, Worker>, clock: () => Date, log: QueueLog) {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function round(): Promise<void> {
    let done = 0
    try {
      done = await runDue(db, workers, clock, log)
    } catch (error) {
      log.error({ err: error }, 'the job queue could not be read')
    }
    if (!stopped) timer = setTimeout(next, done === BATCH ? 0 : IDLE_MS).unref()
  }

  function next() {
    running = round()
  }

  return {
    start: next,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Runs the jobs that are due, at most a batch of them. @returns how many it ran */
export async function runDue(
  db: Database,
  workers: Record<string, Worker>,
  clock: () => Date,
  log: QueueLog,
): Promise<number> {
  const jobs = await claim(db, clock())
  for (const job of jobs) await run(db, workers[job.kind], job, clock, log)
  return jobs.length
}

async function claim(db: Database, now: Date): Promise<Row<'job'>[]> {
  const at = now.toISOString()
  const due = (reader: Pick<Tx, 'selectFrom'>) =>
    reader
      .selectFrom('job')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('runAt', '<=', at)
      .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<', at)]))
      .orderBy('runAt')
      .limit(BATCH)
  // Most of the time there is none: looking first keeps an idle server from writing.
  if ((await due(db.read).execute()).length === 0) return []

  return db.write(async (tx) => {
    const query = due(tx)
    const jobs = await (db.dialect === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
    if (jobs.length === 0) return []
    const leasedUntil = new Date(now.getTime() + LEASE_MS).toISOString()
    const ids = jobs.map(({ id }) => id)
    await tx.updateTable('job').set({ leasedUntil }).where('id', 'in', ids).execute()
    return jobs
  })
}

async function run(
  db: Database,
  worker: Worker | undefined,
  job: Row<'job'>,
  clock: () => Date,
  log: QueueLog,
) {
  try {
    if (!worker) throw new Error(`No worker knows jobs of the kind "${job.kind}"`)
    await worker(JSON.parse(job.payload) as never, job)
    await db.write((tx) => tx.deleteFrom('job').where('id', '=', job.id).execute())
  } catch (error) {
    const attempts = job.attempts + 1
    const givenUp = attempts >= ATTEMPTS
    const fact = { job: job.id, kind: job.kind, attempts, err: error }
    if (givenUp) log.error(fact, 'job given up')
    if (!givenUp) log.warn(fact, 'job failed; it will be tried again')
    await db.write((tx) =>
      tx
        .updateTable('job')
        .set({
          attempts,
          state: givenUp ? 'failed' : 'waiting',
          runAt: laterThan(clock(), attempts),
          leasedUntil: null,
          error: String(error instanceof Error ? (error.stack ?? error.message) : error).slice(0, 4000),
        })
        .where('id', '=', job.id)
        .execute(),
    )
  }
}

/** Waits double each time: 2, 4, 8 … seconds, at most an hour. */
function laterThan(now: Date, attempts: number): Instant {
  return new Date(now.getTime() + Math.min(1000 * 2 ** attempts, 3_600_000)).toISOString()
}
