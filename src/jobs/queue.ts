import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Row } from '../db/schema.ts'
import { asJob, askingUser } from '../core/runtime/turns.ts'
import type { Enqueue } from '../http/route.ts'
import { leasesOf } from './queue/leases.ts'
import { type Outcome, recordOutcome } from './queue/outcome.ts'
import type { JobParty } from './queue/parties.ts'
import type { QueueLog } from './queue/job-queue.ts'

const LEASE_MS = 60_000
/** Search finds a change after this time and the time that indexing takes, which are to be less than a second. */
const IDLE_MS = 500
/** The time limit of a job, unless its kind has another. */
const TIME_MS = 600_000
/** How long `stop` waits for a job. One that takes longer runs again after the next start. */
const STOP_WITHIN_MS = 5_000

/**
 * Runs jobs of one kind. A job can run twice, for example after a crash, so a worker must be idempotent. With `later`, it
 * lets the other due jobs of its kind come first, and runs again after them.
 */
export type Worker = (payload: never, job: Row<'job'>) => Promise<void | 'later'>

/** Inserts jobs in the caller's transaction, so that they run if, and only if, it is committed. */
export function enqueuer(newId: () => string, clock: () => Date): Enqueue {
  return async (tx, kind, payload, { runAt, dedupe, organization } = {}) => {
    const now = clock()
    const party = jobParty(organization)
    const jobs = [payload].flat().map((one) => ({
      id: newId(),
      kind,
      payload: JSON.stringify(one),
      ...party,
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

/** The columns of a job that say for whom it is done. @param organization undefined for a job of the installation */
function jobParty(organization: string | undefined): JobParty {
  if (organization === undefined) return { askedBy: '', organizationId: '' }
  return { askedBy: askingUser() ?? organization, organizationId: organization }
}

/** How long jobs last: the lease of a running job, and the time limit of each kind. */
export interface JobTimes {
  leaseMs?: number
  timeMs?: Readonly<Record<string, number>>
}

/**
 * Runs due jobs in this process: of each kind one at a time, so that the jobs of one kind never wait for those of
 * another. Of one kind, users take turns, and then the organizations of each.
 */
export interface JobLoop {
  /** Looks for due jobs every second until `stop`. */
  start(): void
  /** Resolves when the jobs that are running have ended, or after five seconds. */
  stop(): Promise<void>
  /** Runs the jobs that are due now. @returns how many it ran */
  runDue(): Promise<number>
}

/** A loop over the jobs of a database. Several processes can each have one: a job is leased to one of them at a time. */
export function jobLoop(
  db: Database,
  workers: Record<string, Worker>,
  clock: () => Date,
  log: QueueLog,
  { leaseMs = LEASE_MS, timeMs = {} }: JobTimes = {},
): JobLoop {
  const queue = { db, clock, log }
  const leases = leasesOf(queue, leaseMs)
  const stopping = new AbortController()

  /** Runs the due jobs of one kind, one at a time: a job that was claimed early would wait while another process is idle. */
  async function runLane(kind: string): Promise<number> {
    let count = 0
    for (; !stopping.signal.aborted; count++) {
      const job = await leases.claim(kind)
      if (!job) break
      const lease = leases.hold(job)
      const outcome = await runJob(workers[kind], job, timeMs[kind] ?? TIME_MS)
      const leasedUntil = await lease.end()
      await recordOutcome(queue, { job, leasedUntil }, outcome, stopping.signal)
    }
    return count
  }

  return {
    ...lanesOf({ kinds: leases.kinds, runLane, stopping, log }),
    async runDue() {
      let count = 0
      for (;;) {
        const kinds = stopping.signal.aborted ? [] : await leases.kinds()
        if (kinds.length === 0) return count
        const counts = await Promise.all(kinds.map(runLane))
        count += counts.reduce((sum, one) => sum + one, 0)
        // Another process has claimed what was due.
        if (counts.every((one) => one === 0)) return count
      }
    },
  }
}

/** Where the lanes of a loop get their work. A lane runs the due jobs of one kind. */
interface Lanes {
  kinds(): Promise<string[]>
  runLane(kind: string): Promise<number>
  stopping: AbortController
  log: QueueLog
}

/** Looks for due jobs again and again, and runs those of each kind in a lane. */
function lanesOf({ kinds, runLane, stopping, log }: Lanes): Pick<JobLoop, 'start' | 'stop'> {
  const lanes = new Map<string, Promise<number>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const report = (error: unknown) => log.error({ err: error }, 'the job queue could not be read or written')

  /** Starts a lane for each kind with due jobs that has none, and looks again after a second. */
  async function look(): Promise<void> {
    try {
      for (const kind of await kinds()) {
        if (lanes.has(kind) || stopping.signal.aborted) continue
        const lane = runLane(kind).finally(() => lanes.delete(kind))
        lanes.set(kind, lane)
        lane.catch(report)
      }
    } catch (error) {
      report(error)
    }
    if (!stopping.signal.aborted) timer = setTimeout(start, IDLE_MS).unref()
  }

  function start(): void {
    looking = look()
  }

  return {
    start,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await looking
      await Promise.race([
        Promise.allSettled(lanes.values()),
        wait(STOP_WITHIN_MS, undefined, { ref: false }),
      ])
    },
  }
}

/** Runs a job once. A failure is an outcome, too. */
async function runJob(worker: Worker | undefined, job: Row<'job'>, limitMs: number): Promise<Outcome> {
  try {
    if (!worker) throw new Error(`No worker runs jobs of the kind "${job.kind}"`)
    const work = asJob(userOf(job), () => worker(JSON.parse(job.payload) as never, job))
    return (await inTime(work, limitMs)) === 'later' ? 'later' : 'done'
  } catch (error) {
    return { error }
  }
}

/** The user who asked for a job; undefined if none did. */
const userOf = ({ askedBy, organizationId }: Row<'job'>) => (askedBy === organizationId ? undefined : askedBy)

/** Rejects if the work takes longer. The work itself cannot be ended; it has time limits of its own where it waits. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`The job took longer than ${ms / 1000} seconds`)),
    ms,
  ).unref()
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
