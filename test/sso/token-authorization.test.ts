/** API tokens and single sign-on: which tokens a session by a provider authorized, and when that ends. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { openSessionFor } from '../signed-in.ts'
import { browserOf } from '../console/pages.ts'
import { inSession } from '../signed-in.ts'
import { createWorld, type Person } from '../world.ts'
import { key } from './saml-kit.ts'

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' })
const { ada, db, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const path = `${org}/token-authorizations`
const space = (await ada(`POST ${org}/spaces`, { title: 'Guarded' })).body.id as string

const newProvider = async () => {
  const { body } = await ada(`POST ${org}/saml`, {
    label: 'Example',
    entityID: `https://idp.example.com/${(counter += 1)}`,
    ssoURL: 'https://idp.example.com/sso',
    certificate: key.certificate,
  })
  return body.id as string
}
let counter = 0
const kept = await newProvider()
const byProvider = (person: Person, providerId = kept) =>
  inSession(world, person, { method: 'saml', providerId, organizationId })
const admin = await byProvider(await world.person('admin', 'admin'))
await ada(`PATCH ${org}`, { sso: true })

let member: Person
let bySso: Person
beforeEach(async () => {
  member = await world.person(`member-${(counter += 1)}`, 'edit')
  bySso = await byProvider(member)
})

const withToken = (token: string) => (request: string, body?: unknown) =>
  world.nobody(request, body, { authorization: `Bearer ${token}` })
const idOf = async (person: Person) => (await person('GET /v1/user/tokens')).body.items[0].id as string
const opens = async (person: (request: string) => ReturnType<Person>) =>
  (await person(`GET /v1/spaces/${space}`)).status === 200
const loggedFor = async (tokenId: string) => {
  const { body } = await admin(`GET ${org}/audit-events?target=${tokenId}`)
  return (body.items as { action: string; actor: { id: string } }[]).map(({ action, actor }) => [
    action,
    actor.id,
  ])
}

test('a token that a member made before joining is closed out until a session by the provider authorizes it', async () => {
  const id = await idOf(member)
  const refused = await member(`GET /v1/spaces/${space}`)
  assert.equal(refused.status, 403)
  assert.equal(
    refused.body.error.message,
    `This organization requires single sign-on, and this token is not authorized for it: sign in at /sso/${kept} of this server, and authorize the token at /app/tokens/${id}/authorize`,
  )
  const made = await bySso(`POST ${path}`, { token: id })
  assert.equal(made.status, 201, made.text)
  const { id: named, user, provider, readOnly } = made.body
  assert.deepEqual([named, user, provider, readOnly], [id, member.id, kept, false])
  assert(await opens(member))
  assert.deepEqual((await member('GET /v1/orgs')).body.items.length, 1)
  assert.deepEqual((await member('GET /v1/user/tokens')).body.items[0].authorizedFor, [organizationId])
  assert.equal((await bySso(made.body.urls.location.replace(world.url, 'GET '))).body.id, id)
  assert.deepEqual(await loggedFor(id), [['token-authorization.create', member.id]])
  // Again, by whichever provider.
  assert.equal((await bySso(`POST ${path}`, { token: id })).status, 201)
})

test('nothing but a session by a provider of the organization authorizes a token', async () => {
  const id = await idOf(member)
  const other = await world.stranger(`stranger-${(counter += 1)}`)
  const elsewhere = { method: 'saml', providerId: 'elsewhere', organizationId: other.organizationId } as const
  const authorized = withToken((await bySso('POST /v1/user/tokens', { label: 'x' })).body.token)
  assert(await opens(authorized))
  const callers: [string, Person | typeof authorized, number][] = [
    ['the token itself', member, 403],
    ['a session by password', await inSession(world, member), 403],
    ['a session by passkey', await inSession(world, member, { method: 'passkey' }), 403],
    ['a session of the operator', await inSession(world, member, { method: 'recovery' }), 403],
    ['an authorized token', authorized, 403],
    ["a session of another organization's provider", await inSession(world, member, elsewhere), 404],
    ['another member', await byProvider(await world.person(`other-${(counter += 1)}`, 'admin')), 400],
    ['nobody', world.nobody, 401],
  ]
  for (const [what, caller, status] of callers) {
    const answer = await caller(`POST ${path}`, { token: id })
    assert.equal(answer.status, status, `${what}: ${answer.text}`)
  }
  assert(!(await opens(member)))
})

test('a token of a sign-in with a password, one of another organization and one of SCIM cannot be authorized', async () => {
  const { body: scim } = await admin(`POST ${org}/scim-tokens`)
  const { body: limited } = await bySso('POST /v1/user/tokens', { label: 'x' })
  const { organizationId: elsewhere } = await world.stranger(`stranger-${(counter += 1)}`)
  await db.write((tx) =>
    tx.updateTable('token').set({ organizationId: elsewhere }).where('id', '=', limited.id).execute(),
  )
  const signedIn = await idOf(member)
  await db.write((tx) => tx.updateTable('token').set({ session: 1 }).where('id', '=', signedIn).execute())
  for (const token of [scim.id, limited.id, signedIn, 'nothing']) {
    const answer = await bySso(`POST ${path}`, { token })
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.error.message, /body\.token must be the id of an API token of the caller/)
  }
})

test('a token made in a session by the provider is authorized, and the event says so; one made by a token is not', async () => {
  const { body } = await bySso('POST /v1/user/tokens', { label: 'x' })
  assert.deepEqual([body.organization, body.authorizedFor], [organizationId, [organizationId]])
  const made = withToken(body.token)
  assert(await opens(made))
  const [event] = (await admin(`GET ${org}/audit-events?target=${body.id}`)).body.items
  const { payload } = (await admin(`GET ${org}/audit-events/${event.id}`)).body
  assert.deepEqual([event.action, payload.after.authorizedFor], ['user.token.create', [organizationId]])

  const { body: child } = await made('POST /v1/user/tokens', { label: 'y' })
  assert.equal(child.authorizedFor, undefined)
  assert.equal((await withToken(child.token)(`GET /v1/spaces/${space}`)).status, 403)
})

test('an authorization ends with the token, the membership, the provider, and what the provider is', async () => {
  const provider = await newProviderBy(admin)
  const session = await byProvider(member, provider)
  const ends: [string, () => ReturnType<Person>][] = [
    ['revoked by the member', async () => session(`DELETE ${path}/${await idOf(member)}`)],
    ['revoked by an administrator', async () => admin(`DELETE ${path}/${await idOf(member)}`)],
    ['another provider', () => admin(`PATCH ${org}/saml/${provider}`, { entityID: 'https://new.example' })],
  ]
  for (const [what, end] of ends) {
    const id = await idOf(member)
    assert.equal((await session(`POST ${path}`, { token: id })).status, 201, what)
    assert(await opens(member), what)
    const ended = await end()
    assert([200, 205].includes(ended.status), ended.text)
    assert(!(await opens(member)), what)
  }
  const id = await idOf(member)
  assert.deepEqual((await loggedFor(id)).map(([action]) => action).slice(0, 4), [
    'token-authorization.create',
    'token-authorization.delete',
    'token-authorization.create',
    'token-authorization.delete',
  ])
  assert.equal((await admin(`DELETE ${path}/${id}`)).status, 204)

  const again = await byProvider(member, provider)
  assert.equal((await again(`POST ${path}`, { token: id })).status, 201)
  assert.equal((await admin(`DELETE ${org}/saml/${provider}`)).status, 204)
  assert(!(await opens(member)))

  assert.equal((await bySso(`POST ${path}`, { token: id })).status, 201)
  assert.equal((await admin(`DELETE ${org}/members/${member.id}`)).status, 204)
  const dates = { joinedAt: new Date().toISOString(), lastSeenAt: null }
  const joined = { organizationId, userId: member.id, role: 'edit', disabled: 0, sso: 0, ...dates } as const
  await db.write((tx) => tx.insertInto('member').values(joined).execute())
  assert(!(await opens(member)), 'joining again restores nothing')

  await bySso(`POST ${path}`, { token: id })
  assert(await opens(member))
  assert.equal((await member(`DELETE /v1/user/tokens/${id}`)).status, 205)
  assert.equal((await admin(`GET ${path}/${id}`)).status, 404)
})

const newProviderBy = async (person: Person) => {
  const { body } = await person(`POST ${org}/saml`, { label: 'Second', entityID: 'https://second.example' })
  return body.id as string
}

test('members list their own authorizations, and administrators those of all', async () => {
  const id = await idOf(member)
  await bySso(`POST ${path}`, { token: id })
  const other = await world.person(`other-${(counter += 1)}`, 'edit')
  const byOther = await byProvider(other)
  await byOther(`POST ${path}`, { token: await idOf(other) })
  const listed = async (person: Person) =>
    (await person(`GET ${path}`)).body.items.map((one: { user: string }) => one.user) as string[]
  assert.deepEqual(await listed(bySso), [member.id])
  assert.deepEqual((await listed(admin)).slice(0, 2), [other.id, member.id])
  assert.equal((await byOther(`GET ${path}/${id}`)).status, 404)
  assert.equal((await byOther(`DELETE ${path}/${id}`)).status, 204)
  assert(await opens(member))
})

test('the account page leads to the provider, and its session authorizes the token by a button', async () => {
  const id = await idOf(member)
  const open = async (fields: Parameters<typeof openSessionFor>[2] = {}) => {
    const browser = browserOf(world, { 'x-forwarded-for': `198.51.${(counter += 1)}.1` })
    const { cookie } = await openSessionFor(world, member.id, fields)
    browser.cookies.set(SESSION_COOKIE, cookie.split('=')[1]!)
    return browser
  }
  const here = `/app/tokens/${id}/authorize`
  const browser = await open()
  const account = await browser.open('/app/me')
  assert(account.text.includes(`<a href="${here}">Authorize for Documentation`), account.text)
  const closed = await browser.open(here)
  assert(closed.text.includes(`href="/sso/${kept}?next=${encodeURIComponent(here)}"`), closed.text)
  assert.doesNotMatch(closed.text, /<form method="post">/)
  assert.equal((await browser.send(here, {})).headers.get('location'), here)
  assert(!(await opens(member)))

  const signedIn = await open({ method: 'saml', providerId: kept, organizationId })
  const page = await signedIn.open(here)
  assert.match(page.text, /<form method="post"><button class="main">Authorize for Documentation</)
  // The people who run the provider do not learn what the user wrote.
  const label = (await member('GET /v1/user/tokens')).body.items[0].label
  assert(!page.text.includes(label))
  const sent = await signedIn.send(here, {})
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/app/me?note=token-authorized'])
  assert(await opens(member))
  assert.match((await browser.open('/app/me')).text, /Authorized for Documentation/)
  assert.equal((await signedIn.open(`/app/tokens/${await idOf(ada)}/authorize`)).status, 404)
})
