/** Users by SCIM, in the requests of Okta and Entra ID. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertToken } from '../../src/model/people/token.ts'
import { createWorld } from '../world.ts'
import { assertFault, patch, providerOf } from './provider.ts'

const world = await createWorld()
const { ada, nobody, organizationId, db } = world
const org = `/v1/orgs/${organizationId}`
const okta = await providerOf(world, ada, organizationId)
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

const byName = (name: string) => `Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`
const member = async (id: string) => (await ada(`GET ${org}/members/${id}`)).body
const create = async (userName: string, more: object = {}) => {
  const answer = await okta('POST Users', { schemas: [USER], userName, active: true, ...more })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}

test('Okta: provision, update, deactivate, reactivate', async () => {
  await ada(`PATCH ${org}`, { defaultRole: 'edit' })
  const none = await okta(`GET ${byName('grace@example.com')}&startIndex=1&count=100`)
  assert.deepEqual(none.body, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  })
  const sent = {
    schemas: [USER],
    userName: 'Grace@example.com',
    name: { givenName: 'Grace', familyName: 'Hopper' },
    emails: [{ primary: true, value: 'Grace@example.com', type: 'work' }],
    displayName: 'Grace Hopper',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const created = await okta('POST Users', sent)
  assert.equal(created.status, 201, created.text)
  const { id, meta, ...user } = created.body
  assert.deepEqual(user, {
    schemas: [USER],
    externalId: '00ujl29u0le5T6Aj10h7',
    userName: 'Grace@example.com',
    displayName: 'Grace Hopper',
    name: { formatted: 'Grace Hopper', givenName: 'Grace', familyName: 'Hopper' },
    emails: [{ value: 'grace@example.com', type: 'work', primary: true }],
    active: true,
    groups: [],
  })
  assert.equal(meta.location, `${world.url}/scim/v2/Users/${id}`)
  assert.equal(created.headers.get('location'), meta.location)
  assert.deepEqual((await okta(`GET Users/${id}`)).body, created.body)
  const { role, disabled, user: account } = await member(id)
  assert.deepEqual([role, disabled, account.displayName], ['edit', false, 'Grace Hopper'])
  assert.equal((await okta(`GET ${byName('GRACE@EXAMPLE.COM')}`)).body.Resources[0].id, id)

  const renamed = { ...sent, name: { givenName: 'Grace', familyName: 'Murray' }, displayName: 'Grace Murray' }
  const updated = await okta(`PUT Users/${id}`, { ...renamed, id })
  assert.equal(updated.body.displayName, 'Grace Murray')
  assert.equal((await member(id)).user.displayName, 'Grace Murray')

  const off = await okta(`PATCH Users/${id}`, patch({ op: 'replace', value: { active: false } }))
  assert.deepEqual([off.status, off.body.active], [200, false])
  assert.equal((await member(id)).disabled, true)
  const on = await okta(`PATCH Users/${id}`, patch({ op: 'replace', value: { active: true } }))
  assert.deepEqual([on.body.active, (await member(id)).disabled], [true, false])
})

test('Entra ID: provision, update by paths, deactivate, delete', async () => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const { body: created } = await okta('POST Users', {
    schemas: [USER, enterprise],
    externalId: 'jyoung',
    userName: 'jyoung@testuser.onmicrosoft.com',
    active: true,
    displayName: 'Joy Young',
    emails: [{ type: 'work', value: 'joy.young@example.com', primary: true }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Joy Young', familyName: 'Young', givenName: 'Joy' },
    [enterprise]: { department: 'Sales' },
  })
  const address = `Users/${created.id}`
  assert.equal((await member(created.id)).user.email, 'joy.young@example.com')
  const changes: [object, Record<string, unknown>][] = [
    [{ op: 'Replace', path: 'displayName', value: 'Joy Y.' }, { displayName: 'Joy Y.' }],
    [{ op: 'Add', path: 'externalId', value: 'j-2' }, { externalId: 'j-2' }],
    [
      { op: 'Replace', path: 'userName', value: 'joy@testuser.onmicrosoft.com' },
      { userName: 'joy@testuser.onmicrosoft.com' },
    ],
    [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'joy@example.com' },
      { emails: [{ value: 'joy@example.com', type: 'work', primary: true }] },
    ],
    [{ op: 'Replace', path: `${enterprise}:department`, value: 'Research' }, {}],
    [
      { op: 'Replace', value: { 'name.familyName': 'Older', [`${USER}:displayName`]: 'Joy Older' } },
      { displayName: 'Joy Older' },
    ],
    [{ op: 'Remove', path: 'externalId' }, { externalId: undefined }],
    [{ op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    [{ op: 'Replace', path: 'active', value: 'True' }, { active: true }],
  ]
  for (const [operation, expected] of changes) {
    const { status, body, text } = await okta(`PATCH ${address}`, patch(operation))
    assert.equal(status, 200, text)
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, text)
  }
  assert.equal((await member(created.id)).user.email, 'joy@example.com')
  assert.equal((await okta(`DELETE ${address}`)).status, 204)
  assert.equal((await okta(`GET ${address}`)).status, 404)
  assert.equal((await okta(`DELETE ${address}`)).status, 404)
  // The same user is provisioned again, with the account that they had.
  const again = await okta('POST Users', { userName: 'joy@example.com', active: true })
  assert.equal(again.body.id, created.id)
})

test('a disabled member loses access with their token, and gets it back', async () => {
  const carol = await world.person('Carol', 'read')
  const active = (value: boolean) =>
    okta(`PATCH Users/${carol.id}`, patch({ op: 'replace', path: 'active', value }))
  assert.equal((await carol(`GET ${org}`)).status, 200)
  await active(false)
  assert.equal((await carol(`GET ${org}`)).status, 404)
  await active(true)
  assert.equal((await carol(`GET ${org}`)).status, 200)
})

test('the last administrator is neither disabled nor removed', async () => {
  const words = /last administrator/
  assertFault(
    await okta(`PATCH Users/${ada.id}`, patch({ op: 'replace', path: 'active', value: false })),
    409,
    undefined,
    words,
  )
  assertFault(
    await okta(`PUT Users/${ada.id}`, { userName: 'admin@localhost', active: 'false' }),
    409,
    undefined,
    words,
  )
  assertFault(await okta(`DELETE Users/${ada.id}`), 409, undefined, words)
  assert.equal((await ada(`GET ${org}`)).status, 200)
})

test('a user of other organizations keeps their name and address', async () => {
  const dave = await world.stranger('Dave')
  await db.write((tx) =>
    tx
      .insertInto('account')
      .values({
        userId: dave.id,
        passwordHash: null,
        emailVerifiedAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      })
      .execute(),
  )
  const { body } = await okta('POST Users', { userName: 'dave@example.com', displayName: 'Changed' })
  assert.deepEqual([body.id, body.displayName], [dave.id, 'Changed'])
  const renamed = await okta(
    `PATCH Users/${dave.id}`,
    patch({ op: 'replace', value: { userName: 'd@example.com', emails: [{ value: 'taken@example.com' }] } }),
  )
  assert.deepEqual(
    [renamed.body.userName, renamed.body.emails[0].value],
    ['d@example.com', 'dave@example.com'],
  )
  const { displayName, email } = (await dave('GET /v1/user')).body
  assert.deepEqual([displayName, email], ['Dave', 'dave@example.com'])
  // The account of a user who is only here, but was not created by SCIM, keeps its address too.
  const erin = await world.person('Erin', 'read')
  await okta(
    `PATCH Users/${erin.id}`,
    patch({ op: 'replace', value: { displayName: 'E', emails: [{ value: 'e@example.com' }] } }),
  )
  const own = (await erin('GET /v1/user')).body
  assert.deepEqual([own.displayName, own.email], ['E', 'erin@example.com'])
})

test('an account that gets another address keeps no way to sign in', async () => {
  const id = await create('former@example.com')
  const at = '2026-01-01T00:00:00.000Z'
  await db.write(async (tx) => {
    const values = { userId: id, passwordHash: 'x', emailVerifiedAt: at, updatedAt: at }
    await tx.insertInto('account').values(values).execute()
    await insertToken(tx, { id: 'waiting', userId: id, label: 'x', now: new Date() }, 'a-token-that-waits')
  })
  const speak = () => nobody('GET /v1/user', undefined, { authorization: 'Bearer a-token-that-waits' })
  assert.equal((await speak()).status, 200)
  await okta(`PUT Users/${id}`, { userName: 'former@example.com', displayName: 'Same' })
  assert.equal((await speak()).status, 200)
  const { body } = await okta(`PUT Users/${id}`, { userName: 'latter@example.com' })
  assert.equal(body.emails[0].value, 'latter@example.com')
  assert.equal((await speak()).status, 401)
  const account = await db.read
    .selectFrom('account')
    .select(['passwordHash', 'emailVerifiedAt'])
    .where('userId', '=', id)
    .executeTakeFirst()
  assert.deepEqual({ ...account }, { passwordHash: null, emailVerifiedAt: null })
})

test('an account whose address nobody has verified does not join', async () => {
  await world.stranger('Impostor')
  const answer = await okta('POST Users', { userName: 'impostor@example.com' })
  assertFault(answer, 409, 'uniqueness', /nobody has verified/)
  assert.equal((await okta(`GET ${byName('impostor@example.com')}`)).body.totalResults, 0)
})

test('a member who was there before is found, and provisioned', async () => {
  const frank = await world.person('Frank', 'review')
  assert.equal((await okta(`GET ${byName('frank@example.com')}`)).body.Resources[0].id, frank.id)
  const id = await create('frank@example.com', { externalId: 'f' })
  assert.equal(id, frank.id)
  assert.equal((await member(id)).role, 'review')
  assertFault(
    await okta('POST Users', { userName: 'FRANK@example.com' }),
    409,
    'uniqueness',
    /Another user has the userName/,
  )
})

test('filters and pages', async () => {
  const ids: string[] = []
  for (const n of [1, 2, 3]) ids.push(await create(`page${n}@example.com`, { externalId: `p-${n}` }))
  const found = async (filter: string) => {
    const { status, text, body } = await okta(`GET Users?filter=${encodeURIComponent(filter)}`)
    assert.equal(status, 200, text)
    return body.Resources.map(({ id }: { id: string }) => id)
  }
  const filters: [string, string[]][] = [
    ['externalId eq "p-1"', [ids[0]!]],
    ['externalId eq "P-1"', []],
    ['EXTERNALID EQ "p-2" AND active eq true', [ids[1]!]],
    ['userName eq "page3@example.com" and externalId eq "p-2"', []],
    [`id eq "${ids[2]}"`, [ids[2]!]],
    ['emails[type eq "work" and primary eq true].value eq "page1@example.com"', [ids[0]!]],
    ['emails[type eq "home"].value eq "page1@example.com"', []],
    ['emails.value eq "PAGE2@example.com"', [ids[1]!]],
    [`${USER}:userName eq "page1@example.com"`, [ids[0]!]],
    ['userName eq "a\\"b"', []],
  ]
  for (const [filter, expected] of filters) assert.deepEqual(await found(filter), expected, filter)

  const all = await okta('GET Users')
  const { totalResults } = all.body
  const pages: string[] = []
  for (let start = 1; start <= totalResults; start += 2) {
    const { body } = await okta(`GET Users?startIndex=${start}&count=2&attributes=id`)
    assert.deepEqual([body.totalResults, body.startIndex], [totalResults, start])
    for (const user of body.Resources) pages.push(user.id)
    assert.deepEqual(Object.keys(body.Resources[0]), ['schemas', 'id'])
  }
  assert.deepEqual(
    pages,
    all.body.Resources.map(({ id }: { id: string }) => id),
  )
  const corrected = await okta('GET Users?startIndex=-5&count=-1&excludedAttributes=emails,name.formatted')
  assert.deepEqual([corrected.status, corrected.body.startIndex, corrected.body.itemsPerPage], [200, 1, 0])
  assert.equal((await okta('GET Users?count=100000')).body.itemsPerPage, Math.min(200, totalResults))
})
