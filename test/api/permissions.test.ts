import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const reader = await world.person('reader', 'read')
const creator = await world.person('creator', 'create')
const guest = await world.person('guest', null)
const stranger = await world.stranger('mallory')
const team = (await ada(`PUT ${org}/teams`, { title: 'Writers' })).body.id as string
await ada(`PUT ${org}/teams/${team}/members`, { add: [reader.id] })

const made = {
  spaces: async (parent?: string) =>
    (await ada(`POST ${org}/spaces`, { title: 'Space', parent })).body.id as string,
  collections: async (parent?: string) =>
    (await ada(`POST ${org}/collections`, { title: 'Collection', parent })).body.id as string,
}
const permitted = async (path: string, what: string) => {
  const { body } = await ada(`GET ${path}/permissions/${what}`)
  assert.equal(body.count, body.items.length)
  return body.items as {
    permission: string | null
    user: { id: string; email?: string }
    team: { id: string }
  }[]
}
const roleOf = async (person: Person, path: string) => {
  const { status, body } = await person(`GET ${path}`)
  return status === 404 ? null : body.permissions.admin || body.permissions.create ? 'create' : 'less'
}

const refusedAs = async (permission: string, response: ReturnType<Person>) => {
  const { status, body } = await response
  assert.equal(status, 403)
  assert.match(body.error.message, new RegExp(`"${permission}"`))
}

for (const kind of ['spaces', 'collections'] as const) {
  test(`${kind}: grants to users and teams take effect, and can be changed and revoked`, async () => {
    const path = `/v1/${kind}/${await made[kind]()}`
    const invite = (body: object) => ada(`POST ${path}/permissions`, body)
    assert.equal(await roleOf(guest, path), null)
    assert.equal((await invite({ users: [guest.id, reader.id], role: 'edit' })).status, 204)
    assert.equal((await invite({ teams: [team], role: 'create' })).status, 204)
    assert.deepEqual([await roleOf(guest, path), await roleOf(reader, path)], ['less', 'create'])

    const users = await permitted(path, 'users')
    assert.deepEqual(
      new Map(users.map(({ permission, user }) => [user.id, permission])),
      new Map([
        [guest.id, 'edit'],
        [reader.id, 'edit'],
      ]),
    )
    const [item] = await permitted(path, 'teams')
    assert.deepEqual([item?.permission, item?.team.id], ['create', team])

    assert.equal((await ada(`PATCH ${path}/permissions/users/${guest.id}`, { role: null })).status, 204)
    assert.equal(await roleOf(guest, path), null)
    assert.equal((await ada(`PATCH ${path}/permissions/users/${guest.id}`, {})).status, 204)
    assert.equal((await permitted(path, 'users')).find(({ user }) => user.id === guest.id)?.permission, null)
    assert.equal((await ada(`PATCH ${path}/permissions/teams/${team}`, { role: 'read' })).status, 204)
    assert.equal(await roleOf(reader, path), 'less')
    assert.equal((await ada(`PATCH ${path}/permissions/users/${creator.id}`, { role: 'read' })).status, 404)

    for (const one of [`users/${guest.id}`, `teams/${team}`]) {
      assert.equal((await ada(`DELETE ${path}/permissions/${one}`)).status, 205)
      assert.equal((await ada(`DELETE ${path}/permissions/${one}`)).status, 204)
    }
    assert.deepEqual(await permitted(path, 'teams'), [])
  })

  test(`${kind}: an explicit "no access" excludes members, but never administrators`, async () => {
    const path = `/v1/${kind}/${await made[kind]()}`
    assert.equal(await roleOf(reader, path), 'less')
    await ada(`POST ${path}/permissions`, { users: [reader.id, ada.id], role: null })
    assert.equal(await roleOf(reader, path), null)
    assert.equal(await roleOf(ada, path), 'create')
  })

  test(`${kind}: users cannot grant, change or revoke more than their own role`, async () => {
    const path = `/v1/${kind}/${await made[kind]()}`
    await ada(`POST ${path}/permissions`, { users: [ada.id], role: 'admin' })
    const refused = [
      await creator(`POST ${path}/permissions`, { users: [creator.id], role: 'admin' }),
      await creator(`PATCH ${path}`, { defaultLevel: 'admin' }),
      await creator(`PATCH ${path}/permissions/users/${ada.id}`, { role: 'read' }),
      await creator(`DELETE ${path}/permissions/users/${ada.id}`),
      await creator(`POST ${path}/permissions`, { users: [ada.id], role: 'read' }),
    ]
    for (const { status, body } of refused) {
      assert.equal(status, 403)
      assert.match(body.error.message, /"admin"/)
    }
    assert.deepEqual(
      (await permitted(path, 'users')).map(({ permission }) => permission),
      ['admin'],
    )
    assert.equal(
      (await creator(`POST ${path}/permissions`, { users: [guest.id], role: 'create' })).status,
      204,
    )
  })

  test(`${kind}: a default level or a move gives nobody more than the role of the caller`, async () => {
    const admins = await made.collections()
    const mine = await made.collections()
    await ada(`PATCH /v1/collections/${admins}`, { defaultLevel: 'admin' })
    const id = await made[kind](admins)
    const path = `/v1/${kind}/${id}`
    await ada(`PATCH ${path}`, { defaultLevel: null })
    await ada(`POST ${path}/permissions`, { users: [creator.id], role: 'create' })
    await refusedAs('admin', creator(`PATCH ${path}`, { defaultLevel: 'inherit' }))
    assert.equal(await roleOf(reader, path), null)
    assert.equal((await creator(`PATCH ${path}`, { defaultLevel: 'read' })).status, 200)

    const moving = `/v1/${kind}/${await made[kind](mine)}`
    assert.equal((await creator(`GET ${moving}`)).status, 200)
    await refusedAs('admin', creator(`POST ${moving}/move`, { parent: admins }))
    assert.equal((await ada(`GET ${moving}`)).body.parent, mine)
    assert.equal((await creator(`POST ${moving}/move`, { parent: null })).status, 200)
    assert.equal((await ada(`POST ${moving}/move`, { parent: admins })).status, 200)
  })

  test(`${kind}: a revoked or replaced grant is checked by the resulting role`, async () => {
    const admins = await made.collections()
    const path = `/v1/${kind}/${await made[kind](admins)}`
    await ada(`PATCH /v1/collections/${admins}`, { defaultLevel: 'admin' })
    await ada(`POST ${path}/permissions`, { users: [creator.id], role: 'create' })
    // Reader and second inherit the role of administrator here.
    const second = await world.person(`second-${kind}`, 'read')
    await refusedAs('admin', creator(`POST ${path}/permissions`, { users: [second.id], role: null }))
    await refusedAs('admin', creator(`POST ${path}/permissions`, { teams: [team], role: 'read' }))
    assert.equal(await roleOf(second, path), 'create')

    await ada(`POST ${path}/permissions`, { users: [second.id], role: null })
    await ada(`POST ${path}/permissions`, { teams: [team], role: null })
    await refusedAs('admin', creator(`DELETE ${path}/permissions/users/${second.id}`))
    await refusedAs('admin', creator(`DELETE ${path}/permissions/teams/${team}`))
    await refusedAs('admin', creator(`DELETE ${path}/permissions/users/${creator.id}`))
    assert.deepEqual([await roleOf(second, path), await roleOf(reader, path)], [null, null])
    assert.equal(
      (await creator(`PATCH ${path}/permissions/users/${second.id}`, { role: 'create' })).status,
      204,
    )
    assert.equal((await ada(`DELETE ${path}/permissions/teams/${team}`)).status, 205)
  })

  test(`${kind}: refuses users and teams of another organization as unknown, and grants all or none`, async () => {
    const path = `/v1/${kind}/${await made[kind]()}`
    const foreignTeam = (await stranger(`PUT /v1/orgs/${stranger.organizationId}/teams`, { title: 'Theirs' }))
      .body
    for (const body of [
      { users: [guest.id, stranger.id] },
      { users: [guest.id, 'nobody'] },
      { teams: [team, foreignTeam.id] },
      { teams: [team, 'nothing'] },
    ]) {
      const answer = await ada(`POST ${path}/permissions`, { ...body, role: 'read' })
      assert.deepEqual([answer.status, answer.body.error.details.length], [400, 1])
      assert.match(
        answer.body.error.message,
        /^body\.(users|teams)\.1 must be the id of a (member|team) of this/,
      )
    }
    assert.equal((await ada(`PATCH ${path}/permissions/users/${stranger.id}`, { role: 'read' })).status, 404)
    assert.equal((await ada(`DELETE ${path}/permissions/teams/${foreignTeam.id}`)).status, 204)
    assert.equal((await ada(`POST ${path}/permissions`, { role: 'read' })).status, 400)
    assert.equal((await ada(`POST ${path}/permissions`, { users: [], role: 'read' })).status, 400)
    assert.equal((await ada(`POST ${path}/permissions`, { users: [guest.id] })).status, 400)
    for (const what of ['users', 'teams']) assert.deepEqual(await permitted(path, what), [])
  })

  test(`${kind}: lists return pages of results, and the aggregate has every user with their role`, async () => {
    const path = `/v1/${kind}/${await made[kind]()}`
    await ada(`POST ${path}/permissions`, { users: [guest.id, reader.id], role: 'comment' })
    const roles = new Map(
      (await permitted(path, 'aggregate')).map(({ permission, user }) => [user.id, permission]),
    )
    assert.deepEqual(
      [ada, creator, reader, guest, stranger].map(({ id }) => roles.get(id)),
      ['admin', 'create', 'comment', 'comment', undefined],
    )
    const first = (await ada(`GET ${path}/permissions/aggregate?limit=2`)).body
    const second = (await ada(`GET ${path}/permissions/aggregate?limit=2&page=${first.next.page}`)).body
    const ids = [...first.items, ...second.items].map(({ user }) => user.id)
    assert.equal(new Set(ids).size, 4)
    assert.deepEqual(
      (await permitted(path, 'aggregate?role=create')).map(({ user }) => user.id),
      [creator.id],
    )
    const page = (await ada(`GET ${path}/permissions/users?limit=1`)).body
    assert.equal(
      (await ada(`GET ${path}/permissions/users?limit=1&page=${page.next.page}`)).body.next,
      undefined,
    )
  })

  test(`${kind}: guests see no addresses`, async () => {
    const path = `/v1/${kind}/${await made[kind]()}`
    await ada(`POST ${path}/permissions`, { users: [guest.id, reader.id], role: 'create' })
    for (const what of ['users', 'aggregate']) {
      const { status, text } = await guest(`GET ${path}/permissions/${what}`)
      assert.equal(status, 200)
      assert(!text.includes('@'), text)
      assert((await permitted(path, what)).some(({ user }) => user.email))
    }
  })
}

for (const kind of ['spaces', 'collections'] as const) {
  test(`${kind}: guests see only themselves, users with a grant there, and their own teams`, async () => {
    const parent = await made.collections()
    const path = `/v1/${kind}/${await made[kind](parent)}`
    const own = (await ada(`PUT ${org}/teams`, { title: 'Of a guest' })).body.id as string
    await ada(`PUT ${org}/teams/${own}/members/${guest.id}`, { role: 'owner' })
    await ada(`POST /v1/collections/${parent}/permissions`, { users: [guest.id], role: 'create' })
    await ada(`POST ${path}/permissions`, { teams: [team], role: 'comment' })
    const seen = async () => {
      const { body } = await guest(`GET ${path}/permissions/aggregate`)
      assert.equal(body.count, body.items.length)
      return body.items.map(({ user }: { user: { id: string } }) => user.id).toSorted()
    }
    assert.deepEqual(await seen(), [guest.id])
    await ada(`POST ${path}/permissions`, { users: [creator.id], role: 'edit' })
    assert.deepEqual(await seen(), [creator.id, guest.id].toSorted())
    assert.equal((await guest(`GET ${path}/permissions/aggregate?role=read`)).body.count, 0)

    assert.deepEqual((await guest(`GET ${path}/permissions/teams`)).body, { items: [], count: 0 })
    await ada(`POST ${path}/permissions`, { users: [guest.id], teams: [own], role: 'create' })
    const { items, count } = (await guest(`GET ${path}/permissions/teams`)).body
    assert.deepEqual([count, items[0].team.id], [1, own])
    assert.equal((await permitted(path, 'teams')).length, 2)
  })
}

for (const kind of ['spaces', 'collections'] as const) {
  test(`${kind}: grants of a former member are hidden and fixed, and apply again after a return`, async () => {
    const path = `/v1/${kind}/${await made[kind]()}`
    const former = await world.person(`former-${kind}`, 'edit')
    await ada(`POST ${path}/permissions`, { users: [former.id, guest.id], role: null })
    assert.equal((await permitted(path, 'users')).length, 2)
    await ada(`DELETE ${org}/members/${former.id}`)

    assert.deepEqual(
      (await permitted(path, 'users')).map(({ user }) => user.id),
      [guest.id],
    )
    const one = `${path}/permissions/users/${former.id}`
    assert.equal((await ada(`PATCH ${one}`, { role: 'admin' })).status, 404)
    assert.equal((await ada(`DELETE ${one}`)).status, 204)
    const copy = kind === 'spaces' ? `/v1/spaces/${(await ada(`POST ${path}/duplicate`)).body.id}` : path
    assert.equal((await permitted(copy, 'users')).length, 1)

    const link = (await ada(`POST ${org}/link-invites`, { role: 'edit' })).body.id
    assert.equal((await former(`POST ${org}/invites/${link}`)).status, 200)
    for (const shut of [path, copy]) assert.equal(await roleOf(former, shut), null)
    assert.equal((await permitted(path, 'users')).length, 2)
    assert.equal((await ada(`DELETE ${one}`)).status, 205)
    assert.equal(await roleOf(former, path), 'less')
  })
}

test('a guest can explain only their own role', async () => {
  const path = `/v1/spaces/${await made.spaces()}`
  await ada(`POST ${path}/permissions`, { users: [guest.id], role: 'create' })
  assert.equal((await guest(`GET ${path}/permissions/explain`)).body.role, 'create')
  assert.equal((await guest(`GET ${path}/permissions/explain?user=${guest.id}`)).status, 200)
  for (const id of [ada.id, stranger.id, 'nobody'])
    await refusedAs('read', guest(`GET ${path}/permissions/explain?user=${id}`))
})

test('explains the source of a role', async () => {
  const parent = await made.collections()
  const id = (await ada(`POST ${org}/spaces`, { parent })).body.id as string
  const explained = async (who: Person, person: Person = who) => {
    const { body } = await who(`GET /v1/spaces/${id}/permissions/explain?user=${person.id}`)
    const decides = [...body.chain, { ...body.organization, type: 'organization' }].find((one) => one.decides)
    return [body.role, body.reason, decides.type, decides.id]
  }
  assert.deepEqual(await explained(ada), ['admin', 'administrator', 'organization', organizationId])
  assert.deepEqual(await explained(ada, reader), ['read', 'organization', 'organization', organizationId])
  await ada(`PATCH /v1/collections/${parent}`, { defaultLevel: 'comment' })
  assert.deepEqual(await explained(reader), ['comment', 'defaultLevel', 'collection', parent])
  await ada(`POST /v1/collections/${parent}/permissions`, { teams: [team], role: 'review' })
  assert.deepEqual(await explained(reader), ['review', 'grant', 'collection', parent])
  await ada(`PATCH /v1/spaces/${id}`, { defaultLevel: 'read' })
  assert.deepEqual(await explained(reader), ['read', 'defaultLevel', 'space', id])
  assert.deepEqual(await explained(ada, guest), [null, 'defaultLevel', 'space', id])

  const why = (await ada(`GET /v1/spaces/${id}/permissions/explain?user=${reader.id}`)).body
  assert.deepEqual(why.chain[1].grants, [{ type: 'team', id: team, role: 'review' }])
  assert.equal((await reader(`GET /v1/spaces/${id}/permissions/explain?user=${ada.id}`)).status, 403)
  const foreign = await ada(`GET /v1/spaces/${id}/permissions/explain?user=${stranger.id}`)
  const unknown = await ada(`GET /v1/spaces/${id}/permissions/explain?user=nobody`)
  assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
})

test('a disabled member has no role, whatever their grants', async () => {
  const id = await made.spaces()
  const away = await world.person('away', 'edit')
  await ada(`POST /v1/spaces/${id}/permissions`, { users: [away.id], role: 'edit' })
  await world.db.write((tx) =>
    tx.updateTable('member').set({ disabled: 1 }).where('userId', '=', away.id).execute(),
  )
  assert.equal((await away(`GET /v1/spaces/${id}`)).status, 404)
  const { body } = await ada(`GET /v1/spaces/${id}/permissions/explain?user=${away.id}`)
  assert.deepEqual([body.role, body.reason], [null, 'disabled'])
  const aggregate = await permitted(`/v1/spaces/${id}`, 'aggregate')
  assert(!aggregate.some(({ user }) => user.id === away.id))
})
