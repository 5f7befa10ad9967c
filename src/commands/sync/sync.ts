/** Keeps a space equal to a folder or a repository: once, at intervals, or when the repository is pushed to. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../../config.ts'
import { git } from '../git.ts'
import { importCommand, type ImportOptions } from '../import.ts'
import { isGitAddress } from '../repository.ts'
import { UsageError } from '../usage.ts'
import { listenForPushes } from './listen.ts'

export interface SyncOptions extends ImportOptions {
  every?: string | undefined
  listen?: string | undefined
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const SHORTEST_MS = 10_000
const LONGEST_MS = 7 * 86_400_000

/** Syncs a source. With `--every` or `--listen` it goes on until the process is told to end. It uses only the HTTP API. */
export async function syncCommand([from, ...more]: string[], options: SyncOptions): Promise<void> {
  if (!from || more.length > 0)
    throw new UsageError('Name one folder or repository to sync: lectern sync <folder or URL>')
  const every = options.every === undefined ? undefined : intervalOf(options.every)
  const run = () => importCommand([from], { ...options, sync: true, site: false })
  if (every === undefined && options.listen === undefined) return run()

  const ending = new AbortController()
  const end = () => ending.abort()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, end)
  try {
    const { signal } = ending
    const pushes = new EventTarget()
    let isWanted = true
    if (options.listen !== undefined) {
      const pushed = () => {
        isWanted = true
        pushes.dispatchEvent(new Event('push'))
      }
      const { branch } = options
      const secret = readConfig(process.env).webhookSecret
      const address = await listenForPushes({ at: options.listen, secret, branch, pushed }, signal)
      console.log(`Webhooks are received at ${address}`)
    }
    let seen: string | undefined
    while (!signal.aborted) {
      // Pushes that arrive during a run are seen by the next.
      if (isWanted) {
        isWanted = false
        seen = await runOnce(run, from, options.branch, seen)
      }
      await untilNext(pushes, every, signal, () => isWanted)
      if (every !== undefined) isWanted = true
    }
  } finally {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.off(name, end)
    ending.abort()
  }
}

/**
 * One run of several. Its faults are printed, and the next run happens.
 * @param seen the commit of the last run that succeeded: a repository that still has it is not read
 * @returns the commit that the space is equal to now
 */
async function runOnce(
  run: () => Promise<void>,
  from: string,
  branch: string | undefined,
  seen: string | undefined,
): Promise<string | undefined> {
  try {
    const newest = isGitAddress(from) ? await newestCommit(from, branch) : undefined
    if (newest !== undefined && newest === seen) return seen
    console.log(new Date().toISOString())
    await run()
    return newest
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error)
    return undefined
  }
}

/** The newest commit of a branch, without reading the repository. */
async function newestCommit(url: string, branch: string | undefined): Promise<string | undefined> {
  const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`
  const listed = await git(['ls-remote', '--', url, ref])
  return /^([0-9a-f]{40,64})\t/.exec(listed)?.[1]
}

async function untilNext(
  pushes: EventTarget,
  every: number | undefined,
  signal: AbortSignal,
  isWanted: () => boolean,
): Promise<void> {
  if (isWanted() || signal.aborted) return
  const done = new AbortController()
  const either = AbortSignal.any([signal, done.signal])
  const waits = [once(pushes, 'push', { signal: either })]
  if (every !== undefined) waits.push(wait(every, [], { signal: either }))
  else if (signal.aborted) return
  await Promise.race(waits.map((one) => one.catch(() => undefined)))
  done.abort()
}

/** The milliseconds of a duration such as `15m`. */
function intervalOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (ms >= SHORTEST_MS && ms <= LONGEST_MS) return ms
  throw new UsageError(`--every must be from 10s to 7d, such as 15m or 1h, but was "${text}"`)
}
