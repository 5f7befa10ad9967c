/** `npm run test:long` sets this to try as much as there is time for in continuous integration. */
const { LECTERN_TEST_EFFORT } = process.env
const IS_LONG = LECTERN_TEST_EFFORT === 'long' || LECTERN_TEST_EFFORT === 'all'

/**
 * How many cases a property test tries. A test names the number of its long run; the default run tries a tenth of it,
 * but at least 100, because it has to judge a change in two minutes together with all other tests.
 */
export function casesOf(long: number): number {
  return IS_LONG ? long : Math.min(long, Math.max(100, Math.round(long / 10)))
}

/** How large a hostile text is: in the long run as large as a request may be, by default a quarter of that. */
export function sizeOf(long: number): number {
  return IS_LONG ? long : long / 4
}

/** How often a crash test kills the server: three times by default, so that both sides of a restart occur twice. */
export function killsOf(long: number): number {
  return IS_LONG ? long : 3
}

/** Whether this run tries as much as there is time for. */
export function isLongRun(): boolean {
  return IS_LONG
}

/** Which part of the cases of a table this run tries: every `nth`, four times as many in the long run, or all of them. */
export function every(nth: number): number {
  if (LECTERN_TEST_EFFORT === 'all') return 1
  return IS_LONG ? Math.ceil(nth / 4) : nth
}
