import { setTimeout as wait } from 'node:timers/promises'
import type { SelectQueryBuilder } from 'kysely'
import type { Database, Row, Schema, Tx } from '../db/schema.ts'
import { asJob, askingUser } from '../core/runtime/turns.ts'
import type { Instant } from '../db/columns.ts'
import { isBusy } from '../db/errors.ts'
import type { Enqueue } from '../http/route.ts'

const LEASE_MS = 60_000
/** Search finds a change after this time and the time that indexing takes, which are to be less than a second. */
const IDLE_MS = 500
const ATTEMPTS = 8
/** The time limit of a job, unless its kind has another. */
const TIME_MS = 600_000
/** How long `stop` waits for a job. One that takes longer runs again after the next start. */
const STOP_WITHIN_MS = 5_000

/**
 * Runs jobs of one kind. A job can run twice, for example after a crash, so a worker must be idempotent. With `later`, it
 * lets the other due jobs of its kind come first, and runs again after them.
 */
export type Worker = (payload: never, job: Row<'job'>) => Promise<void | 'later'>

/** Where the loop reports failures. A job that failed for good stays in the table with its error. */
export interface QueueLog {
  warn(fact: object, message: string): void
  error(fact: object, message: string): void
}

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

type JobParty = Pick<Row<'job'>, 'askedBy' | 'organizationId'>

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
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  const lanes = new Map<string, Promise<number>>()
  const leases = leasesOf(db, clock, log, leaseMs)

  async function runDue(): Promise<number> {
    let count = 0
    for (;;) {
      const kinds = stopping.signal.aborted ? [] : await leases.kinds()
      if (kinds.length === 0) return count
      const counts = await Promise.all(kinds.map(runLane))
      count += counts.reduce((sum, one) => sum + one, 0)
      // Another process has claimed what was due.
      if (counts.every((one) => one === 0)) return count
    }
  }

  /** Runs the due jobs of one kind, one at a time: a job that was claimed early would wait while another process is idle. */
  async function runLane(kind: string): Promise<number> {
    let count = 0
    for (; !stopping.signal.aborted; count++) {
      const job = await leases.claim(kind)
      if (!job) break
      await run(job)
    }
    return count
  }

  async function run(job: Row<'job'>): Promise<void> {
    const lease = leases.hold(job)
    let failure: { error: unknown } | undefined
    let result: void | 'later'
    try {
      const worker = workers[job.kind]
      if (!worker) throw new Error(`No worker runs jobs of the kind "${job.kind}"`)
      const work = asJob(userOf(job), () => worker(JSON.parse(job.payload) as never, job))
      result = await inTime(work, timeMs[job.kind] ?? TIME_MS)
    } catch (error) {
      failure = { error }
    }
    const leasedUntil = await lease.end()
    await whileBusy(() => {
      if (failure) return retry(job, leasedUntil, failure.error)
      return result === 'later' ? postpone(job, leasedUntil) : remove(job, leasedUntil)
    })
  }

  /** A job whose end is not recorded runs again, so this write does not give up while the database is locked. */
  async function whileBusy(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!isBusy(error) || stopping.signal.aborted) throw error
      }
    }
  }

  /** A job whose payload changed while it ran has more to do, so it runs again. */
  async function remove({ id, payload }: Row<'job'>, leasedUntil: Instant): Promise<void> {
    await db.write(async (tx) => {
      await tx
        .deleteFrom('job')
        .where('id', '=', id)
        .where('leasedUntil', '=', leasedUntil)
        .where('payload', '=', payload)
        .execute()
      await tx
        .updateTable('job')
        .set({ leasedUntil: null })
        .where('id', '=', id)
        .where('leasedUntil', '=', leasedUntil)
        .execute()
    })
  }

  async function postpone({ id }: Row<'job'>, leasedUntil: Instant): Promise<void> {
    const change = { attempts: 0, runAt: clock().toISOString(), leasedUntil: null }
    await db.write((tx) =>
      tx.updateTable('job').set(change).where('id', '=', id).where('leasedUntil', '=', leasedUntil).execute(),
    )
  }

  async function retry({ id, ...job }: Row<'job'>, leasedUntil: Instant, error: unknown): Promise<void> {
    const attempts = job.attempts + 1
    const failed = attempts >= ATTEMPTS
    const change = {
      attempts,
      state: failed ? ('failed' as const) : ('waiting' as const),
      runAt: retryTime(clock(), attempts),
      leasedUntil: null,
      error: String(error instanceof Error ? (error.stack ?? error.message) : error).slice(0, 4000),
    }
    await db.write((tx) =>
      tx.updateTable('job').set(change).where('id', '=', id).where('leasedUntil', '=', leasedUntil).execute(),
    )
    const fact = { job: id, kind: job.kind, attempts, err: error }
    if (failed) log.error(fact, 'job failed for good')
    else log.warn(fact, 'job failed; it will be retried')
  }

  const report = (error: unknown) => log.error({ err: error }, 'the job queue could not be read or written')

  /** Starts a lane for each kind with due jobs that has none, and looks again after a second. */
  async function look(): Promise<void> {
    try {
      for (const kind of await leases.kinds()) {
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
    runDue,
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

/** How many users' last organizations are remembered. */
const MOST_REMEMBERED = 1000

/**
 * Whose turn is next: parties come in the order of their ids, so finding the next one takes one look into an index,
 * however many wait.
 */
function turnsOfParties() {
  const lastUser = new Map<string, string>()
  const lastOrganization = new Map<string, string>()

  return {
    async next(kind: string, due: SelectQueryBuilder<Schema, 'job', object>): Promise<JobParty | undefined> {
      const askedBy = await following(due, 'askedBy', lastUser.get(kind))
      if (askedBy === undefined) return undefined
      const key = `${kind} ${askedBy}`
      const ofUser = due.where('askedBy', '=', askedBy)
      const organizationId = await following(ofUser, 'organizationId', lastOrganization.get(key))
      if (organizationId === undefined) return undefined
      if (lastOrganization.size >= MOST_REMEMBERED) lastOrganization.clear()
      lastUser.set(kind, askedBy)
      lastOrganization.set(key, organizationId)
      return { askedBy, organizationId }
    },
  }
}

/** The first value of due jobs after the last one, or else the first of all. */
async function following(
  due: SelectQueryBuilder<Schema, 'job', object>,
  column: keyof JobParty,
  last: string | undefined,
): Promise<string | undefined> {
  const first = due.select(`${column} as value`).orderBy(column).limit(1)
  const next = last === undefined ? undefined : await first.where(column, '>', last).executeTakeFirst()
  return (next ?? (await first.executeTakeFirst()))?.value
}

/** Leases on jobs: while a job's lease lasts, no other process claims the job. */
function leasesOf(db: Database, clock: () => Date, log: QueueLog, leaseMs: number) {
  const leaseEnd = () => new Date(clock().getTime() + leaseMs).toISOString()

  const due = (reader: Pick<Tx, 'selectFrom'>) => {
    const at = clock().toISOString()
    return reader
      .selectFrom('job')
      .where('state', '=', 'waiting')
      .where('runAt', '<=', at)
      .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<', at)]))
  }

  const turns = turnsOfParties()

  /** Claims the oldest due job of a party. */
  function claimOf(kind: string, { askedBy, organizationId }: JobParty): Promise<Row<'job'> | undefined> {
    return db.write(async (tx) => {
      const query = due(tx)
        .where('kind', '=', kind)
        .where('askedBy', '=', askedBy)
        .where('organizationId', '=', organizationId)
        .selectAll()
        .orderBy('runAt')
        .limit(1)
      const job = await (
        db.dialect === 'postgres' ? query.forUpdate().skipLocked() : query
      ).executeTakeFirst()
      if (!job) return undefined
      const leasedUntil = leaseEnd()
      await tx.updateTable('job').set({ leasedUntil }).where('id', '=', job.id).execute()
      return { ...job, leasedUntil }
    })
  }

  return {
    /** The kinds of the jobs that are due. */
    async kinds(): Promise<string[]> {
      const rows = await due(db.read).select('kind').distinct().execute()
      return rows.map(({ kind }) => kind)
    },

    async claim(kind: string): Promise<Row<'job'> | undefined> {
      const dueOf = (reader: Pick<Tx, 'selectFrom'>) => due(reader).where('kind', '=', kind)
      // Reading first keeps an idle server from writing: at the end of a lane no job is due.
      while (await dueOf(db.read).select('id').limit(1).executeTakeFirst()) {
        const party = await turns.next(kind, dueOf(db.read))
        const job = party && (await claimOf(kind, party))
        if (job) return job
        // Another process has claimed the jobs of the party.
      }
      return undefined
    },

    /** Renews the lease of a claimed job until `end`, which resolves to the end of the last lease. */
    hold({ id, kind, leasedUntil }: Row<'job'>): { end(): Promise<Instant> } {
      let current = leasedUntil ?? leaseEnd()
      let renewal = Promise.resolve()

      // The end of the lease also identifies its holder: another process that claims the job sets a later one.
      async function renew(): Promise<void> {
        const renewed = leaseEnd()
        const { numUpdatedRows } = await db.write((tx) =>
          tx
            .updateTable('job')
            .set({ leasedUntil: renewed })
            .where('id', '=', id)
            .where('leasedUntil', '=', current)
            .executeTakeFirst(),
        )
        if (numUpdatedRows === 0n) throw new Error('Another process has claimed the job')
        current = renewed
      }
      const timer = setInterval(() => {
        renewal = renewal
          .then(renew)
          .catch((error: unknown) => log.warn({ job: id, kind, err: error }, 'job lease not renewed'))
      }, leaseMs / 3)
      // A job that hangs must not keep a process that has stopped.
      timer.unref()

      return {
        async end() {
          clearInterval(timer)
          await renewal
          return current
        },
      }
    },
  }
}

/** The delay doubles with each attempt: 2, 4, 8 … seconds, at most an hour. */
function retryTime(now: Date, attempts: number): Instant {
  return new Date(now.getTime() + Math.min(1000 * 2 ** attempts, 3_600_000)).toISOString()
}
