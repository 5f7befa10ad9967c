/** Faults of websites that are imported: of their rules, of the first page, of other pages and of pictures. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CRAWL_FILE, type Crawl } from '../../src/core/sources/website/addresses.ts'
import { ApiError } from '../../src/http/errors.ts'
import { CRAWL_LIMITS, crawlWebsite } from '../../src/imports/website.ts'
import { startWebsite } from '../imports/website-fixture.ts'
import { createWorld } from '../world.ts'
import { type Fault, HTTP_FAULTS, faultyServer } from './faulty-server.ts'
import { retryAsSent, outcomes, inWords, isDelay } from './outcomes.ts'

/** Long enough to take seconds if it comes by bytes. */
const LONG = 'long '.repeat(200)
const PIXEL = Buffer.concat([
  Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64'),
  Buffer.alloc(1_000),
])
const pageOf = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}<p>${LONG}</p></main></body></html>`

const world = await createWorld()
const site = await startWebsite({
  '/robots.txt': {
    headers: { 'content-type': 'text/plain' },
    body: `User-agent: *\nDisallow: /private\n${`# ${LONG}\n`.repeat(2)}`,
  },
  '/': pageOf('Home', '<p><a href="/other">Other</a></p><p><img src="/a.gif" alt="A"></p>'),
  '/other': pageOf('Other', '<p>Text</p>'),
  '/a.gif': { headers: { 'content-type': 'image/gif' }, body: PIXEL },
})
const faulty = await faultyServer(site.url)
after(() => faulty.close())

/** Crawls. @returns how many pages and pictures it has and what is missing, or the refusal */
async function crawled(requestMs: number, totalMs = 60_000): Promise<string> {
  const { fetch, urls } = world.app.services
  const { signal } = new AbortController()
  const party = { user: world.organizationId }
  const limits = { ...CRAWL_LIMITS, pauseMs: 0, requestMs, totalMs }
  try {
    await using folder = await crawlWebsite({ fetch, urls, party, signal }, `${faulty.url}/`, limits)
    const { pages, images, problems } = JSON.parse(
      await readFile(join(folder.path, CRAWL_FILE), 'utf8'),
    ) as Crawl
    const missing = problems.map(({ path }) => new URL(path).pathname)
    return `${pages.length} + ${images.length}${missing.map((path) => `, without ${path}`).join('')}`
  } catch (error) {
    assert(error instanceof ApiError, String(error))
    return `${error.status} ${error.reason}, retry in ${error.retryAfter}`
  }
}

const WHOLE = '2 + 1'
const broken = '503 fetch-failed-with-code, retry in 30'
const late = '503 response-late, retry in 30'
const PLACES: { place: string; only: RegExp; sees: Record<Fault, string> }[] = [
  {
    place: 'the rules of a website',
    only: /^GET \/robots\.txt$/,
    sees: outcomes(broken, {
      hang: late,
      'slow drip': late,
      '500': '503 website-unreadable, retry in 30',
      '503 with Retry-After': `503 website-unreadable, ${retryAsSent}`,
      '429 with Retry-After': `503 website-unreadable, ${retryAsSent}`,
      'another protocol': '503 fetch-failed, retry in 30',
      // A page of HTML has no rules, so everything may be read.
      'a page of a proxy': WHOLE,
    }),
  },
  {
    place: 'the first page of a website',
    only: /^GET \/$/,
    sees: outcomes(broken, {
      hang: late,
      'slow drip': late,
      '500': '503 source-failing, retry in 30',
      '503 with Retry-After': `503 source-failing, ${retryAsSent}`,
      '429 with Retry-After': `503 source-failing, ${retryAsSent}`,
      'another protocol': '503 fetch-failed, retry in 30',
      // Only a reader knows that this is another page.
      'a page of a proxy': '1 + 0',
    }),
  },
  {
    place: 'another page of a website',
    only: /^GET \/other$/,
    sees: outcomes('1 + 1, without /other', {
      'a page of a proxy': WHOLE,
    }),
  },
  {
    place: 'a picture of a website',
    only: /^GET \/a\.gif$/,
    sees: outcomes('2 + 0, without /a.gif', {}),
  },
]

for (const { place, only, sees } of PLACES)
  for (const fault of HTTP_FAULTS) {
    // A website that refuses connections refuses them for all addresses.
    if (fault === 'refuse' && place !== 'the rules of a website') continue
    test(`${place}, ${fault}: ${sees[fault]}`, async (t) => {
      t.after(() => faulty.fail(undefined))
      faulty.only = only
      await faulty.fail(fault)
      // A crawl waits for as long as a host asks for, unless it has no time for that.
      const totalMs = fault.includes('Retry-After') ? 6_000 : 60_000
      assert.equal(await crawled(isDelay(fault) ? 1_000 : 20_000, totalMs), sees[fault])
      await faulty.fail(undefined)
      assert.equal(await crawled(20_000), WHOLE, 'it works again')
    })
  }

for (const fault of ['reset at once', 'reset in the body', '500', 'truncated'] as const)
  test(`a website, ${fault}, once: not visible`, async (t) => {
    t.after(() => faulty.fail(undefined))
    for (const { place, only } of PLACES) {
      faulty.only = only
      await faulty.fail(fault, 1)
      assert.equal(await crawled(20_000), WHOLE, place)
    }
  })

test('an import of a website that is away may be repeated later, and leaves nothing behind', async (t) => {
  t.after(() => faulty.fail(undefined))
  const { ada, organizationId } = world
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const importIt = () =>
    ada(`POST /v1/spaces/${space.id}/content/import`, { url: faulty.url, source: 'website' })
  faulty.only = /^/
  await faulty.fail('refuse')
  const [answer, live] = await Promise.all([importIt(), fetch(`${world.url}/livez`)])
  assert.equal(inWords(answer), broken)
  assert.equal(live.status, 200, 'others are not held up')
  assert.deepEqual((await ada(`GET /v1/spaces/${space.id}/content/pages`)).body.pages, [])
  await faulty.fail(undefined)
  assert.equal((await importIt()).status, 201)
})
