import type { Database, Tx } from '../db/schema.ts'
import { sealedBy } from '../access/credentials/sealing.ts'
import { openDatabase } from '../db/open.ts'
import { ApiError } from '../http/errors.ts'
import { readConfig } from '../installation/config.ts'
import { openKeyring } from '../installation/secrets.ts'
import { BY_SYSTEM, appendAuditEvent } from '../model/audit/chain.ts'
import {
  deleteJob,
  type Job,
  JOB_STATES,
  type JobFilter,
  jobsOf,
  retryFailedJobs,
  retryJob,
  toJob,
} from '../model/installation/job.ts'
import { printLines } from './print.ts'
import { UsageError } from './usage.ts'

const USAGE =
  'Use "lectern jobs", "lectern jobs retry <job>", "lectern jobs retry --kind <kind>", "lectern jobs retry --all" or "lectern jobs delete <job>"'
const MOST_LISTED = 10_000

interface JobsOptions {
  state?: string | undefined
  kind?: string | undefined
  all?: boolean | undefined
  json?: boolean | undefined
}

/** Lists the jobs of the installation, runs failed ones again, or deletes one. A server can run meanwhile. */
export async function jobsCommand([what = 'list', ...ids]: string[], options: JobsOptions): Promise<void> {
  const act = { list, retry, delete: remove }[what]
  if (!act) throw new UsageError(`Unknown action "${what}". ${USAGE}`)
  const config = readConfig(process.env)
  const db = await openDatabase(config)
  try {
    const signing = sealedBy(await openKeyring(db, config))
    const record: Record = (tx, action, target, payload) =>
      writeAudit(tx, signing, { action, ...target, payload })
    await act({ db, ids, options, record, now: new Date() })
  } catch (error) {
    // A job that is unknown, runs or was not tried yet.
    if (error instanceof ApiError) throw new UsageError(error.message)
    throw error
  } finally {
    await db.close()
  }
}

/** Writes an entry of the audit log. @param target undefined for the organization of the first start */
type Record = (
  tx: Tx,
  action: string,
  target: { targetType?: string; targetId?: string; targetLabel?: string },
  payload: object,
) => Promise<void>

interface Acting {
  db: Database
  ids: string[]
  options: JobsOptions
  record: Record
  now: Date
}

async function list({ db, ids, options, now }: Acting): Promise<void> {
  if (ids.length > 0 || options.all) throw new UsageError(USAGE)
  const rows = await jobsOf(db.read, { state: readJobState(options.state), kind: options.kind }, now)
    .orderBy('runAt')
    .orderBy('id')
    .limit(MOST_LISTED)
    .execute()
  const jobs = rows.map((row) => toJob(row, now))
  if (options.json) return printLines(JSON.stringify(jobs, null, 2).split('\n'))
  if (jobs.length === 0) return printLines('There are no such jobs.')
  printLines(jobs.map(jobLine))
}

function readJobState(state: string | undefined): JobFilter['state'] {
  const known = JOB_STATES.find((one) => one === state)
  if (state !== undefined && !known)
    throw new UsageError(`--state must be ${JOB_STATES.join(', ')}, but is "${state}"`)
  return known
}

function jobLine({ id, kind, state, attempts, error, lastTriedAt, nextTryAt }: Job): string {
  const tries = attempts === 0 ? 'not tried' : `tried ${attempts === 1 ? 'once' : `${attempts} times`}`
  const last = lastTriedAt === undefined ? '' : `, last at ${lastTriedAt}`
  const next = nextTryAt === undefined ? '' : `, next at ${nextTryAt}`
  return `${id}  ${kind}  ${state}  ${tries}${last}${next}${error === undefined ? '' : `: ${error}`}`
}

async function retry({ db, ids, options, record, now }: Acting): Promise<void> {
  const { kind, all, json } = options
  const [id, ...more] = ids
  if (more.length > 0 || [id, kind, all].filter((one) => one !== undefined && one !== false).length !== 1)
    throw new UsageError(`Name one job, --kind or --all. ${USAGE}`)
  if (id !== undefined) {
    const row = await db.write(async (tx) => {
      const retried = await retryJob(tx, id, now)
      await record(tx, 'installation.job.retry', targetOf(retried), {})
      return retried
    })
    return json
      ? printLines(JSON.stringify(toJob(row, now), null, 2).split('\n'))
      : printLines(`${id} runs again`)
  }
  const counts = await db.write(async (tx) => {
    const counted = await retryFailedJobs(tx, kind, now)
    await record(tx, 'installation.job.retry', {}, { after: { kind: kind ?? 'all', ...counted } })
    return counted
  })
  if (json) return printLines(JSON.stringify(counts))
  const { retried, skipped } = counts
  const left = skipped === 0 ? '' : `; ${skipped} stay failed, because other jobs wait to do the same work`
  printLines(`${retried} ${retried === 1 ? 'job runs' : 'jobs run'} again${left}`)
}

async function remove({ db, ids: [id, ...more], options, record, now }: Acting): Promise<void> {
  if (id === undefined || more.length > 0 || options.kind !== undefined || options.all)
    throw new UsageError(`Name one job. ${USAGE}`)
  const row = await db.write(async (tx) => {
    const deleted = await deleteJob(tx, id, now)
    if (deleted) await record(tx, 'installation.job.delete', targetOf(deleted), {})
    return deleted
  })
  if (!row) throw new UsageError(`There is no job "${id}"`)
  if (options.json) return printLines(JSON.stringify({ deleted: id }))
  printLines(`${id} is deleted`)
}

const targetOf = ({ id, kind }: { id: string; kind: string }) => ({
  targetType: 'job',
  targetId: id,
  targetLabel: kind,
})

/** Writes to the log of the organization whose administrators are those of the installation. */
async function writeAudit(
  tx: Tx,
  signing: ReturnType<typeof sealedBy>,
  {
    payload,
    targetType,
    targetId,
    targetLabel,
    action,
  }: { action: string; payload: object } & {
    targetType?: string
    targetId?: string
    targetLabel?: string
  },
): Promise<void> {
  const first = await tx
    .selectFrom('instance')
    .innerJoin('organization', 'organization.id', 'instance.value')
    .select(['organization.id', 'organization.title'])
    .where('instance.name', '=', 'organization')
    .executeTakeFirst()
  if (!first) return
  await appendAuditEvent(tx, signing, first.id, {
    ...BY_SYSTEM,
    occurredAt: new Date().toISOString(),
    action,
    targetType: targetType ?? 'organization',
    targetId: targetId ?? first.id,
    targetLabel: targetLabel ?? first.title,
    payload: JSON.stringify(payload),
  })
}
