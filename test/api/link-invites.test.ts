import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const organization = `/v1/orgs/${organizationId}`
const links = `${organization}/link-invites`

test('users who may create links to a space or collection can list them', async () => {
  const maker = await world.person('lister', 'read')
  const other = await world.person('no-lister', 'read')
  for (const kind of ['space', 'collection'] as const) {
    const { id } = (await ada(`POST ${organization}/${kind}s`, { title: 'Linked' })).body
    const { id: second } = (await ada(`POST ${organization}/${kind}s`, { title: 'Other' })).body
    await ada(`POST ${links}`, { level: 'read', [kind]: second })
    await ada(`POST /v1/${kind}s/${id}/permissions`, { users: [maker.id], role: 'create' })
    const made: string[] = []
    for (const level of ['admin', 'read', 'edit'])
      made.push((await ada(`POST ${links}`, { level, [kind]: id })).body.id)

    const { body } = await maker(`GET ${links}?${kind}=${id}`)
    assert.deepEqual(
      body.items.map((link: { id: string }) => link.id),
      made.toSorted(),
    )
    const admin = body.items.find((link: { id: string }) => link.id === made[0])
    assert.deepEqual([body.count, admin.level, admin.redundant, admin[kind].id], [3, 'admin', false, id])
    const page = (await maker(`GET ${links}?${kind}=${id}&limit=2`)).body
    const next = (await maker(`GET ${links}?${kind}=${id}&limit=2&page=${page.next.page}`)).body
    assert.deepEqual([page.items.length, next.items.length, next.next], [2, 1, undefined])

    assert.equal((await other(`GET ${links}?${kind}=${id}`)).status, 403)
    await ada(`PATCH /v1/${kind}s/${id}`, { defaultLevel: null })
    const unseen = await other(`GET ${links}?${kind}=${id}`)
    assert.deepEqual([unseen.status, unseen.body], [404, (await other(`GET ${links}?${kind}=nothing`)).body])
  }
  assert.equal((await maker(`GET ${links}`)).status, 403)
  assert.equal((await ada(`GET ${links}?space=a&collection=b`)).status, 400)
})

test('a member can read a link that they can use, and sees whether it would raise their role', async () => {
  const guest = await world.person('link-guest', null)
  const outsider = await world.stranger('link-outsider')
  const { id: space } = (await ada(`POST ${organization}/spaces`, { title: 'Hidden' })).body
  const link = (await ada(`POST ${links}`, { level: 'comment', space })).body.id as string
  const read = async (person: Person) => person(`GET ${links}/${link}`)

  const before = (await read(guest)).body
  assert.deepEqual([before.level, before.redundant, before.space.title], ['comment', false, 'Hidden'])
  assert.deepEqual(new Set(Object.values(before.space.permissions)), new Set([false]))
  await guest(`POST ${organization}/invites/${link}`)
  assert.equal((await read(guest)).body.redundant, true)
  assert.equal((await read(outsider)).status, 404)

  const toAll = (await ada(`POST ${links}`, { role: 'edit' })).body.id as string
  assert.equal((await guest(`GET ${links}/${toAll}`)).body.redundant, false)
  await ada(`PATCH ${organization}`, { inviteLinks: false })
  assert.equal((await read(guest)).status, 404)
  assert.equal((await read(ada)).status, 200)
  await ada(`PATCH ${organization}`, { inviteLinks: true })
})

test('deleting a missing link is no error, and a link to a space in the trash can be deleted', async () => {
  const keeper = await world.person('keeper', 'read')
  const outsider = await world.person('no-keeper', 'read')
  const space = (await ada(`POST ${organization}/spaces`, { title: 'Kept' })).body.id as string
  await ada(`PATCH /v1/spaces/${space}`, { defaultLevel: null })
  await ada(`POST /v1/spaces/${space}/permissions`, { users: [keeper.id], role: 'create' })
  const made = async () => (await keeper(`POST ${links}`, { level: 'read', space })).body.id as string
  const end = async (person: Person, id: string) => (await person(`DELETE ${links}/${id}`)).status

  const own = await made()
  // A user who cannot see the space gets the same response as without a link.
  assert.deepEqual([await end(outsider, own), await end(outsider, 'nothing')], [204, 204])
  assert.deepEqual([await end(keeper, own), await end(keeper, own)], [205, 204])

  const trashed = await made()
  await ada(`PATCH /v1/spaces/${space}`, { defaultLevel: 'read' })
  await ada(`DELETE /v1/spaces/${space}`)
  assert.equal(await end(outsider, trashed), 403)
  assert.deepEqual([await end(keeper, trashed), await end(keeper, trashed)], [205, 204])
})
