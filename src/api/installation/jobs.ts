import { Type } from 'typebox'
import { onInstallation } from '../../access/checks/on-installation.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, oneOf } from '../../model/common.ts'
import {
  deleteJob,
  Job,
  JOB_STATES,
  jobsOf,
  needJob,
  retryFailedJobs,
  retryJob,
  toJob,
} from '../../model/installation/job.ts'

const InJob = Type.Object({ jobId: Id })
const Kind = Type.String({ minLength: 1, maxLength: 64, description: 'Only jobs of this kind' })

export const listJobs = route({
  method: 'GET',
  path: '/v1/installation/jobs',
  summary: 'List the jobs of the installation',
  description:
    'Lists the jobs that wait, run or failed for good, in the order of `nextTryAt`, or for a failed job, of `lastTriedAt`. Jobs that succeeded are deleted. A failed job is kept for 30 days.',
  access: onInstallation(),
  query: Type.Object({
    ...ListQuery.properties,
    state: Type.Optional(oneOf([...JOB_STATES])),
    kind: Type.Optional(Kind),
  }),
  returns: listOf(Job),
  async handler({ db, query, page, now }) {
    const list = await listRows(jobsOf(db, query, now), page, { by: ['runAt', 'id'] })
    return { ...list, items: list.items.map((row) => toJob(row, now)) }
  },
})

export const getJob = route({
  method: 'GET',
  path: '/v1/installation/jobs/:jobId',
  summary: 'Get a job of the installation',
  access: onInstallation(),
  params: InJob,
  returns: Job,
  handler: async ({ db, params, now }) => toJob(await needJob(db, params.jobId), now),
})

export const retryJobById = route({
  method: 'POST',
  path: '/v1/installation/jobs/:jobId/retry',
  summary: 'Run a failed job again',
  description:
    'The job runs within a second, and its tries begin anew. A job that waits for its next try runs now. The request fails with 409 if the job is running or has not been tried yet, or if another job waits to do the same work.',
  access: onInstallation(),
  params: InJob,
  returns: Job,
  async handler({ tx, params, now, audit }) {
    const before = await needJob(tx, params.jobId)
    const row = await retryJob(tx, params.jobId, now)
    audit({
      target: { type: 'job', id: row.id, label: row.kind },
      before: { attempts: before.attempts, state: before.state },
      after: { attempts: 0, state: row.state },
    })
    return toJob(row, now)
  },
})

export const retryJobs = route({
  method: 'POST',
  path: '/v1/installation/jobs/retry',
  summary: 'Run all failed jobs again',
  description: 'Jobs whose work another job waits to do stay failed. `skipped` counts them.',
  access: onInstallation(),
  body: Type.Object({ kind: Type.Optional(Kind) }),
  returns: Type.Object(
    {
      retried: Type.Integer({ description: 'How many jobs run again' }),
      skipped: Type.Integer({ description: 'How many stay failed' }),
    },
    { title: 'RetriedJobs' },
  ),
  async handler({ tx, organization, body, now, audit }) {
    const counts = await retryFailedJobs(tx, body.kind, now)
    audit({
      target: { type: 'organization', id: organization.id, label: organization.title },
      after: { kind: body.kind ?? 'all', ...counts },
    })
    return counts
  },
})

export const deleteJobById = route({
  method: 'DELETE',
  path: '/v1/installation/jobs/:jobId',
  summary: 'Delete a failed job',
  description:
    'Its work is not done. The request fails with 409 if the job is running or has not been tried yet. The response is 204 even if the job does not exist.',
  access: onInstallation(),
  params: InJob,
  async handler({ tx, params, now, audit }) {
    const row = await deleteJob(tx, params.jobId, now)
    if (!row) return ABSENT
    audit({
      target: { type: 'job', id: row.id, label: row.kind },
      before: { attempts: row.attempts, state: row.state },
    })
    return undefined
  },
})
