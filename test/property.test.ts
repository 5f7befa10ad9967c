import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds, samplesOf } from './property.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** Runs with `LECTERN_SEED` set, and restores it. */
async function repeat<T>(from: string, run: () => T | Promise<T>): Promise<T> {
  const before = process.env.LECTERN_SEED
  process.env.LECTERN_SEED = from
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env.LECTERN_SEED
    else process.env.LECTERN_SEED = before
  }
}

async function messageOf(run: () => void | Promise<void>): Promise<string> {
  try {
    await run()
  } catch (error) {
    assert(error instanceof Error)
    return error.message
  }
  return assert.fail('the property holds')
}

/** Fails for most numbers, and records those that were tried. */
function failing(tried: number[]) {
  return fc.property(fc.nat(), (number) => {
    tried.push(number)
    assert(number < 1000)
  })
}

test("a property that fails prints what repeats it, it's name included (a+b)", async () => {
  const message = await messageOf(() => holds(failing([])))
  assert.match(message, /Counterexample: \[1000\]/)
  const [, from = '', command] = /^Repeat: LECTERN_SEED=(\S+) (.+)$/m.exec(message) ?? []
  assert.equal(
    command,
    String.raw`node --test --test-name-pattern='a property that fails prints what repeats it, it'\''s name included \(a\+b\)' test/property.test.ts`,
  )

  const tried: number[] = []
  await repeat(from, () => messageOf(() => holds(failing(tried))))
  assert.deepEqual(tried, [1000])
})

test('an asynchronous property that fails prints the same', async () => {
  const property = fc.asyncProperty(fc.nat(), async (number) => assert(number < 1000))
  const message = await messageOf(() => holds(property))
  assert.match(
    message,
    /^Repeat: LECTERN_SEED=-?\d+\/[\d:]+ node --test .*'an asynchronous property that fails prints the same'/m,
  )
})

test('samples from the same seed are equal', async () => {
  const some = () => samplesOf(fc.nat(), 20)
  assert.deepEqual(await repeat('7', some), await repeat('7', some))
  assert.notDeepEqual(await repeat('7', some), await repeat('8', some))
})

const EFFORTS: [effort: string, counts: number[]][] = [
  ['', [20, 10, 400, 60]],
  ['ci', [20, 10, 400, 60]],
  ['long', [20, 10, 400, 60]],
  ['all', [1000, 10, 1000, 60]],
]

for (const [effort, expected] of EFFORTS)
  test(`a run of the effort '${effort}' tries all examples, and so many cases`, () => {
    // Each case takes a minute by the clock, which ends only the long run early.
    const program = `
      let now = 0
      performance.now = () => now
      const { default: fc } = await import('fast-check')
      const { holds } = await import(process.argv[1])
      const examples = Array.from({ length: 60 }, (_, number) => [-number])
      const counts = [{}, { cases: 10 }, { byDefault: 400 }, { cases: 10, examples }].map((options) => {
        let tried = 0
        const property = fc.property(fc.integer(), () => {
          tried += 1
          now += 60_000
        })
        holds(property, options)
        return tried
      })
      console.log(JSON.stringify(counts))`
    const args = ['--input-type=module', '-e', program, import.meta.resolve('./property.ts')]
    const env = { ...process.env, LECTERN_TEST_EFFORT: effort, LECTERN_SEED: '7' }
    const output = execFileSync(process.execPath, args, { encoding: 'utf8', cwd: ROOT, env })
    assert.deepEqual(JSON.parse(output), expected)
  })

test('every property test prints the command that repeats it', () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: ROOT })
  const others = files.filter((file) =>
    /\bfc\.(assert|check|sample)\(/.test(readFileSync(resolve(ROOT, file), 'utf8')),
  )
  assert.deepEqual(others.toSorted(), ['test/fuzz.ts', 'test/property.ts'])
})
