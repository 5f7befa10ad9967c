import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRison } from './rison.ts'

test('reads every kind of value', () => {
  const values: [string, unknown][] = [
    [
      '(plan:pro,unsigned:(beta:!t,old:!f,none:!n))',
      { plan: 'pro', unsigned: { beta: true, old: false, none: null } },
    ],
    ['!(1,-2.5,1e3,a,!())', [1, -2.5, 1000, 'a', []]],
    ["('a key':'it!'s a !!',k:'')", { 'a key': "it's a !", k: '' }],
    ['()', {}],
    ["'1'", '1'],
    ['0', 0],
    ['(a.b:é-x)', { 'a.b': 'é-x' }],
  ]
  for (const [text, value] of values) assert.deepEqual(readRison(text), { ok: true, value }, text)
})

test('a key __proto__ is a key, and nothing else changes', () => {
  const read = readRison('(__proto__:(polluted:!t))')
  assert(read.ok)
  assert.deepEqual(Object.keys(read.value as object), ['__proto__'])
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

test('names the column of what is wrong', () => {
  const errors: [string, RegExp][] = [
    ['', /unexpected end at column 1/],
    ['(a:1', /unexpected end at column 5/],
    ['(a:1))', /unexpected "\)" at column 6/],
    ['(a)', /unexpected "\)" at column 3/],
    ['(a:1,)', /unexpected "\)" at column 6/],
    ['!x', /unexpected "x" at column 2/],
    ['!constructor', /unexpected "c" at column 2/],
    ["'open", /unexpected end at column 6/],
    ["'a!b'", /unexpected "b" at column 4/],
    ['(a:1e999)', /not a number/],
    ['(a:01)', /not a number/],
    ['(a:2026-01-01)', /not a number/],
    ['!('.repeat(100_000), /nested more than 8 levels/],
  ]
  for (const [text, error] of errors) {
    const read = readRison(text)
    assert(!read.ok, text)
    assert.match(read.error.message, error, text.slice(0, 20))
  }
})
