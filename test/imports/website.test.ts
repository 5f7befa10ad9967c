/** Imports of websites, from a server on this machine. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { CRAWL_FILE, type Crawl } from '../../src/core/sources/website/addresses.ts'
import { CRAWL_LIMITS, crawlWebsite } from '../../src/imports/website.ts'
import { temporaryFolder } from '../process.ts'
import { createWorld } from '../world.ts'
import { DOCS, pageOfSite, type Reply, startWebsite } from './website-fixture.ts'

const world = await createWorld()
const { ada, organizationId } = world

type Listed = { title: string; path: string; pages?: Listed[] }

async function importSite(url: string) {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const imported = await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'website' })
  const { pages } = (await ada(`GET /v1/spaces/${space.id}/content/pages`)).body
  const titled = (level: Listed[]): unknown[] =>
    level.flatMap(({ title, pages: below = [] }) => (below.length > 0 ? [title, titled(below)] : [title]))
  const markdownOf = async (path: string): Promise<string> =>
    (await ada(`GET /v1/spaces/${space.id}/content/path/${encodeURIComponent(path)}?format=markdown`)).body
      .markdown
  return { spaceId: space.id as string, imported, titles: titled(pages as Listed[]), markdownOf }
}

/** The fixture with the address of its server in the sitemap. */
async function startDocs() {
  let self = ''
  const site = await startWebsite((path): Reply | undefined => {
    const reply = DOCS[path]
    if (typeof reply !== 'object' || typeof reply.body !== 'string') return reply
    return { ...reply, body: reply.body.replaceAll('SELF', self) }
  })
  self = site.url
  return site
}

/** Crawls without pauses. */
async function crawl(
  url: string,
  limits: Partial<typeof CRAWL_LIMITS> = {},
  onPages?: (done: number) => void,
) {
  const { fetch, urls } = world.app.services
  const { signal } = new AbortController()
  const services = { fetch, urls, party: { user: organizationId }, signal, ...(onPages ? { onPages } : {}) }
  await using folder = await crawlWebsite(services, url, { ...CRAWL_LIMITS, pauseMs: 0, ...limits })
  const found = JSON.parse(await readFile(join(folder.path, CRAWL_FILE), 'utf8')) as Crawl
  return { ...found, files: await readdir(folder.path), path: folder.path }
}

const pathsOf = ({ pages }: Crawl) => pages.map(({ url }) => new URL(url).pathname)

test('imports a folder of a site: its pages once, its tree, its links and its images, without its navigation', async () => {
  const site = await startDocs()
  const { spaceId, imported, titles, markdownOf } = await importSite(`${site.url}/docs/`)
  assert.equal(imported.status, 201, imported.text)
  assert.deepEqual(titles, ['Welcome', 'Guide', ['Set up'], 'Zebra', 'Orphan'])
  assert.equal(
    await markdownOf('readme'),
    `# Welcome\n\nSee the [setup](guide/setup.md#first-step), [private](${site.url}/docs/private/a), [blog](${site.url}/blog/a), [other](https://other.invalid/), bad, [file](${site.url}/docs/file.pdf), [gone](${site.url}/docs/gone), [moved](guide.md), [away](${site.url}/docs/away), [copy](zebra.md) and [loop](${site.url}/docs/loop/).\n\n<figure><img src=".gitbook/assets/a.png" alt="A"><figcaption></figcaption></figure>\n\n<figure><img src="${site.url}/img/missing.png" alt="M"><figcaption></figcaption></figure>\n`,
  )
  assert.match(await markdownOf('guide/setup'), /Back to \[home\]\(\.\.\/README\.md\)/)
  const { body: links } = await ada(`GET /v1/spaces/${spaceId}/links?status=broken`)
  assert.deepEqual(links.items, [])
  const { body: files } = await ada(`GET /v1/spaces/${spaceId}/content/files`)
  assert.deepEqual(
    files.items.map(({ name, contentType }: Record<string, string>) => [name, contentType]),
    [['a.png', 'image/png']],
  )
  const problems = imported.body.problems as { path: string; message: string }[]
  const problemAt = (path: string) => problems.find((one) => one.path === `${site.url}${path}`)?.message ?? ''
  assert.equal(problemAt('/docs/gone'), 'returned 404')
  assert.equal(problemAt('/img/missing.png'), 'returned 404')
  assert.match(problemAt('/docs/away'), /another host/)
  assert.match(problemAt('/docs/loop/'), /redirects more than 5 times/)

  const requested = site.requests.map(({ path }) => path)
  assert.equal(requested[0], '/robots.txt')
  assert(!requested.some((path) => /private|blog|\.pdf/.test(path)), requested.join(' '))
  const pages = requested.filter((path) => !path.includes('/loop/') && path !== '/docs/guide/')
  assert.deepEqual(pages, [...new Set(pages)], 'each address once')
  assert(site.requests.every(({ agent }) => agent.startsWith('Lectern (+http')))
  assert.equal(site.most(), 1)
})

test('a second import updates the pages, also below a page', async () => {
  let text = 'Old'
  const site = await startWebsite((path) => (path === '/a/' ? pageOfSite('A', `<p>${text}</p>`) : undefined))
  const { spaceId } = await importSite(`${site.url}/a/`)
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  const [first] = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
  text = 'New'
  const again = await ada(`POST /v1/spaces/${spaceId}/content/import`, {
    url: `${site.url}/a/`,
    source: 'website',
  })
  assert.equal(again.status, 201, again.text)
  const below = await ada(`POST /v1/spaces/${spaceId}/content/page/${first.id}/import`, {
    url: `${site.url}/a/`,
    source: 'website',
  })
  assert.equal(below.status, 201, below.text)
  const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
  assert.deepEqual(
    pages.map(({ id, pages: inside }: { id: string; pages: Listed[] }) => [
      id,
      inside.map(({ title }) => title),
    ]),
    [[first.id, ['A']]],
  )
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content/page/${first.id}?format=markdown`)
  assert.equal(body.markdown, '# A\n\nNew\n')
})

test('refuses a first page that cannot be imported, and leaves nothing behind', async () => {
  const site = await startWebsite({
    '/robots.txt': {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: lectern\nDisallow: /closed',
    },
    '/closed/': pageOfSite('Closed', ''),
    '/text': { headers: { 'content-type': 'text/plain' }, body: 'text' },
    '/inside': { status: 302, headers: { location: 'http://10.0.0.1/' } },
    '/to-closed': { status: 302, headers: { location: '/closed/' } },
    '/zipped': { headers: { 'content-encoding': 'gzip' }, body: 'x' },
  })
  const cases: [string, number, RegExp][] = [
    ['/closed/', 400, /robots\.txt of 127\.0\.0\.1:\d+ does not allow Lectern/],
    ['/text', 400, /is not a page of HTML/],
    ['/gone', 400, /returned 404/],
    ['/inside', 400, /redirects to http:\/\/10\.0\.0\.1, another host/],
    ['/to-closed', 400, /not part of the import or which robots\.txt forbids/],
    ['/zipped', 503, /content encoding/],
  ]
  for (const [path, status, message] of cases) {
    const { imported, titles } = await importSite(`${site.url}${path}`)
    assert.equal(imported.status, status, `${path}: ${imported.text}`)
    assert.match(imported.body.error.message, message)
    assert.deepEqual(titles, [])
  }
  const gone = await importSite(`${site.url}/gone`)
  assert.deepEqual(gone.imported.body.error.parameters, {
    url: `${site.url}/gone`,
    fault: 'returned 404',
    faultReason: 'response-not-success',
    status: 404,
  })
  const failing = await startWebsite({ '/robots.txt': { status: 500 }, '/': pageOfSite('A', '') })
  assert.equal((await importSite(failing.url)).imported.status, 503)
  assert.deepEqual(
    failing.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt'),
    [],
  )
})

test('ends when the client leaves, and removes what it fetched', async (t) => {
  const temporary = temporaryFolder()
  const { TMPDIR } = process.env
  process.env.TMPDIR = temporary.path
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    temporary.remove()
  })
  const leaving = new AbortController()
  const site = await startWebsite((path) => {
    if (path === '/b') leaving.abort()
    return /robots|sitemap/.test(path) ? undefined : `<h1>${path}</h1><a href="/b">b</a><a href="/c">c</a>`
  })
  const { fetch, urls } = world.app.services
  const services = { fetch, urls, party: { user: organizationId }, signal: leaving.signal }
  await assert.rejects(crawlWebsite(services, site.url, { ...CRAWL_LIMITS, pauseMs: 0 }), /client has left/)
  assert.deepEqual(
    site.requests.filter(({ path }) => path === '/c'),
    [],
  )
  assert.deepEqual(readdirSync(temporary.path), [])
})

test('an endless site is read up to the limits, and the rest is reported', async () => {
  let count = 0
  const site = await startWebsite((path) => {
    if (/robots|sitemap/.test(path)) return undefined
    const links = Array.from({ length: 3 }, () => `<a href="${path}x${(count += 1)}/">next</a>`)
    return pageOfSite(`Page ${count}`, `<p>${links.join(' ')}</p>`)
  })
  const counts: number[] = []
  const wide = await crawl(`${site.url}/a/`, { pages: 7 }, (done) => counts.push(done))
  assert.equal(wide.pages.length, 7)
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7], 'the progress of the crawl')
  assert.match(wide.problems.at(-1)?.message ?? '', /at most 7 pages of a website; \d+ known addresses/)
  assert(!existsSync(wide.path), 'the folder is removed')
  const shallow = await crawl(`${site.url}/a/`, { depth: 1 })
  assert.equal(shallow.pages.length, 4)
  assert.equal(shallow.problems.length, 9)
  assert.match(shallow.problems[0]?.message ?? '', /at most 1 links from the first page/)
  const small = await crawl(`${site.url}/a/`, { bytes: 3000 })
  assert(small.pages.length < 7, `${small.pages.length}`)
  assert.match(small.problems.at(-1)?.message ?? '', /MB of a website/)
  const short = await crawl(`${site.url}/a/`, { pagesMs: 0 })
  assert.equal(short.pages.length, 1)
  assert.match(short.problems.at(-1)?.message ?? '', /for at most 0 seconds/)

  const repeating = await startWebsite((path) =>
    /robots|sitemap/.test(path) ? undefined : `<h1>${path}</h1><a href="deeper/page/">deeper</a>`,
  )
  const deep = await crawl(`${repeating.url}/`, { depth: 100 })
  assert(deep.pages.length < 16, `${deep.pages.length}`)
})

test('a page whose images are too many says so', async () => {
  const site = await startWebsite((path) =>
    /robots|sitemap/.test(path)
      ? undefined
      : pageOfSite(
          'Pictures',
          '<p><img src="/1.png"><img src="/2.png"><img src="/1.png"><img src="/3.png"></p>',
        ),
  )
  const { problems } = await crawl(`${site.url}/a/`, { images: 2 })
  const [{ path, message } = { path: '', message: '' }] = problems
  assert.match(message, /has images that were not fetched: an import reads at most 2 images/)
  assert.equal(path, `${site.url}/a/`)
  assert.equal(problems.filter((one) => one.message === message).length, 1)
})

test('the folder to import is that of the address, or of the page if others are below it', async () => {
  const site = await startWebsite({
    '/docs': '<h1>Docs</h1><a href="/docs/a">a</a>',
    '/docs/a': '<h1>A</h1><a href="/docs/b">b</a> <a href="/docs">d</a> <a href="/else">e</a>',
    '/docs/b': '<h1>B</h1>',
    '/else': '<h1>Else</h1>',
  })
  assert.deepEqual(pathsOf(await crawl(`${site.url}/docs`)).toSorted(), ['/docs', '/docs/a', '/docs/b'])
  assert.deepEqual(pathsOf(await crawl(`${site.url}/docs/a`)).toSorted(), ['/docs', '/docs/a', '/docs/b'])
})

test('the same content at many addresses is one page', async () => {
  const site = await startWebsite((path) =>
    /robots|sitemap/.test(path) ? undefined : '<h1>Not found</h1><a href="a">a</a><a href="b">b</a>',
  )
  const { pages } = await crawl(`${site.url}/`)
  assert.equal(pages.length, 1)
  assert.equal(pages[0]?.aliases.length, 4)
})

test('hostile pages are left out or become harmless', async () => {
  const site = await startWebsite({
    '/': '<h1>A</h1><a href="deep">d</a><a href="//evil.invalid/x">e</a><a href="/%2e%2e/%2e%2e/etc/passwd">p</a><a href="/..%2f..%2fetc">q</a><a href="data:text/html,x">r</a><img src="file:///etc/passwd"><iframe src="javascript:alert(1)"></iframe><p>Text</p>',
    '/deep': '<div>'.repeat(600),
    '/etc/passwd': '<h1>Passwd</h1>',
    '/..%2f..%2fetc': '<h1>Etc</h1>',
    '/sitemap.xml': {
      headers: { 'content-type': 'application/xml' },
      body: '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><urlset><url><loc>/&b;</loc></url></urlset>',
    },
  })
  const { imported, titles, markdownOf } = await importSite(site.url)
  assert.equal(imported.status, 201, imported.text)
  assert.deepEqual(titles, ['A', 'Etc', ['Passwd'], 'Etc'])
  assert.match(imported.body.problems[0].message, /nested deeper than 500 levels/)
  assert.doesNotMatch(await markdownOf('readme'), /script|file:|data:/)
})

test('menus of pages without main are removed if other pages have them', async () => {
  const menu =
    '<table><tr><td><a href="/">One</a><a href="/b">Two</a><a href="/c">Three</a></td></tr></table>'
  const own = '<ul><li><a href="/x1">X</a></li><li><a href="/x2">Y</a></li><li><a href="/x3">Z</a></li></ul>'
  const site = await startWebsite({
    '/': `<body>${menu}<h1>A</h1>${own}</body>`,
    '/b': `<body>${menu}<h1>B</h1><p>Text</p></body>`,
    '/c': `<body>${menu}<h1>C</h1><p>Other text</p></body>`,
  })
  const { markdownOf } = await importSite(site.url)
  assert.equal(await markdownOf('b'), '# B\n\nText\n')
  assert.match(await markdownOf('readme'), /\[X\]/)
  assert.doesNotMatch(await markdownOf('readme'), /Three/)
})
