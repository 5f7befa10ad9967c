/** What the pages of a specification describe, for as many pages as a specification can have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describedOn, OPENAPI_SOURCE, type SpecOutline } from '../../src/model/openapi/spec-pages.ts'
import { leastCost } from '../cpu.ts'

const operations = Array.from({ length: 5_000 }, (_, i) => ({
  pointer: `/paths/~1pets~1${i}/get`,
  tag: i % 2 === 0 ? `Tag ${i % 500}` : null,
  title: null,
}))
const outline: SpecOutline = { id: 'x', slug: 'x', lastVersion: '1', versionAt: '', operations, schemas: [] }
const namesOn = (props: Record<string, string>) =>
  describedOn(outline, { type: OPENAPI_SOURCE, props }).operations.map(({ name }) => name)

test('a page has the operations of its tag, or its only operation', () => {
  assert.equal(namesOn({ doc: 'operations', page: 'Operations' }).length, 2_500)
  assert.deepEqual(namesOn({ doc: 'operations', page: 'Tag 2' }).slice(0, 2), [
    'GET /pets/2',
    'GET /pets/502',
  ])
  assert.deepEqual(namesOn({ doc: 'operations', page: 'x', operation: operations[7]!.pointer }), [
    'GET /pets/7',
  ])
  assert.deepEqual(namesOn({ doc: 'operations', page: 'Gone' }), [])
})

test('finding the operation of each of 5,000 pages takes linear time', async () => {
  const work = () => {
    for (const { pointer } of operations) namesOn({ doc: 'operations', page: 'x', operation: pointer })
  }
  work()
  assert.ok((await leastCost(60, work)) < 60)
})
