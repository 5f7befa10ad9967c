/** What search engines, feed readers and language models get of a site. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId, nobody } = world

const CONTENT = {
  'README.md': '# Manual\n\nWhere to begin.\n',
  'SUMMARY.md':
    '# Summary\n\n* [Manual](README.md)\n* [Guides](guides/README.md)\n  * [Install](guides/install.md)\n* [News](news.md)\n* [Secret](secret.md)\n* [Not for models](private.md)\n* [Conditional](conditional.md)\n',
  'guides/README.md': '# Guides\n\nAll of them.\n',
  'guides/install.md':
    '---\ndescription: Before you "begin" </script><b>\n---\n\n# Install </script><i>\n\nRun it.\n',
  'news.md':
    '# News\n\n{% updates format="full" %}\n{% update date="2026-02-03" tags="release" %}\n## Version 2\n\nSee [the guide](guides/install.md) & more.\n{% endupdate %}\n\n{% update date="2026-01-02" %}\n## Version 1\n\nThe first.\n\n## Details\n\nMore.\n{% endupdate %}\n{% endupdates %}\n\n{% if visitor.claims.plan == "pro" %}\n{% updates %}\n{% update date="2026-03-03" %}\n## Hidden update\n{% endupdate %}\n{% endupdates %}\n{% endif %}\n',
  'secret.md':
    '---\nif: visitor.claims.plan == "pro"\n---\n\n# Secret\n\n{% updates %}\n{% update date="2026-03-03" %}\n## Hidden\n{% endupdate %}\n{% endupdates %}\n',
  'conditional.md': `# Conditional\n\n{% if visitor.claims.plan == "pro" %}\nHidden from most readers, and long enough.\n{% endif %}\n\nThe broker connects ${'producers and '.repeat(20)}consumers.\n`,
  'private.md': '---\nnoIndex: true\n---\n\n# Not for models\n\nNot for models at all.\n',
}

const { spaceId } = await spaceWith(world, archiveOf(CONTENT), 'English')
const german = await spaceWith(
  world,
  archiveOf({ ...CONTENT, 'README.md': '# Handbuch\n\nDer Anfang.\n' }),
  'German',
)
await ada(`PATCH /v1/spaces/${spaceId}`, { language: 'en' })
await ada(`PATCH /v1/spaces/${german.spaceId}`, { language: 'de' })
const { siteId, address } = await publish(world, spaceId, 'Manual')
const at = `/v1/orgs/${organizationId}/sites/${siteId}`
const added = await ada(`POST ${at}/site-spaces`, { spaceId: german.spaceId })
assert.equal(added.status, 201, added.text)
const base = `/sites/docs${new URL(address).pathname}`
const get = (path: string, headers: Record<string, string> = {}) =>
  nobody(`GET ${base}${path}`, undefined, headers)

test('llms-full.txt has the Markdown of the pages that models may read', async () => {
  const { status, text, headers } = await get('llms-full.txt')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /text\/plain/)
  assert(text.startsWith('# Manual\n\nWhere to begin.'), text.slice(0, 100))
  assert(text.includes(`Source: ${address}guides/install.md`))
  assert(text.includes('# Handbuch'))
  for (const hidden of ['Not for models', '# Secret', 'Hidden']) assert(!text.includes(hidden), hidden)
  assert.equal((await get('llms-full.txt/2')).status, 404)
})

test('a long llms-full.txt has parts, each of which names the next', async () => {
  const pages = Array.from({ length: 130 }, (_, i) => [`page-${i}.md`, `# Page ${i}\n\nText ${i}.\n`])
  const large = await spaceWith(world, archiveOf(Object.fromEntries(pages) as typeof CONTENT), 'Long')
  const site = await publish(world, large.spaceId, 'Long')
  const part = async (path: string) =>
    (await nobody(`GET /sites/docs${new URL(site.address).pathname}${path}`)).text
  const [first, second] = [await part('llms-full.txt'), await part('llms-full.txt/2')]
  assert(first.includes(`The next part: ${site.address}llms-full.txt/2`))
  assert.equal(first.match(/^Source: /gm)?.length, 100)
  assert.equal(second.match(/^Source: /gm)?.length, 30)
  assert(!second.includes('The next part'))
})

test('a client that prefers Markdown gets it at the address of a page', async () => {
  const html = await get('guides/install')
  assert.match(html.headers.get('content-type') ?? '', /text\/html/)
  assert.match(html.headers.get('vary') ?? '', /\baccept(?:,|$)/)
  const markdown = await get('guides/install', { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' })
  assert.match(markdown.headers.get('content-type') ?? '', /text\/markdown/)
  assert.match(markdown.headers.get('vary') ?? '', /\baccept(?:,|$)/)
  assert.equal(markdown.text, (await get('guides/install.md')).text)
  for (const accept of ['text/html, text/markdown;q=0.5', 'text/markdown;q=0', '*/*', 'text/*'])
    assert.match((await get('guides/install', { accept })).headers.get('content-type') ?? '', /html/, accept)
})

test('the site map names one for each space, and those of an unlisted site are empty', async () => {
  const index = await get('sitemap.xml')
  const maps = [...index.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
  assert.deepEqual(maps, [`${address}sitemap-pages.xml`, `${address}german/sitemap-pages.xml`])
  const pages = await get('german/sitemap-pages.xml')
  assert(pages.text.includes(`<loc>${address}german/guides/install</loc>`))
  assert(!pages.text.includes('secret'))
  assert((await get('robots.txt')).text.includes(`Sitemap: ${address}sitemap.xml`))

  await ada(`PATCH ${at}`, { visibility: 'unlisted' })
  assert.doesNotMatch((await get('sitemap.xml')).text, /<loc>/)
  assert.doesNotMatch((await get('german/sitemap-pages.xml')).text, /<loc>/)
  assert.doesNotMatch((await get('guides/install')).text, /ld\+json/)
  await ada(`PATCH ${at}`, { visibility: 'public' })
})

test('a page names the same page in other languages', async () => {
  const alternates = async (path: string) =>
    [...(await get(path)).text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)].map(
      ([, language, href]) => [language, href],
    )
  const both = [
    ['en', `${address}guides/install`],
    ['x-default', `${address}guides/install`],
    ['de', `${address}german/guides/install`],
  ]
  assert.deepEqual(await alternates('guides/install'), both)
  assert.deepEqual(await alternates('german/guides/install'), both)
  assert.deepEqual((await alternates('german/'))[2], ['de', `${address}german/`])
})

test('a page describes itself to search engines, and its texts cannot end the script', async () => {
  const { text } = await get('guides/install')
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
  const { '@graph': graph } = JSON.parse(json) as { '@graph': Record<string, unknown>[] }
  const [article, list] = graph as [Record<string, unknown>, { itemListElement: object[] }]
  assert.equal(article['@type'], 'TechArticle')
  assert.match(String(article.headline), /^Install/)
  assert.equal(article.description, 'Before you "begin" </script><b>')
  assert.equal(article.url, `${address}guides/install`)
  assert.equal(article.inLanguage, 'en')
  assert.deepEqual(
    list.itemListElement.map((one) => (one as { item: string }).item),
    [`${address}guides`, `${address}guides/install`],
  )
})

test('a page without a description is described by its first paragraph, without what only some may read', async () => {
  const meta = async (path: string) => {
    const { text } = await get(path)
    return /<meta name="description" content="([^"]*)"/.exec(text)?.[1]
  }
  assert.equal(await meta('conditional'), `The broker connects ${'producers and '.repeat(10).trimEnd()}…`)
  assert.equal(await meta('guides'), undefined, 'a few words are no description')
})

test('a page with dated entries has a feed of those that the reader may see', async () => {
  const page = await get('news')
  assert(
    page.text.includes(
      `<link rel="alternate" type="application/rss+xml" title="News" href="${base}news/rss.xml"`,
    ),
  )
  const { status, text, headers } = await get('news/rss.xml')
  assert.equal(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /application\/rss\+xml/)
  assert.deepEqual(
    [...text.matchAll(/<item>\n<title>(.*?)<\/title>/g)].map(([, title]) => title),
    ['Version 2', 'Version 1'],
  )
  assert(text.includes('<pubDate>Tue, 03 Feb 2026 00:00:00 GMT</pubDate>'))
  assert(text.includes('<category>release</category>'))
  assert.equal(text.match(/Version 2/g)?.length, 1, 'the heading is the title, and not repeated')
  assert(text.includes('Details&lt;/h2&gt;'), 'headings have no marks that link to them')
  assert(text.includes(`href=&quot;${address}guides/install&quot;`), text)
  assert.equal((await get('guides/install/rss.xml')).status, 404)
  assert.equal((await get('secret/rss.xml')).status, 404)
  assert.doesNotMatch((await get('guides/install')).text, /rss\+xml/)
})
