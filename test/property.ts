/** Property tests: how many cases they try, and how a failure is repeated. */
import { relative, resolve } from 'node:path'
import { getTestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { casesByDefault, casesOfProperty } from './effort.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DEFAULT_CASES = 1000
/** The default run tries no more cases of a property. */
const MOST_BY_DEFAULT = 40
/** How long the long run tries cases of one property, so that it ends in time on a slow machine too. */
const LONGEST_MS = 60_000
const DEFAULT_SEED = 20_261_122

/** The options of a property test. */
export interface PropertyOptions<Ts> {
  /** How many cases the long run tries within a minute, and at least as many as the default run, which tries at most 40. */
  cases?: number
  /** How many the default run tries, if that number is required. */
  byDefault?: number
  /** Cases that every run tries first, all of them. */
  examples?: Ts[]
}

/**
 * Tries a property on many cases. The error of a failure contains the smallest case found, and the command that repeats
 * it: `LECTERN_SEED` holds the seed and the path of that case.
 */
export function holds<Ts>(property: fc.IAsyncProperty<Ts>, options?: PropertyOptions<Ts>): Promise<void>
export function holds<Ts>(property: fc.IProperty<Ts>, options?: PropertyOptions<Ts>): void
export function holds<Ts>(
  property: fc.IRawProperty<Ts>,
  {
    cases = DEFAULT_CASES,
    byDefault = Math.min(casesByDefault(cases), MOST_BY_DEFAULT),
    ...options
  }: PropertyOptions<Ts> = {},
): Promise<void> | void {
  const command = commandOfCaller()
  const report = (details: fc.RunDetails<Ts>) => throwFailure(details, command)
  const fewest = Math.max(byDefault, options.examples?.length ?? 0)
  const { count, isTimed } = casesOfProperty(cases, fewest)
  const limits = { numRuns: count, plugins: isTimed ? [limitedAfter<Ts>(fewest)] : [] }
  const details = fc.check(property, { ...options, ...seeded(), ...limits })
  return details instanceof Promise ? details.then(report) : report(details)
}

/** Ends a run when its time is over, but not before the fewest cases have been tried, however long they take. */
function limitedAfter<Ts>(fewest: number): fc.Plugin<Ts> {
  // The plugin is for values of any type, which its own type does not say.
  const limit = fc.interruptAfterTimeLimit(LONGEST_MS) as fc.Plugin<Ts>
  return (...given) => {
    const limited = limit(...given)
    let tried = 0
    return {
      ...limited,
      decorateRun: (run) => {
        const runInTime = limited.decorateRun?.(run) ?? run
        return (value) => (tried++ < fewest ? run : runInTime)(value)
      },
    }
  }
}

const SURROGATES = 0xd8_00
const SURROGATE_COUNT = 0x8_00

/** Texts of any characters, like `fc.string({ unit: 'binary' })`, which takes a second to list all characters. */
export function anyText(bounds: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const character = fc
    .nat(0x10_ff_ff - SURROGATE_COUNT)
    .map((n) => String.fromCodePoint(n < SURROGATES ? n : n + SURROGATE_COUNT))
  return fc.array(character, bounds).map((characters) => characters.join(''))
}

/** Some values. A failing test prints the seed that repeats them. */
export function samplesOf<T>(arbitrary: fc.Arbitrary<T>, count: number): T[] {
  const { seed } = seeded()
  const command = commandOfCaller()
  const context = getTestContext()
  if (context && 'after' in context)
    context.after(() => {
      if (!context.passed) context.diagnostic(`Repeat: LECTERN_SEED=${seed} ${command}`)
    })
  // Outside of a test nobody knows yet whether one fails.
  else if (seed !== DEFAULT_SEED) console.log(`Repeat: LECTERN_SEED=${seed} ${command}`)
  return fc.sample(arbitrary, { numRuns: count, seed })
}

/** Random times up to `longest`, one for each of `count` kills of a server. */
export function momentsOf(count: number, longest: number): number[] {
  return samplesOf(fc.double({ min: 0, max: longest, noNaN: true }), count)
}

/**
 * The seed, and the path if one is given, of `LECTERN_SEED=<seed>/<path>`. Without it every run tries the same cases,
 * so that a failure is the fault of the change; `LECTERN_SEED=random` and `npm run fuzz` look for new ones.
 */
function seeded(): { seed: number; path?: string; endOnFailure?: boolean } {
  const { LECTERN_SEED } = process.env
  if (!LECTERN_SEED) return { seed: DEFAULT_SEED }
  if (LECTERN_SEED === 'random') return { seed: Math.floor(Math.random() * 2 ** 31) }
  const [seed, path] = LECTERN_SEED.split('/')
  return { seed: Number(seed), ...(path ? { path, endOnFailure: true } : {}) }
}

function throwFailure<Ts>(details: fc.RunDetails<Ts>, command: string): void {
  if (!details.failed) return
  const { seed, counterexamplePath, errorInstance } = details
  const from = counterexamplePath === null ? String(seed) : `${seed}/${counterexamplePath}`
  throw new Error(`${fc.defaultReportMessage(details)}\n\nRepeat: LECTERN_SEED=${from} ${command}`, {
    cause: errorInstance,
  })
}

/** The command that runs the current test alone. */
function commandOfCaller(): string {
  const [, location = ''] = /\(?((?:file:|\/)[^\s()]*\.test\.ts)/.exec(new Error().stack ?? '') ?? []
  const path = location.startsWith('file:') ? fileURLToPath(location) : location
  const name = getTestContext()?.name
  const pattern = name?.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll("'", `'\\''`)
  const only = pattern === undefined ? '' : ` --test-name-pattern='${pattern}'`
  return `node --test${only} ${relative(ROOT, path)}`
}
