/**
 * The core scenarios in five minutes. A line for each is added to the history of their figures, and is compared with the
 * line before. The CPU time of the server moves little with what else a machine does, so a step back shows in it first. It
 * is compared as a multiple of the CPU time of a fixed piece of work, which takes each machine another time.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { imports } from './import.ts'
import { PACE } from './measure.ts'
import { changesIn } from './merge.ts'
import { page } from './page.ts'
import type { Result } from './result.ts'
import { searchRates } from './search.ts'
import { space } from './space.ts'
import { start } from './start.ts'
import { yardstick } from './yardstick.ts'

const ROOT = resolve(import.meta.dirname, '..')
const HISTORY = resolve(ROOT, 'docs/performance-history.csv')
/** What is worse by more than this part is named in the table. */
const WORSE = 0.1

/** The benchmarks, with the names that their lines have in the history; a line without a name is left out. */
const MEASURED: [run: () => Promise<Result[]>, names: (string | undefined)[]][] = [
  [page, ['warm page', undefined, 'first rendering']],
  [space, [undefined, 'GET of a space', 'GET of a space as 304']],
  [async () => (await changesIn(1_000)).lines, ['edit in 1000 pages', 'merge into 1000 pages']],
  [() => imports(['elsa-docs'], 3), ['import of a page']],
  [searchRates, ['search in a space', 'search in a space that nobody made before']],
  [start, ['start', 'idle memory']],
]

/** Measures, writes the lines, and returns them as the table of the benchmarks shows them. */
export async function ledger(): Promise<Result[]> {
  Object.assign(PACE, { runs: 3, seconds: 2 })
  const before = lastLines()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', 'src', 'package-lock.json') !== ''
  const commit = git('rev-parse', '--short=10', 'HEAD') + (isChanged ? '+' : '')
  const date = new Date().toISOString().slice(0, 10)
  const results: Result[] = []
  const fixed = await yardstick()
  for (const [run, names] of MEASURED) {
    const lines = await run()
    for (const [i, scenario] of names.entries()) {
      const line = lines[i]
      if (scenario === undefined || line === undefined) continue
      const { ours, reference, ratio, cpu } = line
      // In microseconds, because a request takes a few of them.
      const micros = cpu === undefined ? '' : (cpu * 1000).toFixed(0)
      const cells = [commit, date, scenario, ours, reference, ratio.toFixed(3), micros, fixed.toFixed(0)]
      appendFileSync(HISTORY, `${cells.map((cell) => cell.replaceAll(',', ' ')).join(',')}\n`)
      results.push({ ...line, scenario, goal: comparison(before.get(scenario), { ratio, micros, fixed }) })
    }
  }
  return results
}

interface Figures {
  ratio: number
  /** The CPU time in microseconds; empty where none is measured. */
  micros: string
  /** The CPU time of the yardstick on the same machine, in microseconds. */
  fixed: number
}

/** The last line of each scenario. */
function lastLines(): Map<string, Figures & { commit: string }> {
  const [, ...lines] = readFileSync(HISTORY, 'utf8').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const [commit = '', , scenario = '', , , ratio, micros = '', fixed] = line.split(',')
      return [scenario, { commit, ratio: Number(ratio), micros, fixed: fixed ? Number(fixed) : NaN }]
    }),
  )
}

/** The CPU time beside that of the line before; the ratio to the reference where no CPU time is measured. */
function comparison(before: (Figures & { commit: string }) | undefined, now: Figures): string {
  if (!before) return 'the first line'
  const work = ({ micros, fixed }: Figures) => Number(micros) / fixed
  const change = (now.micros ? work(now) / work(before) : now.ratio / before.ratio) - 1
  if (Number.isNaN(change)) return `not compared: ${before.commit} has no time of the fixed work`
  const percent = `${change < 0 ? '−' : '+'}${Math.abs(change * 100).toFixed(0)} %`
  return `${percent} since ${before.commit}${change > WORSE ? ': worse' : ''}`
}
