/** Requests for what administrators of the installation see and steer. */
import { type Make, none, withBody } from './makers.ts'

const job: Make = async (t) => ({ params: { jobId: await t.failedJob() } })

export const INSTALLATION_CALLS: Record<string, Make> = {
  getInstallation: none,
  getInstallationSizes: none,
  getFailedSignIns: none,
  listJobs: none,
  getJob: job,
  retryJobById: job,
  retryJobs: withBody(none, { kind: 'nothing' }),
  deleteJobById: job,
  testMail: withBody(none, { email: 'test@example.com' }),
}
