import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const creator = await world.person('creator', 'create')
const inside = await world.person('inside', 'read')
const also = await world.person('also', 'read')

test('whom a team gives more is in the way of a change, but not who has a grant of their own instead', async () => {
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

test('a change of access does not read the members it changes nothing for one by one', async () => {
  const at = new Date().toISOString()
  const people = Array.from({ length: 20_000 }, (_, i) => `many-${i}`)
  await world.db.write(async (tx) => {
    for (let start = 0; start < people.length; start += 500) {
      const ids = people.slice(start, start + 500)
      const common = { photoUrl: null, email: null, createdAt: at, updatedAt: at }
      const users = ids.map((id) => ({ id, displayName: id, ...common }))
      await tx.insertInto('user').values(users).execute()
      const member = {
        organizationId,
        role: 'read',
        disabled: 0,
        sso: 0,
        joinedAt: at,
        lastSeenAt: null,
      } as const
      await tx
        .insertInto('member')
        .values(ids.map((userId) => ({ ...member, userId })))
        .execute()
    }
  })
  const space = (await ada(`POST ${org}/spaces`, {})).body.id
  await ada(`POST /v1/spaces/${space}/permissions`, { users: [creator.id], role: 'create' })
  const timeOf = async (person: typeof ada, defaultLevel: string) => {
    const started = performance.now()
    assert.equal((await person(`PATCH /v1/spaces/${space}`, { defaultLevel })).status, 200)
    return performance.now() - started
  }
  const times: { admin: number[]; creator: number[] } = { admin: [], creator: [] }
  for (let round = 0; round < 10; round++) {
    times.admin.push(await timeOf(ada, round % 2 ? 'read' : 'edit'))
    times.creator.push(await timeOf(creator, round % 2 ? 'edit' : 'comment'))
    await ada(`PATCH /v1/spaces/${space}`, { defaultLevel: 'inherit' })
  }
  // Administrators are not compared at all. Comparing 20,000 members took fifty times as long as that.
  const [least, most] = [Math.min(...times.admin), Math.min(...times.creator)]
  assert(most < 10 * least + 10, `${most} ms, and ${least} ms without comparing`)
})
