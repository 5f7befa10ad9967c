/** The form of a site's claims stands for their JSON schema. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../property.ts'
import {
  claimFault,
  type ClaimRow,
  claimRows,
  claimsSchema,
  valueLines,
} from '../../src/console/app/features/site/claims/claim-rows.ts'
import { faultsOfSchema } from '../../src/model/sites/adaptive-schema.ts'

const EMPTY = { type: 'object', properties: {}, additionalProperties: false }
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/).filter((name) => name !== 'unsigned')
const rowsOfForm: fc.Arbitrary<ClaimRow[]> = fc
  .uniqueArray(
    fc.record({
      key: fc.constant(0),
      name: word,
      kind: fc.constantFrom('text', 'choice', 'boolean', 'number', 'texts'),
      values: fc.array(word, { minLength: 1, maxLength: 4 }).map((values) => values.join('\n')),
      description: fc.string({ maxLength: 20 }),
      isUnsigned: fc.boolean(),
    }),
    { selector: ({ name, isUnsigned }) => `${isUnsigned} ${name}`, maxLength: 6 },
  )
  .map((rows) => rows.map((row, key) => ({ ...row, key })))

test('what the form makes is accepted, and the form shows it again', () => {
  holds(
    fc.property(rowsOfForm, (rows) => {
      assert(rows.every((row) => claimFault(row, rows) === undefined))
      const schema = claimsSchema(EMPTY, rows)
      assert.deepEqual(faultsOfSchema(schema, 'schema'), [])
      const shown = claimRows(JSON.parse(JSON.stringify(schema)) as object)
      assert(shown)
      assert.deepEqual(claimsSchema(schema, shown), schema, 'saved without a change, nothing changes')
      const sorted = rows.toSorted((a, b) => Number(a.isUnsigned) - Number(b.isUnsigned))
      assert.deepEqual(
        shown.map(({ name, kind, isUnsigned }) => [name, kind, isUnsigned]),
        sorted.map(({ name, kind, isUnsigned }) => [name, kind, isUnsigned]),
      )
    }),
  )
})

test('a schema that the form cannot show whole is left to JSON', () => {
  const inSchema = (claim: object) => ({ ...EMPTY, properties: { plan: claim } })
  const text = { type: 'string', description: 'a' }
  for (const claim of [
    { type: 'object', description: 'nested', properties: { id: text }, additionalProperties: false },
    { type: 'array', description: 'numbers', items: { type: 'number', description: 'numbers' } },
    { type: 'array', description: 'a', items: { ...text, description: 'of items' } },
    { ...text, enum: ['two\nlines'] },
    { ...text, enum: [' spaces '] },
    { type: 'string' },
    'string',
  ])
    assert.equal(claimRows(inSchema(claim as object)), undefined, JSON.stringify(claim))
  assert.equal(claimRows([]), undefined)
  assert.equal(claimRows({ type: 'object' }), undefined)
  assert.equal(claimRows(inSchema(text))?.length, 1)
})

test('a schema keeps what is not a claim', () => {
  const $schema = 'http://json-schema.org/draft-07/schema#'
  const schema = { ...EMPTY, $schema, $id: 'visitors' }
  assert.deepEqual(claimsSchema(schema, []), schema)
})

test('a claim that cannot be saved says why', () => {
  const row = (name: string, more: Partial<ClaimRow> = {}): ClaimRow => ({
    key: 0,
    name,
    kind: 'text',
    values: '',
    description: '',
    isUnsigned: false,
    ...more,
  })
  const faultOf = (one: ClaimRow, ...others: ClaimRow[]) => claimFault(one, [one, ...others])
  assert.equal(faultOf(row('plan'), row(' plan ', { key: 1 })), 'claim-twice')
  assert.equal(faultOf(row('plan'), row('plan', { key: 1, isUnsigned: true })), undefined)
  assert.equal(faultOf(row('unsigned')), 'claim-reserved')
  assert.equal(faultOf(row('unsigned', { isUnsigned: true })), undefined)
  assert.equal(faultOf(row('plan', { kind: 'choice', values: ' \n ' })), 'claim-without-values')
  assert.equal(faultOf(row('plan', { kind: 'texts' })), undefined)
  assert.deepEqual(valueLines(' free \r\n\npro\nfree'), ['free', 'pro'])
})
