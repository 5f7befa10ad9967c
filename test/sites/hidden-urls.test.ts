/**
 * A full URL of a site itself is the link to what it leads to: a reader who may not see that gets no link. The tables have
 * every kind of link and every surface.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { unzip } from '../imports/zip.ts'
import { createWorld } from '../world.ts'
import { bearer, soon } from './reader-table.ts'
import { callTool, resolveFor } from './reader-surfaces.ts'
import { siteForReaders } from './reading.ts'

const records = new Map<string, string[]>()
const world = await createWorld({}, { resolveTxt: async (name) => records.get(name) ?? [] })
const { ada } = world
const PRO = '---\nif: visitor.claims.plan == "pro"\n---\n\n'
const IS_PRO = 'visitor.claims.plan == "pro"'

/** The links of the tables, by the path of what they lead to. */
const PLACES = {
  'a page': 'secret',
  'a page in capitals': 'SECRET',
  'a page with a query and a part': 'secret?a=1#part',
  'a page with a slash': 'secret/',
  'the Markdown of a page': 'secret.md',
  'the feed of a page': 'secret/rss.xml',
  'a former path': 'old-secret',
  'a group without pages': 'secrets',
  'a site space': 'secret-space/',
  'a page of a site space': 'secret-space/inside',
  'a section': 'secret-section',
  'a page of a section': 'secret-section/inside',
  'a redirect to a page': 'goes-to-secret',
  'a redirect to a space': 'goes-to-secret-space',
  'a redirect to a section': 'goes-to-secret-section',
  'a redirect to a redirect': 'goes/goes-to-secret',
  'a redirect to a URL of the site': 'goes-to-url-of-secret',
  'a redirect of all below a path': 'goes/secret',
}
/** The address of a site follows from its title. */
const { address: probe } = await siteForReaders(world, 'Probe', { 'README.md': '# Start\n' })
const home = probe.replace('probe', 'own-urls')
/** The addresses of the site. */
const HOMES = {
  'its address': home,
  'a scheme in capitals': home.replace(/^https?:/, 'HTTPS:'),
  'any scheme': home.replace(/^https?:/, ''),
  'its path on the server': `${world.url}/sites/docs/own-urls/`,
  'its former name': home.replace('own-urls', 'own-former'),
  'a host name of its own': 'https://docs.own.example/',
}
const urlsOf = (page: string) => [
  ...Object.values(HOMES).map((one) => one + page),
  ...(page === 'secret' ? Object.values(PLACES).map((path) => home + path) : []),
]
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
const KINDS: Record<string, (url: string) => string> = {
  'a link': (url) => `[Words](${url})`,
  'a link in HTML': (url) => `<p><a href="${url}">Words</a></p>`,
  'raw HTML': (url) =>
    `<div align="center"><a href="${url}${url.includes('?') ? '&amp;b=2' : '?b=2'}">Words</a> <a href='${url}'>Words</a></div>`,
  'a button': (url) => `<a href="${url}" class="button primary">Words</a>`,
  'an image': (url) => `<a href="${url}"><img src="${PIXEL}" alt="Image"></a>`,
  'a block for a page': (url) => `{% content-ref url="${url}" %}\n[Words](${url})\n{% endcontent-ref %}`,
  'a block of an integration': (url) => `{% @own/card url="${url}" %}`,
  'an embedded page': (url) => `{% embed url="${url}" %}`,
  cards: (url) =>
    `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card</td><td><a href="${url}">Words</a></td></tr></tbody></table>`,
  'a cell': (url) => `| Column |\n| --- |\n| [Words](${url}) |`,
}
const linksTo = (urls: readonly string[]) =>
  Object.values(KINDS)
    .flatMap((kind) => urls.map(kind))
    .join('\n\n')
const links = (page: string) => linksTo(urlsOf(page))

const site = await siteForReaders(world, 'Own former', {
  '.gitbook.yaml': `redirects:\n  old-secret: secret.md\n  moved-secret: ${home}secret\n  moved-open: ${home}open\n`,
  'README.md': '# Start\n',
  'SUMMARY.md': `# Summary\n\n* [Start](README.md)\n* [Secret](secret.md)\n* [Open](open.md)\n* [Links](links.md)\n* [News](news.md)\n* [Entry to open](${home}open)\n* [Entry to sesame](${home}secret)\n\n## Secrets\n\n* [Below](secrets/below.md)\n`,
  'links.md': `# Links\n\n${links('secret')}\n\n${links('open')}\n\n${linksTo([`${home}goes-to-open`])}\n`,
  'news.md': `# News\n\n{% updates %}\n{% update date="2026-03-03" %}\n## New\n\n[Words](${home}secret) [Words](${home}open)\n{% endupdate %}\n{% endupdates %}\n`,
  'secret.md': `${PRO}# Secret\n\n![Picture](assets/secret.gif)\n\n{% updates %}\n{% update date="2026-03-03" %}\n## New\n{% endupdate %}\n{% endupdates %}\n`,
  'secrets/below.md': `${PRO}# Below\n`,
  'open.md': `# Open\n\n![Picture](assets/open.gif)\n\n{% if ${IS_PRO} %}\n![Picture](assets/secret-block.gif)\n{% endif %}\n`,
  // Their bytes differ, so that they are three files.
  ...Object.fromEntries(
    ['open', 'secret', 'secret-block'].map((one) => [`assets/${one}.gif`, `GIF89a ${one}`]),
  ),
})
const done = async (request: string, body: object = {}) => {
  const { status, text, body: made } = await ada(request, body)
  assert(status < 300, `${request}: ${text}`)
  return made
}
await done(`PATCH ${site.at}`, { basename: 'own-urls', hostname: 'docs.own.example' })
const { verification } = (await ada('GET /v1/custom-hostnames/docs.own.example')).body
records.set(verification.name, [verification.value])
await done('PATCH /v1/custom-hostnames/docs.own.example')
const inside = async (title: string) =>
  (await spaceWith(world, archiveOf({ 'README.md': '# In\n', 'inside.md': '# Inside\n' }), title)).spaceId
const other = await done(`POST ${site.at}/site-spaces`, { spaceId: await inside('Secret space') })
await done(`PATCH ${site.at}/site-spaces/${other.id}`, { condition: IS_PRO })
const section = await done(`POST ${site.at}/sections`, {
  spaceId: await inside('Secret section'),
  title: 'Secret section',
})
await done(`PATCH ${site.at}/sections/${section.id}`, { condition: IS_PRO })
/** The addresses of files of the site. */
const FILES = {
  'a file of a page': site.file('secret.gif'),
  'a file in a block': site.file('secret-block.gif'),
  'a signed address': `${site.file('secret.gif')}?reader=abc&signature=def`,
  'a former address': site.file('secret.gif').replace(/[0-9a-f]{12}\/secret/, '0123456789ab/secret'),
  'a part of a file': `${site.file('secret.gif')}#part`,
  'a file in a preview': `~/revisions/abcdefgh/${site.file('secret.gif')}`,
}
const idOf = async (path: string) =>
  (await ada(`GET /v1/spaces/${site.spaceId}/content/path/${path}`)).body.id as string
const [secretId, openId] = [await idOf('secret'), await idOf('open')]
const [{ id: siteSpaceId }] = (await ada(`GET ${site.at}/site-spaces`)).body.items
const ofSite = { kind: 'site-page', siteSpaceId }
for (const [source, destination] of Object.entries({
  '/goes-to-secret': { ...ofSite, pageId: secretId },
  '/goes-to-secret-space': { kind: 'site-space', siteSpaceId: other.id },
  '/goes-to-secret-section': { kind: 'site-section', siteSectionId: section.id },
  '/goes-to-url-of-secret': { kind: 'external', url: `${home}secret` },
  '/goes-to-open': { ...ofSite, pageId: openId },
  '/goes/*': { kind: 'site-space', siteSpaceId },
}))
  await done(`POST ${site.at}/redirects`, { source, destination, captureWildcard: source.endsWith('*') })
/** Addresses of what a page has besides its path. In texts, the word `secret` shows them. */
const OF_PAGES = {
  'the PDF of a page': `~/pdf?page=${secretId}&only=true&as=secret`,
  'the PDF of a page and those below it': `~/pdf?page=${secretId}#secret`,
  'a PDF with another query': `~/pdf?as=secret&only=yes&page=${secretId}&page=${openId}`,
  'a PDF with an encoded path': `%7E/pd%66/?page=${secretId}#secret`,
  'a PDF in a preview': `~/changes/1/~/pdf?page=${secretId}#secret`,
  'a page in a preview': '~/revisions/abcdefgh/secret',
  'the preview image of a page': `~/preview/${secretId}/secret.png`,
  'the entries below a page': `~/pages/${secretId}/0#secret`,
}
const OPEN_PAGES = [
  `~/pdf?page=${openId}&only=true`,
  `~/preview/${openId}/0.png`,
  '~/pdf',
  '~/revisions/abcdefgh/open',
]
const fileUrls = (name: string) => Object.values(HOMES).map((one) => one + site.file(name))
const markdown = linksTo([
  ...fileUrls('secret.gif'),
  ...[...Object.values(FILES), ...Object.values(OF_PAGES), ...OPEN_PAGES].map((path) => home + path),
  ...fileUrls('open.gif'),
])
/** A use of a file that is hidden, on a page with its URL. */
const HIDDEN_USE = `{% if ${IS_PRO} %}\n![Picture](assets/secret-block.gif)\n{% endif %}`
await done(`PATCH /v1/spaces/${site.spaceId}`, { editMode: 'live' })
await done(`POST /v1/spaces/${site.spaceId}/content`, {
  changes: [
    { operation: 'insert_page', title: 'Files', document: { markdown: `${markdown}\n\n${HIDDEN_USE}` } },
    {
      operation: 'insert_link',
      title: 'Entry to open',
      target: { kind: 'url', url: home + site.file('open.gif') },
    },
    {
      operation: 'insert_link',
      title: 'Entry to sesame',
      target: { kind: 'url', url: home + site.file('secret-block.gif') },
    },
  ],
})
const to = (page: string) => ({ title: 'Words', to: { kind: 'url', url: home + page } })
const ofSettings = (page: string) => ({
  header: {
    links: [
      { ...to(page), links: [to(page)] },
      { title: 'Menu', to: null, links: [to(page)] },
    ],
  },
  footer: { groups: [{ title: 'More', links: [to(page)] }] },
  announcement: { enabled: true, message: 'Hello', style: 'info', link: to(page) },
  privacyPolicy: { url: home + page },
})
const setLinks = (page: string) => done(`PUT ${site.at}/customization`, ofSettings(page))
await setLinks('secret')
/** What links of settings lead to, and whether every reader sees it. */
const TARGETS = [
  { path: 'secret', isOpen: false },
  { path: 'open', isOpen: true },
  { path: site.file('secret.gif'), isOpen: false },
  { path: site.file('secret-block.gif'), isOpen: false },
  { path: site.file('open.gif'), isOpen: true },
  { path: OF_PAGES['the PDF of a page'], isOpen: false },
  { path: OPEN_PAGES[0]!, isOpen: true },
]
for (const [at, { path }] of TARGETS.entries())
  await done(`POST ${site.at}/redirects`, {
    source: `/go-${at}`,
    destination: { kind: 'external', url: home + path },
  })

const base = '/sites/docs/own-urls/'
const READERS = {
  stranger: { headers: {}, sees: false },
  pro: { headers: bearer({ plan: 'pro', exp: soon() }, site.privateKey), sees: true },
}
const apiFor = async (headers: Record<string, string>) => {
  const { apiToken } = (await resolveFor(world, { ...site, address: home }, { headers })).body
  return (path: string) => world.nobody(`GET ${path}`, undefined, { authorization: `Bearer ${apiToken}` })
}
const HIDDEN = /secret|sesame/i
/** What a text shows of what is hidden, with the words around it. */
const leaks = (text: string) => text.match(/.{0,200}(?:secret|sesame).{0,60}/gi) ?? []

for (const [reader, { headers, sees }] of Object.entries(READERS)) {
  const get = (path: string) => site.get(base + path, headers)

  for (const page of ['links', 'files'])
    test(`${reader}: ${page} in texts`, async () => {
      const api = await apiFor(headers)
      const read = async (path: string) => (await get(path)).text
      const content = `/v1/spaces/${site.spaceId}/content`
      const { id } = (await api(`${content}/path/${page}`)).body
      const epub = async () => {
        const { body, status, text } = await api(
          `/v1/spaces/${site.spaceId}/pdf?format=epub&only=true&page=${id}`,
        )
        assert.equal(status, 200, text)
        const files = unzip(new Uint8Array(await (await fetch(body.url)).arrayBuffer()))
        return [...files].map(([path, bytes]) => (path.endsWith('.xhtml') ? bytes.toString() : '')).join('\n')
      }
      const surfaces: Record<string, () => Promise<string>> = {
        'a page': () => read(page),
        'its Markdown': () => read(`${page}.md`),
        'all texts for models': () => read('llms-full.txt'),
        'a feed': () => read('news/rss.xml'),
        'the protocol for models': async () =>
          (await callTool(world, base, { name: 'read_page', input: { page }, headers })).content[0].text,
        'the Markdown of the API': async () => (await api(`${content}/page/${id}?format=markdown`)).text,
        'the document of the API': async () => (await api(`${content}/page/${id}/document`)).text,
        'a book': epub,
      }
      for (const [surface, shown] of Object.entries(surfaces)) {
        const text = await shown()
        assert.match(text, /open/, surface)
        if (sees) assert.match(text, HIDDEN, surface)
        else assert.deepEqual(leaks(text), [], surface)
      }
      const html = await read(page)
      const isLink = (path: string) => html.includes(`${home}${path.replaceAll('&', '&amp;')}"`)
      for (const path of page === 'files' ? [site.file('open.gif'), ...OPEN_PAGES] : ['open', 'goes-to-open'])
        assert(isLink(path), path)
      for (const [place, path] of Object.entries(page === 'files' ? { ...FILES, ...OF_PAGES } : PLACES))
        assert.equal(isLink(path), sees, place)
    })

  test(`${reader}: links of the settings, in the page tree and of redirects`, async () => {
    const api = await apiFor(headers)
    for (const [at, { path, isOpen }] of TARGETS.entries()) {
      await setLinks(path)
      const html = (await get('open')).text
      const shown = html.split(`="${home}${path.replaceAll('&', '&amp;')}"`).length - 1
      // Twice in the header, and in its menu, the footer, the announcement and the privacy policy.
      if (sees || isOpen) assert(shown >= 6, `${path}: ${shown}`)
      else assert.deepEqual(leaks(html), [])
      const { customizations } = (await api(`${site.at}/published`)).body
      assert.equal(JSON.stringify(customizations).includes(home + path), sees || isOpen, path)

      const isFound = sees || isOpen
      assert.equal((await get(`go-${at}`)).status, isFound ? 307 : 404, path)
      assert.equal((await api(`${site.at}/redirect?source=/go-${at}`)).status, isFound ? 200 : 404, path)
    }
    assert.equal((await get('moved-secret')).status, sees ? 301 : 404)
    assert.equal((await get('moved-open')).status, 301)
    // The entries of the page tree.
    const html = (await get('open')).text
    assert.equal(html.split('Entry to open').length - 1 >= 2, true)
    assert.equal(html.includes('Entry to sesame'), sees)
    const tree = (await api(`/v1/spaces/${site.spaceId}/content/pages`)).text
    assert.equal(tree.includes('Entry to sesame'), sees)
    assert.match(tree, /Entry to open/)
  })
}

test('a text decides about a bounded number of files', async () => {
  const names = Array.from({ length: 110 }, (_, at) => `file-${at}.gif`)
  const many = await siteForReaders(world, 'Many files', {
    'README.md': `# Start\n\n${names.map((name) => `![Picture](${name})`).join('\n\n')}\n`,
    ...Object.fromEntries(names.map((name) => [name, `GIF89a ${name}`])),
  })
  const { items } = (await ada(`GET /v1/spaces/${many.spaceId}/content/files?limit=1000`)).body
  const urls = (items as { id: string; name: string }[]).map(
    ({ id, name: file }) => `[Words](${many.address}~/files/${id}/0123456789ab/${file})`,
  )
  assert.equal(urls.length, names.length)
  await done(`PATCH /v1/spaces/${many.spaceId}`, { editMode: 'live' })
  for (const [title, text, shown] of [
    ['Few', urls.slice(0, 50).join(' ').repeat(3), 150],
    ['Many', urls.join(' '), 100],
  ] as const) {
    const changes = [{ operation: 'insert_page', title, document: { markdown: text } }]
    await done(`POST /v1/spaces/${many.spaceId}/content`, { changes })
    const html = (await many.get(title.toLowerCase())).text
    assert.equal(html.split(`<a href="${many.address}~/files/`).length - 1, shown, title)
  }
})

test('a link leads to what the site serves: the redirect of its path before the former name of a space', async () => {
  const ways = await siteForReaders(world, 'Ways', {
    'README.md': '# Start\n',
    'secret.md': `${PRO}# Secret\n`,
    'open.md': '# Open\n',
  })
  const [{ id: first }] = (await ada(`GET ${ways.at}/site-spaces`)).body.items
  for (const name of ['shown', 'concealed']) {
    const { id } = await done(`POST ${ways.at}/site-spaces`, { spaceId: await inside(name) })
    await done(`PATCH ${ways.at}/site-spaces/${id}`, { path: `was-${name}` })
    await done(`PATCH ${ways.at}/site-spaces/${id}`, {
      path: name,
      ...(name === 'concealed' && { condition: IS_PRO }),
    })
  }
  const idAt = async (path: string) =>
    (await ada(`GET /v1/spaces/${ways.spaceId}/content/path/${path}`)).body.id as string
  const redirectTo = async (path: string) => ({
    destination: { kind: 'site-page', siteSpaceId: first, pageId: await idAt(path) },
  })
  const redirects = {
    '/was-shown/inside': 'secret',
    '/was-concealed/inside': 'open',
    '/secret': 'open',
    '/was-concealed/other/*': 'open',
  }
  for (const [source, path] of Object.entries(redirects))
    await done(`POST ${ways.at}/redirects`, { source, ...(await redirectTo(path)) })

  /** Each path, with whether a stranger gets a link to it. */
  const open: Record<string, boolean> = {
    'was-shown/': true,
    'was-shown/inside': false,
    'was-concealed/': false,
    'was-concealed/inside': true,
    'was-concealed/other/x': false,
    secret: true,
  }
  const document = {
    markdown: Object.keys(open)
      .map((path) => `[Words](${ways.address}${path})`)
      .join('\n\n'),
  }
  await done(`PATCH /v1/spaces/${ways.spaceId}`, { editMode: 'live' })
  await done(`POST /v1/spaces/${ways.spaceId}/content`, {
    changes: [{ operation: 'insert_page', title: 'Links', document }],
  })
  for (const [reader, headers] of Object.entries({
    stranger: {},
    pro: bearer({ plan: 'pro', exp: soon() }, ways.privateKey),
  })) {
    const html = (await ways.get(`${ways.base}links`, headers)).text
    for (const [path, isOpen] of Object.entries(open)) {
      const isLink = html.includes(`${new URL(ways.address).pathname}${path}"`)
      assert.equal(isLink, isOpen || reader === 'pro', `${reader}: ${path}`)
      if (isLink) assert((await ways.get(ways.base + path, headers)).status < 400, `${reader}: ${path}`)
    }
  }
})
