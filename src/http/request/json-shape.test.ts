import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTime } from '../../../test/cpu.ts'
import { holds } from '../../../test/property.ts'
import { excessOfJson, JSON_LIMITS } from './json-shape.ts'

test('JSON within the limits passes, whatever its strings contain', () => {
  holds(
    fc.property(fc.json(), (text) => {
      assert.equal(excessOfJson(text), undefined)
    }),
  )
  const { membersOfOne, levels } = JSON_LIMITS
  const object = Object.fromEntries(Array.from({ length: membersOfOne }, (_, i) => [`k${i}`, '[{,\\"']))
  assert.equal(excessOfJson(JSON.stringify([object, object])), undefined)
  assert.equal(excessOfJson('['.repeat(levels) + ']'.repeat(levels)), undefined)
  assert.equal(excessOfJson(`"${'['.repeat(10_000)}"`), undefined)
})

const TOO_MUCH: Record<string, [text: string, fault: RegExp]> = {
  'members of one object': [`{"a":[{}],${'"k":1,'.repeat(10_000)}"z":1}`, /more than 10000 members/],
  'values in arrays': [`[${'1,'.repeat(1_000_000)}1]`, /more than 1000000 values/],
  'empty arrays': [`[${'[],'.repeat(500_001)}1]`, /more than 1000000 values/],
  levels: ['['.repeat(1001), /more than 1000 levels/],
}

for (const [name, [text, fault]] of Object.entries(TOO_MUCH))
  test(`too many ${name} are found`, () => assert.match(excessOfJson(text)?.message ?? '', fault))

test('a text of 8 MB takes a time in proportion to its length', () => {
  for (const part of ['"\\\\\\"', '\\', '{"a":"b"},', '[],', '"', '\\"'.repeat(100)]) {
    const before = cpuTime()
    excessOfJson(part.repeat(Math.floor(8_000_000 / part.length)))
    const spent = cpuTime() - before
    assert(spent < 1_000, `${spent} ms for ${part}`)
  }
})
