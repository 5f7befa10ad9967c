/** Every kind of site, to every kind of reader with a browser, on every surface: what one surface hides, all hide. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { diagonalOf, isLongRun } from '../effort.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { DEVICES, openBrowser, openPage, WITHOUT_BROWSER } from './browser.ts'
import { type Asking, expected, readersOf, VISIBILITIES, type Visibility } from './reader-table.ts'
import { pagesFor, type Sees, tokenOf } from './reader-surfaces.ts'
import { siteForReaders } from './reading.ts'
import { servePages } from './serve.ts'

const world = await createWorld()
const { ada } = world
const site = await siteForReaders(world, 'Readers')
const { body: link } = await ada(`POST ${site.at}/share-links`, { name: 'Partners' })
const backend = await servePages(
  () => 'Sign in',
  () => undefined,
)
after(() => backend[Symbol.asyncDispose]())
const SIGN_IN = `${backend.base}/in`
await ada(`PATCH ${site.at}/publishing/auth`, { backend: 'custom', fallbackURL: SIGN_IN })
await site.set({ visibility: 'share-link' })
const { body: links } = await ada(`GET ${site.at}/share-links`)
const KEY = /share_\w+/.exec(links.items[0].urls.published)![0]
await indexed(world)

/** The readers of the default run on each kind of site; CI has a third of the others. `readers.test.ts` has all, without a browser. */
const BY_DEFAULT = ['stranger', 'right key', 'valid JWT', 'claims A']
/** An unlisted site opens as a public one does, and one that is not published refuses everybody. */
const readersAt = (visibility: Visibility) => {
  const all = readersOf(site, KEY)
  const tried = diagonalOf(all, VISIBILITIES.indexOf(visibility), 1, 3)
  return all.filter((reader) => {
    const { name } = reader
    if (isLongRun()) return tried.includes(reader) || BY_DEFAULT.includes(name)
    const isSimple = visibility === 'unlisted' || visibility === 'unpublished'
    return isSimple ? ['right key', 'claims A'].includes(name) : BY_DEFAULT.includes(name)
  })
}

/** What a reader's browser finds at the addresses of a site, asked from one of its pages. */
type Found = Record<string, { status: number; text: string }>

const SURFACES = [
  'open',
  'open.md',
  'mixed',
  'mixed.md',
  'mixed/rss.xml',
  'llms.txt',
  'llms-full.txt',
  'sitemap-pages.xml',
  '~/search?list&q=welcome',
  '~/search?list&q=below',
  '~/search?list&q=secret',
  ...Object.keys(pagesFor({ pro: true, beta: true })).flatMap((path) => [path, `${path}.md`]),
]
const CALLS = { 'pro/below': 'read_page', beta: 'read_page', secret: 'search_pages' }

/** Asks for every surface from the page that the browser shows, with its cookies and under its policy. */
function askFrom(page: Page, base: string): Promise<Found> {
  const calls = Object.entries(CALLS).map(([value, name]) => ({
    name: `~mcp ${value}`,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: name === 'read_page' ? { page: value } : { query: value } },
    }),
  }))
  return page.evaluate(
    async ({ addresses, mcp, messages }) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const requests = [
        ...addresses.map(([name, address]) => [name, fetch(address, { redirect: 'manual' })] as const),
        ...messages.map(({ name, body }) => [name, fetch(mcp, { method: 'POST', body, headers })] as const),
      ]
      const found: Record<string, { status: number; text: string }> = {}
      for (const [name, answer] of requests) {
        const { status, type } = await answer
        found[name] = { status: type === 'opaqueredirect' ? 302 : status, text: await (await answer).text() }
      }
      return found
    },
    {
      addresses: SURFACES.map((path) => [path, base + path] as [string, string]),
      mcp: `${base}~mcp`,
      messages: calls,
    },
  )
}

/** Checks every surface against what the reader may see. */
async function checkShown(what: string, page: Page, base: string, sees: Sees, isListed: boolean) {
  const found = await askFrom(page, base)
  const textOf = (surface: string) => {
    const { status, text } = found[surface]!
    assert.equal(status, 200, `${what}: ${surface}`)
    return text
  }
  const tree = (await page.evaluate(
    `[...document.querySelectorAll('.sidebar a[href]')].map(({ href }) => href)`,
  )) as string[]
  for (const [path, shown] of Object.entries(pagesFor(sees))) {
    const place = `${what}: ${path}`
    assert.equal(found[path]!.status, shown ? 200 : 404, place)
    assert.equal(found[`${path}.md`]!.status, shown ? 200 : 404, `${place} as Markdown`)
    assert.equal(tree.includes(base + path), shown, `${place} in the tree`)
    assert.equal(textOf('llms.txt').includes(`/${path}.md)`), shown, `${place} in llms.txt`)
    assert.equal(textOf('llms-full.txt').includes(`/${path}.md\n`), shown, `${place} in llms-full.txt`)
    assert.equal(textOf('sitemap-pages.xml').includes(`/${path}<`), shown && isListed, `${place} in the map`)
  }
  assert(textOf('~/search?list&q=welcome').includes('role="option"'), `${what}: the search finds something`)
  assert.equal(
    textOf('~/search?list&q=below').includes('/pro/below'),
    sees.pro,
    `${what}: the search finds a page`,
  )
  assert.equal(
    textOf('~/search?list&q=secret').includes('/mixed'),
    sees.pro,
    `${what}: the search finds a block`,
  )
  for (const surface of ['mixed', 'mixed.md', 'llms-full.txt'])
    assert.equal(textOf(surface).includes('The secret text'), sees.pro, `${what}: a block in ${surface}`)
  assert.equal(found['mixed/rss.xml']!.status, sees.pro ? 200 : 404, `${what}: the feed`)
  assert.equal(textOf('~mcp pro/below').includes('"isError":true'), !sees.pro, `${what}: MCP reads pro/below`)
  assert.equal(textOf('~mcp beta').includes('"isError":true'), !sees.beta, `${what}: MCP reads beta`)
  assert.equal(textOf('~mcp secret').includes('/mixed'), sees.pro, `${what}: MCP finds a block`)

  await page.goto(`${base}mixed`)
  assert.equal(await page.getByText('The secret text').isVisible(), sees.pro, what)
  const pictures = (await page.evaluate(
    `Promise.all([...document.querySelectorAll('main img')].map(async (one) => (await one.decode(), one.naturalWidth)))`,
  )) as number[]
  assert.deepEqual(pictures, sees.pro ? [1] : [], `${what}: the pictures of the page`)
  const passedOn = (await page.evaluate(
    `Promise.all([...document.querySelectorAll('main img')].map(async ({ src }) => (await fetch(src, { credentials: 'omit', redirect: 'manual' })).ok))`,
  )) as boolean[]
  assert.deepEqual(passedOn, sees.pro ? [false] : [], `${what}: their addresses, without the cookie`)
}

const REFUSED = /The secret text|For everyone|Below the pro page|role="option"|\/open/

/** Checks that a reader whom the site refuses learns nothing on any surface. */
async function checkRefused(what: string, page: Page, base: string) {
  assert.doesNotMatch(await page.content(), REFUSED, what)
  for (const [surface, { status, text }] of Object.entries(await askFrom(page, base))) {
    assert([302, 401, 404].includes(status), `${what}: ${surface} is ${status}`)
    assert.doesNotMatch(text, REFUSED, `${what}: ${surface}`)
  }
}

describe('the readers of a site with a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let page: Page
  before(async () => {
    browser = await openBrowser()
    ;({ page } = await openPage(browser, DEVICES[0]!))
  })
  after(() => browser?.close())

  /** Sends a reader to the site as they arrive: with the token in a cookie, or in the address once. */
  async function arrive({ prefix = '', headers = {}, query = '', ...reader }: Asking): Promise<number> {
    await page.context().clearCookies()
    const token = tokenOf({ headers })
    if (headers.cookie)
      await page.context().addCookies([{ name: 'lectern-visitor', value: token!, url: site.address }])
    const inQuery = token === undefined || headers.cookie ? query : `?jwt_token=${token}`
    const answer = await page.goto(site.address + prefix + inQuery)
    assert(answer, reader.name)
    return answer.status()
  }

  for (const visibility of VISIBILITIES) {
    test(`what they see of a site that is ${visibility}`, async () => {
      if (visibility === 'unpublished') await ada(`POST ${site.at}/unpublish`)
      else await site.set({ visibility })
      for (const reader of readersAt(visibility)) {
        const what = `${visibility}, ${reader.name}`
        const status = await arrive(reader)
        // A key that a site does not need leads to its address without the key, where the browser goes on.
        const { prefix: _key, ...keyless } = reader
        const isMoved = visibility !== 'share-link' && visibility !== 'unpublished'
        const { prefix = '' }: Asking = isMoved ? keyless : reader
        const want = expected(visibility, isMoved ? keyless : reader, KEY)
        const at = new URL(page.url())
        if ('pro' in want) {
          assert.deepEqual([status, at.href], [200, site.address + prefix + (reader.query ?? '')], what)
          await checkShown(what, page, site.address + prefix, want, visibility === 'public')
          continue
        }
        if (want.status === 302) {
          assert.equal(at.origin + at.pathname, SIGN_IN, what)
          // From a page of the site that refuses them, the browser can ask for the other surfaces.
          await page.goto(`${site.address}?jwt_token=none`)
        } else assert.equal(status, want.status, what)
        await checkRefused(what, page, site.address + prefix)
      }
      if (visibility === 'unpublished') await ada(`POST ${site.at}/publish`)
    })
  }

  test('a share link that is withdrawn closes the open page on every surface', async () => {
    await site.set({ visibility: 'share-link' })
    await page.context().clearCookies()
    const base = `${site.address}${KEY}/`
    await page.goto(base)
    await ada(`PATCH ${site.at}/share-links/${link.id}`, { active: false })
    for (const [surface, { status }] of Object.entries(await askFrom(page, base)))
      assert.equal(status, 404, surface)
  })
})
