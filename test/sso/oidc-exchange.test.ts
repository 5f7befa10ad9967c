/** Signing in with OpenID Connect, from the button to the session, with a provider of another implementation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { createWorld } from '../world.ts'
import { browser, type Browser } from './browser.ts'
import { startOidcProvider } from './oidc-provider.ts'

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'admin@example.com' })
const { ada, db, url, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const idp = await startOidcProvider()
idp.claims.set('grace', {
  email: 'Grace@example.com',
  email_verified: true,
  name: 'Grace Hopper',
  picture: 'https://example.com/grace.png',
})
idp.claims.set('mallory', { email: 'admin@example.com', email_verified: false, name: 'Mallory' })
idp.claims.set('quiet', { email: 'quiet@example.com' })

const created = await ada(`POST ${org}/oidc`, { label: 'Example', defaultRole: 'comment' })
const { service, id: providerId } = created.body
await idp.start(service.callbackURL)
const change = (fields: object) => ada(`PATCH ${org}/oidc/${providerId}`, fields)
const configured = await change({
  issuer: idp.issuer,
  clientID: idp.clientId,
  clientSecret: idp.clientSecret,
})

async function signIn(user: Browser, name: string, from: string = service.startURL) {
  const start = await user.load(from)
  assert.equal(start.status, 302, start.text)
  return user.load(await idp.signIn(user, start.location!, name))
}

const as = (user: Browser) => (request: string, body?: unknown) =>
  world.nobody(request, body, { cookie: user.cookies(url), 'sec-fetch-site': 'same-origin' })

test('a provider is pending until it is configured, and never shows its secret', async () => {
  assert.deepEqual([created.status, created.body.status], [201, 'pending'])
  assert.deepEqual([configured.status, configured.body.status], [200, 'active'])
  assert(!configured.text.includes(idp.clientSecret))
  const stored = await db.read.selectFrom('identityProvider').selectAll().executeTakeFirstOrThrow()
  assert(!JSON.stringify(stored).includes('a secret'))
  const { body } = await world.nobody(`GET ${org}/sso`)
  assert.deepEqual(body, { items: [{ id: providerId, label: 'Example', startURL: service.startURL }] })
})

test('a person signs in, becomes a member, and is the same one the next time', async () => {
  const user = browser()
  const page = await signIn(user, 'grace', `${service.startURL}?next=/app/tokens`)
  assert.deepEqual([page.status, page.location], [303, `${url}/app/tokens`], page.text)
  const { body: me } = await as(user)('GET /v1/user')
  assert.deepEqual(
    [me.email, me.displayName, me.photoURL],
    ['grace@example.com', 'Grace Hopper', 'https://example.com/grace.png'],
  )
  const { body: member } = await ada(`GET ${org}/members/${me.id}`)
  assert.deepEqual([member.role, member.sso], ['comment', true])
  const [session] = (await as(user)('GET /v1/user/sessions')).body.items
  assert.deepEqual([session.method, session.organization], ['oidc', organizationId])

  const again = browser()
  await signIn(again, 'grace')
  assert.equal((await as(again)('GET /v1/user')).body.id, me.id)
})

test('an address that is not verified names nobody, unless the administrator trusts the provider', async () => {
  for (const name of ['mallory', 'quiet']) assert.equal((await signIn(browser(), name)).status, 403, name)
  await change({ trustEmails: true })
  assert.equal((await signIn(browser(), 'mallory')).status, 403, 'it is said not to be verified')
  assert.equal((await signIn(browser(), 'quiet')).status, 303)
  await change({ trustEmails: false })
})

test('a code signs in once, and only the browser that asked for it', async () => {
  const [user, victim] = [browser(), browser()]
  const start = await user.load(service.startURL)
  const back = await idp.signIn(user, start.location!, 'grace')
  await victim.load(service.startURL)
  assert.equal((await victim.load(back)).status, 403)
  assert.equal(victim.cookie(url, SESSION_COOKIE), undefined)
  assert.equal((await user.load(back)).status, 303)
  assert.equal((await user.load(back)).status, 403)
})

test('a code of another sign-in is refused, by its nonce and verifier', async () => {
  const [user, other] = [browser(), browser()]
  const start = await user.load(service.startURL)
  const theirs = new URL(await idp.signIn(other, (await other.load(service.startURL)).location!, 'grace'))
  const back = new URL(service.callbackURL)
  back.searchParams.set('state', new URL(start.location!).searchParams.get('state')!)
  back.searchParams.set('iss', idp.issuer)
  back.searchParams.set('code', theirs.searchParams.get('code')!)
  assert.equal((await user.load(back.href)).status, 403)
})

test('what is missing, wrong or refused by the provider shows the page of every failure', async () => {
  const user = browser()
  const start = await user.load(service.startURL)
  const state = new URL(start.location!).searchParams.get('state')
  const pages = [
    await user.load(`${service.callbackURL}?code=x`),
    await user.load(`${service.callbackURL}?code=x&state=other`),
    await user.load(`${service.callbackURL}?error=access_denied&state=${state}&iss=${idp.issuer}`),
    await browser().load(`${service.callbackURL}?code=x&state=${state}`),
  ]
  assert.deepEqual(
    pages.map(({ status }) => status),
    [403, 403, 403, 403],
  )
})

test('the issuer in the answer must be the one that was asked', async () => {
  const user = browser()
  const start = await user.load(service.startURL)
  const back = new URL(await idp.signIn(user, start.location!, 'grace'))
  back.searchParams.set('iss', 'https://attacker.example')
  assert.equal((await user.load(back.href)).status, 403)
})

test('another secret, issuer or client is refused', async () => {
  await change({ clientSecret: 'another' })
  assert.equal((await signIn(browser(), 'grace')).status, 403)
  await change({ clientSecret: idp.clientSecret, issuer: `${idp.issuer}/other` })
  assert.equal((await browser().load(service.startURL)).status, 403)
  await change({ issuer: idp.issuer })
  assert.equal((await signIn(browser(), 'grace')).status, 303)
})

test('an issuer must be an https address, which the server may reach', async () => {
  for (const issuer of [
    'http://idp.example.com',
    'https://idp.example.com/?x=1',
    'https://idp.example.com/#x',
  ]) {
    const { status, body } = await change({ issuer })
    assert.equal(status, 400, issuer)
    assert.match(body.error.message, /body\.issuer/)
  }
  const { body } = await ada(`POST ${org}/oidc`, {
    label: 'Inside',
    issuer: 'https://10.0.0.1',
    clientID: 'x',
    clientSecret: 'x',
  })
  assert.equal((await browser().load(body.service.startURL)).status, 403)
})

test('a provider that wants the secret in the body gets it there', async () => {
  const other = await startOidcProvider('client_secret_post')
  other.claims.set('lin', { email: 'lin@example.com', email_verified: true })
  const fields = { issuer: other.issuer, clientID: other.clientId, clientSecret: other.clientSecret }
  const { body } = await ada(`POST ${org}/oidc`, { label: 'Other', ...fields })
  await other.start(body.service.callbackURL)
  const user = browser()
  const start = await user.load(body.service.startURL)
  const page = await user.load(await other.signIn(user, start.location!, 'lin'))
  assert.equal(page.status, 303, page.text)
})

test('the sign-in page offers the provider for the domain of an address, if an administrator has one of it', async () => {
  await ada(`PATCH ${org}`, { emailDomains: ['example.com'] })
  const offers = async (email: string) => {
    const page = await browser().load(`${url}/sign-in`, { email, password: '', next: '/app/tokens' })
    return page.text.includes(`${service.startURL.slice(url.length)}?next=%2Fapp%2Ftokens`)
  }
  assert.equal(await offers('anybody@EXAMPLE.com'), true)
  assert.equal(await offers('anybody@example.org'), false)
  assert.equal(await offers('%@%'), false)
  // Anybody can list a domain. With several organizations, an address must prove that it is theirs.
  await world.stranger('stranger')
  assert.equal(await offers('anybody@example.com'), false)
  const account = {
    userId: ada.id,
    passwordHash: null,
    emailVerifiedAt: new Date().toISOString(),
    updatedAt: '',
  }
  await db.write((tx) => tx.insertInto('account').values(account).execute())
  assert.equal(await offers('anybody@example.com'), true)
})
