/** What SCIM refuses, whom a token reaches, and what is recorded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { assertFault, patch, providerOf, providerWith } from './provider.ts'

const world = await createWorld()
const { ada, nobody, organizationId, db } = world
const org = `/v1/orgs/${organizationId}`
const okta = await providerOf(world, ada, organizationId)
const bob = await world.stranger('Bob')
const other = await providerOf(world, bob, bob.organizationId)
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

const byName = (name: string) => `Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`
const member = async (id: string) => (await ada(`GET ${org}/members/${id}`)).body
const create = async (userName: string, more: object = {}) => {
  const answer = await okta('POST Users', { schemas: [USER], userName, active: true, ...more })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}

test('hostile and malformed requests are refused with errors of SCIM', async () => {
  const id = await create('hostile@example.com')
  const deep = '['.repeat(500)
  const filters = [
    '',
    'x',
    'userName',
    'userName co "a"',
    'userName eq',
    'userName eq "a" or id eq "b"',
    'not (id eq "a")',
    'title eq "a"',
    'id eq "a"'.padEnd(1200, ' '),
    Array.from({ length: 20 }, () => 'id eq "a"').join(' and '),
    deep,
    'userName eq {"a":1}',
    '"'.repeat(900),
  ]
  for (const filter of filters.slice(1))
    assertFault(await okta(`GET Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter', /filter/i)
  const patches: [unknown, string, RegExp][] = [
    [{}, 'invalidValue', /Operations/],
    [{ Operations: 'x' }, 'invalidSyntax', /list/],
    [patch({ op: 'move', path: 'active' }), 'invalidSyntax', /"op"/],
    [patch({ op: 'remove' }), 'noTarget', /path/],
    [patch({ op: 'replace', path: 'active', value: 'maybe' }), 'invalidValue', /active/],
    [patch({ op: 'replace', path: 'userName', value: '' }), 'invalidValue', /userName/],
    [patch({ op: 'remove', path: 'userName' }), 'mutability', /userName/],
    [patch({ op: 'replace', path: 'emails[', value: 'x' }), 'invalidPath', /path/],
    [patch({ op: 'replace', path: 'emails[type co "x"].value', value: 'x' }), 'invalidFilter', /filter/],
    [patch({ op: 'replace', path: `emails[${'('.repeat(2000)}]` }), 'invalidPath', /1000/],
    [patch({ op: 'replace', path: 'displayName', value: 'x'.repeat(300) }), 'invalidValue', /255/],
    [patch(...Array.from({ length: 1001 }, () => ({ op: 'replace', path: 'a' }))), 'tooMany', /1000/],
    [patch({ op: 'replace', path: 'externalId', value: 'a\0b' }), 'invalidValue', /externalId|Operations/],
  ]
  for (const [body, scimType, words] of patches)
    assertFault(await okta(`PATCH Users/${id}`, body), 400, scimType, words)
  assertFault(await okta('POST Users', { displayName: 'x' }), 400, 'invalidValue', /userName/)
  assertFault(await okta('POST Users', { userName: 'nobody' }), 400, 'invalidValue', /e-mail address/)
  assertFault(
    await okta(
      `PATCH Users/${id}`,
      patch({
        op: 'replace',
        value: { userName: 'ada@example.com', emails: [{ value: 'admin@localhost' }] },
      }),
    ),
    409,
    'uniqueness',
    /address/,
  )
  const big = patch({ op: 'replace', path: 'displayName', value: 'x'.repeat(100_000) })
  assertFault(await okta(`PATCH Users/${id}`, big), 413, undefined, /at most 64 kB/)
  assertFault(await okta(`PATCH Users/${id}`, patch(), 'text/csv'), 415, undefined, /JSON/)
  assert.equal((await okta(`PATCH Users/${id}`, patch(), 'application/json')).status, 200)
  assertFault(await okta('GET Nothing'), 404, undefined, /There is no GET/)
  assertFault(await okta('DELETE Users'), 405, undefined, /allows/)
})

test('a token reaches its organization only, and nothing else', async () => {
  const id = await create('mine@example.com')
  const requests: [string, unknown?][] = [
    [`GET Users/${id}`],
    [`PUT Users/${id}`, { userName: 'x@example.com' }],
    [`PATCH Users/${id}`, patch({ op: 'replace', path: 'active', value: false })],
    [`DELETE Users/${id}`],
  ]
  for (const [request, body] of requests) assertFault(await other(request, body), 404, undefined, /no user/)
  assert.equal((await other(`GET ${byName('mine@example.com')}`)).body.totalResults, 0)
  assert.equal((await member(id)).disabled, false)

  const mine = await providerOf(world, ada, organizationId)
  assert.equal((await mine('GET Users?count=0')).status, 200)
  assertFault(await providerWith(nobody, ada.token)('GET Users'), 403, undefined, /SCIM token/)
  assertFault(await providerWith(nobody, 'lec_scim_wrong')('GET Users'), 401, undefined, /token/)
  for (const request of ['GET /v1/user', `GET ${org}/members`, `POST ${org}/scim-tokens`]) {
    const answer = await nobody(request, undefined, { authorization: `Bearer ${mine.token}` })
    assert.deepEqual([answer.status, answer.body.error.code], [403, 403], request)
  }
  const { body: listed } = await ada(`GET ${org}/scim-tokens`)
  assert.deepEqual([listed.count, listed.items[0].id], [2, mine.id])
  assert(!('token' in listed.items[0]) && !('hash' in listed.items[0]))
  assert.equal((await bob(`DELETE /v1/orgs/${bob.organizationId}/scim-tokens/${mine.id}`)).status, 204)
  assert.equal((await mine('GET Users?count=0')).status, 200)
  assert.equal((await ada(`DELETE ${org}/scim-tokens/${mine.id}`)).status, 204)
  assertFault(await mine('GET Users'), 401, undefined, /token/)
})

test('an organization has at most 50 tokens', async () => {
  const made = []
  for (let i = 0; i < 49; i++) made.push(await providerOf(world, ada, organizationId))
  assert.equal((await ada(`POST ${org}/scim-tokens`)).status, 409)
  for (const { id } of made) await ada(`DELETE ${org}/scim-tokens/${id}`)
})

test('each change is in the audit log, by the token', async () => {
  const provider = await providerOf(world, ada, organizationId)
  const { body } = await provider('POST Users', {
    userName: 'audited@example.com',
    password: 'hidden-secret',
  })
  await provider(`PATCH Users/${body.id}`, patch({ op: 'replace', path: 'active', value: false }))
  await provider(`DELETE Users/${body.id}`)
  const rows = await db.read
    .selectFrom('auditEvent')
    .selectAll()
    .where('targetId', '=', body.id)
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    rows.map(({ action, actorType, actorId, tokenId, source }) => [
      action,
      actorType,
      actorId,
      tokenId,
      source,
    ]),
    ['create', 'update', 'delete'].map((verb) => [
      `scim.user.${verb}`,
      'integration',
      provider.id,
      provider.id,
      'integration',
    ]),
  )
  assert.deepEqual(JSON.parse(rows[1]!.payload), {
    before: { disabled: false },
    after: { disabled: true },
    fields: ['schemas', 'Operations'],
  })
  assert(!JSON.stringify(rows).includes('hidden-secret'))
  const listed = await ada(`GET ${org}/audit-events?limit=1`)
  assert.equal(listed.body.items[0].actor.label, 'SCIM')
})

test('what the server supports can be asked for', async () => {
  const provider = await providerOf(world, ada, organizationId)
  const { body: config } = await provider('GET ServiceProviderConfig')
  assert.deepEqual(
    [config.patch.supported, config.bulk.supported, config.filter.maxResults],
    [true, false, 200],
  )
  const { body: types } = await provider('GET ResourceTypes')
  for (const type of types.Resources) {
    assert.deepEqual((await provider(`GET ResourceTypes/${type.id}`)).body, type)
    const { body: schema } = await provider(`GET Schemas/${type.schema}`)
    assert.equal(schema.id, type.schema)
    assert.equal((await provider(`GET${type.endpoint.replace('/', ' ')}?count=1`)).status, 200)
  }
  assert.equal((await provider('GET Schemas')).body.totalResults, 2)
  assertFault(await provider('GET Schemas/x'), 404, undefined, /schema/)
})
