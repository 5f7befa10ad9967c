/** How the cost of work grows with its input: four times the input may cost at most five times as much, or seven times if it is large. */
import assert from 'node:assert/strict'
import { every, isLongRun } from '../../effort.ts'

/** Makes input of about a size, in characters. */
export type MakeInput = (size: number) => string

/** Input by the name of what is repeated or nested in it. */
export type Families = Readonly<Record<string, MakeInput>>

/** A linear cost grows 4-fold, and a quadratic one 16-fold. The fifth is for logarithms, caches and garbage. */
const MOST_GROWTH = 5
/**
 * The most growth of the largest attempt, whose input is 16 times as large as the first. A linear cost can grow 6-fold at every
 * size, where the larger input no longer fits into the caches. A cost with a quadratic part that grows 5-fold from the first size
 * grows 11-fold from this one.
 */
const MOST_GROWTH_OF_LARGEST = 7

/** Less is the noise of the clock. */
const LEAST_MS = 2
/** Less is the noise of the garbage collector, whose work depends on what else is in memory: 0.1 s for a megabyte. */
const LEAST_MS_PER_CHARACTER = 0.000_1
/** The fastest run counts. A bad result is measured again with more runs, because other processes disturb a few. */
const RUNS = 3
const ATTEMPTS = 5
/** How many times as many runs an attempt with a larger input has at most, and the last one. */
const [RUNS_OF_LARGE, MORE_RUNS] = [4, 8]
/** The largest input of the default run and of the long run. */
const LARGEST = isLongRun() ? 250_000 : 64_000

/** A unit repeated to about the size. */
export function repeated(unit: string, before = '', after = ''): MakeInput {
  return (size) => before + unit.repeat(Math.ceil(size / unit.length)) + after
}

/** Openings, as many endings, and `x` between. */
export function nested(open: string, close = ''): MakeInput {
  return (size) => {
    const count = Math.ceil(size / (open.length + close.length))
    return `${open.repeat(count)}x${close.repeat(count)}`
  }
}

/**
 * The families that this run tries: every `nth` by default, four times as many in CI, more in the long run, and all with
 * `LECTERN_TEST_EFFORT=all`.
 */
export function familiesOf(all: Families, nth: number): [name: string, make: MakeInput][] {
  return Object.entries(all).filter((_, index) => index % every(nth, 4) === 0)
}

/**
 * Throws if four times the input costs more than five times as much. It starts at the least size that takes time at all,
 * and compares larger sizes if the result is bad: the compiler and the garbage collector disturb small ones. At last it
 * tries the first size once more, because larger inputs compete with other processes for the memory.
 * @param longest of inputs that have a limit of their own: no input is longer
 * @param clock the time in milliseconds; by default, the CPU time of this thread
 */
export function assertLinear(
  make: MakeInput,
  work: (input: string) => unknown,
  largest = LARGEST,
  longest = Infinity,
  clock = threadTime,
): void {
  const found = growths(make, work, largest, longest, ATTEMPTS, clock)
  if (found !== undefined) assert.fail(`Not linear:${found}`)
}

/** What was measured if four times the input always cost too much; undefined if it did not in one of the attempts. */
function growths(
  make: MakeInput,
  work: (input: string) => unknown,
  largest = LARGEST,
  longest = Infinity,
  attemptCount = 1,
  clock = threadTime,
): string | undefined {
  const fastest = (runs: number, input: string, enough = 0) =>
    fastestRun({ clock, work, input, runs, enough })
  let size = Math.min(1000, longest / 4)
  while (size < largest / 4 && fastest(1, make(size)) < LEAST_MS) size *= 2
  let found = ''
  const attempts = Array.from({ length: attemptCount }, (_, attempt) => ({
    at: Math.min(size * 2 ** attempt, longest / 4),
    runs: RUNS * Math.min(2 ** attempt, RUNS_OF_LARGE),
  }))
  if (attemptCount > 1) attempts.push({ at: size, runs: RUNS * MORE_RUNS })
  for (const { at, runs } of attempts) {
    const [small, large] = [make(at), make(4 * at)]
    const least = Math.max(LEAST_MS, small.length * LEAST_MS_PER_CHARACTER)
    const before = Math.max(fastest(runs, small), least)
    const most = at === size * 2 ** (ATTEMPTS - 1) ? MOST_GROWTH_OF_LARGEST : MOST_GROWTH
    const after = fastest(runs, large, most * before)
    const growth = (after / before) * Math.min(1, (4 * small.length) / large.length)
    if (growth <= most) return undefined
    found += ` ${small.length} characters took ${before.toFixed(1)} ms, ${large.length} took ${after.toFixed(1)} ms;`
  }
  return found
}

/**
 * Throws unless the cost is linear, or a limit keeps it below `most` milliseconds at every size up to the largest page.
 * Where one attempt finds it not linear, it tries the limit before it makes others, which take the most time there.
 * @param longest of inputs that have a limit of their own: no input is longer
 */
export function assertBounded(
  make: MakeInput,
  work: (input: string) => unknown,
  most: number,
  longest?: number,
): void {
  if (growths(make, work, longest, longest) === undefined) return
  for (const size of [1 / 8, 1 / 4, 1 / 2, 1].map((part) => part * (longest ?? 1_000_000))) {
    const took = fastestRun({ work, input: make(size) })
    if (took <= most) continue
    const found = growths(make, work, longest, longest, ATTEMPTS)
    assert.equal(found, undefined, `Not linear:${found} ${size} characters took ${took.toFixed(0)} ms`)
    return
  }
}

interface Runs {
  work: (input: string) => unknown
  input: string
  clock?: () => number
  runs?: number
  /** A time at which no more runs are needed. */
  enough?: number
}

/** The time of the fastest run, in milliseconds. */
function fastestRun({ work, input, clock = threadTime, runs = 1, enough = 0 }: Runs): number {
  let least = Infinity
  for (let run = 0; run < runs && least > enough; run += 1) {
    const start = clock()
    work(input)
    least = Math.min(least, clock() - start)
  }
  return least
}

/** The CPU time of this thread in milliseconds: that of the whole process has the compiler's and the collector's threads. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
