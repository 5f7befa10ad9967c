import { isRecord } from '../core/data/is-record.ts'
import { ReasonedError } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'
import { VERSION } from '../core/runtime/version.ts'
import type { Services } from '../http/route.ts'
import { setFact } from '../model/installation/facts.ts'
import type { Worker } from './queue/job-kind.ts'
import { enqueueDaily, isJobWaiting } from './waiting.ts'

const KIND = 'check-update'
const DAY_MS = 24 * 3_600_000
const LIMITS = { maxBytes: 1_000_000, timeoutMs: 20_000 }
const VERSION_PATTERN = /^v?\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/

type Checking = Pick<Services, 'db' | 'enqueue' | 'fetch' | 'now' | 'own'>

/** Looks up the newest version once a day, if the operator has set where. */
export function checkForUpdate({ db, enqueue, fetch, now, own }: Checking): Worker {
  return async () => {
    const { updateUrl } = own.settings
    if (updateUrl === undefined) return
    // Before anything can fail, so that it runs tomorrow.
    await db.write((tx) => enqueueDaily(tx, enqueue, KIND, new Date(now().getTime() + DAY_MS)))
    const headers = { accept: 'application/json', 'user-agent': `Lectern/${VERSION}` }
    const { status, body, bytes } = await fetch(updateUrl, LIMITS, { headers })
    if (status !== 200) {
      body.on('error', () => {}).destroy()
      throw new ReasonedError(because('update-url-failing', { status }))
    }
    const version = versionIn((await bytes()).toString())
    await db.write((tx) => setFact(tx, 'newest-version', `${now().toISOString()} ${version}`))
  }
}

/** The version in JSON of a package registry (`version`) or of a release on a git host (`tag_name`). */
function versionIn(text: string): string {
  const value: unknown = JSON.parse(text)
  const version = isRecord(value) ? (value.version ?? value.tag_name) : undefined
  if (typeof version !== 'string' || !VERSION_PATTERN.test(version))
    throw new ReasonedError(because('update-url-without-version'))
  return version.replace(/^v/, '')
}

/** Starts the daily job at the start of a server, unless it is waiting already. */
export async function beginCheckingForUpdates({ db, enqueue, own }: Checking): Promise<void> {
  if (own.settings.updateUrl === undefined) return
  await db.write(async (tx) => {
    if (!(await isJobWaiting(tx, KIND))) await enqueue(tx, KIND, {}, { dedupe: `${KIND}:start` })
  })
}
