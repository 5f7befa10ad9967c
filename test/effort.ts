/**
 * What a run leaves out. By default it judges a change in about two minutes: every subject once, with the cases that
 * stand for the others. `npm run test:long` sets this to try every case. CI sets `ci`: the same tests, but
 * each case in one test where several try it, on one device for example, and a share of what crosses or repeats.
 */
const { LECTERN_TEST_EFFORT = '' } = process.env
const IS_CI = LECTERN_TEST_EFFORT === 'ci'
const IS_LONG = IS_CI || LECTERN_TEST_EFFORT === 'long' || LECTERN_TEST_EFFORT === 'all'

/**
 * How many cases a property test tries. A test names the number of its long run; the default run tries a hundred
 * and twentieth of it, but at least 20, because it has to judge a change in two minutes together with all other tests.
 */
export function casesOf(long: number): number {
  return IS_LONG ? long : casesByDefault(long)
}

/** How many of them the default run tries. */
export function casesByDefault(long: number): number {
  return Math.min(long, Math.max(20, Math.round(long / 120)))
}

/**
 * How many cases of a property a run tries, and whether it ends earlier when its time is over. CI tries those of the
 * default run, and no longer, so that a slow machine tries the same cases as a fast one.
 * @param long the number of the long run
 * @param fewest the number of the default run
 */
export function casesOfProperty(long: number, fewest: number): { count: number; isTimed: boolean } {
  if (IS_CI || !IS_LONG) return { count: fewest, isTimed: false }
  return { count: Math.max(fewest, long), isTimed: !triesAll() }
}

/** How large a hostile text is: in the long run as large as a request may be, by default a sixteenth of that. */
export function sizeOf(long: number): number {
  return IS_LONG ? long : Math.floor(long / 16)
}

/**
 * How often a test repeats what meets its fault by chance, such as a kill at a random time: in CI a twenty-fifth as
 * often, but four times, because these tests go through up to four stages.
 */
export function timesOf(long: number, byDefault = 3): number {
  if (IS_CI) return Math.max(byDefault, 4, Math.ceil(long / 25))
  return IS_LONG ? long : byDefault
}

/**
 * The cases of a table that this run tries: by default the first ones, which stand for the others.
 * @param inCi how many of them CI tries; by default, all
 */
export function firstOf<T>(cases: readonly T[], count: number, inCi = cases.length): readonly T[] {
  if (IS_CI) return cases.slice(0, inCi)
  return IS_LONG ? cases : cases.slice(0, count)
}

/**
 * The cases of a table that the test number `index` of `count` tests tries, if each test tries the table in another
 * place. CI tries each case in one of these places.
 */
export function shareOf<T>(cases: readonly T[], index: number, count: number): readonly T[] {
  return IS_CI ? cases.filter((_, at) => at % count === index) : cases
}

/** The `skip` of a test that only the long run has, because others check its subject by default. */
export const inLongRun: string | false = IS_LONG ? false : 'it is in the long run (npm run test:long)'

/** The options of such a test, if it has no others. */
export const onlyLong = { skip: inLongRun }

/** Whether this run tries as much as there is time for. */
export function isLongRun(): boolean {
  return IS_LONG
}

/** Whether what several tests would try is tried by the first of them alone. */
export function triesOnce(): boolean {
  return IS_CI
}

/** Whether this run tries every case, however long it takes. */
export function triesAll(): boolean {
  return LECTERN_TEST_EFFORT === 'all'
}

/**
 * Which part of the cases of a table this run tries: every `nth`, `inCi` times as many in CI, twelve times as many in the
 * long run, or all of them.
 */
export function every(nth: number, inCi = 12): number {
  if (triesAll()) return 1
  return IS_LONG ? Math.ceil(nth / (IS_CI ? inCi : 12)) : nth
}

/** Which cases of a large table this run tries: every `nth` by default, every `inCi`th in CI, and all in the long run. */
export function stepOf(nth: number, inCi: number): number {
  if (IS_CI) return inCi
  return IS_LONG ? 1 : nth
}

/**
 * The cases that this run tries in one row of a crossed table: all in the long run, otherwise every few, as `stepOf()`
 * says. The next row begins one later, so each case is tried in some rows, and each row tries some cases.
 */
export function diagonalOf<T>(cases: readonly T[], row: number, nth: number, inCi: number): T[] {
  const step = stepOf(nth, inCi)
  return cases.filter((_, at) => (at + row) % step === 0)
}
