import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CUSTOM_FIELD_TYPES, type CustomFieldType, restrictToOptions, valueFault } from './custom-field.ts'

const OPTIONS = ['low', 'high']
const SAMPLES = [
  'low',
  '',
  'x'.repeat(256),
  'x'.repeat(257),
  '😀'.repeat(256),
  7,
  -0.5,
  true,
  false,
  [],
  ['low'],
  ['low', 'high'],
  ['low', 'low'],
  ['other'],
  ['x'.repeat(257)],
  [7],
  [['low']],
  { value: 'low' },
  Array.from({ length: 101 }, (_, i) => String(i)),
  Infinity,
  NaN,
]

/** For each type, the indexes of the values in SAMPLES that it accepts. It rejects all others. */
const RIGHT: Record<CustomFieldType, number[]> = {
  text: [0, 1, 2, 4],
  number: [5, 6],
  boolean: [7, 8],
  tags: [9, 10, 11, 13],
  'select:single': [0],
  'select:multi': [9, 10, 11],
}

test('each type accepts its own values and no others', () => {
  for (const type of CUSTOM_FIELD_TYPES) {
    const right = SAMPLES.flatMap((sample, i) => (valueFault(type, OPTIONS, sample) === undefined ? [i] : []))
    assert.deepEqual(right, RIGHT[type], type)
  }
})

test('a fault in a list names the item', () => {
  assert.equal(valueFault('tags', [], ['a', 7]), 'item 1 must be a text')
  assert.equal(
    valueFault('select:multi', OPTIONS, ['low', 'no']),
    'item 1 must be one of the options: "low", "high"',
  )
})

test('after options are removed, a value keeps the options that remain', () => {
  assert.equal(restrictToOptions('low', ['low']), 'low')
  assert.equal(restrictToOptions('high', ['low']), undefined)
  assert.deepEqual(restrictToOptions(['low', 'high'], ['high']), ['high'])
  assert.equal(restrictToOptions(['low'], ['high']), undefined)
  assert.deepEqual(restrictToOptions([], ['high']), [])
})
