import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const creator = await world.person('creator', 'create')
const editor = await world.person('editor', 'edit')
const guest = await world.person('guest', null)
const stranger = await world.stranger('mallory')
const base = `/v1/orgs/${organizationId}/custom-fields`

const newSpace = async () =>
  (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body.id as string
const space = await newSpace()

const TYPES: [string, string, object][] = [
  ['owner', 'text', { title: 'Owner', description: 'Who keeps it', placeholder: 'A name' }],
  ['order', 'number', {}],
  ['internal', 'boolean', {}],
  ['topics', 'tags', {}],
  ['products', 'select:multi', { options: ['cloud', 'desktop', 'mobile'] }],
  ['status', 'select:single', { options: ['draft', 'ready'] }],
]
const made: Answer[] = []
for (const [name, type, more] of TYPES) made.push(await ada(`POST ${base}`, { name, type, ...more }))

/** Returns the values of a space by the name of their field. */
async function valuesOf(id: string): Promise<Record<string, unknown>> {
  const { body } = await ada(`GET /v1/spaces/${id}/custom-fields`)
  const all = body as { customField: { name: string }; value?: unknown }[]
  return Object.fromEntries(all.flatMap((one) => ('value' in one ? [[one.customField.name, one.value]] : [])))
}

const setValues = (id: string, values: Record<string, unknown>) =>
  ada(`PATCH /v1/spaces/${id}/custom-fields`, {
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  })

test('a definition is returned in full, with empty texts for omitted ones', async () => {
  assert.deepEqual(
    made.map(({ status }) => status),
    TYPES.map(() => 201),
  )
  const { id, createdAt } = made[0]?.body ?? {}
  assert.deepEqual(made[0]?.body, {
    id,
    name: 'owner',
    type: 'text',
    title: 'Owner',
    description: 'Who keeps it',
    placeholder: 'A name',
    createdAt,
    updatedAt: createdAt,
    urls: { location: `${world.url}${base}/owner` },
    permissions: { view: true, edit: true },
  })
  const status = (await editor(`GET ${base}/status`)).body
  assert.deepEqual([status.title, status.options, status.permissions.edit], ['', ['draft', 'ready'], false])
  assert.equal((await ada(`GET ${base}/nothing`)).status, 404)

  const first = (await ada(`GET ${base}?limit=4`)).body
  const second = (await ada(`GET ${base}?limit=4&page=${first.next.page}`)).body
  assert.deepEqual(
    [...first.items, ...second.items].map(({ name }: { name: string }) => name),
    TYPES.map(([name]) => name),
  )
  assert.deepEqual([first.count, second.next], [6, undefined])
})

test('names, texts and options have limits, and only select types accept options', async () => {
  for (const body of [
    {},
    { name: 'a' },
    { name: 'a', type: 'date' },
    { name: '', type: 'text' },
    { name: 'x'.repeat(51), type: 'text' },
    { name: 'Upper', type: 'text' },
    { name: 'a b', type: 'text' },
    { name: 'a', type: 'text', title: 'x'.repeat(101) },
    { name: 'a', type: 'text', description: 'x'.repeat(201) },
    { name: 'a', type: 'text', placeholder: 'x'.repeat(101) },
    { name: 'a', type: 'text', options: ['x'] },
    { name: 'a', type: 'select:single' },
    { name: 'a', type: 'select:multi', options: [] },
    { name: 'a', type: 'select:multi', options: [''] },
    { name: 'a', type: 'select:multi', options: ['x'.repeat(41)] },
    { name: 'a', type: 'select:multi', options: ['x', 'x'] },
    { name: 'a', type: 'select:multi', options: Array.from({ length: 51 }, (_, i) => `${i}`) },
  ]) {
    assert.equal((await ada(`POST ${base}`, body)).status, 400, JSON.stringify(body))
  }
  const needless = await ada(`PATCH ${base}/owner`, { options: ['x'] })
  assert.equal(needless.status, 400)
  assert.equal(needless.body.error.details[0].reason, 'options-not-allowed')
  assert.equal((await ada(`PATCH ${base}/status`, { options: [] })).status, 400)
  assert.equal((await ada(`POST ${base}`, { name: 'owner', type: 'text' })).status, 409)
  assert.equal((await ada(`GET ${base}`)).body.count, TYPES.length)
})

test('a name is unique within an organization', async () => {
  const theirs = `/v1/orgs/${stranger.organizationId}/custom-fields`
  assert.equal((await stranger(`POST ${theirs}`, { name: 'owner', type: 'number' })).status, 201)
  assert.equal((await ada(`GET ${base}/owner`)).body.type, 'text')
  assert.equal((await stranger(`DELETE ${theirs}/status`)).status, 204)
  assert.equal((await ada(`GET ${base}/status`)).status, 200)
})

test('a space lists every field, with a value if it has one', async () => {
  const values = {
    owner: 'Grace',
    order: 2.5,
    internal: false,
    topics: ['api', 'setup'],
    products: ['cloud', 'mobile'],
    status: 'draft',
  }
  assert.equal((await setValues(space, values)).status, 204)
  const { body } = await ada(`GET /v1/spaces/${space}/custom-fields`)
  assert.deepEqual(
    body.map(({ customField, value }: { customField: { name: string }; value: unknown }) => [
      customField.name,
      value,
    ]),
    Object.entries(values),
  )
  assert.deepEqual(body[0].customField, made[0]?.body)
  assert.deepEqual(await valuesOf(await newSpace()), {})
})

test('omitted fields keep their values; null and a missing value clear them', async () => {
  const id = await newSpace()
  await setValues(id, { owner: 'Grace', order: 1, status: 'ready' })
  const cleared = await ada(`PATCH /v1/spaces/${id}/custom-fields`, {
    values: { owner: { value: null }, order: {}, internal: { value: null } },
  })
  assert.equal(cleared.status, 204)
  assert.deepEqual(await valuesOf(id), { status: 'ready' })
  await setValues(id, { status: 'draft' })
  assert.deepEqual(await valuesOf(id), { status: 'draft' })
})

test('an unknown field or an invalid value is named, and nothing changes', async () => {
  const id = await newSpace()
  const answer = await setValues(id, {
    owner: 'Grace',
    order: '2',
    internal: 1,
    topics: 'api',
    products: ['cloud', 'fax'],
    status: 'gone',
    nothing: 'x',
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(
    answer.body.error.details.map(({ path, reason }: Record<'path' | 'reason', string>) => [path, reason]),
    [
      ['body.values.order.value', 'value-not-number'],
      ['body.values.internal.value', 'value-not-boolean'],
      ['body.values.topics.value', 'value-not-list'],
      ['body.values.products.value.1', 'value-not-option'],
      ['body.values.status.value', 'value-not-option'],
      ['body.values.nothing', 'custom-field-unknown'],
    ],
  )
  assert.deepEqual(await valuesOf(id), {})
  assert.equal((await setValues(id, { owner: 'x'.repeat(257) })).status, 400)
  assert.equal((await setValues(id, { toString: 'x' })).status, 400)
  for (const body of [{}, { values: null }, { values: [] }, { values: { owner: 'Grace' } }]) {
    assert.equal((await ada(`PATCH /v1/spaces/${id}/custom-fields`, body)).status, 400, JSON.stringify(body))
  }
})

test('changing a definition keeps its name, its type and omitted fields', async () => {
  const { body } = await ada(`PATCH ${base}/owner`, { title: 'Keeper', name: 'other', type: 'number' })
  const { name, type, title, description } = body
  assert.deepEqual(
    { name, type, title, description },
    {
      name: 'owner',
      type: 'text',
      title: 'Keeper',
      description: 'Who keeps it',
    },
  )
  assert.equal((await ada(`PATCH ${base}/nothing`, { title: 'x' })).status, 404)
})

test('removing an option removes it from the values', async () => {
  const [one, two, three] = [await newSpace(), await newSpace(), await newSpace()]
  await setValues(one, { products: ['cloud', 'mobile'], status: 'draft' })
  await setValues(two, { products: ['mobile'], status: 'ready' })
  await setValues(three, { products: [] })
  await ada(`PATCH ${base}/products`, { options: ['desktop', 'cloud'] })
  await ada(`PATCH ${base}/status`, { options: ['ready', 'done'] })
  assert.deepEqual(await valuesOf(one), { products: ['cloud'] })
  assert.deepEqual(await valuesOf(two), { status: 'ready' })
  assert.deepEqual(await valuesOf(three), { products: [] })
})

test('deleting a definition deletes its values; a new field of the same name starts without values', async () => {
  await ada(`POST ${base}`, { name: 'brief', type: 'text' })
  const id = await newSpace()
  await setValues(id, { brief: 'x', owner: 'Grace' })
  assert.equal((await ada(`DELETE ${base}/brief`)).status, 204)
  assert.equal((await ada(`DELETE ${base}/brief`)).status, 204)
  assert.equal((await setValues(id, { brief: 'x' })).status, 400)
  await ada(`POST ${base}`, { name: 'brief', type: 'text' })
  assert.deepEqual(await valuesOf(id), { owner: 'Grace' })
  await ada(`DELETE ${base}/brief`)
})

test('administrators define fields, creators set values, readers read them', async () => {
  assert.equal((await creator(`POST ${base}`, { name: 'a', type: 'text' })).status, 403)
  assert.equal((await creator(`PATCH ${base}/owner`, { title: 'a' })).status, 403)
  assert.equal((await creator(`DELETE ${base}/owner`)).status, 403)
  assert.equal((await guest(`GET ${base}`)).status, 403)

  const address = `/v1/spaces/${space}/custom-fields`
  const values = { values: { owner: { value: 'Ada' } } }
  assert.equal((await creator(`PATCH ${address}`, values)).status, 204)
  assert.equal((await editor(`PATCH ${address}`, values)).status, 403)
  const seen = await editor(`GET ${address}`)
  assert.equal(seen.body[0].value, 'Ada')
  assert.equal(seen.body[0].customField.permissions.edit, false)
})

test('an organization can have a limited number of fields', async () => {
  const one = await world.stranger('many')
  const theirs = `/v1/orgs/${one.organizationId}/custom-fields`
  for (let i = 0; i < 100; i++) await one(`POST ${theirs}`, { name: `field-${i}`, type: 'number' })
  assert.equal((await one(`POST ${theirs}`, { name: 'one-more', type: 'number' })).status, 409)
})

test('the audit log records the changed values and definitions', async () => {
  const id = await newSpace()
  await setValues(id, { owner: 'Grace' })
  await setValues(id, { owner: 'Ada', order: 1 })
  const last = async () => {
    const { body } = await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=1`)
    return (await ada(`GET /v1/orgs/${organizationId}/audit-events/${body.items[0].id}`)).body
  }
  const values = await last()
  assert.equal(values.action, 'space.custom-field.update')
  assert.deepEqual(values.target, { type: 'space', id, label: 'Guide' })
  assert.deepEqual(values.payload, {
    before: { values: { owner: 'Grace', order: null } },
    after: { values: { owner: 'Ada', order: 1 } },
    fields: ['values'],
  })

  await ada(`PATCH ${base}/status`, { options: ['ready', 'later'] })
  const definition = await last()
  assert.equal(definition.action, 'custom-field.update')
  assert.deepEqual(definition.target, { type: 'custom-field', id: made[5]?.body.id, label: 'status' })
  assert.deepEqual(definition.payload.before, { options: ['ready', 'done'] })
  await ada(`DELETE ${base}/status`)
  assert.deepEqual((await last()).payload.before.options, ['ready', 'later'])
})
