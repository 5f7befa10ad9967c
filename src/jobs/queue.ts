import { ReasonedError } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Row } from '../db/schema.ts'
import { causeOfJob } from '../core/runtime/work.ts'
import { asJob, askingUser } from '../core/runtime/turns.ts'
import type { Enqueue } from '../http/route.ts'
import { type JobKind, declaredKind, TIME_MS, type Worker } from './queue/job-kind.ts'
import { leasesOf } from './queue/leases.ts'
import { type Outcome, recordOutcome } from './queue/outcome.ts'
import type { JobParty } from './queue/parties.ts'
import type { QueueLog } from './queue/job-queue.ts'
import { TRIES_OF_UNKNOWN } from './queue/tries.ts'

const LEASE_MS = 60_000
/** Search finds a change after this time and the time that indexing takes, which are to be less than a second. */
const IDLE_MS = 500
/** How long `stop` waits for a job. One that takes longer runs again after the next start. */
const STOP_WITHIN_MS = 5_000

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
      lostLeases: 0,
      runAt: (runAt ?? now).toISOString(),
      leasedUntil: null,
      error: null,
      traceParent: causeOfJob(kind),
      firstTriedAt: null,
      lastTriedAt: null,
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

/** How long jobs last: the lease of a running job, and time limits of kinds instead of those that they declare. */
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
  kinds: Readonly<Record<string, Worker | JobKind>>,
  clock: () => Date,
  log: QueueLog,
  { leaseMs = LEASE_MS, timeMs = {} }: JobTimes = {},
): JobLoop {
  const queue = { db, clock, log }
  const leases = leasesOf(queue, leaseMs)
  const stopping = new AbortController()
  const declared = new Map(Object.entries(kinds).map(([name, kind]) => [name, declaredKind(kind)]))

  /** Runs the due jobs of one kind, one at a time: a job that was claimed early would wait while another process is idle. */
  async function runLane(kind: string): Promise<number> {
    let count = 0
    for (; !stopping.signal.aborted; count++) {
      const job = await leases.claim(kind)
      if (!job) break
      const lease = leases.hold(job)
      const { run, limitMs, tries } = declared.get(kind) ?? UNKNOWN
      const outcome = await runJob(run, job, timeMs[kind] ?? limitMs)
      const leasedUntil = await lease.end()
      await recordOutcome(queue, { job, leasedUntil, tries }, outcome, stopping.signal)
    }
    return count
  }

  return {
    ...lanesOf({ kinds: leases.kinds, runLane, stopping, log }),
    async runDue() {
      let count = 0
      for (;;) {
        const due = stopping.signal.aborted ? [] : await leases.kinds()
        if (due.length === 0) return count
        const counts = await Promise.all(due.map(runLane))
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

const UNKNOWN: JobKind = {
  run: async (_, { kind }) => {
    throw new ReasonedError(because('job-kind-unknown', { kind }))
  },
  limitMs: TIME_MS,
  tries: TRIES_OF_UNKNOWN,
}

/** Runs a job once. A failure is an outcome, too. */
async function runJob(worker: Worker, job: Row<'job'>, limitMs: number): Promise<Outcome> {
  try {
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
    () => reject(new ReasonedError(because('job-too-slow', { seconds: ms / 1000 }))),
    ms,
  ).unref()
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
