/** A published site over HTTP: its URLs, its visitors, and what it must never reveal. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { archiveOf, importArchive, publish, spaceWith } from '../importing.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

const DOCS = {
  'SUMMARY.md': `# Table of contents

* [Welcome](README.md)

## Guides

* [Install](guides/install.md)
  * [On Linux](guides/linux.md)
* [Hidden](hidden.md)
* [Members](members.md)
* [安装](zh/安装.md)
`,
  'README.md':
    '---\ndescription: Where to begin\n---\n\n# Welcome\n\n[Install](guides/install.md#needs), [gone](gone.md), ![logo](logo.png)\n\n{% include ".gitbook/includes/help.md" %}\n\n{% if visitor.claims.isBeta == true %}\nSecret of the beta\n{% endif %}\n\n<details>\n\n<summary>More</summary>\n\n{% if visitor.claims.isBeta == true %}\nSecret of the beta, folded away\n{% endif %}\n\nOpen\n\n</details>\n\n<script>alert(1)</script>\n',
  'guides/install.md': '# Install\n\n## Needs\n\n```js\nconst answer = 42\n```\n',
  'guides/linux.md':
    '# On Linux {% if visitor.claims.isBeta == true %}Secret{% endif %}\n\nText\n\n## Steps {% if visitor.claims.isBeta == true %}Secretly{% endif %}\n\n| a | b |\n|---|---|\n| {% if visitor.claims.isBeta == true %}Secret of the cell{% endif %} | c |\n\n[people](../members.md), [elsewhere](//evil.example/x), [bad](javascript:alert), <code class="expression">space.vars.gone</code> <code class="expression">1 + 1</code>\n\n{% content-ref url="../members.md" %}\n[members.md](../members.md)\n{% endcontent-ref %}\n\nText <ins onclick="alert(1)">new</ins> <script>alert(1)</script>\n\n<center>Sum <code class="expression">20 + 3</code></center>\n',
  'hidden.md': '---\nhidden: true\n---\n\n# Hidden\n\nReachable\n',
  'members.md': '---\nif: visitor.claims.member == true\n---\n\n# Members only\n\nThe members’ secret\n',
  'zh/安装.md': '# 安装\n\n文字\n',
  'logo.png': PNG,
  '.gitbook/includes/help.md': '---\ntitle: Help\n---\n\nAsk for help.\n',
  '.gitbook.yaml': 'redirects:\n  old/way: guides/install.md\n',
}

interface Reply {
  status: number
  headers: Record<string, string | undefined>
  bytes: Buffer
  text: string
}

/** Requests a URL with its host in `Host`, like a browser, because Node does not resolve names under localhost. */
function get(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  const { host, pathname, search, port } = new URL(address)
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  request(
    { host: '127.0.0.1', port, path: pathname + search, method, headers: { host, ...headers } },
    (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const bytes = Buffer.concat(pieces)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Reply['headers'],
          bytes,
          text: bytes.toString(),
        })
      })
    },
  )
    .on('error', reject)
    .end()
  return promise
}

const { spaceId } = await spaceWith(world, archiveOf(DOCS), 'Manual')
const { siteId, address } = await publish(world, spaceId, 'Manual')
const site = `/v1/orgs/${organizationId}/sites/${siteId}`

test('the site is served at its organization’s host name, the space has its URL, and the API is not served there', async () => {
  assert.equal(address, `http://docs.localhost:${new URL(world.url).port}/manual/`)
  assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).body.urls.published, address)
  const page = await get(address)
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1[^>]*>(<[^>]+>)*Welcome/)
  assert.equal((await get(new URL('/v1', address).href)).status, 404)
  assert.equal((await get(new URL('/openapi.json', address).href)).status, 404)
})

test('the site is also served under a path of the API’s host, and its links stay there', async () => {
  const page = await get(`${world.url}/sites/docs/manual/guides/install`)
  assert.equal(page.status, 200)
  assert(page.text.includes('href="/sites/docs/manual/guides/install/linux"'))
  assert(page.text.includes(`rel="canonical" href="${address}guides/install"`))
})

test('other spellings of a path redirect to its canonical URL', async () => {
  const moved: [string, string][] = [
    ['guides/install/', 'guides/install'],
    ['Guides/Install', 'guides/install'],
    ['readme', ''],
    ['old/way', 'guides/install'],
    ['guides', 'guides/install'],
  ]
  for (const [from, to] of moved) {
    const answer = await get(address + from)
    assert([301, 302].includes(answer.status), `${from}: ${answer.status}`)
    assert.equal(answer.headers.location, `/manual/${to}`, from)
  }
  assert.equal((await get(address.replace(/\/$/, ''))).headers.location, '/manual/')
  assert.equal((await get(new URL('/', address).href)).headers.location, '/manual/')
})

test('an unknown path shows a page with 404, never an error', async () => {
  for (const path of [
    'nothing',
    'guides/nothing',
    '%',
    '%E0%A4%A',
    '..%2f..%2fetc',
    '__proto__',
    'constructor',
    'a'.repeat(5000),
    '%00',
  ]) {
    const answer = await get(address + path)
    assert.equal(answer.status, 404, path)
  }
  assert.match((await get(`${address}nothing`)).text, /Page not found/)
  assert.equal((await get(new URL('/other/', address).href)).status, 404)
  assert.equal((await get(address.replace('docs.', 'nobody.'))).status, 404)
  assert.equal((await get(address, {}, 'POST')).status, 405)
})

test('a page has an ETag, is compressed, and is not sent again while it is unchanged', async () => {
  const plain = await get(`${address}guides/install`)
  const brotli = await get(`${address}guides/install`, { 'accept-encoding': 'gzip, br' })
  const gzip = await get(`${address}guides/install`, { 'accept-encoding': 'gzip' })
  assert.equal(brotliDecompressSync(brotli.bytes).toString(), plain.text)
  assert.equal(gunzipSync(gzip.bytes).toString(), plain.text)
  assert.match(plain.headers.vary ?? '', /accept-encoding/)
  const again = await get(`${address}guides/install`, { 'if-none-match': plain.headers.etag ?? '' })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
  const head = await get(`${address}guides/install`, {}, 'HEAD')
  assert.deepEqual([head.status, head.bytes.length, head.headers.etag], [200, 0, plain.headers.etag])
})

test('the content security policy allows only the site’s own scripts and styles, and nothing inline', async () => {
  const page = await get(address)
  const policy = page.headers['content-security-policy'] ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /script-src 'self'(;|$)/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.doesNotMatch(page.text, /alert\(1\)|<script>| style="| on\w+="/)
  for (const [, source = ''] of page.text.matchAll(
    /<(?:script|link)[^>]+(?:src|href)="(\/_lectern\/[^"]+)"/g,
  )) {
    const asset = await get(new URL(source, address).href)
    assert.equal(asset.status, 200, source)
    assert.match(asset.headers['cache-control'] ?? '', /immutable/)
  }
})

test('content that a visitor cannot see is on no page, in no index and in no Markdown', async () => {
  const surfaces = [
    '',
    'guides/members',
    'guides/members.md',
    'readme.md',
    'sitemap-pages.xml',
    'llms.txt',
    'llms-full.txt',
    'guides/install',
    'nothing',
  ]
  for (const path of surfaces) {
    const { text } = await get(address + path)
    assert.doesNotMatch(text, /Secret of the beta|members’ secret|Members only/, path)
    assert.doesNotMatch(text, /"[^"]*\/members"/, path)
  }
  assert.equal((await get(`${address}guides/members`)).status, 404)
  assert.equal((await get(`${address}guides/members.md`)).status, 404)
})

test('a hidden page is reachable, but listed nowhere', async () => {
  assert.equal((await get(`${address}guides/hidden`)).status, 200)
  for (const path of ['', 'sitemap-pages.xml', 'llms.txt', 'llms-full.txt'])
    assert.doesNotMatch((await get(address + path)).text, /hidden"|\/hidden</, path)
})

test('every page is served as Markdown, with includes expanded and absolute URLs', async () => {
  const { text, headers } = await get(`${address}readme.md`)
  assert.match(headers['content-type'] ?? '', /^text\/markdown/)
  assert.match(text, /^---\ndescription: Where to begin\n---\n\n# Welcome\n/)
  assert(text.includes(`[Install](${address}guides/install#needs)`), text)
  assert(text.includes('Ask for help.'), text)
  const image = /!\[logo\]\(([^)]+)\)|src="([^"]+)"/.exec(text)
  assert.equal((await get(image?.[1] ?? image?.[2] ?? '')).status, 200)
})

test('Markdown reveals no more than the page: conditions, links, expressions and raw HTML are resolved', async () => {
  const linux = `${address}guides/install/linux`
  const { text: page } = await get(linux)
  assert.doesNotMatch(page, /secret/i)

  const { text } = await get(`${linux}.md`)
  assert.doesNotMatch(text, /secret|members|\/pages\/|\{%|onclick|script|expression/i)
  assert.match(text, /people, \[elsewhere\]\(\/\/evil\.example\/x\), bad, /)
  assert.match(text, / 2\n/)
  assert.match(text, /<center>Sum 23<\/center>/)
  assert.match(page, /<center>Sum 23<\/center>/)
  assert.match(text, /<ins>new<\/ins>/)
})

test('the site map, robots.txt and llms.txt list the content', async () => {
  const map = await get(`${address}sitemap-pages.xml`)
  assert(map.text.includes(`<loc>${address}guides/install/linux</loc>`))
  assert(
    map.text.includes(`<loc>${address}guides/${encodeURIComponent('安装')}</loc>`) ||
      map.text.includes(encodeURIComponent('安装')),
  )
  const robots = await get(new URL('/robots.txt', address).href)
  assert(robots.text.includes(`Sitemap: ${address}sitemap.xml`))
  const llms = await get(`${address}llms.txt`)
  assert(llms.text.includes(`[Install](${address}guides/install.md)`))
  assert.match(llms.text, /^# Manual\n\n> Where to begin/)
})

test('a page with a Chinese title has a URL, and the tree links to it', async () => {
  const { text } = await get(address)
  const href = /href="([^"]*%E5%AE%89%E8%A3%85[^"]*)"/.exec(text)?.[1]
  assert(href, 'the tree has it')
  assert.match((await get(new URL(href, address).href)).text, /文字/)
})

test('the site serves files with their type, in ranges, and unable to run scripts', async () => {
  const { text } = await get(address)
  const source = /<img[^>]+src="([^"]+logo\.png)"/.exec(text)?.[1] ?? ''
  assert(source.startsWith('/manual/~/files/'), source)
  const image = await get(new URL(source, address).href)
  assert.deepEqual(
    [image.status, image.headers['content-type'], image.bytes.length],
    [200, 'image/png', DOCS['logo.png'].length],
  )
  assert.match(image.headers['content-security-policy'] ?? '', /sandbox/)
  assert.equal((await get(new URL(source, address).href, { range: 'bytes=0-3' })).status, 206)
  assert.equal(
    (await get(new URL(source.replace(/files\/[^/]+/, 'files/nothing'), address).href)).status,
    404,
  )
})

test('a change is visible in the next request', async () => {
  const before = await get(address)
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  await importArchive(world, spaceId, archiveOf({ ...DOCS, 'README.md': '# Welcome again\n' }))
  const after = await get(address, { 'if-none-match': before.headers.etag ?? '' })
  assert.equal(after.status, 200)
  assert.match(after.text, /Welcome again/)
  await ada(`PATCH ${site}`, { title: 'The manual' })
  assert.match((await get(address)).text, /The manual/)
})

test('an unlisted site keeps search engines away', async () => {
  await ada(`PATCH ${site}`, { visibility: 'unlisted' })
  const page = await get(address)
  assert.equal(page.status, 200)
  assert.equal(page.headers['x-robots-tag'], 'noindex, nofollow')
  assert.match(page.text, /<meta name="robots" content="noindex, nofollow"/)
  assert.doesNotMatch((await get(new URL('/robots.txt', address).href)).text, /Sitemap/)
  await ada(`PATCH ${site}`, { visibility: 'public' })
})

test('an unpublished or restricted site is not served', async () => {
  const surfaces = [
    '',
    'guides/install',
    'guides/install.md',
    'sitemap.xml',
    'sitemap-pages.xml',
    'llms.txt',
    'llms-full.txt',
  ]
  const closed = async (status = 404) => {
    for (const path of surfaces) assert.equal((await get(address + path)).status, status, path)
  }
  await ada(`PATCH ${site}`, { visibility: 'share-link' })
  await closed()
  await ada(`PATCH ${site}`, { visibility: 'visitor-auth' })
  await closed(401)
  await ada(`PATCH ${site}`, { visibility: 'public' })
  assert.equal((await get(address)).status, 200)
  assert.equal((await ada(`POST ${site}/unpublish`)).body.urls.published, undefined)
  await closed()
  assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).body.urls.published, undefined)
  await ada(`POST ${site}/publish`)
  assert.equal((await get(address)).status, 200)
})

test('the spaces of a site are served under their paths', async () => {
  const second = await spaceWith(world, archiveOf({ 'README.md': '# Reference\n' }), 'Reference')
  const both = await ada(`POST /v1/orgs/${organizationId}/sites`, {
    title: 'Both',
    spaces: [spaceId, second.spaceId],
  })
  const { body } = await ada(`POST /v1/orgs/${organizationId}/sites/${both.body.id}/publish`)
  const first = await get(body.urls.published)
  assert.match(first.text, /Welcome again/)
  assert(first.text.includes('href="/both/reference/?switch"'))
  assert.match((await get(`${body.urls.published}reference/`)).text, /<h1[^>]*>(<[^>]+>)*Reference/)
})
