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

type Item = { id: string; title: string; parent?: string }
const collection = async (title: string, parent?: string, who: Person = ada) => {
  const { status, body, text } = await who(`POST ${org}/collections`, { title, parent })
  assert.equal(status, 201, text)
  return body.id as string
}
const space = async (title: string, parent?: string, who: Person = ada) => {
  const { status, body, text } = await who(`POST ${org}/spaces`, { title, parent })
  assert.equal(status, 201, text)
  return body.id as string
}
const grant = async (path: string, person: Person, role: string | null) =>
  assert.equal((await ada(`POST ${path}/permissions`, { users: [person.id], role })).status, 204)
const titles = async (path: string, who: Person = ada) =>
  (await who(`GET ${path}`)).body.items.map(({ title }: Item) => title)

test('a new collection inherits its access and has an address', async () => {
  const { status, body, headers } = await ada(`POST ${org}/collections`, { title: 'Guides' })
  assert.equal(status, 201)
  assert.equal(headers.get('location'), body.urls.location)
  assert.deepEqual(
    [body.object, body.title, body.organization, body.defaultLevel, body.parent, body.description],
    ['collection', 'Guides', organizationId, 'inherit', undefined, undefined],
  )
  assert.deepEqual(body.permissions, { view: true, admin: true, viewInviteLinks: true, create: true })
  assert.equal((await ada(`POST ${org}/collections`)).body.title, 'Untitled')
})

test('changes a collection; null clears the description', async () => {
  const path = `/v1/collections/${await collection('Old')}`
  const { body } = await ada(`PATCH ${path}`, { title: 'New', description: 'What it holds' })
  assert.deepEqual([body.title, body.description], ['New', 'What it holds'])
  assert.equal((await ada(`PATCH ${path}`, { description: null })).body.description, undefined)
  assert.equal((await ada(`PATCH ${path}`, { description: 'x'.repeat(101) })).status, 400)
  assert.equal((await ada(`GET ${path}`)).body.title, 'New')
})

test('lists follow the order of the tree, in pages of results', async () => {
  const other = await world.stranger('walker')
  const path = `/v1/orgs/${other.organizationId}/collections`
  const make = async (title: string, parent?: string) =>
    (await other(`POST ${path}`, { title, parent })).body.id as string
  const [a, b] = [await make('a'), await make('b')]
  const a2 = await make('a2', a)
  await make('b1', b)
  const a1 = (
    await other(`POST /v1/collections/${await make('a1')}/move`, {
      parent: a,
      position: { before: { type: 'collection', collection: a2 } },
    })
  ).body.id as string
  await make('a1x', a1)

  const all = ['a', 'a1', 'a1x', 'a2', 'b', 'b1']
  assert.deepEqual(await titles(path, other), all)
  assert.deepEqual(await titles(`${path}?nested=false`, other), ['a', 'b'])
  const paged: string[] = []
  let next: string | undefined
  do {
    const { body } = await other(`GET ${path}?limit=2${next ? `&page=${next}` : ''}`)
    assert.equal(body.count, 6)
    paged.push(...body.items.map(({ title }: Item) => title))
    next = body.next?.page
  } while (next)
  assert.deepEqual(paged, all)
})

test('spaces and collections inherit the access of their collection unless they override it', async () => {
  const id = await collection('Private')
  const inside = await space('Inside', id)
  const open = await space('Open', id)
  await ada(`PATCH /v1/collections/${id}`, { defaultLevel: null })
  await ada(`PATCH /v1/spaces/${open}`, { defaultLevel: 'read' })
  assert.equal((await reader(`GET /v1/collections/${id}`)).status, 404)
  assert.equal((await reader(`GET /v1/spaces/${inside}`)).status, 404)
  assert.equal((await reader(`GET /v1/spaces/${open}`)).status, 200)

  await grant(`/v1/collections/${id}`, guest, 'comment')
  assert.deepEqual(await titles(`/v1/collections/${id}/spaces`, guest), ['Inside'])
  assert.equal((await guest(`GET /v1/spaces/${inside}`)).body.permissions.comment, true)
  assert.deepEqual(await titles(`${org}/collections`, guest), ['Private'])
  assert((await ada(`GET /v1/spaces/${inside}`)).body.visibility === 'in-collection')
})

test('creating a resource grants its creator nothing, and the role of the creator does not rise', async () => {
  const passing = await world.person('passing', 'admin')
  const outer = await collection('Outer', undefined, passing)
  const inner = await collection('Inner', outer, passing)
  const inside = await space('Inside', inner, passing)
  const { id: copy } = (await passing(`POST /v1/spaces/${inside}/duplicate`)).body
  await passing(`PATCH /v1/spaces/${inside}`, { defaultLevel: 'read' })
  const gone = await collection('Gone', outer, passing)
  const left = await space('Left', gone, passing)
  await passing(`PATCH /v1/collections/${gone}`, { defaultLevel: 'read' })
  await passing(`DELETE /v1/collections/${gone}`)
  await ada(`POST /v1/spaces/${left}/restore`)

  const paths = [outer, inner].map((id) => `/v1/collections/${id}`)
  paths.push(...[inside, copy, left].map((id: string) => `/v1/spaces/${id}`))
  for (const path of paths) {
    assert.equal((await passing(`PATCH ${path}`, { title: 'Theirs' })).status, 200, path)
    assert.equal((await ada(`GET ${path}/permissions/users`)).body.count, 0, path)
  }
  await ada(`PATCH ${org}/members/${passing.id}`, { role: 'read' })
  for (const path of paths) {
    const { status, body } = await passing(`GET ${path}`)
    assert.deepEqual([status, body.permissions.admin], [200, false], path)
  }
})

test('a user who lowers a level keeps their own access', async () => {
  const id = await collection('Mine', undefined, creator)
  const { status, body } = await creator(`PATCH /v1/collections/${id}`, { defaultLevel: null })
  assert.deepEqual([status, body.permissions.create], [200, true])
  assert.equal((await creator(`GET /v1/collections/${id}`)).status, 200)

  const other = await collection('Of somebody else')
  assert.equal((await creator(`PATCH /v1/collections/${other}`, { defaultLevel: 'read' })).status, 200)
  assert.equal((await creator(`GET /v1/collections/${other}`)).body.permissions.create, true)
  const second = await world.person('second', 'create')
  assert.equal((await second(`GET /v1/collections/${other}`)).body.permissions.create, false)
})

test('creating a resource in a collection requires the permission there, not in the organization', async () => {
  const id = await collection('Shared')
  assert.equal((await guest(`POST ${org}/spaces`, { parent: id })).status, 400)
  await grant(`/v1/collections/${id}`, guest, 'create')
  await space('By a guest', id, guest)
  await collection('By a guest', id, guest)
  assert.equal((await guest(`POST ${org}/spaces`, {})).status, 403)

  await ada(`PATCH /v1/collections/${id}`, { defaultLevel: 'read' })
  const refused = await creator(`POST ${org}/spaces`, { parent: id })
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /"create"/)
})

test('spaces and collections have one order', async () => {
  const parent = await collection('Ordered')
  const [a, c] = [await space('A', parent), await space('C', parent)]
  const b = await collection('B', parent)
  const moved = await ada(`POST /v1/collections/${b}/move`, {
    position: { before: { type: 'space', space: c } },
  })
  assert.equal(moved.status, 200, moved.text)
  const position = async (kind: 'space' | 'collection', id: string) =>
    (await world.db.read.selectFrom(kind).select('position').where('id', '=', id).executeTakeFirstOrThrow())
      .position
  const order = [await position('space', a), await position('collection', b), await position('space', c)]
  assert.deepEqual(order, order.toSorted())

  const between = { after: { type: 'space', space: a }, before: { type: 'space', space: c } }
  assert.equal((await ada(`POST /v1/collections/${b}/move`, { position: between })).status, 409)
  const crossed = { after: between.before, before: between.after }
  assert.equal((await ada(`POST /v1/collections/${b}/move`, { position: crossed })).status, 400)
  assert.equal((await ada(`POST /v1/spaces/${c}/move`, {})).status, 409)
  const first = { before: { type: 'space', space: a } }
  assert.equal((await ada(`POST /v1/spaces/${c}/move`, { position: first })).status, 200)
  assert.deepEqual(await titles(`/v1/collections/${parent}/spaces`), ['C', 'A'])
})

test('resources that the caller cannot see neither prevent a move nor appear in its response', async () => {
  const cora = await world.person('cora', 'create')
  for (const hide of [true, false]) {
    const parent = await collection('Partly hidden')
    const [a, hidden, b, x] = [
      await space('A', parent),
      await space('H', parent),
      await space('B', parent),
      await space('X', parent),
    ]
    if (hide) await ada(`PATCH /v1/spaces/${hidden}`, { defaultLevel: null })
    const [after, before] = [
      { type: 'space', space: a },
      { type: 'space', space: b },
    ]
    const moved = await cora(`POST /v1/spaces/${x}/move`, { position: { after, before } })
    assert.equal(moved.status, hide ? 200 : 400)
    if (!hide) continue
    assert.deepEqual(await titles(`/v1/collections/${parent}/spaces`), ['A', 'H', 'X', 'B'])
    assert.deepEqual(await titles(`/v1/collections/${parent}/spaces`, cora), ['A', 'X', 'B'])
    // It is there already as far as she can see.
    for (const position of [{ after }, { before }, { after, before }])
      assert.equal((await cora(`POST /v1/spaces/${x}/move`, { position })).status, 409)
    assert.equal((await ada(`POST /v1/spaces/${x}/move`, { position: { after } })).status, 200)
    assert.deepEqual(await titles(`/v1/collections/${parent}/spaces`), ['A', 'X', 'H', 'B'])

    await ada(`POST /v1/spaces/${hidden}/move`, {})
    assert.deepEqual(await titles(`/v1/collections/${parent}/spaces`), ['A', 'X', 'B', 'H'])
    assert.equal((await cora(`POST /v1/spaces/${b}/move`, {})).status, 409)
    assert.equal((await cora(`POST /v1/spaces/${a}/move`, {})).status, 200)
    assert.deepEqual(await titles(`/v1/collections/${parent}/spaces`), ['X', 'B', 'H', 'A'])
  }
})

test('refuses a collection inside itself or more than 20 levels deep', async () => {
  const top = await collection('1')
  let last = top
  for (let depth = 2; depth <= 20; depth++) last = await collection(String(depth), last)
  const answers = [
    await ada(`POST /v1/collections/${top}/move`, { parent: top }),
    await ada(`POST /v1/collections/${top}/move`, { parent: last }),
    await ada(`POST ${org}/collections`, { parent: last }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [409, 409, 409],
  )
  const deep = await space('At the bottom', last)
  assert.equal((await reader(`GET /v1/spaces/${deep}`)).status, 200)
  await ada(`PATCH /v1/collections/${top}`, { defaultLevel: null })
  assert.equal((await reader(`GET /v1/spaces/${deep}`)).status, 404)
})

/** The error for an id in a body, without the id and without the side of the position that it was sent for. */
const withoutId = ({ text }: { text: string }) =>
  text.replace(/(but was |"id":")\\"\w+\\"/g, '$1<id>').replace(/position\.(before|after)/g, 'position')

test('refuses ids of another organization in a body as unknown, and changes nothing', async () => {
  const foreign = (await stranger(`POST /v1/orgs/${stranger.organizationId}/collections`)).body.id
  const foreignSpace = (await stranger(`POST /v1/orgs/${stranger.organizationId}/spaces`)).body.id
  const id = await collection('Here')
  const inside = await space('Here', id)
  const before = await ada(`GET /v1/collections/${id}`)
  const foreignPosition = { position: { before: { type: 'space', space: foreignSpace } } }
  for (const [request, foreignBody, unknownBody] of [
    [`POST ${org}/collections`, { parent: foreign }, { parent: 'nowhere' }],
    [`POST ${org}/spaces`, { parent: foreign }, { parent: 'nowhere' }],
    [`POST /v1/collections/${id}/move`, { parent: foreign }, { parent: 'nowhere' }],
    [`POST /v1/spaces/${inside}/move`, { parent: foreign }, { parent: 'nowhere' }],
    [
      `POST /v1/spaces/${inside}/move`,
      foreignPosition,
      { position: { after: { type: 'space', space: 'x' } } },
    ],
    [
      `POST /v1/collections/${id}/move`,
      foreignPosition,
      { position: { after: { type: 'space', space: 'x' } } },
    ],
    [
      `POST /v1/collections/${id}/transfer`,
      { organization: stranger.organizationId },
      { organization: 'nowhere' },
    ],
    [
      `POST /v1/collections/${id}/permissions`,
      { users: [stranger.id], role: 'read' },
      { users: ['nobody'], role: 'read' },
    ],
  ] as const) {
    const [one, other] = [await ada(request, foreignBody), await ada(request, unknownBody)]
    assert.deepEqual([one.status, withoutId(one)], [400, withoutId(other)], request)
  }
  assert.deepEqual((await ada(`GET /v1/collections/${id}`)).body, before.body)
  // A neighbour that exists, but in another collection.
  const elsewhere = { position: { before: { type: 'collection', collection: id } } }
  assert.equal((await ada(`POST /v1/spaces/${inside}/move`, elsewhere)).status, 400)
})

test('a transfer moves all descendants and leaves no reference to the old organization', async () => {
  const target = (await ada('POST /v1/orgs', { title: 'Target' })).body.id as string
  const outer = await collection('Outer')
  const id = await collection('Moving', outer)
  const nested = await collection('Nested', id)
  const [inside, trashed] = [await space('Inside', nested), await space('Trashed', id)]
  await grant(`/v1/collections/${id}`, reader, 'edit')
  await grant(`/v1/spaces/${inside}`, reader, 'edit')
  await ada(`DELETE /v1/spaces/${trashed}`)

  assert.equal((await creator(`POST /v1/collections/${id}/transfer`, { organization: target })).status, 403)
  assert.equal(
    (await ada(`POST /v1/collections/${id}/transfer`, { organization: organizationId })).status,
    409,
  )
  const { status, body } = await ada(`POST /v1/collections/${id}/transfer`, { organization: target })
  assert.deepEqual([status, body.organization, body.parent], [200, target, undefined])
  assert.equal((await ada(`GET /v1/spaces/${inside}`)).body.organization, target)
  assert.equal((await ada(`GET /v1/collections/${nested}`)).body.parent, id)
  assert.deepEqual(await titles(`/v1/orgs/${target}/spaces?deleted=true`), ['Trashed'])
  for (const path of [`/v1/spaces/${inside}`, `/v1/collections/${id}`]) {
    assert.equal((await reader(`GET ${path}`)).status, 404)
    assert.equal((await ada(`GET ${path}/permissions/users`)).body.count, 0)
  }
  const left = await world.db.read
    .selectFrom('grant')
    .select('targetId')
    .where('targetId', 'in', [id, nested, inside, trashed])
    .execute()
  assert.deepEqual(left, [])
})

test('refuses to transfer resources of a site', async () => {
  const target = (await ada('POST /v1/orgs', { title: 'Other' })).body.id as string
  const id = await collection('Published')
  const inside = await space('Published', id)
  await ada(`POST ${org}/sites`, { title: 'Site', spaces: [inside] })
  for (const path of [`/v1/collections/${id}`, `/v1/spaces/${inside}`]) {
    assert.equal((await ada(`POST ${path}/transfer`, { organization: target })).status, 412)
    assert.equal((await ada(`GET ${path}`)).body.organization, organizationId)
  }
})

test('deleting a collection moves its spaces to the trash, and each can be restored to its place', async () => {
  const outer = await collection('Stays')
  const id = await collection('Goes', outer)
  const nested = await collection('Goes too', id)
  const [one, two] = [await space('One', id), await space('Two', nested)]
  assert.equal((await reader(`DELETE /v1/collections/${id}`)).status, 403)
  assert.equal((await ada(`DELETE /v1/collections/${id}`)).status, 205)
  assert.equal((await ada(`DELETE /v1/collections/${id}`)).status, 204)
  for (const path of [`/v1/collections/${id}`, `/v1/collections/${nested}`, `/v1/spaces/${one}`])
    assert.equal((await ada(`GET ${path}`)).status, 404)

  assert.equal((await ada(`POST /v1/spaces/${two}/restore`)).body.parent, outer)
  assert.equal((await ada(`DELETE /v1/collections/${outer}`)).status, 205)
  assert.equal((await ada(`POST /v1/spaces/${two}/restore`)).body.parent, undefined)
  assert.equal((await ada(`POST /v1/spaces/${one}/restore`)).body.parent, undefined)
})

test('deleting a collection gives nobody more access', async () => {
  const hidden = await collection('Hidden')
  await ada(`PATCH /v1/collections/${hidden}`, { defaultLevel: null })
  const denied = await collection('Denied')
  await grant(`/v1/collections/${denied}`, reader, null)
  const plain = await collection('Plain')
  const readable = await collection('Readable')
  await ada(`PATCH /v1/collections/${readable}`, { defaultLevel: 'read' })
  for (const [id, level, seen] of [
    [hidden, null, 404],
    [denied, null, 404],
    [plain, 'inherit', 200],
    [readable, 'read', 200],
  ] as const) {
    const inside = await space('Inside', id)
    await ada(`DELETE /v1/collections/${id}`)
    assert.equal((await ada(`POST /v1/spaces/${inside}/restore`)).body.defaultLevel, level)
    assert.equal((await reader(`GET /v1/spaces/${inside}`)).status, seen)
  }
})

test('deleting and restoring never grants a role that moving would not grant', async () => {
  const eve = await world.person('eve', 'read')
  const outer = await collection('Outer of eve')
  const inner = await collection('Inner of eve', outer)
  const nested = await collection('Nested of eve', inner)
  const [moved, deep] = [await space('Moved', inner), await space('Deep', nested)]
  await grant(`/v1/collections/${outer}`, eve, 'admin')
  await grant(`/v1/collections/${inner}`, eve, 'create')
  const roleOf = async (id: string) =>
    (await ada(`GET /v1/spaces/${id}/permissions/explain?user=${eve.id}`)).body.role
  assert.equal((await eve(`POST /v1/spaces/${moved}/move`, { parent: outer })).status, 403)

  assert.equal((await eve(`DELETE /v1/collections/${inner}`)).status, 205)
  for (const id of [moved, deep]) {
    const { status, body } = await eve(`POST /v1/spaces/${id}/restore`)
    assert.deepEqual([status, body.parent, await roleOf(id)], [200, outer, 'create'])
  }
})

test('a user who deletes a collection can restore its spaces', async () => {
  const id = await collection('Granted')
  const inside = await space('Inside', id)
  await grant(`/v1/collections/${id}`, guest, 'create')
  await ada(`PATCH /v1/collections/${id}`, { defaultLevel: null })
  assert.equal((await guest(`DELETE /v1/collections/${id}`)).status, 205)
  assert.deepEqual(await titles(`${org}/spaces?deleted=true`, guest), ['Inside'])
  assert.equal((await guest(`POST /v1/spaces/${inside}/restore`)).status, 200)
})

test('a user whose access came only from a deleted collection can restore its spaces', async () => {
  const id = await collection('Alone')
  const inside = await space('Inside', id)
  await grant(`/v1/collections/${id}`, guest, 'create')
  assert.equal((await guest(`DELETE /v1/collections/${id}`)).status, 205)
  const { status, body } = await guest(`POST /v1/spaces/${inside}/restore`)
  assert.deepEqual([status, body.defaultLevel], [200, 'inherit'])
})

test('deleting a collection requires permission on all its content, and errors do not name hidden content', async () => {
  const outer = await collection('Outer of a creator')
  const nested = await collection('Nested', outer)
  const hidden = await space('Hidden', nested)
  await ada(`PATCH /v1/spaces/${hidden}`, { defaultLevel: null })
  const refused = async () => {
    const { status, body, text } = await creator(`DELETE /v1/collections/${outer}`)
    assert.equal(status, 403)
    assert.match(body.error.message, /"create" on everything in this collection/)
    assert(!text.includes(hidden) && !text.includes('Hidden'))
  }
  await refused()
  assert.equal((await ada(`GET /v1/spaces/${hidden}`)).status, 200)
  await ada(`PATCH /v1/spaces/${hidden}`, { defaultLevel: 'inherit' })
  await ada(`PATCH /v1/collections/${nested}`, { defaultLevel: 'read' })
  await refused()
  await ada(`PATCH /v1/collections/${nested}`, { defaultLevel: 'inherit' })
  assert.equal((await creator(`DELETE /v1/collections/${outer}`)).status, 205)
})
