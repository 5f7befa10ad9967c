/** A reverse proxy serves a site at another host and path: everything that the site says uses that address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { openBrowser, openPage, WITHOUT_BROWSER } from './browser.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { jwt } from './reading.ts'

const world = await createWorld({ LECTERN_TRUSTED_PROXIES: '127.0.0.1' })
const { ada, organizationId, nobody } = world
const ORIGIN = 'www.example.com/help/manual'

const CONTENT = {
  '.gitbook.yaml': 'redirects:\n  old: guide.md\n',
  'README.md': '# Home\n\n[Guide](guide.md)\n\n![Dot](dot.svg)\n\n```mermaid\ngraph TD; A-->B\n```\n',
  'guide.md': '# Guide\n\n$$x^2$$\n',
  'news.md':
    '# News\n\n{% updates %}\n{% update date="2026-01-02" %}\n## First\n\n[Guide](guide.md)\n{% endupdate %}\n{% endupdates %}\n',
  'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>',
}

async function proxiedSite(title: string, origin = ORIGIN) {
  const { spaceId } = await spaceWith(world, archiveOf(CONTENT), title)
  const { siteId, address } = await publish(world, spaceId, title)
  const at = `/v1/orgs/${organizationId}/sites/${siteId}`
  const set = async (fields: object) => {
    const answer = await ada(`PATCH ${at}`, fields)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return { at, siteId, set, target: address, site: await set({ proxy: origin }) }
}

/** A request of a reader to the proxy. */
async function read({ base }: Proxy, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(base + path, { headers, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const linksIn = (html: string) =>
  [...html.matchAll(/\s(?:href|src|data-events|data-source|data-level)="([^"]*)"/g)].map(
    ([, url = '']) => url,
  )

test('the site at the origin has every address below the origin', async () => {
  const { site, target, at, set } = await proxiedSite('Manual')
  assert.deepEqual(site.proxy, { origin: ORIGIN, target })
  assert.equal(site.urls.published, `http://${ORIGIN}/`)
  const { body: published } = await ada(`GET ${at}/structure`)
  assert.match(JSON.stringify(published), new RegExp(`"published":"http://${ORIGIN}/"`))
  await ada(`PUT ${at}/customization`, {
    styling: { font: 'Inter', theme: 'bold' },
    feedback: { enabled: true },
  })

  await using proxy = await startProxy(world.url, ORIGIN, target)
  const seen = new Map<string, string>()
  const queue = ['/help/manual/', '/help/manual/guide', '/help/manual/news']
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path)) continue
    const { status, text, headers } = await read(proxy, path)
    assert.equal(status, 200, path)
    seen.set(path, text)
    const type = headers.get('content-type') ?? ''
    const found = type.startsWith('text/html') ? linksIn(text) : []
    const inSheet = type.startsWith('text/css')
      ? [...text.matchAll(/url\(['"]?([^'")]+)/g)].map(([, url = '']) => url)
      : []
    for (const link of [...found, ...inSheet]) {
      const url = new URL(link, `http://www.example.com${path}`)
      if (/^(?:data|https):/.test(url.protocol) || url.pathname.endsWith('/~/events')) continue
      assert.equal(url.host, 'www.example.com', link)
      assert(url.pathname.startsWith('/help/manual/'), `${link} on ${path}`)
      queue.push(url.pathname)
    }
  }
  assert(
    [...seen.keys()].some((path) => path.endsWith('.woff2')),
    'fonts',
  )
  assert(
    [...seen.keys()].some((path) => path.endsWith('/dot.svg')),
    'files',
  )
  const home = seen.get('/help/manual/') ?? ''
  assert.match(home, new RegExp(`rel="canonical" href="http://${ORIGIN}/"`))
  assert.match(home, new RegExp(`og:image" content="http://${ORIGIN}/~/preview/`))
  assert.doesNotMatch([...seen.values()].join('\n'), new RegExp(new URL(target).host))

  for (const [path, expected] of [
    ['sitemap.xml', `<loc>http://${ORIGIN}/sitemap-pages.xml</loc>`],
    ['sitemap-pages.xml', `<loc>http://${ORIGIN}/guide</loc>`],
    ['llms.txt', `(http://${ORIGIN}/guide.md)`],
    ['robots.txt', `Sitemap: http://${ORIGIN}/sitemap.xml`],
    ['news/rss.xml', `<link>http://${ORIGIN}/news</link>`],
  ] as const) {
    const { text } = await read(proxy, `/help/manual/${path}`)
    assert(text.includes(expected), `${path}: ${text}`)
  }
  const [, markdown = ''] = /type="text\/markdown" href="([^"]+)"/.exec(home) ?? []
  assert.match((await read(proxy, markdown)).text, new RegExp(`\\[Guide\\]\\(http://${ORIGIN}/guide\\)`))
  assert.equal((await read(proxy, '/help/manual/old')).headers.get('location'), '/help/manual/guide')
  assert.equal((await read(proxy, '/help/manual/Guide')).headers.get('location'), '/help/manual/guide')

  const { basename } = site
  await set({ basename: `${basename}-2` })
  const renamed = await read(proxy, '/help/manual/guide')
  assert.equal(renamed.status, 200, 'the proxy still asks for the former base name')
  assert(linksIn(renamed.text).includes('/help/manual/'))
  await set({ proxy: null })
  assert.notEqual((await read(proxy, '/help/manual/guide')).status, 200)
})

test('cookies, sign-in and share links keep to the path of the origin', async () => {
  const { target, at, set } = await proxiedSite('Closed')
  await set({ visibility: 'visitor-auth' })
  const { privateKey } = (await ada(`GET ${at}/publishing/auth`)).body
  await using proxy = await startProxy(world.url, ORIGIN, target)
  const closed = await read(proxy, '/help/manual/guide')
  assert.equal(closed.status, 401)
  assert(linksIn(closed.text).every((url) => url.startsWith('/help/manual/') || url.startsWith('#')))
  const entered = await read(proxy, `/help/manual/guide?jwt_token=${jwt(privateKey, { exp: 4102444800 })}`)
  assert.equal(entered.headers.get('location'), '/help/manual/guide')
  const [cookie = ''] = entered.headers.getSetCookie()
  assert.match(cookie, /; Path=\/help\/manual\/;/)
  const inside = await read(proxy, '/help/manual/guide', { cookie: cookie.split(';')[0]! })
  assert.match(inside.text, /<h1>.*Guide/)

  await set({ visibility: 'share-link' })
  const { urls } = (await ada(`POST ${at}/share-links`, { name: 'Friends' })).body
  assert(urls.published.startsWith(`http://${ORIGIN}/`))
  const shared = await read(proxy, new URL(urls.published).pathname)
  assert.equal(shared.status, 200)
  assert(linksIn(shared.text).includes(`${new URL(urls.published).pathname}guide`))
  for (const link of linksIn(shared.text).filter((url) => url.includes('/~/assets/')))
    assert.equal((await read(proxy, link)).status, 200, link)
})

test('only a trusted proxy that names the origin of the site is believed', async () => {
  const { target, site } = await proxiedSite('Trusted')
  const { pathname } = new URL(target)
  const direct = await nobody(`GET /sites/docs${pathname}guide`)
  assert.equal(direct.status, 200)
  assert.match(direct.text, new RegExp(`href="/sites/docs${pathname}"`), 'the own address of the site works')
  assert.match(direct.text, new RegExp(`rel="canonical" href="http://${ORIGIN}/guide"`))

  // Below /sites/, the host is that of the server.
  const from = (headers: Record<string, string>) =>
    nobody(`GET /sites/docs${pathname}guide`, undefined, headers)
  const believed = await from({ 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'www.example.com' })
  assert.match(believed.text, /href="\/help\/manual\/"/)
  assert.doesNotMatch(believed.headers.get('content-security-policy') ?? '', /sandbox/)
  const other = await from({ 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'evil.example.com' })
  assert.doesNotMatch(other.text, /href="\/help\/manual\/"/)
  assert.match(other.headers.get('content-security-policy') ?? '', /sandbox/)
  const unnamed = await from({ 'x-forwarded-host': 'www.example.com' })
  assert.doesNotMatch(unnamed.text, /href="\/help\/manual\/"/)

  await using wrong = await startProxy(world.url, 'other.example.com/help/manual', target)
  const refused = await read(wrong, '/help/manual/guide')
  assert.equal(refused.status, 404)
  assert.match(refused.text, /no origin at other\.example\.com/)

  for (const proxy of [
    'example.com',
    'https://example.com/docs',
    'localhost/docs',
    'example.com/docs/',
    'example.com/a b',
  ])
    assert.equal(
      (await ada(`PATCH /v1/orgs/${organizationId}/sites/${site.id}`, { proxy })).status,
      400,
      proxy,
    )
})

test('a browser shows the site at the origin without a complaint', { skip: WITHOUT_BROWSER }, async () => {
  const { target, at } = await proxiedSite('Browsed')
  await ada(`PUT ${at}/customization`, { styling: { font: 'Lato' } })
  await using proxy = await startProxy(world.url, ORIGIN, target)
  const browser = await openBrowser()
  try {
    const { page, complaints } = await openPage(browser, {
      name: 'laptop',
      width: 1200,
      height: 800,
      theme: 'light',
    })
    await page.goto(`${proxy.base}/help/manual/`)
    await page.locator('.diagram img').first().waitFor()
    await page.locator('.sidebar').getByRole('link', { name: 'Guide' }).click()
    await page.waitForURL('**/help/manual/guide')
    assert.equal(await page.locator('h1').innerText(), 'Guide')
    assert.deepEqual(complaints, [])
  } finally {
    await browser.close()
  }
})
