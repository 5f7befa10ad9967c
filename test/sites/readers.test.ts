/** Every kind of site, to every kind of reader, on every surface: what one surface hides, all hide. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../world.ts'
import { createWorld } from '../world.ts'
import { isLongRun } from '../effort.ts'
import { indexed } from '../search/indexing.ts'
import { touchSite } from '../../src/model/sites/site.ts'
import { assertSameText, cookiesOf, jwt, siteForReaders } from './reading.ts'
import {
  type Asking,
  bearer as bearerOf,
  expected,
  readersOf,
  soon,
  VISIBILITIES,
  type Visibility,
} from './reader-table.ts'
import {
  checkApi,
  checkFeedAndProtocol,
  checkShareKey,
  pagesFor,
  REPRESENTATIVES,
  resolveFor,
} from './reader-surfaces.ts'

const world = await createWorld()
const { ada } = world
const site = await siteForReaders(world, 'Readers')
const link = (await ada(`POST ${site.at}/share-links`, { name: 'Partners' })).body
await ada(`PATCH ${site.at}/publishing/auth`, {
  backend: 'custom',
  fallbackURL: 'https://app.example.com/in?to=docs',
})
await site.set({ visibility: 'share-link' })
const KEY = /share_\w+/.exec((await ada(`GET ${site.at}/share-links`)).body.items[0].urls.published)![0]

const destination = { kind: 'external', url: `${site.address}${KEY}/open` }
await ada(`POST ${site.at}/redirects`, { source: '/old', destination })
const stranger = await world.stranger('mallory')
await indexed(world)

const bearer = (claims: object, key = site.privateKey) => bearerOf(claims, key)
const READERS = readersOf(site, KEY)

for (const visibility of VISIBILITIES) {
  test(`what readers see of a site that is ${visibility}`, async () => {
    if (visibility === 'unpublished') await ada(`POST ${site.at}/unpublish`)
    else await site.set({ visibility })
    for (const reader of READERS) {
      const want = expected(visibility, reader, KEY)
      const get = (path: string, headers: Record<string, string> = {}) =>
        site.get((reader.prefix ?? '') + path + (reader.query ?? ''), { ...reader.headers, ...headers })
      const what = `${visibility}, ${reader.name}`
      if ('pro' in want) {
        await checkSurfaces(what, get, want, visibility)
        if (!isLongRun() && (visibility === 'unlisted' || !REPRESENTATIVES.includes(reader.name))) continue
        await checkFeedAndProtocol(what, world, site, reader, want)
        await checkApi(what, world, site, reader, want)
      } else {
        await checkRefused(what, get, want.status, { visibility, query: reader.query })
        await checkUnresolved(what, reader, want.status, visibility)
      }
    }
    const isShared = visibility === 'share-link'
    await checkShareKey(`${visibility}, right key`, stranger, site, KEY, isShared)
    for (const key of [undefined, '', 'share_', `${KEY.slice(0, -4)}aaaa`, link.id])
      await checkShareKey(`${visibility}, key ${key}`, stranger, site, key, false)
    if (visibility === 'unpublished') await ada(`POST ${site.at}/publish`)
  })
}

type Get = (path: string, headers?: Record<string, string>) => Promise<Answer>
const SURFACES = [
  '',
  'open',
  'open.md',
  'pro',
  'pro.md',
  'sitemap.xml',
  'sitemap-pages.xml',
  'llms.txt',
  'llms-full.txt',
  'robots.txt',
  'old-open',
  'nothing',
]

async function checkRefused(
  what: string,
  get: Get,
  status: number,
  { visibility, query = '' }: { visibility: Visibility; query?: string | undefined },
): Promise<void> {
  for (const path of [...SURFACES, site.file('everyone.png'), site.file('pro.png')]) {
    const answer = await get(path)
    assert.equal(answer.status, status, `${what}: ${path}`)
    assert.doesNotMatch(answer.text, /Welcome|Open|Pro|Readers/, `${what}: ${path}`)
    if (status !== 404) assert.match(answer.headers.get('cache-control')!, /no-store/)
    const to = answer.headers.get('location') ?? ''
    if (to.startsWith('/')) assert.equal(to, site.base + path)
    if (visibility !== 'visitor-auth' || status !== 302 || to.startsWith('/')) continue
    const location = new URL(to)
    assert.equal(location.origin + location.pathname, 'https://app.example.com/in')
    assert.deepEqual(
      [...location.searchParams],
      [
        ['to', 'docs'],
        ['location', path + query],
      ],
    )
  }
}

/** What the API answers to a reader whom the pages refuse: the same, without an address that they could not have found. */
async function checkUnresolved(
  what: string,
  reader: Asking,
  status: number,
  visibility: Visibility,
): Promise<void> {
  const answer = await resolveFor(world, site, reader)
  assert.doesNotMatch(answer.text, /apiToken/, what)
  if (status === 404) return assert.equal(answer.status, 404, what)
  if (reader.prefix) {
    const redirect = site.address
    return assert.deepEqual([answer.status, answer.body], [200, { target: 'content', redirect }], what)
  }
  const signIn = {
    target: 'external',
    redirect: `https://app.example.com/in?to=docs&location=${encodeURIComponent(reader.query ?? '')}`,
  }
  if (!reader.headers) return assert.deepEqual([answer.status, answer.body], [200, signIn], what)
  assert.equal(visibility, 'visitor-auth')
  assert.equal(answer.status, 401, what)
  const sent = await resolveFor(world, site, reader, { redirectOnError: true })
  return assert.deepEqual([sent.status, sent.body], [200, signIn], what)
}

async function checkSurfaces(
  what: string,
  get: Get,
  { pro, beta }: { pro: boolean; beta: boolean },
  visibility: Visibility,
): Promise<void> {
  const home = await get('')
  assert.equal(home.status, 200, what)
  assert.match(
    home.headers.get('cache-control')!,
    /private/,
    `${what}: readers differ, so no shared cache stores this`,
  )
  assert.match(home.headers.get('vary')!, /cookie/)
  assert.equal(home.text.includes('noindex'), visibility !== 'public', what)

  // The page, its Markdown, the tree, the site map, llms.txt and the redirect of an old path agree.
  const [map, llms, mixed] = [await get('sitemap-pages.xml'), await get('llms.txt'), await get('mixed')]
  const full = (await get('llms-full.txt')).text
  for (const [path, shown] of Object.entries(pagesFor({ pro, beta }))) {
    const place = `${what}: ${path}`
    assert.equal((await get(path)).status, shown ? 200 : 404, place)
    const markdown = await get(`${path}.md`)
    assert.equal(markdown.status, shown ? 200 : 404, place)
    assert.equal(new RegExp(`href="[^"]*/${path}"`).test(home.text), shown, `${place} in the tree`)
    assert.equal(llms.text.includes(`/${path}.md)`), shown, `${place} in llms.txt`)
    assert.equal(full.includes(`/${path}.md\n`), shown, `${place} in llms-full.txt`)
    const negotiated = await get(path, { accept: 'text/markdown' })
    assert.equal(negotiated.status, shown ? 200 : 404, `${place} as Markdown`)
    if (shown) assertSameText(negotiated.text, markdown.text, `${place} as Markdown`)
    assert.equal(map.text.includes(`/${path}<`), shown && visibility === 'public', `${place} in the site map`)
  }
  assert.equal((await get('old-open')).status, 301, what)
  assert.equal((await get('old-pro')).status, pro ? 301 : 404, what)

  // A block, and the file in it.
  assert.equal(mixed.text.includes('The secret text'), pro, what)
  assert.equal((await get('mixed.md')).text.includes('The secret text'), pro, what)
  const files = { 'everyone.png': true, 'pro.png': pro, 'block.png': pro }
  for (const [name, shown] of Object.entries(files)) {
    const answer = await get(site.file(name))
    assert.equal(answer.status, shown ? 200 : 404, `${what}: ${name}`)
    if (shown) assert.match(answer.headers.get('cache-control')!, /^private/)
  }
  if (what.includes('unsigned claims') && !what.includes('JWT'))
    assert.match(cookiesOf(home), /^lectern-claims=/)
}

test('an address with the key of a share link leads to the open site without it', async () => {
  await site.set({ visibility: 'public' })
  const { status, headers } = await site.get(`${KEY}/open?q=1`)
  assert.deepEqual([status, headers.get('location')], [302, `${site.base}open?q=1`])
})

test('the key of a share link stays in every address of the site, and is in no referrer', async () => {
  await site.set({ visibility: 'share-link' })
  const { text, headers } = await site.get(`${KEY}/`)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  const inside = [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path = '']) => path)
  const without = inside.filter(
    (path) => !path.startsWith('/_lectern/') && !path.startsWith(`${site.base}${KEY}/`),
  )
  assert.deepEqual(without, [])
  assert((await site.get(`${KEY}/llms.txt`)).text.includes(`/${KEY}/open.md`))
  assert.match((await site.get(KEY)).headers.get('location')!, new RegExp(`${KEY}/$`))

  await ada(`PATCH ${site.at}/share-links/${link.id}`, { active: false })
  assert.equal((await site.get(`${KEY}/`)).status, 404)
  await ada(`PATCH ${site.at}/share-links/${link.id}`, { active: true })
  assert.equal((await site.get(`${KEY}/`)).status, 200)
  await ada(`POST ${site.at}/share-links/${link.id}/regenerate`)
  assert.equal((await site.get(`${KEY}/`)).status, 404)
})

test('a token in the address becomes a cookie, and the address is clean', async () => {
  await site.set({ visibility: 'visitor-auth' })
  const token = jwt(site.privateKey, { plan: 'pro', exp: soon() })
  const arrived = await site.get(`open?a=1&jwt_token=${token}&visitor.beta=true`)
  assert.deepEqual([arrived.status, arrived.headers.get('location')], [303, `${site.base}open?a=1`])
  const [cookie = '', claims = ''] = arrived.headers.getSetCookie()
  assert.match(
    cookie,
    new RegExp(
      `^lectern-visitor=${token}; Path=${site.base}; HttpOnly; SameSite=Lax; Max-Age=(5\\d\\d|600)$`,
    ),
  )
  assert.match(claims, new RegExp(`^lectern-claims=[\\w-]+; Path=${site.base}; HttpOnly; SameSite=Lax$`))
  const headers = { cookie: cookiesOf(arrived) }
  for (const path of ['open', 'pro', 'beta']) assert.equal((await site.get(path, headers)).status, 200, path)
  assert.equal((await site.get('open', headers)).headers.get('cache-control'), 'private, no-store')

  const left = await site.signOut(headers)
  assert.equal(left.status, 200)
  assert.equal(left.headers.getSetCookie().filter((one) => one.endsWith('Max-Age=0')).length, 3)
  assert.equal((await site.get('open', { cookie: cookiesOf(left) })).status, 302)
})

test('the sign-in page gets the address with its query, without what is secret', async () => {
  await site.set({ visibility: 'visitor-auth' })
  const secrets = 'jwt_token=a.b.c&access_token=a.b.c&preview=p&reader=r&signature=s&shareKey=k'
  const cases: Record<string, string> = {
    '~/search?q=why?&x=https://a.example/?b=1': '~/search?q=why%3F&x=https%3A%2F%2Fa.example%2F%3Fb%3D1',
    'open?x=a%26b%3Dc&x=%2F%2F&y=%23&z=é': 'open?x=a%26b%3Dc&x=%2F%2F&y=%23&z=%C3%A9',
    'open?': 'open',
    'a%3Fb%23c%25d%5Ce?q=1': 'a%3Fb%23c%25d%5Ce?q=1',
    '/evil.example/?q=1': 'evil.example/?q=1',
    '%2F%2Fevil.example': 'evil.example',
    '%5C%5Cevil.example': 'evil.example',
    '%09%2F%0A/evil.example': 'evil.example',
    [`open?a=1&${secrets.replace('jwt_token=a.b.c&access_token=a.b.c&', '')}&b=2`]: 'open?a=1&b=2',
  }
  for (const [path, location] of Object.entries(cases)) {
    const answer = await site.get(site.base + path)
    assert.equal(answer.status, 302, path)
    const sent = new URL(answer.headers.get('location')!)
    assert.equal(sent.origin, 'https://app.example.com', path)
    assert.equal(sent.searchParams.get('to'), 'docs', path)
    assert.equal(sent.searchParams.get('location'), location, path)
    const target = new URL(site.address + location)
    assert.equal(target.host, new URL(site.address).host, path)
    assert.equal(new URL(location, site.address).host, target.host, path)
  }
  const resolved = await resolveFor(
    world,
    site,
    { query: `?q=key&${secrets.replaceAll('a.b.c', 'wrong')}` },
    { redirectOnError: true },
  )
  assert.equal(new URL(resolved.body.redirect).searchParams.get('location'), '?q=key')
})

test('a token that is not valid does not lead back to the sign-in page again and again', async () => {
  await site.set({ visibility: 'visitor-auth' })
  const bad = [
    jwt('another key', { exp: soon() }),
    jwt(site.privateKey, { exp: soon() - 1200 }),
    jwt(site.privateKey, {}, { alg: 'none' }),
    jwt(site.privateKey, {}, { alg: 'HS512', typ: 'JWT' }),
    jwt(site.privateKey, {}, { alg: 'HS256', typ: 'at+jwt' }),
    jwt(site.privateKey, {}, { alg: 'HS256', crit: ['b64'], b64: false }),
    `${jwt(site.privateKey, {}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`,
    jwt(site.privateKey, { padding: 'x'.repeat(5000) }),
    '',
    '.',
    '..',
    'a.b.c',
    '%00',
    'é.é.é',
  ]
  for (const token of bad) {
    const answer = await site.get(`open?jwt_token=${encodeURIComponent(token)}`)
    assert.equal(answer.status, 401, token.slice(0, 40))
    assert.match(answer.text, /href="https:\/\/app\.example\.com\/in\?to=docs"/)
    assert.deepEqual(answer.headers.getSetCookie(), [])
    assert.equal((await site.get('open', { cookie: `lectern-visitor=${token}` })).status, 302)
  }
  assert.match((await site.get(`?jwt_token=${bad[1]}`)).text, /has expired/)
  await ada(`PATCH ${site.at}/publishing/auth`, { backend: 'custom', fallbackURL: null })
  assert.equal((await site.get('open')).status, 401)

  await site.set({ visibility: 'public' })
  const open = await site.get(`open?jwt_token=${bad[0]}`)
  assert.deepEqual([open.status, open.headers.getSetCookie()], [303, []])
})

test('a regenerated key ends the sessions of all readers', async () => {
  await site.set({ visibility: 'visitor-auth' })
  const headers = { cookie: `lectern-visitor=${jwt(site.privateKey, {})}` }
  assert.equal((await site.get('open', headers)).status, 200)
  const { privateKey } = (await ada(`POST ${site.at}/publishing/auth/regenerate`)).body
  assert.equal((await site.get('open', headers)).status, 401)
  assert.equal((await site.get('open', { cookie: `lectern-visitor=${jwt(privateKey, {})}` })).status, 200)
  site.privateKey = privateKey
})

test('the addresses of files are signed for readers who proved something, and expire', async () => {
  await site.set({ visibility: 'visitor-auth' })
  const headers = bearer({ plan: 'pro' })
  const { text } = await site.get('pro', headers)
  const src = /<img[^>]* src="([^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&')
  assert.match(src, /pro\.png\?reader=[\w-]+&signature=[\w-]{22}$/)
  const signed = await site.get(src)
  assert.equal(signed.status, 200, 'without a cookie')
  assert.match(signed.headers.get('cache-control')!, /^private, max-age=0/)
  assert.equal((await site.get(src.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')))).status, 401)
  assert.equal((await site.get(src.replace('reader=', 'reader=z'))).status, 401)
  const other = site.base + site.file('block.png') + src.slice(src.indexOf('?'))
  assert.equal((await site.get(other)).status, 401, 'the signature is for one file')

  world.clock.now = new Date(Date.now() + 2 * 3_600_000 + 1)
  assert.equal((await site.get(src)).status, 401)
  const later = (await site.get('pro', headers)).text
  world.clock.now = undefined
  assert(
    !later.includes(src.replaceAll('&', '&amp;')),
    'a page is not cached longer than its addresses are valid',
  )
})

test('without adaptive content, claims decide nothing', async () => {
  await site.set({ visibility: 'public', adaptiveContent: { enabled: false } })
  const headers = bearer({ plan: 'pro' })
  assert.equal((await site.get('pro', headers)).status, 404)
  const home = await site.get('?visitor.beta=true')
  assert.match(home.headers.get('cache-control')!, /^public/)
  assert.deepEqual(home.headers.getSetCookie(), [])
  const file = await site.get(site.file('everyone.png'))
  assert.match(file.headers.get('cache-control')!, /^public, .*immutable/)
  for (const name of ['pro.png', 'block.png'])
    assert.equal((await site.get(site.file(name), headers)).status, 404, name)
  await site.set({ adaptiveContent: { enabled: true } })
})

test('claims that are not declared, and those that cannot be read, change nothing', async () => {
  await site.set({ visibility: 'public' })
  const plain = await site.get('open')
  for (let i = 0; i < 30; i += 1) {
    const claims = await site.get(`open?visitor.beta=${i % 2 === 0}&visitor.x${i}=${'y'.repeat(50)}`)
    assert.equal(claims.status, 200)
    // What is not declared changes nothing, so it is not even another page.
    if (i % 2 === 1) assert.equal(claims.headers.get('etag'), plain.headers.get('etag'))
  }
  for (const query of [
    'visitor.__proto__.beta=true',
    'visitor.=1',
    'visitor.a.b.c.d.e=1',
    'visitor.beta=%7B',
  ])
    assert.equal((await site.get(`open?${query}`)).status, 200, query)
  const forged = Buffer.from('{"__proto__":{"beta":true}}').toString('base64url')
  assert.equal((await site.get('beta', { cookie: `lectern-claims=${forged}` })).status, 404)
  assert.equal((await site.get('open', { cookie: `lectern-claims=${'A'.repeat(3000)}` })).status, 200)
})

test('no path within a site leads to another host', async () => {
  await site.set({ visibility: 'public' })
  const token = jwt(site.privateKey, { exp: soon() })
  for (const path of ['/evil.example', '\\\\evil.example', '/\\evil.example']) {
    const { status, headers } = await site.get(`${site.base}${path}?jwt_token=${token}`)
    assert.equal(status, 303)
    assert.equal(new URL(headers.get('location')!, world.url).origin, new URL(world.url).origin)
  }
})

test('a space of a site under a condition is hidden with everything in it', async () => {
  const other = await siteForReaders(world, 'Internal')
  const { organizationId } = world
  const fields = { title: 'Two', spaces: [site.spaceId, other.spaceId] }
  const two = (await ada(`POST /v1/orgs/${organizationId}/sites`, fields)).body
  const at = `/v1/orgs/${organizationId}/sites/${two.id}`
  const { jsonSchema } = (await ada(`GET ${site.at}/adaptive-schema`)).body
  await ada(`PUT ${at}/adaptive-schema`, { jsonSchema })
  await ada(`PATCH ${at}`, { adaptiveContent: { enabled: true } })
  await ada(`POST ${at}/publish`)
  const { privateKey } = (await ada(`GET ${at}/publishing/auth`)).body
  const setCondition = async (spaceId: string, condition: string | null) => {
    await world.db.write(async (tx) => {
      await tx
        .updateTable('siteSpace')
        .set({ condition })
        .where('siteId', '=', two.id)
        .where('spaceId', '=', spaceId)
        .execute()
      await touchSite(tx, two, new Date())
    })
  }
  const get = (path: string, plan?: string) =>
    world.nobody(`GET /sites/docs/two/${path}`, undefined, plan ? bearer({ plan }, privateKey) : {})

  await setCondition(other.spaceId, 'visitor.claims.plan == "pro"')
  for (const [plan, shown] of [
    ['pro', true],
    ['free', false],
    [undefined, false],
  ] as const) {
    const file = `internal/${other.file('everyone.png')}`
    for (const path of ['internal/', 'internal/open', 'internal/open.md', file])
      assert.equal((await get(path, plan)).status, shown ? 200 : 404, `${plan}: ${path}`)
    for (const path of ['', 'llms.txt', 'llms-full.txt', 'sitemap.xml', 'nothing'])
      assert.equal((await get(path, plan)).text.includes('/internal'), shown, `${plan}: ${path}`)
  }

  // Without the default space, the site begins with the first that the reader may see.
  await setCondition(other.spaceId, null)
  await setCondition(site.spaceId, 'visitor.claims.plan == "pro"')
  const { status, headers } = await get('')
  assert.deepEqual([status, headers.get('location')], [301, '/sites/docs/two/internal/'])
  assert.equal((await get('open')).headers.get('location'), '/sites/docs/two/internal/open')
  assert.equal((await get('internal/open')).status, 200)
  assert.equal((await get('open', 'pro')).status, 200)
  await setCondition(other.spaceId, 'false')
  assert.equal((await get('')).status, 404)
})
