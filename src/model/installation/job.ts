import { type SelectQueryBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Reader, Row, Schema, Tx } from '../../db/schema.ts'
import { conflict, notFound, REASON_SCHEMAS } from '../../http/errors.ts'
import type { Reasoned } from '../../core/languages/reasoned.ts'
import { because } from '../../core/languages/reasons.ts'
import type { TextValues } from '../../core/languages/wording.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'

export const JOB_STATES = ['waiting', 'running', 'failed'] as const

/** A job in the background: an e-mail to send, a file to remove, and others. Jobs that succeeded are deleted. */
export const Job = Type.Object(
  {
    object: oneOf(['job']),
    id: Type.String(),
    kind: Type.String({ description: 'What the job does, such as `send-email`' }),
    state: {
      ...oneOf([...JOB_STATES]),
      description: '`failed` jobs failed for good: they run again only if an administrator retries them',
    },
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The parameters of the job: ids, hashes and e-mail addresses. Their fields depend on the kind',
    }),
    organization: Type.Optional(
      Type.String({ description: 'The id of the organization that the job is for, if it is for one' }),
    ),
    attempts: Type.Integer({ description: 'How often the job was tried without success' }),
    error: Type.Optional(
      Type.String({ description: 'The error of the last try. The log of the server has its details' }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'Why the last try failed, as a word that stays the same when `error` is reworded. Missing if the error has none, such as one of another program. Newer versions have more reasons.',
      }),
    ),
    parameters: Type.Optional(
      Type.Unsafe<TextValues>({
        ...REASON_SCHEMAS.parameters,
        description: 'The values that `error` contains, by the names that they have for this reason',
      }),
    ),
    createdAt: Timestamp,
    firstTriedAt: Type.Optional({ ...Timestamp, description: 'When it first failed' }),
    lastTriedAt: Type.Optional({ ...Timestamp, description: 'When it last failed' }),
    nextTryAt: Type.Optional({ ...Timestamp, description: 'When it runs. Absent for a failed job' }),
  },
  { title: 'Job' },
)
export type Job = Static<typeof Job>

export function toJob(row: Row<'job'>, now: Date): Job {
  const { id, kind, payload, organizationId, attempts, error, createdAt, firstTriedAt, lastTriedAt } = row
  const { reason, parameters } = JSON.parse(row.fault ?? '{}') as Partial<Reasoned>
  return {
    object: 'job',
    id,
    kind,
    state: isRunning(row, now) ? 'running' : row.state === 'failed' ? 'failed' : 'waiting',
    payload: JSON.parse(payload) as Job['payload'],
    ...(organizationId && { organization: organizationId }),
    attempts,
    ...omitNullish({
      error: error && (error.split('\n')[0] ?? ''),
      reason,
      parameters,
      firstTriedAt,
      lastTriedAt,
    }),
    createdAt,
    ...(row.state === 'failed' ? {} : { nextTryAt: row.runAt }),
  }
}

const isRunning = ({ state, leasedUntil }: Row<'job'>, now: Date) =>
  state === 'waiting' && leasedUntil !== null && leasedUntil > now.toISOString()

/** Which jobs a list has. */
export interface JobFilter {
  state?: (typeof JOB_STATES)[number] | undefined
  kind?: string | undefined
}

/** The jobs that match a filter. */
export function jobsOf(
  db: Reader,
  { state, kind }: JobFilter,
  now: Date,
): SelectQueryBuilder<Schema, 'job', Row<'job'>> {
  const at = now.toISOString()
  return db
    .selectFrom('job')
    .selectAll()
    .$if(kind !== undefined, (some) => some.where('kind', '=', kind ?? ''))
    .$if(state === 'failed', (some) => some.where('state', '=', 'failed'))
    .$if(state === 'running', (some) => some.where('state', '=', 'waiting').where('leasedUntil', '>', at))
    .$if(state === 'waiting', (some) =>
      some
        .where('state', '=', 'waiting')
        .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', at)])),
    )
}

/** @throws 404 */
export async function needJob(db: Reader, id: string): Promise<Row<'job'>> {
  const job = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
  if (!job) throw notFound('job')
  return job
}

/**
 * Makes a job due that failed, for good or until its next try. Its tries begin anew.
 * @throws 404, 409 for a job that runs or was not tried, or if another job waits to do the same work
 */
export async function retryJob(tx: Tx, id: string, now: Date): Promise<Row<'job'>> {
  const job = await needJob(tx, id)
  refuseUntried(job, now)
  await refuseSameWork(tx, job)
  return await tx
    .updateTable('job')
    .set(dueAgain(now))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a job that failed, for good or until its next try. @throws 409 for a job that runs or was not tried */
export async function deleteJob(tx: Tx, id: string, now: Date): Promise<Row<'job'> | undefined> {
  const job = await tx.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
  if (!job) return undefined
  refuseUntried(job, now)
  await tx.deleteFrom('job').where('id', '=', id).execute()
  return job
}

/** Some jobs keep rules by the time at which they first run, and others enqueue the next one of their kind. */
function refuseUntried(job: Row<'job'>, now: Date): void {
  const { id, state, attempts, runAt } = job
  if (isRunning(job, now)) throw conflict(because('job-runs', { id }))
  if (state !== 'failed' && attempts === 0) throw conflict(because('job-not-tried', { id, time: runAt }))
}

/** At most one waiting job has a key. */
async function refuseSameWork(tx: Tx, { id, dedupe }: Row<'job'>): Promise<void> {
  if (dedupe === null) return
  const other = await tx
    .selectFrom('job')
    .select(['id', 'runAt'])
    .where('dedupe', '=', dedupe)
    .where('state', '=', 'waiting')
    .where('id', '!=', id)
    .executeTakeFirst()
  if (other) throw conflict(because('job-waits-elsewhere', { other: other.id, time: other.runAt }))
}

const dueAgain = (now: Date) => ({
  state: 'waiting' as const,
  attempts: 0,
  lostLeases: 0,
  firstTriedAt: null,
  leasedUntil: null,
  runAt: now.toISOString(),
})

/**
 * Makes all failed jobs due, or those of a kind.
 * @returns how many, and how many stay failed because another job does the same work
 */
export async function retryFailedJobs(
  tx: Tx,
  kind: string | undefined,
  now: Date,
): Promise<{ retried: number; skipped: number }> {
  const failed = jobsOf(tx, { state: 'failed', kind }, now).clearSelect().select('job.id')
  const { numUpdatedRows } = await tx
    .updateTable('job')
    .set(dueAgain(now))
    .where('id', 'in', failed)
    .where(sql<boolean>`("dedupe" is null or (
      not exists (select 1 from "job" as "other" where "other"."dedupe" = "job"."dedupe" and "other"."state" = 'waiting')
      and "id" = (select max("same"."id") from "job" as "same" where "same"."dedupe" = "job"."dedupe" and "same"."state" = 'failed')
    ))`)
    .executeTakeFirst()
  const { left } = await jobsOf(tx, { state: 'failed', kind }, now)
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('left'))
    .executeTakeFirstOrThrow()
  return { retried: Number(numUpdatedRows), skipped: Number(left) }
}
