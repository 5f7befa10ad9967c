import type { Instant } from '../../db/columns.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { causingTrace, type JobQueue } from './job-queue.ts'
import { afterLostLease } from './lost-lease.ts'
import { type JobParty, turnsOfParties } from './parties.ts'

interface Claim {
  job: Row<'job'>
  /** Whether the process that held the lease before ended without recording how the job ended. */
  hasLostLease: boolean
}

/** Leases on jobs: while a job's lease lasts, no other process claims the job. */
export function leasesOf({ db, clock, log }: JobQueue, leaseMs: number) {
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

  /** Claims the oldest due job of a party. It gets no lease if it may not run now, because it lost others. */
  function claimOf(kind: string, { askedBy, organizationId }: JobParty): Promise<Claim | undefined> {
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
      const lost = job.leasedUntil === null ? undefined : afterLostLease(job, clock())
      const change = { leasedUntil: leaseEnd(), ...lost }
      await tx.updateTable('job').set(change).where('id', '=', job.id).execute()
      return { job: { ...job, ...change }, hasLostLease: lost !== undefined }
    })
  }

  function reportLost(job: Row<'job'>): void {
    const { id, kind, lostLeases, state, error, runAt } = job
    const fact = { job: id, kind, lostLeases, causedBy: causingTrace(job) }
    if (state === 'failed') log.error({ ...fact, err: error }, 'job failed for good')
    else log.warn({ ...fact, nextTryAt: runAt }, 'the lease of a job ran out; the job is tried again')
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
        const claim = party && (await claimOf(kind, party))
        if (claim?.hasLostLease) reportLost(claim.job)
        if (claim?.job.leasedUntil) return claim.job
        // Another process has claimed the jobs of the party, or the job waits or has failed because of its lost leases.
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
