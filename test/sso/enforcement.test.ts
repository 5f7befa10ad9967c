/** Requiring single sign-on: what is closed to whom, and the way back in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { loadRoutes } from '../../src/server/routes.ts'
import { runHere } from '../process.ts'
import { inSession } from '../signed-in.ts'
import { createWorld, type Person } from '../world.ts'
import { browser } from './browser.ts'
import { key } from './saml-kit.ts'

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' })
const { ada, db, organizationId, url } = world
const org = `/v1/orgs/${organizationId}`
const space = (await ada(`POST ${org}/spaces`, { title: 'Guarded' })).body.id as string
const collection = (await ada(`POST ${org}/collections`, { title: 'Guarded' })).body.id as string
const site = (await ada(`POST ${org}/sites`, { title: 'Guarded', spaces: [space] })).body.id as string
const changeRequest = (await ada(`POST /v1/spaces/${space}/change-requests`, { subject: 'x' })).body.id
const admin = await world.person('admin', 'admin')
const ofPassword = await inSession(world, admin)
const ofPasskey = await inSession(world, admin, { method: 'passkey' })
const ofRecovery = await inSession(world, admin, { method: 'recovery' })

const saml = (fields: object) => ada(`POST ${org}/saml`, { label: 'Example', ...fields })
const complete = {
  entityID: 'https://idp.example.com',
  ssoURL: 'https://idp.example.com/sso',
  certificate: key.certificate,
}
const pending = await saml({})
const enforce = (sso: boolean) => ada(`PATCH ${org}`, { sso })
const byProvider = (person: Person, providerId: string) =>
  inSession(world, person, { method: 'saml', providerId, organizationId })
const withoutProvider = await enforce(true)
const active = await saml(complete)
const ofProvider = await byProvider(admin, active.body.id)
const startPath = `/sso/${active.body.id}`
const enforced = await enforce(true)

// The token of a sign-in with a password, without a browser.
const signedIn = await world.person('signed-in', 'admin')
await db.write((tx) =>
  tx.updateTable('token').set({ session: 1 }).where('userId', '=', signedIn.id).execute(),
)

test('single sign-on can be required only while somebody can sign in with it', async () => {
  assert.equal(withoutProvider.status, 400)
  assert.match(withoutProvider.body.error.message, /body\.sso .* active identity provider/)
  assert.deepEqual([enforced.status, enforced.body.sso], [200, true])
  const refused = [
    await ofProvider(`DELETE ${org}/saml/${active.body.id}`),
    await ofProvider(`PATCH ${org}/saml/${active.body.id}`, { certificate: '' }),
  ]
  for (const { status, body } of refused) {
    assert.equal(status, 409)
    assert.match(body.error.message, /requires single sign-on/)
  }
  assert.equal((await ofProvider(`DELETE ${org}/saml/${pending.body.id}`)).status, 204)
})

const IDS: Record<string, string> = {
  organizationId,
  spaceId: space,
  collectionId: collection,
  siteId: site,
  changeRequestId: changeRequest,
}
/** The parameters of the path decide; the body of such a request is never read. */
const guarded = (await loadRoutes()).filter(
  ({ route }) =>
    /:(organizationId|spaceId|collectionId)/.test(route.path) &&
    !route.access.open &&
    route.access.needs !== 'account',
)
const QUERIES: Record<string, string> = {
  getSiteRedirectBySource: '?source=/old',
  getEmbedByUrlInSpace: '?url=https://example.com',
  searchSpaceContent: '?query=word',
  searchOrganizationContent: '?query=word',
  getContentByUrl: `?url=${url}/app/s/${space}`,
}

test('every operation on the organization refuses a session by password and an API token, and names where to sign in', async () => {
  assert(guarded.length > 150)
  for (const { route, name } of guarded) {
    const path = route.path.replace(/:(\w+)/g, (_, param: string) => IDS[param] ?? 'nothing')
    const request = `${route.method} ${path}${QUERIES[name] ?? ''}`
    const body = route.takes
      ? new Uint8Array()
      : route.method === 'GET' || route.method === 'DELETE'
        ? undefined
        : {}
    for (const person of [ofPassword, signedIn, admin]) {
      const answer = await person(request, body)
      assert.equal(answer.status, 403, `${request}: ${answer.text}`)
      assert(answer.body.error.message.includes(startPath), `${request}: ${answer.text}`)
      assert.equal(/authorize the token at \/app\/tokens\//.test(answer.text), person === admin, request)
    }
  }
  assert.equal((await ofPasskey(`GET /v1/spaces/${space}`)).status, 403)
})

test('lists leave the organization out, and strangers learn nothing of it', async () => {
  for (const person of [ofPassword, signedIn, admin]) {
    assert.deepEqual((await person('GET /v1/orgs')).body.items, [])
    assert.equal((await person(`GET /v1/users/${ada.id}`)).status, 404)
    assert.equal((await person('GET /v1/user')).status, 200)
  }
  const stranger = await inSession(world, await world.stranger('stranger'))
  const [known, unknown] = [await stranger(`GET ${org}`), await stranger('GET /v1/orgs/nothing')]
  assert.deepEqual([known.status, known.body], [404, unknown.body])
})

test('sessions of its provider and of the operator go on', async () => {
  for (const person of [ofProvider, ofRecovery]) {
    assert.equal((await person(`GET /v1/spaces/${space}`)).status, 200)
    assert.equal((await person('GET /v1/orgs')).body.items.length, 1)
  }
})

test('a session by password makes no API token past single sign-on, but one of the provider makes a limited one', async () => {
  for (const person of [ofPassword, ofRecovery, signedIn, admin]) {
    const { body: made } = await person('POST /v1/user/tokens', { label: 'x' })
    assert.equal(made.authorizedFor, undefined)
    const past = await world.nobody(`GET /v1/spaces/${space}`, undefined, {
      authorization: `Bearer ${made.token}`,
    })
    assert.equal(past.status, 403)
    assert.match(past.body.error.message, /requires single sign-on/)
  }

  const { body } = await ofProvider('POST /v1/user/tokens', { label: 'limited' })
  const limited = (request: string, sent?: unknown) =>
    world.nobody(request, sent, { authorization: `Bearer ${body.token}` })
  assert.equal((await limited(`GET /v1/spaces/${space}`)).status, 200)
  const other = (await admin('POST /v1/orgs', { title: 'Other' })).body.id
  assert.equal((await admin(`GET /v1/orgs/${other}`)).status, 200)
  assert.equal((await limited(`GET /v1/orgs/${other}`)).status, 404)
  assert.equal((await limited('GET /v1/orgs')).body.items.length, 1)
  // It makes no wider one, none that is authorized, and sees no others.
  const next = await limited('POST /v1/user/tokens', { label: 'next' })
  const byNext = (request: string) =>
    world.nobody(request, undefined, { authorization: `Bearer ${next.body.token}` })
  assert.equal((await byNext(`GET /v1/orgs/${other}`)).status, 404)
  assert.equal((await byNext(`GET ${org}`)).status, 403)
  assert.deepEqual((await byNext('GET /v1/orgs')).body.items, [])
  const labels = (await limited('GET /v1/user/tokens')).body.items.map((one: { label: string }) => one.label)
  assert.deepEqual(labels.toSorted(), ['limited', 'next'])
  assert.equal((await limited('PUT /v1/account/password', { password: 'a long password' })).status, 403)
  assert.equal((await limited(`PATCH /v1/users/${admin.id}`, { displayName: 'x' })).status, 403)
  const logged = await db.read
    .selectFrom('auditEvent')
    .select('organizationId')
    .where('action', '=', 'user.token.create')
    .where('actorId', '=', admin.id)
    .where('targetId', 'in', [body.id, next.body.id])
    .execute()
  assert.deepEqual(
    logged.map((one) => one.organizationId),
    [organizationId, organizationId],
  )
})

const env: Record<string, string> = {
  LECTERN_DATA: world.config.data,
  LECTERN_URL: url,
  ...(world.config.databaseUrl ? { DATABASE_URL: world.config.databaseUrl } : {}),
}

test('a link of the operator signs in once, within ten minutes, and only by its button', async () => {
  const { out, code, err } = await runHere(['sign-in-link', 'Admin@example.com'], env)
  assert.equal(code, 0, err)
  const link = out.trim()
  const user = browser()
  const page = await user.load(link)
  assert.equal(page.status, 200)
  assert.equal((await user.load(link)).status, 200, 'opening it does not use it up')
  const token = new URL(link).hash.slice(1)
  assert(!page.text.includes(token), 'browsers do not send the secret before the button')
  const send = (from?: string) => user.load(`${url}/sso/recover`, { token }, from)
  assert.equal((await send('https://attacker.example')).status, 403)
  const signed = await send()
  assert.deepEqual([signed.status, signed.location], [303, `${url}/app`])
  const headers = {
    cookie: `${SESSION_COOKIE}=${user.cookie(url, SESSION_COOKIE)}`,
    'sec-fetch-site': 'same-origin',
  }
  assert.equal((await world.nobody(`GET ${org}`, undefined, headers)).status, 200)
  assert.equal((await send()).status, 403)

  const events = await db.read
    .selectFrom('auditEvent')
    .select(['action', 'organizationId', 'actorType'])
    .where('action', 'like', 'account.recovery.%')
    .where('organizationId', '=', organizationId)
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    events.map(({ action, actorType }) => [action, actorType]),
    [
      ['account.recovery.link', 'system'],
      ['account.recovery.sign-in', 'user'],
    ],
  )
})

test('a link of the operator expires, and an unknown one or one for something else signs nobody in', async () => {
  const { out } = await runHere(['sign-in-link', 'admin@example.com'], env)
  const token = new URL(out.trim()).hash.slice(1)
  world.clock.now = new Date(Date.now() + 11 * 60_000)
  const send = (sent: string) => browser().load(`${url}/sso/recover`, { token: sent })
  assert.equal((await send(token)).status, 403)
  world.clock.now = undefined
  assert.equal((await send('unknown')).status, 403)
  const reset = await runHere(['reset-password', 'admin@example.com'], env)
  assert.equal((await send(reset.out.trim().split('#')[1] ?? '')).status, 403)
})
