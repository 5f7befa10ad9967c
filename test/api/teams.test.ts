import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const teams = `/v1/orgs/${organizationId}/teams`
const bob = await world.person('bob', 'read')
const carol = await world.person('carol', 'create')
const guest = await world.person('gil', null)
const mallory = await world.stranger('mallory')

const make = async (title: string, members: string[] = []) =>
  (await ada(`PUT ${teams}`, { title, members })).body.id as string
const membersOf = async (team: string, by: Person = ada) => {
  const { body } = await by(`GET ${teams}/${team}/members`)
  const items: { organization: { id: string }; team: { role: string } }[] = body.items
  return Object.fromEntries(items.map((item) => [item.organization.id, item.team.role]))
}

test('creates a team with members, with their number', async () => {
  const made = await ada(`PUT ${teams}`, { title: 'Writers', members: [bob.id, carol.id, bob.id] })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), `${world.url}${teams}/${made.body.id}`)
  assert.deepEqual([made.body.object, made.body.title, made.body.members], ['team', 'Writers', 2])
  assert.deepEqual(made.body.permissions, { admin: true, view: true })
  const seen = (await bob(`GET ${teams}/${made.body.id}`)).body
  assert.deepEqual(seen.permissions, { admin: false, view: true })
  assert.equal((await ada(`GET /v1/orgs/${organizationId}/members/${bob.id}`)).body.teams, 1)
  assert.deepEqual(await membersOf(made.body.id), { [bob.id]: 'member', [carol.id]: 'member' })
})

test('only administrators create, rename and delete teams', async () => {
  const team = await make('Guarded', [carol.id])
  for (const answer of [
    await carol(`PUT ${teams}`, { title: 'Mine' }),
    await carol(`PATCH ${teams}/${team}`, { title: 'Mine' }),
    await carol(`DELETE ${teams}/${team}`),
  ]) {
    assert.equal(answer.status, 403)
    assert.match(answer.body.error.message, /"admin"/)
  }
  assert.equal((await ada(`PATCH ${teams}/${team}`, { title: 'Renamed' })).body.title, 'Renamed')
  assert.equal((await ada(`PATCH ${teams}/${team}`, { title: '' })).status, 400)
  assert.equal((await ada(`PATCH ${teams}/${team}`, { title: 'x'.repeat(65) })).status, 400)
  assert.equal((await ada(`DELETE ${teams}/${team}`)).status, 204)
  assert.equal((await ada(`DELETE ${teams}/${team}`)).status, 204)
  assert.equal((await ada(`GET ${teams}/${team}`)).status, 404)
})

test('filters by title in any case and by manager', async () => {
  const first = await make('Ünique one')
  const second = await make('Unique two')
  await ada(`PUT ${teams}/${second}/members/${bob.id}`, { role: 'owner' })
  const found = (await bob(`GET ${teams}?title=${encodeURIComponent('üNIQUE')}`)).body
  assert.deepEqual(
    found.items.map(({ id }: { id: string }) => id),
    [first],
  )
  const owned = (await carol(`GET ${teams}?owner=${bob.id}`)).body
  assert.deepEqual([owned.count, owned.items[0].id], [1, second])
  const all = (await carol(`GET ${teams}`)).body.count
  assert.equal((await carol(`GET ${teams}?owner=${ada.id}`)).body.count, all)
  assert.equal((await carol(`GET ${teams}?owner=${mallory.id}`)).body.count, 0)

  const page = (await carol(`GET ${teams}?limit=1`)).body
  const next = (await carol(`GET ${teams}?limit=1&page=${page.next.page}`)).body
  assert.notEqual(page.items[0].id, next.items[0].id)
  assert.equal(next.count, all)
})

test('adds and removes members by id and by address, and removes a user who is in both lists', async () => {
  const team = await make('Changing', [bob.id])
  const answer = await ada(`PUT ${teams}/${team}/members`, {
    add: ['CAROL@example.com', guest.id, bob.id],
    remove: ['bob@example.com', guest.id],
  })
  assert.equal(answer.status, 204)
  assert.deepEqual(await membersOf(team), { [carol.id]: 'member' })

  await ada(`PUT ${teams}/${team}/members`, {
    memberships: { [bob.id]: { role: 'owner' }, [carol.id]: { role: 'owner' } },
    remove: [carol.id],
  })
  assert.deepEqual(await membersOf(team), { [bob.id]: 'owner' })
  // Adding a current member removes nothing.
  await ada(`PUT ${teams}/${team}/members`, { add: [bob.id] })
  await ada(`PUT ${teams}/${team}/members/${bob.id}`, {})
  assert.deepEqual(await membersOf(team), { [bob.id]: 'owner' })
  await ada(`PUT ${teams}/${team}/members/${bob.id}`, { role: 'member' })
  assert.deepEqual(await membersOf(team), { [bob.id]: 'member' })
  assert.equal((await ada(`DELETE ${teams}/${team}/members/${bob.id}`)).status, 204)
  assert.equal((await ada(`DELETE ${teams}/${team}/members/${bob.id}`)).status, 204)
  assert.deepEqual(await membersOf(team), {})
})

test('refuses users of another organization, and changes nothing', async () => {
  const team = await make('Closed', [bob.id])
  for (const stranger of [mallory.id, 'mallory@example.com', 'unknown', 'unknown@example.com']) {
    for (const body of [
      { add: [carol.id, stranger] },
      { add: [carol.id], remove: [stranger] },
      ...(stranger.includes('@') ? [] : [{ memberships: { [carol.id]: {}, [stranger]: {} } }]),
    ]) {
      const answer = await ada(`PUT ${teams}/${team}/members`, body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(
        answer.body.error.message,
        new RegExp(`must be the id of a member .+ but was "${stranger}"`),
      )
    }
  }
  assert.equal((await ada(`PUT ${teams}/${team}/members/${mallory.id}`, {})).status, 404)
  assert.equal((await ada(`PUT ${teams}`, { title: 'x', members: [mallory.id] })).status, 400)
  assert.deepEqual(await membersOf(team), { [bob.id]: 'member' })

  const foreign = await mallory(`PUT /v1/orgs/${mallory.organizationId}/teams`, { title: 'Theirs' })
  assert.equal((await ada(`GET ${teams}/${foreign.body.id}`)).status, 404)
  assert.equal((await ada(`DELETE ${teams}/${foreign.body.id}`)).status, 204)
  assert.equal((await mallory(`GET /v1/orgs/${mallory.organizationId}/teams`)).body.count, 1)
})

test('an owner manages the members of only their own team, whatever their role', async () => {
  for (const owner of [bob, guest]) {
    const team = await make('Owned', owner === guest ? [carol.id] : [])
    const other = await make('Other', [owner.id])
    await ada(`PUT ${teams}/${team}/members/${owner.id}`, { role: 'owner' })
    assert.equal((await owner(`PUT ${teams}/${team}/members`, { add: [carol.id] })).status, 204)
    assert.equal((await owner(`PUT ${teams}/${team}/members/${carol.id}`, { role: 'member' })).status, 204)
    assert.equal((await owner(`GET ${teams}/${team}`)).body.permissions.admin, true)
    assert.deepEqual(await membersOf(team, owner), { [owner.id]: 'owner', [carol.id]: 'member' })
    assert.equal((await owner(`DELETE ${teams}/${team}/members/${carol.id}`)).status, 204)
    assert.equal((await owner(`PATCH ${teams}/${team}`, { title: 'Taken' })).status, 403)
    const refused = await owner(`PUT ${teams}/${other}/members`, { add: [carol.id] })
    assert.equal(refused.status, owner === guest ? 404 : 403)
    await ada(`DELETE ${teams}/${team}`)
    await ada(`DELETE ${teams}/${other}`)
  }
})

test('only an administrator can remove members from a team with a restriction', async () => {
  const team = await make('Shut out', [bob.id])
  await ada(`PUT ${teams}/${team}/members/${carol.id}`, { role: 'owner' })
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Secret' })).body.id as string
  await ada(`POST /v1/spaces/${space}/permissions`, { teams: [team], role: null })
  for (const answer of [
    await carol(`DELETE ${teams}/${team}/members/${carol.id}`),
    await carol(`PUT ${teams}/${team}/members`, { remove: [bob.id] }),
  ]) {
    assert.equal(answer.status, 403)
    assert.match(answer.body.error.message, /"admin"/)
  }
  assert.equal((await carol(`GET /v1/spaces/${space}`)).status, 404)
  assert.deepEqual(await membersOf(team), { [bob.id]: 'member', [carol.id]: 'owner' })
  assert.equal((await carol(`PUT ${teams}/${team}/members`, { remove: [guest.id] })).status, 204)
  assert.equal((await ada(`DELETE ${teams}/${team}/members/${bob.id}`)).status, 204)
  await ada(`DELETE /v1/spaces/${space}/permissions/teams/${team}`)
  assert.equal((await carol(`DELETE ${teams}/${team}/members/${carol.id}`)).status, 204)
  await ada(`DELETE /v1/spaces/${space}`)
})

test('an owner cannot reduce or restore the access of a user by adding them', async () => {
  const [boss, victim, shut] = [
    await world.person('team-boss', 'read'),
    await world.person('victim', 'create'),
    await world.person('shut', 'edit'),
  ]
  const second = await make('Without', [shut.id])
  for (const [kind, role, denied] of [
    ['spaces', null, undefined],
    ['spaces', 'read', undefined],
    ['collections', 'read', undefined],
    ['spaces', 'edit', { users: [shut.id] }],
    ['collections', 'edit', { teams: [second] }],
  ] as const) {
    const team = await make('Granting')
    await ada(`PUT ${teams}/${team}/members/${boss.id}`, { role: 'owner' })
    const { id } = (await ada(`POST /v1/orgs/${organizationId}/${kind}`, { title: 'Target' })).body
    await ada(`POST /v1/${kind}/${id}/permissions`, { teams: [team], role })
    if (denied) await ada(`POST /v1/${kind}/${id}/permissions`, { ...denied, role: null })
    const who = denied ? shut : victim
    const before = await who(`GET /v1/${kind}/${id}`)
    for (const answer of [
      await boss(`PUT ${teams}/${team}/members/${who.id}`, {}),
      await boss(`PUT ${teams}/${team}/members`, { add: [bob.id, who.id] }),
      await boss(`PUT ${teams}/${team}/members`, { memberships: { [who.id]: { role: 'owner' } } }),
    ]) {
      assert.equal(answer.status, 403)
      assert.match(answer.body.error.message, /"admin"/)
    }
    assert.deepEqual((await who(`GET /v1/${kind}/${id}`)).body, before.body)
    assert.deepEqual(await membersOf(team), { [boss.id]: 'owner' })

    // A user who loses nothing can be added, and a current member can be named again.
    const fine = await world.person(`fine-${id}`, role === 'edit' ? 'read' : null)
    assert.equal(
      (await boss(`PUT ${teams}/${team}/members`, { add: ['bob@example.com'] })).status,
      role ? 204 : 403,
    )
    assert.equal((await boss(`PUT ${teams}/${team}/members/${fine.id}`, {})).status, 204)
    assert.equal((await ada(`PUT ${teams}/${team}/members/${who.id}`, {})).status, 204)
    assert.equal((await boss(`PUT ${teams}/${team}/members`, { add: [who.id, fine.id] })).status, 204)
    assert.equal((await ada(`DELETE /v1/${kind}/${id}`)).status, 205)
  }
})

test('a guest who owns a team sees no addresses', async () => {
  const team = await make('Quiet', [bob.id])
  await ada(`PUT ${teams}/${team}/members/${guest.id}`, { role: 'owner' })
  const { body, text } = await guest(`GET ${teams}/${team}/members`)
  assert.equal(body.count, 2)
  assert(!text.includes('@example.com'))
  const mine = (await guest(`GET /v1/orgs/${organizationId}/members/${guest.id}/teams`)).body
  assert.deepEqual(
    mine.items.map((item: { team: { id: string } }) => item.team.id),
    [team],
  )
})

test('a guest who owns a team can name only its members, and so learns nothing about other users', async () => {
  const team = await make('Blind', [bob.id])
  const second = await make('Blind too')
  for (const id of [team, second]) await ada(`PUT ${teams}/${id}/members/${guest.id}`, { role: 'owner' })
  const unknown = await guest(`PUT ${teams}/${team}/members`, { add: ['nobody@example.com'] })
  assert.equal(unknown.status, 400)
  for (const body of [
    ...['carol@example.com', 'bob@example.com', carol.id, mallory.id].flatMap((name) => [
      { add: [name] },
      { remove: [name] },
    ]),
    { memberships: { [carol.id]: {} } },
  ]) {
    const { status, body: said } = await guest(`PUT ${teams}/${team}/members`, body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(
      said.error.message,
      /^body\S+ must be the id of a member of this organization, but was "[\w@.]+"$/,
    )
  }
  assert.equal((await guest(`PUT ${teams}/${team}/members/${carol.id}`, {})).status, 404)
  assert.deepEqual(await membersOf(team), { [bob.id]: 'member', [guest.id]: 'owner' })

  assert.equal((await guest(`PUT ${teams}/${second}/members`, { add: [bob.id] })).status, 204)
  const memberships = { [bob.id]: { role: 'owner' } }
  assert.equal((await guest(`PUT ${teams}/${team}/members`, { memberships })).status, 204)
  assert.equal((await guest(`PUT ${teams}/${team}/members`, { remove: [bob.id] })).status, 204)
  assert.deepEqual(await membersOf(second), { [bob.id]: 'member', [guest.id]: 'owner' })
})

test('counts the spaces that the grants of a team give access to', async () => {
  const team = await make('Granted', [bob.id])
  const spaces: string[] = []
  for (let i = 0; i < 3; i++) {
    spaces.push((await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: `Space ${i}` })).body.id)
  }
  await world.db.write((tx) =>
    tx
      .insertInto('grant')
      .values(
        spaces.map((targetId, i) => ({
          targetKind: 'space' as const,
          targetId,
          granteeKind: 'team' as const,
          granteeId: team,
          organizationId,
          role: i === 0 ? null : ('edit' as const),
          createdAt: new Date().toISOString(),
        })),
      )
      .execute(),
  )
  assert.equal((await ada(`GET ${teams}/${team}`)).body.spaces, 2)
  const listed = (await ada(`GET ${teams}?title=Granted`)).body
  assert.deepEqual([listed.items[0].members, listed.items[0].spaces], [1, 2])
  const { body } = await ada(`GET /v1/orgs/${organizationId}/members/${bob.id}/spaces`)
  assert.deepEqual(
    body.items.map((item: { permission: string }) => item.permission),
    ['edit', 'edit'],
  )
  assert.equal((await ada(`GET /v1/orgs/${organizationId}/members/${bob.id}`)).body.spaces, 2)

  await ada(`DELETE ${teams}/${team}`)
  const left = await world.db.read.selectFrom('grant').select('role').where('granteeId', '=', team).execute()
  assert.deepEqual(left, [])
})

test('lists the teams of a member with their role, filtered by title', async () => {
  const dan = await world.person('dan', 'read')
  await make('Alpha', [dan.id])
  const beta = await make('Beta')
  await ada(`PUT ${teams}/${beta}/members/${dan.id}`, { role: 'owner' })
  const path = `/v1/orgs/${organizationId}/members/${dan.id}/teams`
  const { body } = await carol(`GET ${path}`)
  assert.deepEqual(
    body.items.map((item: { team: { title: string }; member: object }) => [item.team.title, item.member]),
    [
      ['Alpha', { role: 'member' }],
      ['Beta', { role: 'owner' }],
    ],
  )
  assert.equal((await carol(`GET ${path}?title=ALP`)).body.count, 1)
})
