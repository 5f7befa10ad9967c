/** The pages on which people sign in, as a browser without JavaScript uses them, and as attackers do. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { totpCode, totpStep } from '../../src/access/credentials/totp.ts'
import { ownPath } from '../../src/http/request/own-path.ts'
import { insertAccountToken } from '../../src/model/people/account.ts'
import { cpuTime } from '../cpu.ts'
import { createWorld, stopClock } from '../world.ts'
import { browserOf, PASSWORD, withPassword } from './pages.ts'

const world = await createWorld()
const { nobody, clock } = world
const ann = await withPassword(world, 'ann')

let network = 0
/** A browser in a network of its own, because attempts are limited by network. */
const anyBrowser = () => browserOf(world, { 'x-forwarded-for': `198.51.${(network += 1)}.1` })

async function signedIn(email = ann.email) {
  const browser = anyBrowser()
  const answer = await browser.send('/sign-in', { email, password: PASSWORD })
  assert.equal(answer.status, 303, answer.text)
  return browser
}

test('a person signs in, sees the account, and signs out', async () => {
  const browser = anyBrowser()
  assert.equal((await browser.open('/')).headers.get('location'), '/app')
  const sent = await browser.open('/app')
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/sign-in'])
  const form = await browser.open('/sign-in')
  assert.match(form.text, /<form method="post" action="\/sign-in">/)
  const answer = await browser.send('/sign-in', { email: 'Ann@Example.com ', password: PASSWORD })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/app'])
  assert.match((await browser.open('/app/me')).text, /<h1>ann<\/h1>/)
  assert.equal((await browser.open('/sign-in')).headers.get('location'), '/app', 'signed in already')

  const out = await browser.send('/sign-out')
  assert.deepEqual([out.status, out.headers.get('location')], [303, '/sign-in?note=signed-out'])
  assert(!browser.cookies.has(SESSION_COOKIE))
})

test('every page has the headers that protect it', async () => {
  const browser = await signedIn()
  for (const page of ['/sign-in/forgotten', '/app', '/app/invitation', '/app/nothing']) {
    const { headers } = await browser.open(page)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.match(policy, /form-action 'self';.* base-uri 'none'; frame-ancestors 'none'/)
    if (page === '/app')
      assert.match(policy, /; require-trusted-types-for 'script'; trusted-types ProseMirrorClipboard/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})

test('a cookie that somebody stole ends with the session', async () => {
  const browser = await signedIn()
  const stolen = browser.header()
  const use = async () => (await nobody('GET /v1/user', undefined, { cookie: stolen })).status
  assert.equal(await use(), 200)
  await browser.send('/sign-out')
  assert.equal(await use(), 401)
  assert.equal((await nobody('GET /app', undefined, { cookie: stolen })).headers.get('location'), '/sign-in')
})

test('nobody can prepare a session for someone else: each sign-in has a new one, and ends the one before', async () => {
  const browser = anyBrowser()
  const chosen = 'chosenbytheattackerchosenbytheattackerchose'
  browser.cookies.set(SESSION_COOKIE, chosen)
  await browser.send('/sign-in', { email: ann.email, password: PASSWORD })
  const first = browser.cookies.get(SESSION_COOKIE)
  assert.notEqual(first, chosen)
  const withChosen = await nobody('GET /v1/user', undefined, { cookie: `${SESSION_COOKIE}=${chosen}` })
  assert.equal(withChosen.status, 401)

  await browser.send('/sign-in', { email: ann.email, password: PASSWORD })
  assert.notEqual(browser.cookies.get(SESSION_COOKIE), first)
  const withFirst = await nobody('GET /v1/user', undefined, { cookie: `${SESSION_COOKIE}=${first}` })
  assert.equal(withFirst.status, 401)
})

const FORMS = [
  '/sign-in',
  '/sign-in/code',
  '/sign-in/forgotten',
  '/sign-out',
  '/app/invitation',
  '/app/welcome',
  '/app/password',
  '/app/join/x',
  '/app/tokens',
  '/app/tokens/x/revoke',
  '/app/sessions/x/end',
  '/app/sessions/end-others',
  '/app/change-password',
  '/app/passkeys/x/delete',
  '/app/second-factor',
  '/app/second-factor/confirm',
  '/app/second-factor/codes',
  '/app/second-factor/remove',
]

test('no other site can send a form, even one on the same domain', async () => {
  const browser = await signedIn()
  const fields = { email: ann.email, password: PASSWORD, label: 'forged' }
  const { origin } = new URL(world.url)
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin },
    { 'sec-fetch-site': 'none' },
  ]
  for (const form of FORMS) {
    for (const headers of foreign) {
      const answer = await browser.send(form, fields, headers)
      assert.equal(answer.status, 403, `${form} ${JSON.stringify(headers)}`)
      assert.match(answer.text, /sent from a page of another site/)
      assert.equal(answer.headers.getSetCookie().length, 0)
    }
    // A browser that sends no `Sec-Fetch-Site`.
    const request = `POST ${form}`
    const body = Buffer.from(new URLSearchParams(fields).toString())
    const type = { 'content-type': 'application/x-www-form-urlencoded', cookie: browser.header() }
    const others: Record<string, string>[] = [
      { origin: 'https://docs.example' },
      { origin: 'null' },
      { referer: `${origin}/app` },
    ]
    for (const headers of others)
      assert.equal((await nobody(request, body, { ...type, ...headers })).status, 403, form)
  }
  assert.equal((await browser.open('/app/me')).status, 200)
  assert.doesNotMatch((await browser.open('/app/me')).text, /forged/)
})

test('what no browser sends is refused with a page', async () => {
  const browser = await signedIn()
  for (const path of ['/app/me?note=constructor', '/sign-in?note=__proto__'])
    assert((await browser.open(path)).status < 400, path)
  const answers = [
    await browser.send('/sign-in', { email: 'a\0@example.com', password: 'x' }),
    await browser.open('/app/o/%00'),
    await browser.send('/app/tokens/%00/revoke'),
    await browser.send('/sign-in', { email: 'x'.repeat(70_000) }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 413],
  )
  for (const { text } of answers) assert.match(text, /^<!doctype html>/)
})

test('after signing in, the browser only goes to pages of this server', async () => {
  const leading: [string, string][] = [
    ['/app/o/1?x=2', '/app/o/1?x=2'],
    ['/v1/user', '/v1/user'],
    ...[
      '',
      'app',
      'https://evil.example/',
      '//evil.example/',
      '///evil.example',
      '/\\evil.example/',
      '\\\\evil.example',
      '/app\\..\\..//evil.example',
      '/.//evil.example/',
      '/app/..//evil.example/',
      '/%2e//evil.example/',
      '/\tapp',
      '/\n/evil.example',
      ' /app',
      'javascript:alert(1)',
      'data:text/html,x',
      '@evil.example',
      '/app\u0000',
      '/app\r\nset-cookie: a=b',
      '/sites/docs/phishing/',
      '/app/../sites/docs/',
      '/sites',
      '/_lectern/x',
      `/${'a'.repeat(3000)}`,
    ].map((next): [string, string] => [next, '/app']),
  ]
  for (const [next, expected] of leading) assert.equal(ownPath(next), expected, JSON.stringify(next))
  for (const [next, expected] of [
    leading[0]!,
    ['//evil.example/', '/app'],
    ['/\\evil.example', '/app'],
  ] as const) {
    const browser = anyBrowser()
    const page = await browser.open(`/sign-in?next=${encodeURIComponent(next)}`)
    assert.doesNotMatch(page.text, /evil/)
    const answer = await browser.send('/sign-in', { email: ann.email, password: PASSWORD, next })
    assert.equal(answer.headers.get('location'), expected)
    const again = await browser.open(`/sign-in?next=${encodeURIComponent(next)}`)
    assert.equal(again.headers.get('location'), expected, 'signed in already')
  }
  const deep = await anyBrowser().open('/app/o/1?sites=2')
  assert.equal(deep.headers.get('location'), `/sign-in?next=${encodeURIComponent('/app/o/1?sites=2')}`)
})

describe('an unknown address', () => {
  const tryOut = async (email: string) => {
    const start = cpuTime()
    const answer = await anyBrowser().send('/sign-in', { email, password: 'wrong password' })
    return { answer, ms: cpuTime() - start }
  }

  test('gets the same page as a wrong password, after the same work', async () => {
    const nameless = (text: string, email: string) => text.replaceAll(email, '<address>')
    let [known, unknown] = [Infinity, Infinity]
    for (let round = 0; round < 5; round++) {
      const one = await tryOut(ann.email)
      const other = await tryOut('nobody@example.com')
      assert.deepEqual(
        [other.answer.status, nameless(other.answer.text, 'nobody@example.com')],
        [one.answer.status, nameless(one.answer.text, ann.email)],
      )
      known = Math.min(known, one.ms)
      unknown = Math.min(unknown, other.ms)
    }
    assert(unknown > known / 2 && known > unknown / 2, `${known} ms and ${unknown} ms`)
  })

  test('gets the same page when the password is forgotten', async () => {
    const pages = await Promise.all(
      [ann.email, 'nobody@example.com'].map((email) => anyBrowser().send('/sign-in/forgotten', { email })),
    )
    assert.equal(pages[0]!.status, 200)
    assert.equal(pages[0]!.text, pages[1]!.text)
  })
})

test('guesses are throttled, and a browser that has signed in before still signs in', async (t) => {
  stopClock(t, world)
  const { email } = await withPassword(world, 'bea')
  const known = await signedIn(email)
  await known.send('/sign-out')
  // In the network of the browser that has signed in before, where the attempts are used up.
  const stranger = browserOf(world, { 'x-forwarded-for': `198.51.${network}.7` })
  for (let i = 0; i < 9; i++)
    assert.equal((await stranger.send('/sign-in', { email, password: 'wrong' })).status, 401)
  const refused = await stranger.send('/sign-in', { email, password: PASSWORD })
  assert.equal(refused.status, 429)
  assert.match(refused.text, /Too many attempts; retry in \d+ seconds/)
  assert.equal((await stranger.send('/sign-in', { email, password: '' })).status, 400)
  assert.equal((await known.send('/sign-in', { email, password: PASSWORD })).status, 303)
})

test('who is locked out by strangers signs in with a link by e-mail or a passkey, as the page says', async (t) => {
  stopClock(t, world)
  const { email, person } = await withPassword(world, 'cleo')
  const userId = person.id
  const now = world.clock.now!
  for (let i = 0; i < 100; i += 1) await world.app.services.attempt({ ip: `100.64.${i}.1`, email }, now)
  // The network is locked as well.
  const address = '198.18.0.1'
  for (let i = 0; i < 100; i += 1) await world.app.services.attempt({ ip: address }, now)
  const browser = browserOf(world, { 'x-forwarded-for': address })
  for (const stranger of [browser, anyBrowser()]) {
    const refused = await stranger.send('/sign-in', { email, password: PASSWORD })
    assert.equal(refused.status, 429)
    assert.match(refused.text, /You can still sign in with a passkey/)
    assert.match(
      refused.text,
      /href="\/sign-in\/forgotten\?email=cleo%40example\.com">request a link by e-mail/,
    )
  }

  const options = await nobody(
    'POST /sign-in/passkey/options',
    {},
    {
      'x-forwarded-for': address,
      'sec-fetch-site': 'same-origin',
    },
  )
  assert.equal(options.status, 200, options.text)
  const link = { userId, purpose: 'password-reset', organizationId: null, mailed: true, now } as const
  const token = await world.db.write((tx) => insertAccountToken(tx, link))
  const password = 'another correct horse'
  const set = await browser.send('/app/password', { token, password })
  assert.deepEqual([set.status, set.headers.get('location')], [303, '/sign-in?note=password'])
  assert.equal((await browser.send('/sign-in', { email, password })).status, 303)
  assert.equal((await anyBrowser().send('/sign-in', { email, password })).status, 429, 'another browser')

  const wrong = await anyBrowser().send('/app/password', { token, password })
  assert.equal(wrong.status, 404)
  assert.equal(wrong.headers.get('set-cookie'), null, 'a used link')
})

test('a page that is not at an HTTPS address asks for no password, but on the machine itself it does', async () => {
  const at = (host: string) =>
    nobody('GET /sign-in', undefined, { 'x-forwarded-host': host, 'x-forwarded-for': '198.51.100.9' })
  for (const host of ['192.168.1.5:3000', 'lectern.example', 'localhost.example']) {
    const page = await at(host)
    assert.match(page.text, /Signing in needs HTTPS/)
    assert.doesNotMatch(page.text, /type="password"/)
  }
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    assert.match((await at(host)).text, /type="password"/, host)
})

describe('a second factor', () => {
  async function withFactor(name: string) {
    const { person, email } = await withPassword(world, name)
    const { secret } = (await person('POST /v1/user/second-factor', { password: PASSWORD })).body
    const codeNow = (offset = 0) => totpCode(secret, totpStep(clock.now ?? new Date()) + offset)
    const { codes } = (await person('PUT /v1/user/second-factor', { code: codeNow(-1) })).body
    const browser = anyBrowser()
    const answer = await browser.send('/sign-in', { email, password: PASSWORD, next: '/app/o/1' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/sign-in/code'])
    return { email, browser, codeNow, codes: codes as string[] }
  }

  test('is asked for after the password, and the session begins with the code', async () => {
    const { browser, codeNow } = await withFactor('cid')
    assert(!browser.cookies.has(SESSION_COOKIE))
    assert.equal((await browser.open('/app/me')).status, 303)
    assert.equal((await nobody('GET /v1/user', undefined, { cookie: browser.header() })).status, 401)
    assert.match((await browser.open('/sign-in/code')).text, /autocomplete="one-time-code"/)

    assert.equal((await browser.send('/sign-in/code', { code: '000000' })).status, 401)
    const answer = await browser.send('/sign-in/code', { code: codeNow() })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/app/o/1'])
    assert(browser.cookies.has(SESSION_COOKIE) && !browser.cookies.has('__Host-lectern-sign-in'))
  })

  test('takes five wrong codes, and then the password again', async () => {
    const { browser, codes } = await withFactor('dee')
    for (let i = 1; i < 5; i++)
      assert.equal((await browser.send('/sign-in/code', { code: '000000' })).status, 401)
    const last = await browser.send('/sign-in/code', { code: '000000' })
    assert.equal(last.headers.get('location'), '/sign-in?note=expired')
    const late = await browser.send('/sign-in/code', { code: codes[0]! })
    assert.equal(late.headers.get('location'), '/sign-in?note=expired')
    assert(!browser.cookies.has(SESSION_COOKIE))
  })

  test('waits for ten minutes, and not after the password has changed', async () => {
    const slow = await withFactor('eve')
    clock.now = new Date(Date.now() + 11 * 60_000)
    assert.equal(
      (await slow.browser.send('/sign-in/code', { code: slow.codeNow() })).headers.get('location'),
      '/sign-in?note=expired',
    )
    clock.now = undefined

    const changed = await withFactor('fay')
    const other = anyBrowser()
    await other.send('/sign-in', { email: changed.email, password: PASSWORD })
    await other.send('/sign-in/code', { code: changed.codes[0]! })
    const to = await other.send('/app/change-password', {
      current: PASSWORD,
      password: 'another good password',
    })
    assert.equal(to.headers.get('location'), '/app/me?note=password-changed')
    const late = await changed.browser.send('/sign-in/code', { code: changed.codes[1]! })
    assert.equal(late.headers.get('location'), '/sign-in?note=expired')
  })

  test('of a sign-in that another browser began is of no use', async () => {
    const { codeNow } = await withFactor('gus')
    const answer = await anyBrowser().send('/sign-in/code', { code: codeNow() })
    assert.equal(answer.headers.get('location'), '/sign-in?note=expired')
  })
})

test('signing in is in the audit log, with the way and the place', async () => {
  await signedIn((await withPassword(world, 'hal')).email)
  const events = await world.ada(`GET /v1/orgs/${world.organizationId}/audit-events?limit=1`)
  const { body } = await world.ada(events.body.items[0].urls.location.replace(world.url, 'GET '))
  assert.deepEqual([body.action, body.source, body.target.type], ['account.session.create', 'ui', 'session'])
  assert.deepEqual(body.payload, { after: { method: 'password' } })
  assert.match(body.ip, /^198\.51\./)
})
