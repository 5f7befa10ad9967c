import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const create = async (title: string, parent?: string) =>
  (await ada(`POST /v1/orgs/${organizationId}/collections`, { title, parent })).body.id as string
const move = async (id: string, parent: string) =>
  (await ada(`POST /v1/collections/${id}/move`, { parent })).status

test('of two moves that would together create a cycle, one succeeds', async () => {
  for (let round = 0; round < 6; round++) {
    const [a, b] = [await create('A'), await create('B')]
    const answers = await Promise.all([move(a, b), move(b, a)])
    assert.deepEqual(answers.toSorted(), [200, 409])
    const parents = await Promise.all(
      [a, b].map(async (id) => (await ada(`GET /v1/collections/${id}`)).body.parent),
    )
    assert.deepEqual(parents.toSorted(), answers[0] === 200 ? [b, undefined] : [a, undefined])
  }
})

test('of three moves that would together create a cycle, two succeed', async () => {
  for (let round = 0; round < 4; round++) {
    const [a, b, c] = [await create('A'), await create('B'), await create('C')]
    const answers = await Promise.all([move(a, b), move(b, c), move(c, a)])
    assert.deepEqual(answers.toSorted(), [200, 200, 409])
  }
})

test('concurrent moves of deep collections into each other never create a cycle', async () => {
  const [a, b] = [await create('A'), await create('B')]
  const [below, under] = [await create('below', a), await create('under', b)]
  const answers = await Promise.all([move(a, under), move(b, below)])
  assert.deepEqual(answers.toSorted(), [200, 409])
})

test('resources created concurrently in one place get different positions', async () => {
  const parent = await create('Busy')
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      ada(`POST /v1/orgs/${organizationId}/spaces`, { title: `${i}`, parent }),
    ),
  )
  for (const { status, text } of made) assert.equal(status, 201, text)
  const rows = await world.db.read
    .selectFrom('space')
    .select('position')
    .where('parent', '=', parent)
    .execute()
  assert.equal(new Set(rows.map(({ position }) => position)).size, 8)
})
