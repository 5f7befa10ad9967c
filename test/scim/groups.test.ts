/** Groups by SCIM are teams. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inLongRun } from '../effort.ts'
import { createWorld } from '../world.ts'
import { assertFault, patch, providerOf } from './provider.ts'

const world = await createWorld()
const { ada, organizationId, db } = world
const org = `/v1/orgs/${organizationId}`
const okta = await providerOf(world, ada, organizationId)
const bob = await world.stranger('Bob')
const other = await providerOf(world, bob, bob.organizationId)
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

const people = await Promise.all(['Ann', 'Ben', 'Cid'].map((name) => world.person(name, 'read')))
const [ann, ben, cid] = people.map(({ id }) => id) as [string, string, string]
const refs = (...ids: string[]) => ids.map((value) => ({ value }))
const membersOf = async (id: string) =>
  (await ada(`GET ${org}/teams/${id}/members`)).body.items.map(
    (one: { organization: { id: string } }) => one.organization.id,
  )
const create = async (displayName: string, ...ids: string[]) => {
  const answer = await okta('POST Groups', { schemas: [GROUP], displayName, members: refs(...ids) })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}

test('Okta: push a group, rename it, change its members, delete it', async () => {
  const { body: created, headers } = await okta('POST Groups', {
    schemas: [GROUP],
    displayName: 'Writers',
    members: [{ value: ann, display: 'ann@example.com' }],
  })
  const { id, meta, ...group } = created
  assert.deepEqual(group, {
    schemas: [GROUP],
    displayName: 'Writers',
    members: [{ value: ann, display: 'Ann', type: 'User', $ref: `${world.url}/scim/v2/Users/${ann}` }],
  })
  assert.equal(headers.get('location'), meta.location)
  assert.equal((await ada(`GET ${org}/teams/${id}`)).body.title, 'Writers')

  const renamed = patch({ op: 'replace', value: { id, displayName: 'Authors' } })
  assert.equal((await okta(`PATCH Groups/${id}`, renamed)).status, 204)
  assert.equal((await ada(`GET ${org}/teams/${id}`)).body.title, 'Authors')
  const steps: [object[], string[]][] = [
    [[{ op: 'add', path: 'members', value: refs(ben, cid) }], [ann, ben, cid]],
    [[{ op: 'remove', path: `members[value eq "${ann}"]` }], [ben, cid]],
    [[{ op: 'replace', path: 'members', value: refs(ann) }], [ann]],
    [
      [
        { op: 'add', path: 'members', value: refs(ben) },
        { op: 'remove', path: `members[value eq "${ann}"]` },
      ],
      [ben],
    ],
    [[{ op: 'replace', value: { members: refs(ann, cid) } }], [ann, cid]],
    [[{ op: 'remove', path: 'members' }], []],
  ]
  for (const [operations, expected] of steps) {
    assert.equal((await okta(`PATCH Groups/${id}`, patch(...operations))).status, 204)
    assert.deepEqual(await membersOf(id), expected.toSorted())
  }
  assert.equal(
    (await okta(`PUT Groups/${id}`, { displayName: 'Again', members: refs(ben) })).body.members.length,
    1,
  )
  assert.equal((await okta(`DELETE Groups/${id}`)).status, 204)
  assert.equal((await ada(`GET ${org}/teams/${id}`)).status, 404)
  assertFault(await okta(`DELETE Groups/${id}`), 404, undefined, /no group/)
})

test('Entra ID: find, change and list a group', async () => {
  const { body: created } = await okta('POST Groups', {
    schemas: [GROUP],
    externalId: 'e-1',
    displayName: 'Sales',
  })
  const found = async (filter: string) =>
    (await okta(`GET Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`)).body.Resources
  const [group] = await found('displayName eq "sales"')
  assert.deepEqual([group.id, group.externalId, group.members], [created.id, 'e-1', undefined])
  assert.equal((await found('externalId eq "e-1"')).length, 1)
  assert.equal((await found('externalId eq "e-2"')).length, 0)
  await okta(`PATCH Groups/${created.id}`, patch({ op: 'Add', path: 'members', value: refs(ann, ben) }))
  assert.equal((await found(`id eq "${created.id}" and members eq "${ann}"`)).length, 1)
  assert.equal((await found(`id eq "${created.id}" and members[value eq "${cid}"]`)).length, 0)
  await okta(`PATCH Groups/${created.id}`, patch({ op: 'Remove', path: 'members', value: refs(ann) }))
  assert.deepEqual(await membersOf(created.id), [ben])
  await okta(`PATCH Groups/${created.id}`, patch({ op: 'Replace', path: 'displayName', value: 'Sales EU' }))
  assert.equal((await okta(`GET Groups/${created.id}`)).body.displayName, 'Sales EU')
})

test('a team has a title that is short enough, and the provider reads the name that it wrote', async () => {
  const name = `CN=${'long-'.repeat(40)}`
  const id = await create(name)
  assert.equal((await okta(`GET Groups/${id}`)).body.displayName, name)
  const { title } = (await ada(`GET ${org}/teams/${id}`)).body
  assert(title.length === 64 && name.startsWith(title))
  assert.equal((await ada(`DELETE ${org}/teams/${id}`)).status, 204)
})

test('members who stay keep their role in the team', async () => {
  const id = await create('Owners', ann, ben)
  await ada(`PUT ${org}/teams/${id}/members/${ann}`, { role: 'owner' })
  await okta(`PUT Groups/${id}`, { displayName: 'Owners', members: refs(ann, cid) })
  const { items } = (await ada(`GET ${org}/teams/${id}/members`)).body
  const roles = items.map((one: { organization: { id: string }; team: { role: string } }) => [
    one.organization.id,
    one.team.role,
  ])
  assert.deepEqual(Object.fromEntries(roles), { [ann]: 'owner', [cid]: 'member' })
})

test('unknown members, other organizations and malformed requests are refused', async () => {
  const id = await create('Guarded', ann)
  const add = (value: unknown) => okta(`PATCH Groups/${id}`, patch({ op: 'add', path: 'members', value }))
  assertFault(await add(refs(bob.id)), 400, 'invalidValue', new RegExp(bob.id))
  assertFault(await add(refs('nothing')), 400, 'invalidValue', /"nothing"/)
  assertFault(await add([{ display: 'x' }]), 400, 'invalidValue', /value/)
  assertFault(await add(refs(...Array.from({ length: 10_001 }, (_, i) => `u${i}`))), 400, 'tooMany', /10000/)
  assertFault(await add([{ value: 'x'.repeat(3_000_000) }]), 413, undefined, /at most 2 MB/)
  const wrong = patch({ op: 'remove', path: 'members[display eq "x"]' })
  assertFault(await okta(`PATCH Groups/${id}`, wrong), 400, 'invalidFilter', /members/)
  assertFault(await okta('POST Groups', {}), 400, 'invalidValue', /displayName/)
  assertFault(await okta('POST Groups', { displayName: ' ' }), 400, 'invalidValue', /displayName/)
  assertFault(await okta('GET Groups?filter=owner%20eq%20%22x%22'), 400, 'invalidFilter', /owner/)
  assertFault(await other(`GET Groups/${id}`), 404, undefined, /no group/)
  assertFault(await other(`PUT Groups/${id}`, { displayName: 'x' }), 404, undefined, /no group/)
  assertFault(
    await other(`PATCH Groups/${id}`, patch({ op: 'remove', path: 'members' })),
    404,
    undefined,
    /no group/,
  )
  assertFault(await other(`DELETE Groups/${id}`), 404, undefined, /no group/)
  assert.deepEqual(await membersOf(id), [ann])
})

test(
  'a group of thousands of members is changed at once, and read in bounds',
  { skip: inLongRun },
  async () => {
    const at = '2026-01-01T00:00:00.000Z'
    const ids = Array.from({ length: 10_000 }, (_, i) => `many${String(i).padStart(6, '0')}`)
    await db.write(async (tx) => {
      for (let start = 0; start < ids.length; start += 500) {
        const some = ids.slice(start, start + 500)
        await tx
          .insertInto('user')
          .values(
            some.map((id) => ({
              id,
              displayName: id,
              email: `${id}@example.com`,
              photoUrl: null,
              createdAt: at,
              updatedAt: at,
            })),
          )
          .execute()
        await tx
          .insertInto('member')
          .values(
            some.map((userId) => ({
              organizationId,
              userId,
              role: 'read' as const,
              disabled: 0 as const,
              sso: 0 as const,
              joinedAt: at,
              lastSeenAt: null,
            })),
          )
          .execute()
      }
    })
    const id = await create('Many', ...ids)
    assert.equal((await okta(`GET Groups/${id}`)).body.members.length, 10_000)
    assertFault(await okta('GET Groups'), 400, 'tooMany', /excludedAttributes=members/)
    assert.equal((await okta('GET Groups?excludedAttributes=members')).status, 200)
    assert.equal(
      (await okta(`PATCH Groups/${id}`, patch({ op: 'replace', path: 'members', value: refs(ann) }))).status,
      204,
    )
    assert.deepEqual(await membersOf(id), [ann])
  },
)

test('a user has the groups that they are in, in every response, and cannot change them', async () => {
  const eve = await world.person('eve', 'read')
  const foreign = (await ada(`PUT ${org}/teams`, { title: 'Not theirs' })).body.id as string
  const [first, second] = [await create('First', eve.id), await create('Second', eve.id)]
  const long = 'A long name of a group '.repeat(5).trim()
  await okta(`PATCH Groups/${second}`, patch({ op: 'replace', path: 'displayName', value: long }))
  const groups = [
    [first, 'First'],
    [second, long],
  ].map(([value, display]) => ({
    value,
    $ref: `${world.url}/scim/v2/Groups/${value}`,
    display,
    type: 'direct',
  }))
  const sent = { userName: 'eve@example.com', groups: [{ value: foreign }] }
  const only = `Users?filter=${encodeURIComponent(`id eq "${eve.id}"`)}`
  const answers = {
    get: (await okta(`GET Users/${eve.id}`)).body,
    list: (await okta(`GET ${only}`)).body.Resources[0],
    post: (await okta('POST Users', { ...sent, groups: [] })).body,
    put: (await okta(`PUT Users/${eve.id}`, sent)).body,
    replace: (
      await okta(`PATCH Users/${eve.id}`, patch({ op: 'replace', path: 'groups', value: sent.groups }))
    ).body,
    remove: (
      await okta(`PATCH Users/${eve.id}`, patch({ op: 'remove', path: `groups[value eq "${first}"]` }))
    ).body,
    wanted: (await okta(`GET Users/${eve.id}?attributes=groups.value`)).body,
  }
  for (const [name, body] of Object.entries(answers)) assert.deepEqual(body.groups, groups, name)
  assert.deepEqual(Object.keys(answers.wanted).toSorted(), ['groups', 'id', 'schemas'])
  for (const path of [`Users/${eve.id}?excludedAttributes=groups`, `${only}&excludedAttributes=groups`]) {
    const { body } = await okta(`GET ${path}`)
    assert.equal('groups' in (body.Resources?.[0] ?? body), false, path)
  }
  for (const [filter, ids] of [
    [`groups.value eq "${first}"`, [eve.id]],
    [`groups eq "${second}"`, [eve.id]],
    [`groups[value eq "${first}" and type eq "direct"]`, [eve.id]],
    [`groups[value eq "${first}" and type eq "indirect"]`, []],
    [`groups.value eq "${foreign}"`, []],
  ] as const) {
    const { body } = await okta(`GET Users?filter=${encodeURIComponent(filter)}`)
    assert.deepEqual(
      body.Resources.map(({ id }: { id: string }) => id),
      ids,
      filter,
    )
  }
  const { body: schema } = await okta('GET Schemas/urn:ietf:params:scim:schemas:core:2.0:User')
  const described = schema.attributes.find(({ name }: { name: string }) => name === 'groups')
  assert.equal(described.mutability, 'readOnly')
  const subAttributes = described.subAttributes as { name: string; mutability: string }[]
  assert.deepEqual(
    subAttributes.map(({ name, mutability }) => [name, mutability]).toSorted(),
    Object.keys(groups[0]!)
      .map((name) => [name, 'readOnly'])
      .toSorted(),
  )
})

test('a user in teams of two organizations has the groups of each in that organization', async () => {
  const fay = await world.person('fay', 'read')
  const here = await create('Here', fay.id)
  const team = (await bob(`PUT /v1/orgs/${bob.organizationId}/teams`, { title: 'There' })).body.id
  const at = new Date().toISOString()
  await world.db.write(async (tx) => {
    const row = await tx
      .selectFrom('member')
      .selectAll()
      .where('userId', '=', fay.id)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('member')
      .values({ ...row, organizationId: bob.organizationId })
      .execute()
    await tx
      .insertInto('teamMember')
      .values({ teamId: team, userId: fay.id, role: 'member', createdAt: at })
      .execute()
  })
  const groups = async (provider: typeof okta) =>
    (await provider(`GET Users/${fay.id}`)).body.groups.map(({ value }: { value: string }) => value)
  assert.deepEqual([await groups(okta), await groups(other)], [[here], [team]])
})
