/**
 * What a run leaves out. By default it judges a change in about two minutes: every subject once, with the cases that
 * stand for the others. `npm run test:long` sets this to try every case.
 */
const { LECTERN_TEST_EFFORT } = process.env
const IS_LONG = LECTERN_TEST_EFFORT === 'long' || LECTERN_TEST_EFFORT === 'all'

/**
 * How many cases a property test tries. A test names the number of its long run; the default run tries a hundred
 * and twentieth of it, but at least 20, because it has to judge a change in two minutes together with all other tests.
 */
export function casesOf(long: number): number {
  return IS_LONG ? long : Math.min(long, Math.max(20, Math.round(long / 120)))
}

/** How large a hostile text is: in the long run as large as a request may be, by default a sixteenth of that. */
export function sizeOf(long: number): number {
  return IS_LONG ? long : Math.floor(long / 16)
}

/** How often a crash test kills the server. */
export function killsOf(long: number, byDefault = 3): number {
  return IS_LONG ? long : byDefault
}

/** The cases of a table that this run tries: by default the first ones, which stand for the others. */
export function firstOf<T>(cases: readonly T[], count: number): readonly T[] {
  return IS_LONG ? cases : cases.slice(0, count)
}

/** The `skip` of a test that only the long run has, because others check its subject by default. */
export const inLongRun: string | false = IS_LONG ? false : 'it is in the long run (npm run test:long)'

/** The options of such a test, if it has no others. */
export const onlyLong = { skip: inLongRun }

/** Whether this run tries as much as there is time for. */
export function isLongRun(): boolean {
  return IS_LONG
}

/** Whether this run tries every case, however long it takes. */
export function triesAll(): boolean {
  return LECTERN_TEST_EFFORT === 'all'
}

/** Which part of the cases of a table this run tries: every `nth`, twelve times as many in the long run, or all of them. */
export function every(nth: number): number {
  if (triesAll()) return 1
  return IS_LONG ? Math.ceil(nth / 12) : nth
}
