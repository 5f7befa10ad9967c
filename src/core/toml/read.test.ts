import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear, familiesOf, repeated } from '../../../test/core/cost/growth.ts'
import { readToml } from './read.ts'

test('TOML is read, with dates as text', () => {
  assert.deepEqual(readToml('title = "A"\ndate = 2026-01-01\n[book]\nsrc = \'b\'\ntags = ["x", 1]\n'), {
    fields: { title: 'A', date: '2026-01-01', book: { src: 'b', tags: ['x', 1] } },
  })
})

test('TOML that is damaged, too long or too deep has a fault and no fields', () => {
  for (const [text, fault] of [
    ['title = ', /^is not valid TOML: /],
    [`a${'.a'.repeat(100)} = 1`, /deeper than 16 levels/],
    [`a = ${'['.repeat(1000)}`, /^is not valid TOML: /],
    [`#${' '.repeat(100_000)}`, /^has 100001 characters/],
  ] as const) {
    const reading = readToml(text)
    assert.match(reading.fault?.message ?? '', fault)
    assert.equal(reading.fields, undefined)
  }
})

for (const [name, make] of familiesOf(
  {
    keys: (size) => Array.from({ length: size / 10 }, (_, at) => `k${at} = "x"\n`).join(''),
    'keys with dots': repeated('a.'),
    tables: (size) => Array.from({ length: size / 10 }, (_, at) => `[t${at}]\n`).join(''),
    'items of tables': repeated('[[a]]\n'),
    lists: repeated('"a",', 'a = ['),
    'open lists': repeated('[', 'a = '),
    'open texts': repeated('"""\n', 'a = '),
    comments: repeated('# a\n'),
    spaces: repeated('   \n'),
    escapes: repeated('\\u00e9', 'a = "'),
  },
  1,
))
  test(`TOML is read in linear time: ${name}`, () => assertLinear(make, readToml))
