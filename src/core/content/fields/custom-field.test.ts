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

test('a fault has its reason, and the index of the item of a list', () => {
  const long = { limit: 256, size: 257 }
  const options = { options: '"low", "high"' }
  const faults: [CustomFieldType, value: unknown, item: number | undefined, reason: string, object?][] = [
    ['text', 7, undefined, 'value-not-text'],
    ['text', 'x'.repeat(257), undefined, 'too-long', long],
    ['number', '7', undefined, 'value-not-number'],
    ['boolean', 1, undefined, 'value-not-boolean'],
    ['tags', 'a', undefined, 'value-not-list'],
    ['tags', ['a', 7], 1, 'value-not-text'],
    ['tags', ['a', 'b', 'x'.repeat(257)], 2, 'too-long', long],
    ['tags', ['a', 'a'], undefined, 'same-item-twice'],
    ['tags', SAMPLES[18], undefined, 'too-many-items', { limit: 100, size: 101 }],
    ['select:multi', ['low', 'no'], 1, 'value-not-option', options],
    ['select:single', 'no', undefined, 'value-not-option', options],
  ]
  for (const [type, value, item, reason, parameters] of faults) {
    const { message, ...fault } = valueFault(type, OPTIONS, value) ?? { message: '' }
    assert.deepEqual(fault, {
      reason,
      ...(parameters && { parameters }),
      ...(item !== undefined && { item }),
    })
    assert.match(message, /^must /)
  }
})

test('after options are removed, a value keeps the options that remain', () => {
  assert.equal(restrictToOptions('low', ['low']), 'low')
  assert.equal(restrictToOptions('high', ['low']), undefined)
  assert.deepEqual(restrictToOptions(['low', 'high'], ['high']), ['high'])
  assert.equal(restrictToOptions(['low'], ['high']), undefined)
  assert.deepEqual(restrictToOptions([], ['high']), [])
})
