/** Keeps a space equal to a folder or a repository: once, at intervals, or when the repository is pushed to. */
import { readConfig } from '../../installation/config.ts'
import { git } from '../git/git.ts'
import { importCommand, type ImportOptions } from '../import/import.ts'
import { isRepository } from '../git/origin.ts'
import { UsageError } from '../usage.ts'
import { listenForPushes } from './listen.ts'
import { repeat } from './repeat.ts'
import { printLines, printError, printFault } from '../print.ts'

export interface SyncOptions extends ImportOptions {
  every?: string | undefined
  listen?: string | undefined
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const SHORTEST_MS = 10_000
const LONGEST_MS = 7 * 86_400_000
/** After so long, a run that failed is tried again. */
const RETRY_MS = 60_000
/** After so long, a repository is read although it has no new commit. */
const ANYWAY_MS = 3_600_000

/** Syncs a source. With `--every` or `--listen` it goes on until the process is stopped. It uses only the HTTP API. */
export async function syncCommand([from, ...more]: string[], options: SyncOptions): Promise<void> {
  if (!from || more.length > 0)
    throw new UsageError('Name one folder or repository to sync: lectern sync <folder or URL>')
  const every = options.every === undefined ? undefined : intervalOf(options.every)
  const isOnce = every === undefined && options.listen === undefined
  // A process that goes on has no exit code for each run.
  const allowed = { 'allow-loss': options['allow-loss'] === true || !isOnce }
  const run = () => importCommand([from], { ...options, ...allowed, sync: true, site: false })
  if (isOnce) return run()

  const ending = new AbortController()
  const { signal } = ending
  const end = () => ending.abort()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, end)
  try {
    // Pushes before the first run need no other one.
    let ask = () => {}
    if (options.listen !== undefined) {
      const secret = readConfig(process.env).webhookSecret
      const pushed = () => ask()
      const wanted = { at: options.listen, secret, branch: options.branch, pushed }
      printLines(`Webhooks are received at ${await listenForPushes(wanted, signal)}`)
    }
    const repeated = repeat(oneOfSeveral(run, from, options), { every, retryAfter: RETRY_MS, signal })
    ask = () => repeated.ask()
    await repeated.ended
  } finally {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.off(name, end)
    ending.abort()
  }
}

/**
 * One run of several: it prints its faults instead of throwing them. A repository that still has the commit of the last
 * run is not read, except once an hour: a change request may have been merged or resolved meanwhile.
 * @returns whether the run succeeded
 */
function oneOfSeveral(run: () => Promise<void>, from: string, { branch, source }: ImportOptions) {
  let seen: { commit: string | undefined; at: number } | undefined
  return async (): Promise<boolean> => {
    try {
      const commit = isRepository(from, source) ? await newestCommit(from, branch) : undefined
      const at = performance.now()
      if (commit !== undefined && commit === seen?.commit && at - seen.at < ANYWAY_MS) return true
      printLines(new Date().toISOString())
      await run()
      seen = { commit, at }
      return true
    } catch (error) {
      if (error instanceof UsageError) printError(error.message)
      else printFault(error)
      return false
    }
  }
}

/** The newest commit of a branch, without reading the repository. */
async function newestCommit(url: string, branch: string | undefined): Promise<string | undefined> {
  const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`
  const listed = await git(['ls-remote', '--', url, ref])
  return /^([0-9a-f]{40,64})\t/.exec(listed)?.[1]
}

/** The milliseconds of a duration such as `15m`. */
function intervalOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (ms >= SHORTEST_MS && ms <= LONGEST_MS) return ms
  throw new UsageError(`--every must be from 10s to 7d, such as 15m or 1h, but was "${text}"`)
}
