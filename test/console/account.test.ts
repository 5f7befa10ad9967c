/** The pages behind the sign-in, and those that the links in e-mails open. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { totpCode, totpStep } from '../../src/access/credentials/totp.ts'
import { insertAccountToken } from '../../src/model/people/account.ts'
import { openSessionFor } from '../signed-in.ts'
import { key } from '../sso/saml-kit.ts'
import { createWorld } from '../world.ts'
import { type Browser, browserOf, PASSWORD, withPassword } from './pages.ts'

const world = await createWorld()
const { ada, clock, nobody, organizationId } = world
let network = 0

async function openFor(userId: string): Promise<Browser> {
  const browser = browserOf(world, { 'x-forwarded-for': `198.51.${(network += 1)}.1` })
  const { cookie } = await openSessionFor(world, userId)
  browser.cookies.set(SESSION_COOKIE, cookie.split('=')[1]!)
  return browser
}

test('shows organizations, and the console for their addresses', async () => {
  const { person } = await withPassword(world, 'ann')
  await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'A <b>space</b>' })
  const browser = await openFor(person.id)
  assert.match(
    (await browser.open('/app/me')).text,
    new RegExp(`<a href="/app/o/${organizationId}">Documentation</a>`),
  )
  // The page is the same for everybody: its script shows what the API lets the person see.
  for (const path of ['', `/o/${organizationId}`, `/o/${organizationId}/people`, '/s/nothing/here', '/c/x']) {
    const page = await browser.open(`/app${path}`)
    assert.equal(page.status, 200, path)
    assert.match(page.text, /<div id="app"><\/div>/)
    assert.doesNotMatch(page.text, /Documentation|space<\/b>/)
  }
  const stranger = await openFor((await world.person('stranger')).id)
  assert.equal((await stranger.open('/app/nothing')).status, 404)
  assert.equal((await stranger.open('/app/me?tokens=nonsense&sessions=nonsense')).status, 200)
  assert.equal((await browserOf(world).open('/app/s/x')).status, 303)
})

test('an organization that requires single sign-on is listed with the way to sign in', async () => {
  const person = await world.stranger('zoe')
  const org = `/v1/orgs/${person.organizationId}`
  const { id, label } = (
    await person(`POST ${org}/saml`, {
      label: 'Example',
      entityID: 'https://idp.example.com',
      ssoURL: 'https://idp.example.com/sso',
      certificate: key.certificate,
    })
  ).body
  await person(`POST ${org}/saml`, { label: 'Pending' })
  const second = { label: 'Second', issuer: 'https://op.example.com', clientID: 'x', clientSecret: 'y' }
  await person(`POST ${org}/oidc`, second)
  assert.equal((await person(`PATCH ${org}`, { sso: true, title: 'Guarded <b>' })).status, 200)

  const browser = await openFor(person.id)
  const start = `/sso/${id}?next=${encodeURIComponent(`/app/o/${person.organizationId}`)}`
  const account = await browser.open('/app/me')
  assert.match(account.text, /<b>Guarded &lt;b&gt;<\/b>/)
  assert(account.text.includes(`href="${start}">Sign in with SSO: ${label}<`), account.text)
  assert.doesNotMatch(account.text, /Pending/)
  const page = await browser.open(`/app/o/${person.organizationId}`)
  assert.equal(page.status, 403)
  assert(page.text.includes(`href="${start}">Sign in with ${label}<`), page.text)
  assert.match((await browser.open(start)).headers.get('location') ?? '', /^https:\/\/idp\.example\.com\/sso/)

  assert.match(account.text, /SSO: Example<.*SSO: Second</s)
  // Neither a user of another organization nor a disabled member sees it.
  assert.doesNotMatch((await (await openFor(ada.id)).open('/app/me')).text, /Guarded/)
  const disabled = await world.db.write((tx) =>
    tx.updateTable('member').set({ disabled: 1 }).where('userId', '=', person.id).executeTakeFirst(),
  )
  assert(disabled.numUpdatedRows > 0n)
  assert.doesNotMatch((await browser.open('/app/me')).text, /Guarded/)
})

test('creates a token and shows it once, and revokes it', async () => {
  const { person } = await withPassword(world, 'bea')
  const browser = await openFor(person.id)
  const page = await browser.send('/app/tokens', { label: 'backup', days: '7', readOnly: 'on' })
  const [token = ''] = /lec_[0-9a-z]{40}/.exec(page.text) ?? []
  const authorization = `Bearer ${token}`
  assert.equal((await nobody('GET /v1/user', undefined, { authorization })).body.id, person.id)
  const listed = (await person('GET /v1/user/tokens')).body.items[0]
  assert.deepEqual([listed.label, listed.readOnly], ['backup', true])
  const days = (Date.parse(listed.expiresAt) - Date.now()) / 86_400_000
  assert(days > 6.9 && days < 7.1)

  const account = await browser.open('/app/me')
  assert(!account.text.includes(token))
  assert.match(account.text, /backup/)
  const revoked = await browser.send(`/app/tokens/${listed.id}/revoke`)
  assert.equal(revoked.headers.get('location'), '/app/me?note=token-revoked')
  assert.equal((await nobody('GET /v1/user', undefined, { authorization })).status, 401)
  assert.match((await browser.send('/app/tokens', { label: ' ' })).text, /role="alert">The name must /)
})

test('names the account to the password manager where the password changes', async () => {
  const { person } = await withPassword(world, 'mona')
  const page = await (await openFor(person.id)).open('/app/me')
  const [form = ''] = /<form[^>]*change-password.*?<\/form>/s.exec(page.text) ?? []
  assert.match(form, /<input[^>]*autocomplete="username"[^>]*value="mona@[^"]+"[^>]*hidden/)
})

test('ends other sessions and its own', async () => {
  const { person } = await withPassword(world, 'cid')
  const [first, second, third] = [
    await openFor(person.id),
    await openFor(person.id),
    await openFor(person.id),
  ]
  const idOf = async (browser: Browser) => {
    const { body } = await nobody('GET /v1/user/sessions', undefined, { cookie: browser.header() })
    return body.items.find(({ current }: { current: boolean }) => current).id as string
  }
  const ended = await first.send(`/app/sessions/${await idOf(second)}/end`)
  assert.equal(ended.headers.get('location'), '/app/me?note=session-ended')
  assert.equal((await second.open('/app/me')).status, 303)
  await first.send('/app/sessions/end-others')
  assert.equal((await third.open('/app/me')).status, 303)
  const own = await first.send(`/app/sessions/${await idOf(first)}/end`)
  assert.equal(own.headers.get('location'), '/sign-in?note=signed-out')
  assert(!first.cookies.has(SESSION_COOKIE))
})

test('sets a second factor up, replaces its codes, and turns it off', async () => {
  const { person } = await withPassword(world, 'dee')
  const browser = await openFor(person.id)
  const begun = await browser.send('/app/second-factor')
  const seed = (/<code class="secret">([^<]+)/.exec(begun.text)?.[1] ?? '').replaceAll(' ', '')
  assert.match(begun.text, /href="otpauth:\/\/totp\/Lectern:dee%40example\.com\?secret=/)
  const wrong = await browser.send('/app/second-factor/confirm', { code: '000000' })
  assert.deepEqual([wrong.status, wrong.text.includes(seed)], [400, false])
  const code = totpCode(seed, totpStep(new Date()))
  const codesIn = (text: string): string[] => [...(text.match(/[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/g) ?? [])]
  const codes = codesIn((await browser.send('/app/second-factor/confirm', { code })).text)
  assert.equal(codes.length, 10)
  assert.match((await browser.open('/app/me')).text, /You have 10 recovery codes left/)
  const fresh = codesIn((await browser.send('/app/second-factor/codes', { code: codes[0]! })).text)
  assert.equal((await browser.send('/app/second-factor/remove', { code: codes[1]! })).status, 400)
  const off = await browser.send('/app/second-factor/remove', { code: fresh[0]! })
  assert.equal(off.headers.get('location'), '/app/me?note=factor-removed')
})

test('asks for the password when the sign-in was long ago', async () => {
  const { person } = await withPassword(world, 'eve')
  const browser = await openFor(person.id)
  assert.doesNotMatch((await browser.open('/app/me')).text, /id="factor-password"/)
  clock.now = new Date(Date.now() + 16 * 60_000)
  assert.match((await browser.open('/app/me')).text, /id="factor-password"/)
  assert.match((await browser.send('/app/second-factor')).text, /Send the password of the account/)
  assert.equal((await browser.send('/app/second-factor', { password: PASSWORD })).status, 200)
  clock.now = undefined
})

describe('the links in e-mails', () => {
  const linkFor = (userId: string, purpose: 'invitation' | 'password-reset') =>
    world.db.write((tx) =>
      insertAccountToken(tx, { userId, purpose, organizationId: null, mailed: true, now: new Date() }),
    )
  const anyBrowser = () => browserOf(world, { 'x-forwarded-for': `198.51.${(network += 1)}.1` })

  test('an invitation sets a password and a name, and signs in', async () => {
    const { id } = await world.person('fay', 'read')
    const browser = anyBrowser()
    const token = await linkFor(id, 'invitation')
    assert.match((await browser.open('/app/invitation')).text, /data-from-link/)
    const short = await browser.send('/app/invitation', { token, password: 'short' })
    assert.deepEqual([short.status, /at least 10 characters/.test(short.text)], [400, true])
    const answer = await browser.send('/app/invitation', {
      token: ` ${token} `,
      password: PASSWORD,
      displayName: 'Fay F.',
    })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/app'])
    assert.match((await browser.open('/app/me')).text, /<h1>Fay F\.<\/h1>/)
    const again = await anyBrowser().send('/app/invitation', { token, password: PASSWORD })
    assert.deepEqual([again.status, /unknown, used or expired/.test(again.text)], [404, true])
  })

  test('a password reset sets a password, ends all sessions, and leads to the sign-in page', async () => {
    const { person, email } = await withPassword(world, 'gus')
    const before = await openFor(person.id)
    const browser = anyBrowser()
    const token = await linkFor(person.id, 'password-reset')
    const answer = await browser.send('/app/password', { token, password: 'another good password' })
    assert.equal(answer.headers.get('location'), '/sign-in?note=password')
    assert.equal((await before.open('/app/me')).status, 303)
    assert.match((await browser.open('/sign-in?note=password')).text, /Your password is set/)
    assert.equal((await browser.send('/sign-in', { email, password: PASSWORD })).status, 401)
    assert.equal((await browser.send('/sign-in', { email, password: 'another good password' })).status, 303)
    assert.equal((await browser.send('/app/password', { token, password: PASSWORD })).status, 404)
  })

  test('a password reset does not get around a second factor', async () => {
    const { person, email } = await withPassword(world, 'hal')
    const { secret } = (await person('POST /v1/user/second-factor', { password: PASSWORD })).body
    await person('PUT /v1/user/second-factor', { code: totpCode(secret, totpStep(new Date())) })
    await world.db.write((tx) =>
      tx
        .updateTable('account')
        .set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' })
        .where('userId', '=', person.id)
        .execute(),
    )
    const browser = anyBrowser()
    const password = 'another good password'
    await browser.send('/app/password', { token: await linkFor(person.id, 'password-reset'), password })
    assert.equal(
      (await browser.send('/sign-in', { email, password })).headers.get('location'),
      '/sign-in/code',
    )
    // Nor does an invitation that was made before, or after.
    const invited = await browser.send('/app/invitation', {
      token: await linkFor(person.id, 'invitation'),
      password,
    })
    assert.equal(invited.headers.get('location'), '/sign-in?note=password')
    assert(!browser.cookies.has(SESSION_COOKIE))
    const byApi = { token: await linkFor(person.id, 'invitation'), password }
    assert.equal((await nobody('POST /v1/account/invitations', byApi)).status, 401)
  })

  test('an invitation of a user with an account is accepted after signing in', async () => {
    const bob = await world.stranger('bob')
    const invited = await ada(`POST /v1/orgs/${organizationId}/invites`, { emails: ['bob@example.com'] })
    const [link = ''] = Object.values(invited.body.links[0] as Record<string, string>).filter((one) =>
      one.includes('#'),
    )
    const { pathname, hash } = new URL(link)
    const stranger = anyBrowser()
    const page = await stranger.open(pathname)
    assert(page.text.includes(`/sign-in?next=${encodeURIComponent(pathname)}`))
    assert.equal((await stranger.send(pathname, { token: hash.slice(1) })).headers.get('location'), pathname)

    const browser = await openFor(bob.id)
    assert.match((await browser.send(pathname, { token: 'wrong' })).text, /unknown, used or expired/)
    assert.match((await browser.send(pathname, { token: '../..' })).text, /unknown, used or expired/)
    const joined = await browser.send(pathname, { token: hash.slice(1) })
    assert.equal(joined.headers.get('location'), `/app/o/${organizationId}`, joined.text)
    assert.equal((await browser.open(`/app/o/${organizationId}`)).status, 200)
  })
})
