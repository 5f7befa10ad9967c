import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const members = `/v1/orgs/${organizationId}/members`
const bob = await world.person('bob', 'edit')
const carol = await world.person('carol', 'create')
const guest = await world.person('gil', null)
const mallory = await world.stranger('mallory')

const ids = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

/** A new organization whose administrators the test can remove. */
async function organizationOf(name: string): Promise<Person & { organizationId: string; path: string }> {
  const one = await world.stranger(name)
  return Object.assign(one, { path: `/v1/orgs/${one.organizationId}/members` })
}

async function join(person: Person, organization: string, role: 'admin' | 'read' | null = 'admin') {
  await world.db.write((tx) =>
    tx
      .insertInto('member')
      .values({
        organizationId: organization,
        userId: person.id,
        role,
        disabled: 0,
        sso: 0,
        joinedAt: new Date().toISOString(),
        lastSeenAt: null,
      })
      .execute(),
  )
}

test('lists members with their details, the latest to join first', async () => {
  const { status, body } = await bob(`GET ${members}`)
  assert.equal(status, 200)
  assert.equal(body.count, 4)
  assert.deepEqual(ids({ body }), [guest.id, carol.id, bob.id, ada.id])
  const [first] = body.items
  assert.equal(first.object, 'member')
  assert.equal(first.role, null)
  assert.equal(first.user.email, 'gil@example.com')
  assert.equal(first.disabled, false)
  assert.equal(first.sso, false)
  assert.equal('lastSeenAt' in first, false)
  assert.deepEqual(ids(await bob(`GET ${members}?order=asc`)), [ada.id, bob.id, carol.id, guest.id])
})

test('filters by role, including guests, and by name and address in any case', async () => {
  assert.deepEqual(ids(await bob(`GET ${members}?role=admin`)), [ada.id])
  assert.deepEqual(ids(await bob(`GET ${members}?role=guest`)), [guest.id])
  assert.equal((await bob(`GET ${members}?role=owner`)).status, 400)
  assert.deepEqual(ids(await bob(`GET ${members}?search=CAR`)), [carol.id])
  assert.deepEqual(ids(await bob(`GET ${members}?search=OB@example`)), [bob.id])
  // The wildcards of a pattern match themselves.
  assert.equal((await bob(`GET ${members}?search=%25`)).body.count, 0)
  assert.equal((await bob(`GET ${members}?search=_`)).body.count, 0)

  await bob(`PATCH /v1/users/${bob.id}`, { displayName: 'Öbers' })
  assert.deepEqual(ids(await bob(`GET ${members}?search=${encodeURIComponent('öBERS')}`)), [bob.id])
  await bob(`PATCH /v1/users/${bob.id}`, { displayName: 'bob' })
})

test('pages in either order without missing or repeating members, also for equal times', async () => {
  const owner = await organizationOf('paula')
  for (let i = 0; i < 7; i++) await join(await world.person(`paged-${i}`), owner.organizationId, 'read')
  const at = '2026-01-01T00:00:00.000Z'
  await world.db.write((tx) =>
    tx
      .updateTable('member')
      .set({ joinedAt: at, lastSeenAt: at })
      .where('organizationId', '=', owner.organizationId)
      .execute(),
  )
  for (const query of ['order=asc', 'order=desc', 'sort=lastSeenAt', 'sort=lastSeenAt&order=asc']) {
    const seen: string[] = []
    let next = ''
    do {
      const answer = await owner(`GET ${owner.path}?limit=3&${query}${next && `&page=${next}`}`)
      assert.equal(answer.body.count, 8)
      seen.push(...ids(answer))
      next = answer.body.next?.page ?? ''
    } while (next)
    assert.equal(seen.length, 8, query)
    assert.equal(new Set(seen).size, 8, query)
  }
})

test('sorting by last activity lists only members with activity, the latest first', async () => {
  world.clock.now = new Date('2030-01-01T00:00:00Z')
  assert.deepEqual((await bob(`POST /v1/orgs/${organizationId}/ping`)).body, {})
  world.clock.now = new Date('2030-01-01T00:00:01Z')
  assert.equal((await guest(`POST /v1/orgs/${organizationId}/ping`)).status, 200)
  world.clock.now = undefined
  const { body } = await ada(`GET ${members}?sort=lastSeenAt`)
  assert.equal(body.count, 2)
  assert.deepEqual(ids({ body }), [guest.id, bob.id])
  assert.equal(body.items[1].lastSeenAt, '2030-01-01T00:00:00.000Z')
})

test('guests cannot list members or teams, and see no address but their own', async () => {
  const listed = await guest(`GET ${members}`)
  assert.equal(listed.status, 403)
  assert.match(listed.body.error.message, /"read"/)
  assert.equal((await guest(`GET /v1/orgs/${organizationId}/teams`)).status, 403)
  assert.equal((await guest(`GET ${members}/${bob.id}`)).status, 403)
  assert.equal((await guest(`GET ${members}/nobody`)).status, 403)
  assert.equal((await guest(`GET ${members}/${guest.id}`)).body.user.email, 'gil@example.com')
  assert.equal((await guest(`GET ${members}/${guest.id}/teams`)).body.count, 0)

  const seen = (await guest(`GET /v1/users/${bob.id}`)).body
  assert.equal(seen.displayName, 'bob')
  assert.equal('email' in seen, false)
})

test('only administrators can change a role, and null makes a guest', async () => {
  const dan = await world.person('dan', 'read')
  const refused = await carol(`PATCH ${members}/${dan.id}`, { role: 'admin' })
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /"admin"/)
  assert.equal((await ada(`PATCH ${members}/${dan.id}`, { role: 'review' })).body.role, 'review')
  assert.equal((await ada(`PATCH ${members}/${dan.id}`, { role: null })).body.role, null)
  assert.equal((await dan(`GET ${members}`)).status, 403)
  assert.equal((await ada(`PATCH ${members}/${dan.id}`, { role: 'owner' })).status, 400)
  assert.equal((await ada(`POST ${members}/${dan.id}/sso`)).body.sso, true)
  for (const request of [`PATCH ${members}/${mallory.id}`, `POST ${members}/${mallory.id}/sso`]) {
    const foreign = await ada(request, { role: 'admin' })
    const unknown = await ada(request.replace(mallory.id, 'unknown'), { role: 'admin' })
    assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
  }
})

test('a disabled member loses access at once and regains it when enabled', async () => {
  const dora = await world.person('dora', 'admin')
  assert.equal((await ada(`PATCH ${members}/${dora.id}`, { disabled: true })).body.disabled, true)
  assert.equal((await dora(`GET /v1/orgs/${organizationId}`)).status, 404)
  assert.equal((await dora(`GET /v1/users/${bob.id}`)).status, 404)
  const { body } = await ada(`PATCH ${members}/${dora.id}`, { disabled: false })
  assert.deepEqual([body.disabled, body.role], [false, 'admin'])
  assert.equal((await dora(`GET /v1/orgs/${organizationId}`)).status, 200)
})

test('removing a member ends access at once, with teams and direct grants, and keeps their content', async () => {
  const eli = await world.person('eli', 'create')
  const space = (await eli(`POST /v1/orgs/${organizationId}/spaces`, { title: 'By Eli' })).body
  const team = (
    await ada(`PUT /v1/orgs/${organizationId}/teams`, { title: 'Eli’s', members: [eli.id, bob.id] })
  ).body
  const grant = { targetKind: 'space', targetId: space.id, granteeKind: 'user', granteeId: eli.id } as const
  await world.db.write((tx) =>
    tx
      .insertInto('grant')
      .values({ ...grant, organizationId, role: 'admin', createdAt: new Date().toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  const left = await eli(`DELETE ${members}/${bob.id}`)
  assert.equal(left.status, 403)

  assert.equal((await ada(`DELETE ${members}/${eli.id}`)).status, 204)
  assert.equal((await ada(`DELETE ${members}/${eli.id}`)).status, 204)
  assert.equal((await eli(`GET /v1/spaces/${space.id}`)).status, 404)
  assert.equal((await eli(`GET /v1/orgs/${organizationId}`)).status, 404)
  assert.equal((await ada(`GET ${members}/${eli.id}`)).status, 404)
  assert.equal((await ada(`GET /v1/spaces/${space.id}`)).body.title, 'By Eli')
  assert.equal((await ada(`GET /v1/orgs/${organizationId}/teams/${team.id}`)).body.members, 1)
  const grants = await world.db.read
    .selectFrom('grant')
    .select('role')
    .where('granteeId', '=', eli.id)
    .execute()
  assert.deepEqual(grants, [])
})

test('a member can leave', async () => {
  const fay = await world.person('fay', 'read')
  assert.equal((await fay(`DELETE ${members}/${fay.id}`)).status, 204)
  assert.equal((await fay(`GET ${members}`)).status, 404)
})

test('refuses to remove, demote or disable the last enabled administrator', async () => {
  const gus = await organizationOf('gus')
  const helper = await world.person('helper')
  await join(helper, gus.organizationId)
  await gus(`PATCH ${gus.path}/${helper.id}`, { disabled: true })

  const one = `${gus.path}/${gus.id}`
  for (const answer of [
    await gus(`DELETE ${one}`),
    await gus(`PATCH ${one}`, { role: 'create' }),
    await gus(`PATCH ${one}`, { role: null }),
    await gus(`PATCH ${one}`, { disabled: true }),
  ]) {
    assert.equal(answer.status, 409)
    assert.match(answer.body.error.message, /last administrator/)
  }
  const { body } = await gus(`GET ${one}`)
  assert.deepEqual([body.role, body.disabled], ['admin', false])
})

test('if two administrators concurrently remove, demote or disable each other, exactly one succeeds', async () => {
  const attempts: ((one: Person, path: string, other: string) => Promise<{ status: number }>)[] = [
    (one, path, other) => one(`DELETE ${path}/${other}`),
    (one, path, other) => one(`PATCH ${path}/${other}`, { role: 'read' }),
    (one, path, other) => one(`PATCH ${path}/${other}`, { disabled: true }),
    (one, path) => one(`DELETE ${path}/${one.id}`),
  ]
  for (const [i, attempt] of attempts.entries()) {
    for (let round = 0; round < 3; round++) {
      const first = await organizationOf(`first-${i}-${round}`)
      const second = await world.person(`second-${i}-${round}`)
      await join(second, first.organizationId)
      const answers = await Promise.all([
        attempt(first, first.path, second.id),
        attempt(second, first.path, first.id),
      ])
      const done = answers.filter(({ status }) => status < 300)
      const statuses = answers.map(({ status }) => status)
      assert.equal(done.length, 1, statuses.join(' '))
      const left = await world.db.read
        .selectFrom('member')
        .select('userId')
        .where('organizationId', '=', first.organizationId)
        .where('role', '=', 'admin')
        .where('disabled', '=', 0)
        .execute()
      assert.equal(left.length, 1)
    }
  }
})

test('lists the spaces of a member with their roles, for administrators and for the member', async () => {
  const hal = await organizationOf('hal')
  const ivy = await world.person('ivy')
  await join(ivy, hal.organizationId, 'read')
  const spaces: string[] = []
  for (let i = 0; i < 5; i++) {
    spaces.push((await hal(`POST /v1/orgs/${hal.organizationId}/spaces`, { title: `Space ${i}` })).body.id)
  }
  const [open, closed, edited, granted, shut] = spaces as [string, string, string, string, string]
  await hal(`PATCH /v1/spaces/${closed}`, { defaultLevel: null })
  await hal(`PATCH /v1/spaces/${edited}`, { defaultLevel: 'edit' })
  await hal(`PATCH /v1/spaces/${granted}`, { defaultLevel: null })
  const grant = (targetId: string, role: 'review' | null) => ({
    targetKind: 'space' as const,
    targetId,
    granteeKind: 'user' as const,
    granteeId: ivy.id,
    organizationId: hal.organizationId,
    role,
    createdAt: new Date().toISOString(),
  })
  await world.db.write((tx) =>
    tx
      .insertInto('grant')
      .values([grant(granted, 'review'), grant(shut, null)])
      .execute(),
  )

  const { body } = await hal(`GET ${hal.path}/${ivy.id}/spaces`)
  const found = body.items.map((item: { permission: string; space: { id: string } }) => [
    item.space.id,
    item.permission,
  ])
  assert.deepEqual(found, [
    [granted, 'review'],
    [edited, 'edit'],
    [open, 'read'],
  ])
  assert.equal(body.count, 3)
  assert.equal((await hal(`GET ${hal.path}/${ivy.id}`)).body.spaces, 3)
  assert.equal((await hal(`GET ${hal.path}/${hal.id}`)).body.spaces, 5)
  // The space has the permissions of the administrator; the role is the member’s.
  assert.equal(body.items[2].space.permissions.admin, true)
  const own = (await ivy(`GET ${hal.path}/${ivy.id}/spaces?order=asc&limit=2`)).body
  assert.equal(own.items[0].space.id, open)
  assert.equal(own.items[0].space.permissions.admin, false)
  const rest = (await ivy(`GET ${hal.path}/${ivy.id}/spaces?order=asc&limit=2&page=${own.next.page}`)).body
  assert.deepEqual([rest.items[0].space.id, rest.next], [granted, undefined])
  assert.equal((await ivy(`GET ${hal.path}/${hal.id}/spaces`)).status, 403)
})

test('counts spaces in collections, also for guests', async () => {
  const jan = await organizationOf('jan')
  const kim = await world.person('kim')
  await join(kim, jan.organizationId, null)
  const at = new Date().toISOString()
  const collection = (id: string, parent: string | null) => ({
    id,
    organizationId: jan.organizationId,
    parent,
    position: 'i',
    title: id,
    description: null,
    defaultLevel: 'inherit' as const,
    createdAt: at,
    updatedAt: at,
  })
  const spaces: string[] = []
  for (let i = 0; i < 3; i++) {
    spaces.push((await jan(`POST /v1/orgs/${jan.organizationId}/spaces`, { title: `In ${i}` })).body.id)
  }
  await world.db.write(async (tx) => {
    await tx.insertInto('collection').values(collection('jan-outer', null)).execute()
    await tx.insertInto('collection').values(collection('jan-inner', 'jan-outer')).execute()
    await tx.updateTable('space').set({ parent: 'jan-inner' }).where('id', 'in', spaces.slice(0, 2)).execute()
    await tx
      .insertInto('grant')
      .values({
        targetKind: 'collection',
        targetId: 'jan-outer',
        granteeKind: 'user',
        granteeId: kim.id,
        organizationId: jan.organizationId,
        role: 'comment',
        createdAt: at,
      })
      .execute()
  })
  assert.equal((await jan(`GET ${jan.path}/${kim.id}`)).body.spaces, 2)
  const { body } = await jan(`GET ${jan.path}/${kim.id}/spaces`)
  assert.deepEqual(
    body.items.map((item: { permission: string }) => item.permission),
    ['comment', 'comment'],
  )
})
