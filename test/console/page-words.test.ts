/** The server's own pages in the language of the person: every page in Chinese, and who chooses the language. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { totpCode, totpStep } from '../../src/access/credentials/totp.ts'
import { WORDINGS } from '../../src/console/render/words.ts'
import { PAGES_CHINESE } from '../../src/console/render/words-zh.ts'
import { accountPages } from '../../src/console/serve/account.ts'
import { consoleFiles } from '../../src/console/serve/app.ts'
import { languagePages } from '../../src/console/serve/languages.ts'
import { linkPages } from '../../src/console/serve/emailed-links.ts'
import { passkeyPages } from '../../src/console/serve/passkeys.ts'
import { securityPages } from '../../src/console/serve/security.ts'
import { signInPages } from '../../src/console/serve/sign-in.ts'
import { tokenAuthorizationPages } from '../../src/console/serve/token-authorization.ts'
import { partsOfText } from '../../src/core/languages/wording.ts'
import { LANGUAGE_COOKIE } from '../../src/core/languages/page-languages.ts'
import { insertToken } from '../../src/model/people/token.ts'
import { openSessionFor } from '../signed-in.ts'
import { key } from '../sso/saml-kit.ts'
import { type Answer, createWorld } from '../world.ts'
import { type Browser, browserOf, PASSWORD, withPassword } from './pages.ts'

const world = await createWorld()
const { clock, nobody } = world
const CHINESE = 'zh-CN,zh;q=0.9,en;q=0.8'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
let network = 0

function anyBrowser(headers: Record<string, string> = {}): Browser {
  return browserOf(world, {
    'accept-language': CHINESE,
    'user-agent': CHROME,
    'x-forwarded-for': `198.51.${(network += 1)}.1`,
    ...headers,
  })
}

async function openFor(userId: string, headers: Record<string, string> = {}): Promise<Browser> {
  const browser = anyBrowser(headers)
  const { cookie } = await openSessionFor(world, userId)
  browser.cookies.set(SESSION_COOKIE, cookie.split('=')[1]!)
  return browser
}

describe('every page of the server is in Chinese', () => {
  const PAGES = {
    ...signInPages,
    ...passkeyPages,
    ...linkPages,
    ...accountPages,
    ...securityPages,
    ...tokenAuthorizationPages,
    ...languagePages,
  }
  const walked = new Set<string>()
  const shown: string[] = []
  /** Names, which are the same in each language, and what the test made. */
  const NAMES =
    /Lectern|LECTERN_URL|Documentation|Guarded|Example|JavaScript|HTTPS?|API|SSO|PIN|UTC|NUL|English|Chrome|Windows|backup|\S*@example\.com|[\da-z]{4}(?:-[\da-z]{4}){3}|lec_\w+|[A-Z2-7]{4}(?: [A-Z2-7]{2,4})+|\b0[\da-z]{19,25}\b|\b(?:ann|dee|ivy|test|https)\b/g

  function textOf(page: string): string {
    const spoken = [
      ...page.matchAll(
        / (?:aria-label|alt|placeholder|title|data-(?:copied|known|failed|show|hide|password))="([^"]*)"/g,
      ),
    ]
    const texts = page.replaceAll(/<(svg|script|style)[\s>].*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, '\n')
    return [texts, ...spoken.map(([, text]) => text)]
      .join('\n')
      .replaceAll('&quot;', '"')
      .replaceAll(/&\w+;|&#\d+;/g, ' ')
  }

  function check(what: string, text: string): void {
    shown.push(text)
    const english = text
      .replaceAll(NAMES, '')
      .split('\n')
      .filter((line) => /[A-Za-z]{2,}/.test(line))
    assert.deepEqual(english, [], what)
  }

  /** Notes that an address was tried, and checks what is shown. */
  function look(request: string, answer: Answer, status = 200): Answer {
    const [method = '', path = ''] = request.split(/ |\?/)
    for (const address of Object.keys(PAGES)) {
      const pattern = address.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
      if (new RegExp(`^${pattern}$`).test(`${method} ${path}`)) walked.add(address)
    }
    assert.equal(answer.status, status, `${request} ${answer.text}`)
    if (answer.status === 303) return answer
    assert.match(answer.headers.get('vary') ?? '', /accept-language, cookie/, request)
    if (answer.text.startsWith('{')) {
      if (answer.body.error) check(request, answer.body.error.message)
      return answer
    }
    assert.match(answer.text, /<html lang="zh">/, request)
    check(request, textOf(answer.text))
    return answer
  }
  const get = async (browser: Browser, path: string, status?: number) =>
    look(`GET ${path}`, await browser.open(path), status)
  const post = async (browser: Browser, path: string, fields: Record<string, string> = {}, status?: number) =>
    look(`POST ${path}`, await browser.send(path, fields), status)
  const json = async (browser: Browser, path: string, body: object, status?: number) => {
    const headers = { cookie: browser.header(), 'accept-language': CHINESE, 'sec-fetch-site': 'same-origin' }
    return look(`POST ${path}`, await nobody(`POST ${path}`, body, headers), status)
  }

  test('of signing in', async () => {
    const { email, person } = await withPassword(world, 'ann')
    const browser = anyBrowser()
    for (const note of ['', '?note=expired', '?note=password', '?note=signed-out'])
      await get(browser, `/sign-in${note}`)
    await post(browser, '/sign-in', { email, password: 'wrong' }, 401)
    await post(browser, '/sign-in', { email, password: '' }, 400)
    await get(browser, '/sign-in/forgotten')
    await post(browser, '/sign-in/forgotten', { email })
    await post(browser, '/sign-in/forgotten', { email: 'x' }, 400)
    await get(browser, '/sign-in/code', 303)
    await json(browser, '/sign-in/passkey/options', {})
    const credential = { id: 'AA', rawId: 'AA', type: 'public-key', clientExtensionResults: {} }
    const response = { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' }
    await json(browser, '/sign-in/passkey', { credential: { ...credential, response } }, 401)

    const plain = anyBrowser({ 'x-forwarded-host': 'lectern.example' })
    await get(plain, '/sign-in')
    await get(plain, '/app/invitation')
    // The window of the attempts does not end between them.
    clock.now = new Date()
    for (let i = 0; i < 10; i++) await browser.send('/sign-in', { email, password: 'wrong' })
    await post(browser, '/sign-in', { email, password: 'wrong' }, 429)
    clock.now = undefined

    const { secret } = (await person('POST /v1/user/second-factor', { password: PASSWORD })).body
    const code = totpCode(secret, totpStep(new Date()))
    assert.equal((await person('PUT /v1/user/second-factor', { code })).status, 200)
    const other = anyBrowser()
    await post(other, '/sign-in', { email, password: PASSWORD }, 303)
    await get(other, '/sign-in/code')
    await post(other, '/sign-in/code', { code: '000000' }, 401)
  })

  test('of links', async () => {
    const { id } = await world.person('bea', 'read')
    const browser = anyBrowser()
    const token = 'x'.repeat(40)
    for (const path of ['/app/invitation', '/app/welcome', '/app/password']) {
      await get(browser, path)
      await post(browser, path, { password: PASSWORD }, 400)
      await post(browser, path, { token, password: 'short' }, 400)
      await post(browser, path, { token, password: 'x'.repeat(300) }, 400)
      await post(browser, path, { token, password: PASSWORD }, 404)
    }
    await post(browser, '/app/invitation', { token, password: PASSWORD, displayName: 'x'.repeat(70) }, 400)
    await json(browser, '/app/invitation/account', { token }, 404)
    await get(browser, '/app/join/x')
    const joining = await openFor(id)
    await get(joining, '/app/join/x')
    await post(joining, '/app/join/x', { token }, 404)
    await get(browser, '/sso/nothing', 403)
    await get(browser, '/sso/recover')
    await post(browser, '/sso/recover', { token }, 403)
  })

  test('of the account', async () => {
    const { email, person } = await withPassword(world, 'dee')
    const browser = anyBrowser()
    await post(browser, '/sign-in', { email, password: PASSWORD }, 303)
    const { id } = (await nobody('GET /v1/user/sessions', undefined, { cookie: browser.header() })).body
      .items[0]
    await openFor(person.id)
    const notes = ['token-revoked', 'session-ended', 'sessions-ended', 'factor-removed', 'password-changed']
    for (const note of [...notes, 'passkey-added', 'passkey-deleted'])
      await get(browser, `/app/me?note=${note}`)
    await world.db.write(async (tx) => {
      const mine = { userId: person.id, label: 'test' }
      for (let index = 0; index < 50; index++)
        await insertToken(tx, { ...mine, id: `many${index}`, now: new Date() })
      const passkey = {
        credentialId: 'x',
        publicKey: 'x',
        counter: 0,
        transports: '[]',
        backedUp: 0,
      } as const
      const at = new Date().toISOString()
      await tx
        .insertInto('passkey')
        .values({ ...mine, ...passkey, id: 'key', createdAt: at, lastUsedAt: at })
        .execute()
    })
    await post(browser, '/app/tokens', { label: 'backup', days: '7', readOnly: 'on', password: PASSWORD })
    await post(browser, '/app/tokens', { label: ' ' }, 400)
    await post(browser, '/app/tokens', { label: 'backup', password: 'wrong' }, 400)
    const token = (await person('GET /v1/user/tokens')).body.items[0]
    await get(browser, '/app/me')
    await post(browser, `/app/tokens/${token.id}/revoke`, {}, 303)
    await post(browser, '/app/change-password', { current: 'wrong', password: PASSWORD }, 400)
    await post(browser, '/app/change-password', { current: PASSWORD, password: 'short' }, 400)
    await post(browser, '/app/passkeys/x/delete', {}, 303)
    await json(browser, '/app/passkeys/challenges', {})
    await json(anyBrowser(), '/app/passkeys', {}, 401)

    const begun = await post(browser, '/app/second-factor')
    const seed = (/<code class="secret">([^<]+)/.exec(begun.text)?.[1] ?? '').replaceAll(' ', '')
    await post(browser, '/app/second-factor/confirm', { code: '000000' }, 400)
    const codes = await post(browser, '/app/second-factor/confirm', {
      code: totpCode(seed, totpStep(new Date())),
    })
    assert.match(codes.text, /[\da-z]{4}(?:-[\da-z]{4}){3}/)
    await get(browser, '/app/me')
    await post(browser, '/app/second-factor/codes', { code: 'wrong' }, 400)
    await world.db.write(async (tx) => {
      const mine = tx.selectFrom('recoveryCode').select('hash').where('userId', '=', person.id)
      const { hash } = await mine.limit(1).executeTakeFirstOrThrow()
      await tx.deleteFrom('recoveryCode').where('userId', '=', person.id).where('hash', '!=', hash).execute()
    })
    await get(browser, '/app/me')
    await post(browser, '/app/second-factor/remove', { code: 'wrong' }, 400)

    clock.now = new Date(Date.now() + 16 * 60_000)
    await get(browser, '/app/me')
    await post(browser, '/app/second-factor', {}, 403)
    await json(browser, '/app/passkeys/challenges', {}, 403)
    clock.now = undefined

    for (const path of [
      '/app',
      '/app/inbox',
      '/app/drafts',
      '/app/installation',
      '/app/profile',
      '/app/s/x',
      '/app/c/x',
      '/app/o/x',
      '/app/o/x/people',
    ])
      await get(browser, path)
    await get(browser, '/app/nothing', 404)
    await get(browser, '/sign-out')
    await post(browser, '/app/sessions/end-others', {}, 303)
    await post(browser, `/app/sessions/${id}/end`, {}, 303)
    await post(browser, '/sign-out', {}, 303)
    const unknown = await openFor((await world.person('ivy')).id, { 'user-agent': 'telegram' })
    await get(unknown, '/app/me')
    await post(unknown, '/app/language', { language: 'zh', next: '/app/me' }, 303)
  })

  test('of an organization that requires single sign-on', async () => {
    const person = await world.stranger('zoe')
    const org = `/v1/orgs/${person.organizationId}`
    await person(`POST ${org}/saml`, {
      label: 'Example',
      entityID: 'https://idp.example.com',
      ssoURL: 'https://idp.example.com/sso',
      logoutURL: 'https://idp.example.com/slo',
      certificate: key.certificate,
    })
    assert.equal((await person(`PATCH ${org}`, { sso: true, title: 'Guarded' })).status, 200)
    await world.db.write((tx) =>
      tx.updateTable('user').set({ displayName: 'Example' }).where('id', '=', person.id).execute(),
    )
    const browser = await openFor(person.id)
    await get(browser, '/app/me')
    await get(browser, `/app/o/${person.organizationId}`, 403)

    const provider = (await world.db.read.selectFrom('identityProvider').selectAll().execute()).find(
      ({ organizationId }) => organizationId === person.organizationId,
    )
    const token = (await person('GET /v1/user/tokens')).body.items[0].id as string
    const path = `/app/tokens/${token}/authorize`
    await get(browser, path)
    const signedIn = anyBrowser()
    const { organizationId } = person
    const by = { method: 'saml', providerId: provider!.id, organizationId } as const
    const { cookie } = await openSessionFor(world, person.id, by)
    signedIn.cookies.set(SESSION_COOKIE, cookie.split('=')[1]!)
    await get(signedIn, path)
    await post(signedIn, path, {}, 303)
    assert.match((await get(signedIn, '/app/me?note=token-authorized')).text, /令牌已授权/)
    const leaving = anyBrowser()
    const samlName = { nameID: 'zoe' }
    const { cookie: last } = await openSessionFor(world, person.id, { ...by, samlName })
    leaving.cookies.set(SESSION_COOKIE, last.split('=')[1]!)
    const out = await leaving.send('/sign-out', {})
    await get(leaving, out.headers.get('location')!)
    await get(leaving, `/sso/${provider!.id}/logout`, 403)
    assert.match((await get(browser, '/app/me')).text, /已为 Guarded 授权/)
    const free = await world.person('unguarded')
    const ofFree = (await free('GET /v1/user/tokens')).body.items[0].id as string
    await get(await openFor(free.id), `/app/tokens/${ofFree}/authorize`)
  })

  test('of what went wrong', async () => {
    const browser = anyBrowser()
    look('POST /app/tokens', await browser.send('/app/tokens', {}, { 'sec-fetch-site': 'cross-site' }), 403)
    await post(browser, '/sign-in', { email: 'a\0' }, 400)
    await post(browser, '/sign-in', { email: 'x'.repeat(70_000) }, 413)
    const answer = await consoleFiles(() => Promise.reject(new Error('gone'))).page(WORDINGS.zh)
    assert('page' in answer && answer.status === 503)
    check('a console that cannot be built', textOf(String(answer.page)).replace(/：\S.*?。API/, '：。API'))
  })

  test('and none is left out', () => {
    assert.deepEqual(
      Object.keys(PAGES).filter((address) => !walked.has(address)),
      [],
    )
    const all = shown.join('\n')
    const unseen = Object.entries(PAGES_CHINESE).filter(([, chinese]) =>
      partsOfText(chinese).some((part, index) => index % 2 === 0 && !all.includes(part)),
    )
    assert.deepEqual(
      unseen.map(([english]) => english),
      [],
    )
  })
})

test('no Chinese words are left over, and they have the same values', () => {
  const sources = globSync('src/{*,!(console)/**/*,console/!(app)/**/*,console/app/api/*}.ts', {
    exclude: ['**/*-zh.ts'],
  })
  const written = sources.map((file) => readFileSync(file, 'utf8')).join('\n')
  const valuesIn = (text: string) => partsOfText(text).filter((_, index) => index % 2 === 1)
  for (const [english, chinese] of Object.entries(PAGES_CHINESE)) {
    assert(written.includes(`'${english}'`), english)
    assert.deepEqual(valuesIn(chinese).toSorted(), valuesIn(english).toSorted(), english)
  }
})

describe('the language of a page', () => {
  const languageOf = async (browser: Browser, headers: Record<string, string> = {}, path = '/sign-in') =>
    /<html lang="(\w+)">/.exec((await browser.open(path, headers)).text)?.[1]

  test('is the first of the browser that the pages have', async () => {
    const accepted: [string, string][] = [
      ['', 'en'],
      ['zh', 'zh'],
      ['zh-TW', 'zh'],
      ['ZH-cn', 'zh'],
      ['fr', 'en'],
      ['fr, zh;q=0.5', 'zh'],
      ['en;q=0.4, zh;q=0.5', 'zh'],
      ['en, zh', 'en'],
      ['zh;q=0', 'en'],
      ['constructor', 'en'],
    ]
    for (const [header, expected] of accepted)
      assert.equal(await languageOf(anyBrowser({ 'accept-language': header })), expected, header)
  })

  test('is the one that a visitor chose, which signing in keeps', async () => {
    const { email } = await withPassword(world, 'fay')
    const browser = anyBrowser({ 'accept-language': 'en' })
    const page = await browser.open('/sign-in?next=/app/o/1')
    assert.match(page.text, /<button[^>]*value="zh" lang="zh">中文<\/button>/)
    const [, next = ''] = /name="next" value="([^"]*)"/.exec(page.text) ?? []
    const chosen = await browser.send('/app/language', { language: 'zh', next })
    assert.equal(chosen.headers.get('location'), '/sign-in?next=%2Fapp%2Fo%2F1')
    assert.equal(browser.cookies.get(LANGUAGE_COOKIE), 'zh')
    assert.equal(await languageOf(browser), 'zh')
    await browser.send('/sign-in', { email, password: PASSWORD })
    assert.equal(await languageOf(browser, {}, '/app/me'), 'zh')
    assert.equal(await languageOf(browser, {}, '/app'), 'zh')

    for (const language of ['fr', 'constructor', '']) {
      const refused = await anyBrowser().send('/app/language', { language, next: '//evil.example' })
      assert.deepEqual([refused.headers.get('location'), refused.headers.getSetCookie()], ['/app', []])
    }
  })

  test('is that of the account, wherever the user is signed in, and the account page changes it', async () => {
    const { person } = await withPassword(world, 'gus')
    await person(`PATCH /v1/users/${person.id}`, { language: 'zh' })
    const browser = await openFor(person.id, { 'accept-language': 'en' })
    assert.equal(await languageOf(browser, {}, '/app/me'), 'zh')
    assert.match(
      (await browser.open('/app/me')).text,
      /<time datetime="[^"]+">\d{4}年\d+月\d+日 \d{2}:\d{2} UTC</,
    )
    await browser.send('/app/language', { language: 'en', next: '/app/me' })
    assert.equal((await person('GET /v1/user')).body.language, 'en')
    assert.equal(await languageOf(browser, { 'accept-language': 'zh' }, '/app/me'), 'en')
    // As in the console, a language without words means English.
    await person(`PATCH /v1/users/${person.id}`, { language: 'fr' })
    assert.equal(await languageOf(browser, { 'accept-language': 'zh' }, '/app/me'), 'en')
  })

  test('of a session that cannot change the account is the choice in the browser', async () => {
    const { id } = await world.person('hal', 'read')
    const browser = await openFor(id, { 'accept-language': 'en' })
    await world.db.write((tx) =>
      tx
        .updateTable('session')
        .set({ organizationId: world.organizationId })
        .where('userId', '=', id)
        .execute(),
    )
    const chosen = await browser.send('/app/language', { language: 'zh', next: '/app/me' })
    assert.equal(chosen.status, 303)
    assert.equal(await languageOf(browser, {}, '/app/me'), 'zh')
  })
})
