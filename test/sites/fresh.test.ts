/** Two servers on one database: what one of them writes, the next request to the other shows. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { randomText } from '../../src/core/data/id.ts'
import { insert, update } from '../batches.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { startServer } from '../process.ts'
import { createWorld, type Person } from '../world.ts'
import { jwt, siteForReaders } from './reading.ts'

const LECTERN_SECRET = randomText(48)
const world = await createWorld({ LECTERN_SECRET })
const { ada } = world
const { data, databaseUrl = '' } = world.config
const other = await startServer({
  PORT: '0',
  LECTERN_SECRET,
  LECTERN_DATA: data,
  LECTERN_LOG: 'silent',
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
})
after(() => other.stop('SIGKILL'))
const servers = [world.url, other.url]

const site = await siteForReaders(world, 'Fresh')
const { spaceId: extra } = await spaceWith(world, archiveOf({ 'README.md': '# Extra\n' }), 'Extra')
const { body: pages } = await ada(`GET /v1/spaces/${site.spaceId}/content/pages`)
const open = (pages.pages as { id: string; slug: string }[]).find(({ slug }) => slug === 'open')!

/** Sends a request of the API to a server. */
type Send = (request: string, body?: unknown) => ReturnType<Person>

async function merge(send: Send, change: object) {
  const { id } = (await send(`POST /v1/spaces/${site.spaceId}/change-requests`, { subject: 'A change' })).body
  const at = `/v1/spaces/${site.spaceId}/change-requests/${id}`
  await send(`POST ${at}/content`, { changes: [change] })
  return send(`POST ${at}/merge`)
}
const pro = () => ({ authorization: `Bearer ${jwt(site.privateKey, { plan: 'pro' })}` })

interface Change {
  what: string
  /** Makes the change with a different value each time, by a server. */
  make(send: Send, n: number): Promise<unknown>
  /** Where it shows, and what the response then has: a status, or a part of the text. */
  shows: [path: string, expected: (n: number) => number | RegExp, headers?: () => Record<string, string>][]
}

const CHANGES: Change[] = [
  {
    what: 'a merge',
    make: (send, n) =>
      merge(send, update(open.id, { document: { markdown: `# Open\n\nText number ${n}.\n` } })),
    shows: ['open', 'open.md', 'llms-full.txt'].map((path) => [
      path,
      (n) => new RegExp(`Text number ${n}\\.`),
    ]),
  },
  {
    what: 'a new page',
    make: (send, n) => merge(send, insert(`# Page ${n}\n`)),
    shows: ['open', 'llms.txt', 'sitemap-pages.xml'].map((path) => [
      path,
      (n) => new RegExp(`/page-${n}\\b`),
    ]),
  },
  {
    what: 'the title of the site',
    make: (send, n) => send(`PATCH ${site.at}`, { title: `Fresh ${n}` }),
    shows: [['open', (n) => new RegExp(`Fresh ${n}`)]],
  },
  {
    what: 'a setting of the site',
    make: (send, n) => send(`PUT ${site.at}/customization`, { footer: { copyright: `Copyright ${n}` } }),
    shows: [['open', (n) => new RegExp(`Copyright ${n}`)]],
  },
  {
    what: 'a redirect',
    make: (send, n) =>
      send(`POST ${site.at}/redirects`, {
        source: `/from-${n}`,
        destination: { kind: 'external', url: 'https://example.com/' },
      }),
    shows: [
      ['from-1', () => 307],
      ['from-2', (n) => (n > 1 ? 307 : 404)],
    ],
  },
  {
    what: 'another space',
    make: (send, n) =>
      n % 2 === 1
        ? send(`POST ${site.at}/site-spaces`, { spaceId: extra })
        : send(`DELETE ${site.at}/site-spaces/${siteSpaceOf(extra)}`),
    shows: [['extra/', (n) => (n % 2 === 1 ? 200 : 404)]],
  },
  {
    what: 'the language of a space',
    make: (send, n) => send(`PATCH /v1/spaces/${site.spaceId}`, { language: n % 2 === 1 ? 'de' : 'fr' }),
    shows: [['open', (n) => (n % 2 === 1 ? /<html lang="de"/ : /<html lang="fr"/)]],
  },
  {
    what: 'adaptive content',
    make: (send, n) => send(`PATCH ${site.at}`, { adaptiveContent: { enabled: n % 2 === 0 } }),
    shows: [['pro', (n) => (n % 2 === 0 ? 200 : 404), pro]],
  },
  {
    what: 'the visibility of the site',
    make: (send, n) => send(`PATCH ${site.at}`, { visibility: n % 2 === 1 ? 'share-link' : 'public' }),
    shows: ['open', 'open.md', 'llms.txt'].map((path) => [path, (n) => (n % 2 === 1 ? 404 : 200)]),
  },
  {
    what: 'the end of publication',
    make: (send, n) => send(`POST ${site.at}/${n % 2 === 1 ? 'unpublish' : 'publish'}`),
    shows: ['open', 'open.md', 'llms.txt'].map((path) => [path, (n) => (n % 2 === 1 ? 404 : 200)]),
  },
  {
    what: 'the address of the site',
    make: (send, n) => send(`PATCH ${site.at}`, { basename: `fresh-${n}` }),
    shows: [
      ['/sites/docs/fresh-1/open', (n) => (n === 1 ? 200 : 301)],
      ['/sites/docs/fresh-2/open', (n) => (n === 2 ? 200 : 404)],
    ],
  },
]

let siteSpaces: { id: string; space: { id: string } }[] = []
const siteSpaceOf = (spaceId: string) => siteSpaces.find(({ space }) => space.id === spaceId)?.id

for (const { what, make, shows } of CHANGES) {
  test(`${what} shows with the next request to the other server`, async () => {
    const address = (server: string, path: string) =>
      server + (path.startsWith('/') ? path : site.base + path)
    const get = (server: string, [path, , headers]: Change['shows'][number], etag?: string) =>
      world.nobody(`GET ${address(server, path)}`, undefined, {
        ...headers?.(),
        ...(etag ? { 'if-none-match': etag } : {}),
      })
    for (const n of [1, 2]) {
      siteSpaces = (await ada(`GET ${site.at}/site-spaces`)).body.items
      const [writer = '', reader = ''] = n === 1 ? servers : servers.toReversed()
      // Both have the pages in their caches.
      const known: (string | undefined)[] = []
      for (const one of shows) {
        await get(writer, one)
        known.push((await get(reader, one)).headers.get('etag') ?? undefined)
      }
      const send: Send = (request, body) => {
        const [method, path] = request.split(' ')
        return ada(`${method} ${writer}${path}`, body)
      }
      const made = (await make(send, n)) as Awaited<ReturnType<Person>>
      assert(made.status < 300, made.text)
      for (const [i, one] of shows.entries()) {
        const expected = one[1](n)
        const { status, text } = await get(reader, one, known[i])
        const place = `${one[0]}, change ${n}: ${status} ${text.slice(0, 200)}`
        if (typeof expected === 'number') assert.equal(status, expected, place)
        else assert.match(text, expected, place)
      }
    }
  })
}
