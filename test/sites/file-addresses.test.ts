/** The signed addresses of files: what ends them, for every reader who gets one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'
import { bearer } from './reader-table.ts'
import { cookiesOf, jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const { ada, nobody, organizationId } = world
const picture = (name: string) => new TextEncoder().encode(`GIF89a\x08\x00\x04\x00\x00\x00\x00${name}`)
const SHOWN = '![A picture](a.gif)'
const CONTENT = {
  '.gitbook/includes/part.md': '---\ntitle: Part\n---\n\n![In a part](part.gif)\n',
  'README.md': '# Welcome\n',
  'SUMMARY.md': '# Summary\n\n* [Welcome](README.md)\n* [Page](page.md)\n',
  'page.md': `---\ncover: cover.gif\n---\n\n# Page\n\n${SHOWN}\n\n{% file src="b.gif" %}\n\n{% include ".gitbook/includes/part.md" %}\n`,
  'a.gif': picture('a'),
  'b.gif': picture('b'),
  'cover.gif': picture('cover'),
  '.gitbook/includes/part.gif': picture('part'),
}
const site = await siteForReaders(world, 'Signed', CONTENT)
await site.set({ visibility: 'visitor-auth' })
assert.equal((await ada(`PATCH /v1/spaces/${site.spaceId}`, { editMode: 'live' })).status, 200)
const FILES = ['a.gif', 'b.gif', 'cover.gif', 'part.gif']

const claims = () => ({ plan: 'pro', exp: Math.floor(Date.now() / 1000) + 24 * 3600 })
const addressesIn = (text: string) =>
  [...text.matchAll(/[^\s"'(<]*~\/files\/[^\s"'()<>]*signature=[^\s"'()<>]*/g)].map(([address]) => {
    const { pathname, search } = new URL(address.replaceAll(/&amp;|\\u0026/g, '&'), site.address)
    return (pathname.startsWith('/sites/') ? pathname : `/sites/docs${pathname}`) + search
  })

/** The signed addresses that each kind of reader gets. */
const READERS: Record<string, () => Promise<string[]>> = {
  'a page, with a token': async () =>
    addressesIn((await site.get('page', bearer(claims(), site.privateKey))).text),
  'a page, with a cookie, below /sites/': async () => {
    const arrived = await site.get(`page?jwt_token=${jwt(site.privateKey, claims())}`)
    return addressesIn((await site.get('page', { cookie: cookiesOf(arrived) })).text)
  },
  'the Markdown of a page': async () =>
    addressesIn((await site.get('page.md', bearer(claims(), site.privateKey))).text),
  'the API': async () => {
    const visitor = { jwtToken: jwt(site.privateKey, claims()) }
    const { apiToken, space } = (await nobody('POST /v1/urls/published', { url: site.address, visitor })).body
    const read = await nobody(`GET /v1/spaces/${space}/content/files`, undefined, {
      authorization: `Bearer ${apiToken}`,
    })
    return addressesIn(read.text)
  },
}

async function addressesOf(reader: string): Promise<string[]> {
  const found = await READERS[reader]!()
  const names = reader === 'the Markdown of a page' ? FILES.filter((name) => name !== 'cover.gif') : FILES
  for (const name of names)
    assert(
      found.some((one) => one.includes(`/${name}?`)),
      `${reader}: ${name}`,
    )
  return [...new Set(found)]
}

const statuses = (addresses: string[]) =>
  Promise.all(addresses.map(async (address) => (await site.get(address)).status))

async function store(files: typeof CONTENT | object): Promise<void> {
  const { status, text } = await importArchive(world, site.spaceId, archiveOf(files as typeof CONTENT))
  assert.equal(status, 201, text)
}
const write = (files: object) => store({ ...CONTENT, ...files })
const page = (head: string, body: string) => ({ 'page.md': `---\n${head}\n---\n\n# Page\n\n${body}\n` })
const under = (condition: string, body: string) => `{% if ${condition} %}\n${body}\n{% endif %}`
const BODY = CONTENT['page.md'].split('# Page\n\n')[1]!

interface End {
  end: () => Promise<unknown>
  undo?: () => Promise<unknown>
}

/** What takes a file from its readers. */
const ENDS: Record<string, End> = {
  'the private key is replaced': {
    async end() {
      site.privateKey = (await ada(`POST ${site.at}/publishing/auth/regenerate`)).body.privateKey
    },
  },
  'no page has the file': { end: () => write(page('title: Page', 'Nothing.')), undo: () => write({}) },
  'the page gets a condition': {
    end: () => write(page('cover: cover.gif\nif: visitor.claims.plan == "free"', BODY)),
    undo: () => write({}),
  },
  'the text gets a condition': {
    end: () => write(page('title: Page', under('visitor.claims.plan == "free"', BODY))),
    undo: () => write({}),
  },
  'the page is deleted': {
    async end() {
      const pages = (await ada(`GET /v1/spaces/${site.spaceId}/content/pages`)).body.pages
      const { id } = pages.find(({ title }: { title: string }) => title === 'Page')
      const changes = [{ operation: 'delete_page', page: id }]
      const { status, text } = await ada(`POST /v1/spaces/${site.spaceId}/content`, { changes })
      assert.equal(status, 200, text)
    },
    undo: () => write({}),
  },
  'the site is taken offline': {
    end: () => ada(`POST ${site.at}/unpublish`),
    undo: () => ada(`POST ${site.at}/publish`),
  },
  'only a share link opens the site': {
    end: () => site.set({ visibility: 'share-link' }),
    undo: () => site.set({ visibility: 'visitor-auth' }),
  },
  'two hours pass': {
    async end() {
      world.clock.now = new Date(Date.now() + 2 * 3_600_000 + 1)
    },
    async undo() {
      world.clock.now = undefined
    },
  },
}

for (const [name, { end, undo }] of Object.entries(ENDS))
  test(`a signed address ends when ${name}`, async () => {
    const given = new Map<string, string[]>()
    for (const reader of Object.keys(READERS)) given.set(reader, await addressesOf(reader))
    for (const [reader, addresses] of given)
      assert.deepEqual(new Set(await statuses(addresses)), new Set([200]), reader)
    await end()
    for (const [reader, addresses] of given)
      for (const status of await statuses(addresses)) assert([401, 404].includes(status), reader)
    await undo?.()
    if (undo)
      for (const [reader, addresses] of given)
        assert.deepEqual(new Set(await statuses(addresses)), new Set([200]), `${reader}, undone`)
  })

test('a signed address ends with the token of its reader, within five minutes', async () => {
  const exp = Math.floor(Date.now() / 1000) + 600
  const [address = ''] = addressesIn((await site.get('page', bearer({ exp }, site.privateKey))).text)
  assert.equal((await site.get(address)).status, 200)
  world.clock.now = new Date((exp + 300) * 1000)
  assert.equal((await site.get(address)).status, 401)
  world.clock.now = undefined
})

test('a signed address opens one file, for the reader for whom it was made', async () => {
  await write(page('title: Page', under('visitor.claims.plan == "pro"', BODY)))
  const [address = ''] = await READERS['a page, with a token']!()
  const free = bearer({ plan: 'free' }, site.privateKey)
  const own = await nobody('POST /v1/urls/published', {
    url: site.address,
    visitor: { jwtToken: jwt(site.privateKey, { plan: 'free' }) },
  })
  assert.equal((await site.get(address, free)).status, 200, 'the address decides, not who opens it')
  const reader = /reader=([\w-]+)/.exec(address)![1]!
  assert.doesNotMatch(
    Buffer.from(reader, 'base64url').toString('latin1'),
    /plan|pro/,
    'the claims are encrypted',
  )
  const other = await READERS['the API']!()
  const forged = [
    address.replace('a.gif', 'b.gif').replace(/files\/\w+\/\w+/, site.file('b.gif').slice(2, -6)),
    address.replace(/reader=..../, 'reader=AAAA'),
    address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    address.replace(/&signature.*/, ''),
    address.replace(/reader=[\w-]+/, `reader=${own.body.apiToken}`),
    `${address.split('?')[0]}?${other.find((one) => one.includes('b.gif'))!.split('?')[1]}`,
  ]
  for (const one of forged) assert.equal((await site.get(one)).status, 401, one)
  for (const one of forged) assert.equal((await site.get(one, free)).status, 404, one)
  await write({})
})

test('equal readers get equal addresses for an hour, and caches ask again', async () => {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
  const readAt = (ms: number, claim: object = {}) => {
    world.clock.now = new Date(hour + ms)
    return site.get('page', bearer({ ...claims(), ...claim }, site.privateKey))
  }
  const first = await readAt(0)
  const again = await readAt(3_599_999, { iat: 1 })
  assert.equal(again.headers.get('etag'), first.headers.get('etag'))
  assert.notEqual((await readAt(3_600_000)).headers.get('etag'), first.headers.get('etag'))
  world.clock.now = undefined
  const file = await site.get(addressesIn(first.text)[0]!)
  assert.equal(file.headers.get('cache-control'), 'private, max-age=0, must-revalidate')
  const etag = file.headers.get('etag')!
  assert.equal((await site.get(addressesIn(first.text)[0]!, { 'if-none-match': etag })).status, 304)
})

test('an address of an earlier version of a file leads to the present one', async () => {
  const [address = ''] = await READERS['a page, with a token']!()
  await write({ 'a.gif': picture('another'), 'cover.gif': picture('another cover') })
  const moved = await site.get(address)
  assert.equal(moved.status, 302)
  const location = moved.headers.get('location')!
  assert.equal(location.split('?').length, 2)
  assert.equal((await site.get(location)).status, 200)
  await write({})
})

test('the address in a preview ends with the right of its member, and with the preview', async () => {
  const creator = await world.person('previewer', 'create')
  const { search } = new URL((await creator(`GET ${site.at}/publishing/preview`)).body.url)
  const cookie = cookiesOf(await site.get(search))
  const addresses = addressesIn((await site.get('page', { cookie })).text)
  assert(addresses.length >= FILES.length)
  assert.deepEqual(new Set(await statuses(addresses)), new Set([200]))
  world.clock.now = new Date(Date.now() + 3_600_000 + 300_000)
  assert.deepEqual(new Set(await statuses(addresses)), new Set([401]))
  world.clock.now = undefined
  await ada(`PATCH /v1/orgs/${organizationId}/members/${creator.id}`, { role: 'read' })
  assert.deepEqual(new Set(await statuses(addresses)), new Set([401]))
})

test('on an open site, the address of a reader with claims ends with the page, and with a withdrawn share link', async () => {
  const pro = page('cover: cover.gif\nif: visitor.claims.plan == "pro"', BODY)
  await write(pro)
  await site.set({ visibility: 'public' })
  const open = await READERS['a page, with a token']!()
  assert.deepEqual(new Set(await statuses(open)), new Set([200]))
  await write(page('cover: cover.gif\nif: visitor.claims.plan == "free"', BODY))
  assert.deepEqual(new Set(await statuses(open)), new Set([404]))
  await write(pro)

  await site.set({ visibility: 'share-link' })
  const { id } = (await ada(`POST ${site.at}/share-links`, { name: 'Partners' })).body
  const key = /share_\w+/.exec((await ada(`GET ${site.at}/share-links`)).body.items[0].urls.published)![0]
  const shared = addressesIn((await site.get(`${key}/page`, bearer(claims(), site.privateKey))).text)
  assert.deepEqual(new Set(await statuses(shared)), new Set([200]))
  await ada(`PATCH ${site.at}/share-links/${id}`, { active: false })
  assert.deepEqual(new Set(await statuses(shared)), new Set([404]))
})
