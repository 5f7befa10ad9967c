import { statfs } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { because } from '../../core/languages/reasons.ts'
import { faultParameters, type Reasoned } from '../../core/languages/reasoned.ts'
import type { Blobs } from '../../blobs/blobs.ts'
import { outageOf } from '../../http/response/outage.ts'
import type { OwnProcess } from '../../http/own-process.ts'
import type { JobTotals } from './job-totals.ts'

/** What health checks look at. */
export interface Checked {
  now: Date
  own: OwnProcess
  jobs: JobTotals
  mail: { configured: boolean; sentAt?: string | undefined; failedAt?: string | undefined }
  backupAt: string | undefined
  newestVersion: string | undefined
  /** Of the disk with the data folder; undefined if the system does not know. */
  disk: { freeBytes: number; totalBytes: number } | undefined
  /** Why the store of files does not work; undefined if it does. */
  filesFault: Reasoned | undefined
  /** How far the clock of the database is ahead of that of the server, in milliseconds. */
  clockAheadMs: number
}

/** How urgent the finding of a check is: users notice a `problem`, a `warning` becomes one, and `advice` can wait. */
export type Urgency = 'problem' | 'warning' | 'advice'

/** What a health check found, with what to do. */
export interface Finding {
  level: Urgency
  why: Reasoned
}

type Check = (checked: Checked) => Finding | undefined

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const GIB = 1024 ** 3

const since = (at: string | undefined, now: Date): number =>
  at === undefined ? 0 : now.getTime() - new Date(at).getTime()

/** Every health check, the most urgent first. To add one, add a function here and its text to the reasons. */
const CHECKS: readonly Check[] = [
  ({ disk }) => {
    if (!disk || (disk.freeBytes > 2 * GIB && disk.freeBytes > disk.totalBytes / 20)) return undefined
    const percent = Math.floor((100 * disk.freeBytes) / Math.max(disk.totalBytes, 1))
    return { level: 'problem', why: because('check-disk-full', { percent }) }
  },
  ({ filesFault }) =>
    filesFault && { level: 'problem', why: because('check-files-fail', faultParameters(filesFault)) },
  ({ mail: { sentAt, failedAt } }) =>
    failedAt !== undefined && (sentAt === undefined || failedAt > sentAt)
      ? { level: 'problem', why: because('check-mail-fails', { time: failedAt }) }
      : undefined,
  ({ jobs: { oldestDueAt }, now }) => {
    const minutes = Math.floor(since(oldestDueAt, now) / MINUTE)
    return minutes < 15 ? undefined : { level: 'problem', why: because('check-queue-old', { minutes }) }
  },
  ({ clockAheadMs }) => {
    const seconds = Math.round(Math.abs(clockAheadMs) / 1000)
    return seconds < 10 ? undefined : { level: 'problem', why: because('check-clock', { seconds }) }
  },
  ({ jobs: { failed } }) =>
    failed === 0 ? undefined : { level: 'warning', why: because('check-jobs-failed', { count: failed }) },
  ({ own: { settings } }) =>
    settings.isSecretWeak ? { level: 'warning', why: because('check-secret-weak') } : undefined,
  ({ own: { settings } }) => {
    if (settings.url === undefined)
      return settings.isLocal ? undefined : { level: 'warning', why: because('check-url-missing') }
    const { protocol, hostname } = new URL(settings.url)
    const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
    return protocol === 'https:' || isHere
      ? undefined
      : { level: 'warning', why: because('check-url-http', { url: settings.url }) }
  },
  ({ own: { untrustedProxy } }) =>
    untrustedProxy === undefined
      ? undefined
      : { level: 'warning', why: because('check-proxy', { address: untrustedProxy }) },
  ({ backupAt, now }) => {
    if (backupAt === undefined) return { level: 'advice', why: because('check-backup-unknown') }
    const days = Math.floor(since(backupAt, now) / DAY)
    return days < 7 ? undefined : { level: 'warning', why: because('check-backup-old', { days }) }
  },
  ({ mail: { configured } }) =>
    configured ? undefined : { level: 'advice', why: because('check-mail-missing') },
  ({ newestVersion, own: { version } }) =>
    newestVersion !== undefined && isNewer(newestVersion, version)
      ? { level: 'advice', why: because('check-update', { version: newestVersion }) }
      : undefined,
]

/** What the checks found. */
export function findingsOf(checked: Checked): Finding[] {
  return CHECKS.map((check) => check(checked)).filter((finding) => finding !== undefined)
}

/** Whether a version such as `1.10.0` is newer than another. A version with a suffix is older than the one without. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return other.includes('-') && !one.includes('-')
}

const numbersOf = (version: string): number[] =>
  (version.replace(/^v/, '').split('-')[0] ?? '').split('.').map(Number)

/** The space on the disk of a folder; undefined if the system does not know. */
export async function diskOf(folder: string): Promise<Checked['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return undefined
  }
}

/** A store that takes longer to answer a check does not work, in milliseconds. */
const FILES_WITHIN_MS = 1_500

/** Why the store of files does not work; undefined if it does. */
export function faultOfFiles(blobs: Pick<Blobs, 'check'>): Promise<Reasoned | undefined> {
  const slow = because('file-store-slow')
  const checked = blobs.check().then(
    () => undefined,
    (error: unknown) => outageOf(error) ?? slow,
  )
  return Promise.race([checked, wait(FILES_WITHIN_MS, slow, { ref: false })])
}
