/** Signing in with SAML, from the button to the session, with a provider of another implementation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { createWorld } from '../world.ts'
import { browser, type Browser } from './browser.ts'
import { key, nextKey } from './saml-kit.ts'
import { type Account, startSamlProvider } from './saml-provider.ts'

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'admin@example.com' })
const { ada, db, url, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const idp = await startSamlProvider(key)

const team = (await ada(`PUT ${org}/teams`, { title: 'Everybody' })).body.id as string
const created = await ada(`POST ${org}/saml`, {
  label: 'Example',
  entityID: idp.entityID,
  ssoURL: idp.ssoURL,
  certificate: key.certificate,
  defaultRole: 'edit',
  defaultTeam: team,
})
const { service, id: providerId } = created.body
idp.know((await browser().load(service.entityID)).text)

const person = (name: string): Account => ({
  nameID: `id-of-${name}`,
  email: `${name}@example.com`,
  displayName: `${name} of Example`,
})

/** Signs in with a browser. @returns the last page */
async function signIn(user: Browser, account: Account, from: string = service.startURL) {
  const start = await user.load(from)
  assert.equal(start.status, 302, start.text)
  const { acsURL, form } = await idp.answer(start.location!, account)
  return user.load(acsURL, form, idp.ssoURL)
}

async function finish(user: Browser, account: Account, from?: string) {
  const answered = await signIn(user, account, from)
  assert.equal(answered.status, 303, answered.text)
  return user.load(answered.location!)
}

const as = (user: Browser) => (request: string, body?: unknown) =>
  world.nobody(request, body, { cookie: user.cookies(url), 'sec-fetch-site': 'same-origin' })

const memberOf = (userId: string) => ada(`GET ${org}/members/${userId}`)

test('the provider is active, with addresses of this server', () => {
  assert.equal(created.status, 201)
  assert.equal(created.headers.get('location'), `${url}/v1${org.slice(3)}/saml/${providerId}`)
  assert.equal(created.body.status, 'active')
  assert.equal(created.body.defaultTeam.title, 'Everybody')
  for (const address of [service.acsURL, service.startURL, service.entityID])
    assert(address.startsWith(`${url}/sso/${providerId}`), address)
})

test('a person whom nobody knows becomes a user and a member, with the role and the team of the provider', async () => {
  const user = browser()
  const page = await finish(user, person('grace'), `${service.startURL}?next=/app/o/${organizationId}`)
  assert.deepEqual([page.status, page.location], [303, `${url}/app/o/${organizationId}`])

  const { body: me } = await as(user)('GET /v1/user')
  assert.deepEqual([me.email, me.displayName], ['grace@example.com', 'grace of Example'])
  const { body: member } = await memberOf(me.id)
  assert.deepEqual([member.role, member.sso, member.teams], ['edit', true, 1])

  const [session] = (await as(user)('GET /v1/user/sessions')).body.items
  assert.deepEqual(
    [session.method, session.organization, session.userAgent],
    ['saml', organizationId, 'A test browser'],
  )
  const { body: events } = await ada(`GET ${org}/audit-events?action=account.sso.sign-in`)
  assert.deepEqual([events.items[0].actor.id, events.items[0].target.id], [me.id, providerId])
})

test('the same person is the same user, even after the address has changed', async () => {
  const [first, second] = [browser(), browser()]
  await finish(first, person('lin'))
  await finish(second, { ...person('lin'), email: 'lin.new@example.com', displayName: 'Lin' })
  const [before, now] = [await as(first)('GET /v1/user'), await as(second)('GET /v1/user')]
  assert.equal(before.body.id, now.body.id)
  assert.deepEqual([now.body.email, now.body.displayName], ['lin@example.com', 'Lin'])
})

test('of several first sign-ins at the same time, each finds the same new user', async () => {
  for (const name of ['kim', 'leo', 'mia']) {
    const users = Array.from({ length: 5 }, () => browser())
    const answered = await Promise.all(users.map((user) => signIn(user, person(name))))
    const pages = await Promise.all(users.map((user, i) => user.load(answered[i]!.location!)))
    assert.deepEqual(
      pages.map(({ status }) => status),
      users.map(() => 303),
      pages.map(({ text }) => text).join(),
    )
    const ids = await Promise.all(users.map(async (user) => (await as(user)('GET /v1/user')).body.id))
    assert.equal(new Set(ids).size, 1)
  }
})

test('a member with the address is that member, and keeps role and teams', async () => {
  const bob = await world.person('bob', 'read')
  const user = browser()
  await finish(user, { ...person('bob'), email: 'BOB@example.com' })
  assert.equal((await as(user)('GET /v1/user')).body.id, bob.id)
  const { body } = await memberOf(bob.id)
  assert.deepEqual([body.role, body.sso, body.teams], ['read', true, 0])
})

test('a user of another organization joins this one, and the session sees this one only', async () => {
  const carol = await world.stranger('carol')
  const user = browser()
  await finish(user, person('carol'))
  const seen = (await as(user)('GET /v1/orgs')).body.items.map(({ id }: { id: string }) => id)
  assert.deepEqual(seen, [organizationId])
  assert.equal((await as(user)(`GET /v1/orgs/${carol.organizationId}`)).status, 404)
  // The provider must not rename somebody whom others see.
  assert.equal((await carol('GET /v1/user')).body.displayName, 'carol')
})

test('a member who left gets at most the role that they had, and a disabled one stays out', async () => {
  const dan = await world.person('dan', 'read')
  await ada(`DELETE ${org}/members/${dan.id}`)
  await finish(browser(), person('dan'))
  assert.equal((await memberOf(dan.id)).body.role, 'read')

  await ada(`PATCH ${org}/members/${dan.id}`, { disabled: true })
  const user = browser()
  const page = await finish(user, person('dan'))
  assert.equal(page.status, 403)
  assert.equal(user.cookie(url, SESSION_COOKIE), undefined)
  await ada(`DELETE ${org}/members/${dan.id}`)
  assert.equal((await finish(browser(), person('dan'))).status, 403)
})

test('a response signs in once, also when it is sent twice at the same time', async () => {
  const user = browser()
  const start = await user.load(service.startURL)
  const { acsURL, form } = await idp.answer(start.location!, person('erin'))
  const pages = await Promise.all([1, 2, 3].map(() => user.load(acsURL, form, idp.ssoURL)))
  assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 403, 403])
  assert.equal((await user.load(acsURL, form, idp.ssoURL)).status, 403)
  const { location } = pages.find(({ status }) => status === 303)!
  assert.equal((await user.load(location!)).status, 303)
  assert.equal((await user.load(location!)).status, 403)
})

test('a response signs in only the browser that asked for it', async () => {
  const [attacker, victim] = [browser(), browser()]
  const answered = await signIn(attacker, person('mallory'))
  await victim.load(service.startURL)
  const page = await victim.load(answered.location!)
  assert.equal(page.status, 403)
  assert.equal(victim.cookie(url, SESSION_COOKIE), undefined)
  // The browser that asked is not harmed.
  assert.equal((await attacker.load(answered.location!)).status, 303)
})

test('a request expires after ten minutes', async () => {
  const user = browser()
  const start = await user.load(service.startURL)
  world.clock.now = new Date(Date.now() + 11 * 60_000)
  const { acsURL, form } = await idp.answer(start.location!, person('frank'))
  assert.equal((await user.load(acsURL, form, idp.ssoURL)).status, 403)
  world.clock.now = undefined
})

test('after signing in, a person only goes to a path of this server', async () => {
  const bad = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%0d/evil',
    'app',
    '/app\n',
    '/..//evil.example',
  ]
  for (const path of bad) {
    const user = browser()
    const page = await finish(user, person('grace'), `${service.startURL}?next=${encodeURIComponent(path)}`)
    assert.equal(new URL(page.location!).origin, url, path)
    assert(!page.location!.includes('//evil'), `${path}: ${page.location}`)
  }
})

test('every failure shows the same page without the reason, which is in the log', async (t) => {
  const warn = t.mock.method(world.app.server.log, 'warn')
  const user = browser()
  const start = await user.load(service.startURL)
  const { acsURL } = await idp.answer(start.location!, person('grace'))
  const pages = [
    await user.load(acsURL, { SAMLResponse: 'x' }, idp.ssoURL),
    await user.load(acsURL, {}, idp.ssoURL),
    await user.load(`${url}/sso/nothing`),
    await user.load(`${service.startURL}/finish?ticket=x`),
    await user.load(`${service.startURL}/callback?state=x&code=y`),
  ]
  const said = pages.map(({ status, text }) => [status, text.replace(/of this request: \w+/, '')].join(' '))
  assert.equal(new Set(said).size, 1, said.join('\n'))
  assert.equal(pages[0]!.status, 403)
  assert.match(String(pages[0]!.headers['content-security-policy']), /default-src 'none'/)

  const logged = warn.mock.calls.map(({ arguments: [fact] }) => fact as { id: string; reason: string })
  assert.deepEqual(
    logged.map(({ reason }) => reason),
    [
      'The response is not base64',
      'The request has no SAMLResponse',
      'There is no such provider',
      'This browser did not begin the sign-in, or it is over',
      'The provider is not one of oidc',
    ],
  )
  assert(pages[0]!.text.includes(`this request: ${logged[0]!.id}<`), 'the page has the id that the log has')
})

test('an address or a form that no provider sends shows a page too', async () => {
  for (const path of ['%00', 'x%00/callback?state=%00', 'x/finish?ticket=%00'])
    assert.equal((await browser().load(`${url}/sso/${path}`)).status, 403, path)
  const large = await browser().load(service.acsURL, { SAMLResponse: 'A'.repeat(300_000) }, idp.ssoURL)
  assert.equal(large.status, 413)
  assert.match(large.text, /^<!doctype html>/)
})

test('signing in again ends the session that the browser had', async () => {
  const user = browser()
  await finish(user, person('grace'))
  const before = user.cookie(url, SESSION_COOKIE)
  await finish(user, person('grace'))
  assert.equal((await as(user)('GET /v1/user')).status, 200)
  const old = await world.nobody('GET /v1/user', undefined, {
    cookie: `${SESSION_COOKIE}=${before}`,
    'sec-fetch-site': 'same-origin',
  })
  assert.equal(old.status, 401)
})

test('a provider that is not known by its certificate any more signs nobody in; with both it does', async () => {
  const change = (certificate: string) => ada(`PATCH ${org}/saml/${providerId}`, { certificate })
  await change(nextKey.certificate)
  assert.equal((await signIn(browser(), person('grace'))).status, 403)
  await change(`${nextKey.certificate}\n${key.certificate}`)
  assert.equal((await finish(browser(), person('grace'))).status, 303)
})

test('requests are signed if the provider wants it, with the certificate in the metadata', async () => {
  const { body } = await ada(`PATCH ${org}/saml/${providerId}`, { signRequests: true })
  assert.equal(body.signRequests, true)
  const metadata = (await browser().load(service.entityID)).text
  assert.match(metadata, /AuthnRequestsSigned="true"/)
  idp.know(metadata)
  assert.equal((await finish(browser(), person('grace'))).status, 303)
})

test('responses without a request sign in only where the administrator allows them', async () => {
  const user = browser()
  const start = await user.load(service.startURL)
  const { form } = await idp.answer(start.location!, person('grace'))
  const xml = Buffer.from(form.SAMLResponse, 'base64').toString()
  const { sign } = await import('./saml-kit.ts')
  const bare = xml
    .replace(/<(ds:)?Signature.*?<\/(ds:)?Signature>/gs, '')
    .replaceAll(/ InResponseTo="[^"]*"/g, '')
  const unsolicited = Buffer.from(sign(bare, 'Assertion')).toString('base64')
  const post = (RelayState: string) =>
    browser().load(service.acsURL, { SAMLResponse: unsolicited, RelayState }, idp.ssoURL)
  assert.equal((await post('/app')).status, 403)
  await ada(`PATCH ${org}/saml/${providerId}`, { allowUnsolicited: true })
  const page = await post('//evil.example')
  assert.deepEqual([page.status, page.location], [303, `${url}/app`])
  assert.equal((await post('/app')).status, 403, 'it was used')
})

test('deleting the provider ends its sessions, but not memberships', async () => {
  const user = browser()
  await finish(user, person('grace'))
  const { body: me } = await as(user)('GET /v1/user')
  assert.equal((await ada(`DELETE ${org}/saml/${providerId}`)).status, 204)
  assert.equal((await ada(`DELETE ${org}/saml/${providerId}`)).status, 204)
  assert.equal((await as(user)('GET /v1/user')).status, 401)
  assert.equal((await memberOf(me.id)).status, 200)
  const rows = await db.read.selectFrom('identity').selectAll().execute()
  assert.deepEqual(rows, [])
})
