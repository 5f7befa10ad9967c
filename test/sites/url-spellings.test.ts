/**
 * A full URL of a site is the same link however it is spelled: what a browser makes of it decides. The table has the
 * spellings and every kind of link.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeEntities } from '../../src/core/document/markdown/entities.ts'
import { openBody } from '../../src/core/reading/body.ts'
import { fullUrl } from '../../src/core/document/sanitize.ts'
import { createWorld } from '../world.ts'
import { resolveFor } from './reader-surfaces.ts'
import { bearer, soon } from './reader-table.ts'
import { siteForReaders } from './reading.ts'

const world = await createWorld()
const { address: probe } = await siteForReaders(world, 'Probe', { 'README.md': '# Start\n' })
const home = new URL(probe.replace('probe', 'spelled'))
const { protocol, host, hostname, pathname } = home
const port = home.port === '' ? '' : `:${home.port}`

/** The spellings of the URL of a page of the site. A browser makes the same of all, wherever they are. */
const SPELLINGS: Record<string, (page: string) => string> = {
  plain: (page) => `${protocol}//${host}${pathname}${page}`,
  'without a scheme': (page) => `//${host}${pathname}${page}`,
  'with backslashes': (page) => `${protocol}\\\\${host}${pathname.replaceAll('/', '\\')}${page}`,
  'with mixed slashes': (page) => `${protocol}/\\${host}${pathname}${page}`,
  'with one slash': (page) => `https:/${host}${pathname}${page}`,
  'without slashes': (page) => `https:${host}${pathname}${page}`,
  'with many slashes': (page) => `${protocol}////${host}${pathname}${page}`,
  'in capitals': (page) => `${protocol.toUpperCase()}//${host.toUpperCase()}${pathname}${page}`,
  'with a complete host name': (page) => `${protocol}//${hostname}.${port}${pathname}${page}`,
  'with a port': (page) => `https://${hostname}:443${pathname}${page}`,
  'with a user': (page) => `${protocol}//user:word@${host}${pathname}${page}`,
  'with encoded letters': (page) =>
    `${protocol}//${host}${pathname}%${page.charCodeAt(0).toString(16)}${page.slice(1)}`,
  'with encoded letters of the site': (page) => `${protocol}//${host}/%73pelled/${page}`,
  'with an encoded host': (page) => `${protocol}//${host.replace('d', '%64')}${pathname}${page}`,
  'with wide letters in the host': (page) => `${protocol}//${host.replace('d', '\uff44')}${pathname}${page}`,
  'with a dot': (page) => `${protocol}//${host}/.${pathname}./${page}`,
  'with two dots': (page) => `${protocol}//${host}${pathname}x/../${page}`,
  'with encoded dots': (page) => `${protocol}//${host}${pathname}x/%2e%2E/${page}`,
  'with a slash at the end': (page) => `${protocol}//${host}${pathname}${page}/`,
  'with a query': (page) => `${protocol}//${host}${pathname}${page}?a=1&b=2`,
  'with a tab': (page) => `${protocol}//${host}${pathname}${page.slice(0, 1)}\t${page.slice(1)}`,
  'with a line break': (page) => `${protocol}//${host}\n${pathname}${page}`,
}

/** As an attribute of HTML. Markdown decodes the same references. */
const encoded = (url: string) => url.replace(/[&"'\t\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const inMarkdown = (url: string) => encoded(url).replaceAll('\\', '\\\\')
/** HTML reads references without semicolons too. */
const withoutSemicolons = (url: string) => `&#${url.charCodeAt(0)}${encoded(url).slice(1)}`
/** Every kind of link. A tag cannot have tabs and line breaks in its values. */
const KINDS: Record<string, (url: string) => string> = {
  'a link': (url) => `[Words](${inMarkdown(url)})`,
  'a link in HTML': (url) => `<p><a href="${encoded(url)}">Words</a></p>`,
  'raw HTML': (url) => `<div align="center"><a href="${encoded(url)}">Words</a></div>`,
  'raw HTML with other quotes': (url) => `<div align="center"><a href='${encoded(url)}'>Words</a></div>`,
  'raw HTML without quotes': (url) => `<div align="center"><a href=${encoded(url)}>Words</a></div>`,
  'raw HTML with references': (url) =>
    `<div align="center"><a href="${withoutSemicolons(url)}">Words</a></div>`,
  'a quotation in raw HTML': (url) => `<div align="center"><q cite="${encoded(url)}">Words</q></div>`,
  'a frame': (url) => `<div align="center"><iframe src="${encoded(url)}"></iframe></div>`,
  'an image': (url) =>
    `<a href="${encoded(url)}"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="x"></a>`,
  'a button': (url) => `<a href="${encoded(url)}" class="button primary">Words</a>`,
  'a block for a page': (url) =>
    `{% content-ref url="${url.replace(/[\t\n]/, '')}" %}\n[Words](${inMarkdown(url)})\n{% endcontent-ref %}`,
  'a block of an integration': (url) => `{% @own/card url="${url.replace(/[\t\n]/, '')}" %}`,
  'an embedded page': (url) => `{% embed url="${url.replace(/[\t\n]/, '')}" %}`,
  cards: (url) =>
    `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card</td><td><a href="${encoded(url)}">Words</a></td></tr></tbody></table>`,
  'a cell': (url) => `| Column |\n| --- |\n| [Words](${inMarkdown(url)}) |`,
}
const fileOf = (kind: string, page: string) => `${kind.replaceAll(' ', '-').toLowerCase()}-${page}.md`
const texts = Object.entries(KINDS).flatMap(([kind, link]) =>
  ['secret', 'open'].map((page) => [
    fileOf(kind, page === 'secret' ? 'hidden' : page),
    `# Links\n\n${Object.values(SPELLINGS)
      .map((spell) => link(spell(page)))
      .join('\n\n')}\n`,
  ]),
)
const site = await siteForReaders(world, 'Spelled', {
  'README.md': '# Start\n',
  'secret.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Secret\n\n![Picture](secret.gif)\n',
  'open.md': '# Open\n\n![Picture](open.gif)\n',
  'secret.gif': 'GIF89a secret',
  'open.gif': 'GIF89a open',
  ...Object.fromEntries(texts),
})
assert.equal(site.address, home.href)

test('a browser makes the same of all spellings', () => {
  for (const [name, spell] of Object.entries(SPELLINGS)) {
    const { hostname: found, pathname: path } = fullUrl(spell('open'))!
    assert.equal(found.replace(/\.$/, ''), hostname, name)
    assert.match(path, /^\/(?:s|%73)pelled\/(?:\.\/)?(?:open|%6fpen)\/?$/, name)
  }
  for (const other of [
    'a',
    '/a',
    '?a',
    '#a',
    '',
    'mailto:a@b.c',
    'tel:1',
    'javascript:a',
    'data:text/html,a',
    'a:b',
    '//',
  ])
    assert.equal(fullUrl(other), undefined, other)
})

/** The addresses of a page to which a browser goes from a page of the site. */
function destinations(html: string, from: string): string[] {
  const attributes = [...html.matchAll(/\s(?:href|src|cite|data-[\w-]+)="([^"]*)"/g)]
  return attributes.flatMap(([, value = '']) => {
    const url = URL.parse(decodeEntities(value), from)
    return url?.hostname.replace(/\.$/, '') === hostname ? [decodeURIComponent(url.pathname)] : []
  })
}

const READERS = {
  stranger: { headers: {}, sees: false },
  pro: { headers: bearer({ plan: 'pro', exp: soon() }, site.privateKey), sees: true },
}
for (const [reader, { headers, sees }] of Object.entries(READERS))
  test(`${reader}: a link in any spelling`, async () => {
    const { apiToken } = (await resolveFor(world, site, { headers })).body
    const authorization = `Bearer ${apiToken}`
    const api = (path: string) =>
      world.nobody(`GET /v1/spaces/${site.spaceId}/content${path}`, undefined, { authorization })
    for (const kind of Object.keys(KINDS)) {
      const path = (page: string) => fileOf(kind, page).slice(0, -3)
      for (const page of ['open', 'hidden']) {
        const isShown = sees || page === 'open'
        const name = page === 'open' ? 'open' : 'secret'
        const html = (await site.get(path(page), headers)).text
        const found = destinations(html, `${home.href}${path(page)}`).filter((one) =>
          new RegExp(`/${name}(?:/|$)`).test(one),
        )
        const spellings = Object.keys(SPELLINGS).length
        if (isShown) assert(found.length >= spellings, `${kind}: ${found.length} of ${spellings}`)
        else assert.deepEqual(found, [], kind)
        const { id } = (await api(`/path/${path(page)}`)).body
        const others = {
          Markdown: (await site.get(`${path(page)}.md`, headers)).text,
          'Markdown of the API': (await api(`/page/${id}?format=markdown`)).text,
          'document of the API': (await api(`/page/${id}/document`)).text,
        }
        if (!isShown)
          for (const [surface, text] of Object.entries(others))
            assert.deepEqual(text.match(/.{0,80}ecret.{0,20}/gi) ?? [], [], `${kind}: ${surface}`)
      }
    }
  })

const done = async (request: string, body: object) => {
  const { status, text } = await world.ada(request, body)
  assert(status < 300, `${request}: ${text}`)
}

test('the address of a file in any spelling', async () => {
  const textOf = (file: string) =>
    Object.values(KINDS)
      .flatMap((link) => Object.values(SPELLINGS).map((spell) => link(spell(site.file(file)))))
      .join('\n\n')
  await done(`PATCH /v1/spaces/${site.spaceId}`, { editMode: 'live' })
  await done(`POST /v1/spaces/${site.spaceId}/content`, {
    changes: ['open', 'secret'].map((name) => ({
      operation: 'insert_page',
      title: `Files ${name === 'open' ? name : 'hidden'}`,
      document: { markdown: textOf(`${name}.gif`) },
    })),
  })
  // In the values of two kinds of tags, a backslash before a tilde is no slash.
  const count = Object.keys(KINDS).length * Object.keys(SPELLINGS).length - 2
  for (const { headers, sees } of Object.values(READERS)) {
    const found = async (path: string, name: string) =>
      destinations((await site.get(path, headers)).text, home.href + path).filter((one) => one.includes(name))
    const open = await found('files-open', 'open.gif')
    assert(open.length >= count, `${open.length} of ${count}`)
    const hidden = await found('files-hidden', 'secret.gif')
    if (sees) assert(hidden.length >= count)
    else assert.deepEqual(hidden, [])
    const { text } = await site.get('files-hidden.md', headers)
    assert.equal(text.includes('secret.gif'), sees)
  }
})

/** The settings and redirects take only URLs with a scheme and two slashes. */
const strict = Object.entries(SPELLINGS).filter(([, spell]) => /^https?:\/\//i.test(spell('open')))
for (const [reader, { headers, sees }] of Object.entries(READERS))
  test(`${reader}: a link of the settings and a redirect in any spelling`, async () => {
    for (const page of ['secret', 'open']) {
      const isShown = sees || page === 'open'
      const links = strict.map(([title, spell]) => ({
        title: `Entry ${title}`,
        to: { kind: 'url', url: spell(page).replace(/[\t\n]/g, '') },
      }))
      await done(`PUT ${site.at}/customization`, {
        header: { links: links.map((link) => ({ ...link, links: [link] })) },
        footer: { groups: links.map((link) => ({ title: 'Group', links: [link] })) },
      })
      const html = (await site.get('open', headers)).text
      const { apiToken } = (await resolveFor(world, site, { headers })).body
      const authorization = `Bearer ${apiToken}`
      const { text } = await world.nobody(`GET ${site.at}/published`, undefined, { authorization })
      for (const { title } of links) {
        assert.equal(html.includes(title), isShown, title)
        assert.equal(text.includes(title), isShown, title)
      }
      for (const [at, { to }] of links.entries()) {
        const source = `/${reader}-${page}-${at}`
        const redirect = { source, destination: { kind: 'external', url: to.url } }
        // A redirect takes neither a user nor a host in other letters.
        if ((await world.ada(`POST ${site.at}/redirects`, redirect)).status === 400) continue
        const { status } = await site.get(source.slice(1), headers)
        assert.equal(status, isShown ? 307 : 404, to.url)
      }
    }
  })

test('entries of the page tree in any spelling', async () => {
  for (const page of ['secret', 'open']) {
    const changes = Object.entries(SPELLINGS).map(([title, spell]) => ({
      operation: 'insert_link',
      title: `Entry to ${page === 'open' ? page : 'sesame'} ${title}`,
      target: { kind: 'url', url: spell(page) },
    }))
    await done(`PATCH /v1/spaces/${site.spaceId}`, { editMode: 'live' })
    for (const change of changes) {
      const { status, text } = await world.ada(`POST /v1/spaces/${site.spaceId}/content`, {
        changes: [change],
      })
      assert([200, 400].includes(status), text)
    }
  }
  for (const { headers, sees } of Object.values(READERS)) {
    const { apiToken } = (await resolveFor(world, site, { headers })).body
    const authorization = `Bearer ${apiToken}`
    const tree = await world.nobody(`GET /v1/spaces/${site.spaceId}/content/pages`, undefined, {
      authorization,
    })
    const html = (await site.get('open', headers)).text
    for (const text of [tree.text, html]) {
      assert(text.split('Entry to open').length > Object.keys(SPELLINGS).length / 2)
      assert.equal(text.includes('Entry to sesame'), sees)
    }
  }
})

test('a URL of the site that nobody decided about is no link', () => {
  const places = [{ hostname: 'docs.example.com', path: '/my site/' }]
  const source = (url: string) => `[Words](${url})`
  for (const [url, isLink] of [
    ['https://docs.example.com/my%20site/page', false],
    ['https://DOCS.example.com.:8443/%6dy%20site', false],
    ['https:/docs.example.com/x/../my%20site/page', false],
    ['https://docs.example.com/other/page', true],
    ['https://docs.example.com/my%20sites/page', true],
    ['https://example.com/my%20site/page', true],
  ] as const) {
    const page = { hash: url, source: source(url), references: new Map() }
    const task = { page, included: new Map(), targets: new Map(), own: places, scope: {}, specs: new Map() }
    const { context } = openBody(task)
    assert.equal(context.href({ kind: 'url', url })?.href !== undefined, isLink, url)
  }
})

test('descriptions of an OpenAPI specification link to no hidden page', async () => {
  const paths = {
    '/pets': {
      get: {
        description: `See [open](${home.href}open) and [the other](${home.href}secret). Or ${home.href}open.`,
        responses: { 200: { description: `More at <${home.href}secret>` } },
      },
    },
  }
  const source = JSON.stringify({ openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths })
  await done(`POST /v1/orgs/${world.organizationId}/openapi`, { slug: 'pets', source: { text: source } })
  const markdown =
    '{% openapi-operation spec="pets" path="/pets" method="get" %}\n[pets](/-/openapi/pets)\n{% endopenapi-operation %}'
  const insert = { operation: 'insert_page', title: 'Pets', document: { markdown } }
  await done(`POST /v1/spaces/${site.spaceId}/content`, { changes: [insert] })
  for (const { headers, sees } of Object.values(READERS)) {
    const found = destinations((await site.get('pets', headers)).text, `${home.href}pets`)
    assert(found.filter((path) => path.endsWith('/open')).length >= 2)
    assert.equal(
      found.some((path) => path.endsWith('/secret')),
      sees,
    )
  }
})
