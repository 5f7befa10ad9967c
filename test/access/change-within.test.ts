import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const creator = await world.person('creator', 'create')
const inside = await world.person('inside', 'read')
const also = await world.person('also', 'read')

test('refuses a change that reduces access from a team, unless the user has a direct grant instead', async () => {
  const team = (await ada(`PUT ${org}/teams`, { title: 'Keepers', members: [inside.id] })).body.id
  const collection = (await ada(`POST ${org}/collections`, {})).body.id
  const space = (await ada(`POST ${org}/spaces`, { parent: collection })).body.id
  await ada(`POST /v1/collections/${collection}/permissions`, { teams: [team], role: 'admin' })
  await ada(`POST /v1/spaces/${space}/permissions`, { users: [inside.id], role: 'comment' })
  const level = async (defaultLevel: string) =>
    (await creator(`PATCH /v1/spaces/${space}`, { defaultLevel })).status

  assert.deepEqual([await level('create'), await level('inherit')], [200, 200])
  await ada(`PUT ${org}/teams/${team}/members/${also.id}`, {})
  assert.equal(await level('create'), 403)
  await ada(`POST /v1/spaces/${space}/permissions`, { users: [also.id], role: 'comment' })
  assert.equal(await level('create'), 200)
})
