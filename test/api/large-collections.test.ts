import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`

test('deleting a collection deletes thousands of spaces and schedules the purge of each', async () => {
  const { id: large } = (await ada(`POST ${org}/collections`, {})).body
  const { id: model } = (await ada(`POST ${org}/spaces`, { parent: large })).body
  const row = await world.db.read
    .selectFrom('space')
    .selectAll()
    .where('id', '=', model)
    .executeTakeFirstOrThrow()
  const ids = Array.from({ length: 5_000 }, (_, i) => `many-${i}`)
  await world.db.write(async (tx) => {
    for (let start = 0; start < ids.length; start += 500)
      await tx
        .insertInto('space')
        .values(ids.slice(start, start + 500).map((id) => ({ ...row, id })))
        .execute()
  })
  assert.equal((await ada(`DELETE /v1/collections/${large}`)).status, 205)

  const trashed = await world.db.read
    .selectFrom('space')
    .select('id')
    .where('deletedAt', 'is not', null)
    .where('id', 'in', ids.slice(0, 500))
    .execute()
  assert.equal(trashed.length, 500)
  const purges = await world.db.read
    .selectFrom('job')
    .select('payload')
    .where('kind', '=', 'purge-space')
    .execute()
  const named = new Set(purges.map(({ payload }) => JSON.parse(payload).spaceId as string))
  assert(ids.every((id) => named.has(id)))
})
