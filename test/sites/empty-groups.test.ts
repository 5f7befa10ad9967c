/** A group whose pages a reader does not see is named nowhere. The table has every surface that lists pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listedEntries } from '../../src/core/content/tree/entries.ts'
import { indexTree } from '../../src/core/content/tree/tree.ts'
import type { PageRecord } from '../../src/core/content/revision.ts'
import { createWorld } from '../world.ts'
import { bearer, soon } from './reader-table.ts'
import { indexed } from '../search/indexing.ts'
import { unzip } from '../imports/zip.ts'
import { callTool, resolveFor } from './reader-surfaces.ts'
import { siteForReaders } from './reading.ts'

const world = await createWorld()
const PRO = '---\nif: visitor.claims.plan == "pro"\n---\n\n'
const FREE = '---\nif: visitor.claims.plan == "free"\n---\n\n'
const site = await siteForReaders(world, 'Groups', {
  'README.md': '# Welcome\n\nWelcome.\n',
  'SUMMARY.md':
    '# Summary\n\n* [Welcome](README.md)\n\n## Zebras\n\n* [Pro](pro.md)\n  * [Below](below.md)\n\n## Yaks\n\n* [Free](free.md)\n\n## Wolves\n\n* [For all](all.md)\n* [Also pro](also.md)\n',
  'pro.md': `${PRO}# Pro\n\nA text.\n`,
  'below.md': '# Below\n\nA text.\n',
  'free.md': `${FREE}# Free\n\nA text.\n`,
  'all.md': '# For all\n\nA text.\n',
  'also.md': `${PRO}# Also pro\n\nA text.\n`,
})
assert.equal((await world.ada(`PATCH /v1/spaces/${site.spaceId}`, { editMode: 'live' })).status, 200)
const content = `/v1/spaces/${site.spaceId}/content`
const write = async (...changes: object[]) => {
  const { status, text } = await world.ada(`POST ${content}`, { changes })
  assert.equal(status, 200, text)
}
await write({ operation: 'insert_group', title: 'Vultures' })
const pages = async () =>
  (await world.ada(`GET ${content}/pages`)).body.pages as { id: string; title: string; slug: string }[]
const ids = new Map((await pages()).map(({ id, title }) => [title, id]))
const cards = [...ids]
  .map(([, id]) => `{% content-ref url="/pages/${id}" %}\n[.](/pages/${id})\n{% endcontent-ref %}`)
  .join('\n\n')
// Every group has links that lead to it, in the tree, in a text and in a feed.
await write(
  ...['Zebras', 'Yaks', 'Wolves', 'Vultures'].map((title) => ({
    operation: 'insert_link',
    title: `Link to ${title}`,
    target: { kind: 'page', page: ids.get(title) },
  })),
  {
    operation: 'insert_page',
    title: 'Cards',
    document: {
      markdown: `# Cards\n\n${cards}\n\n{% updates %}\n{% update date="2026-03-03" %}\n## News\n\n${cards}\n{% endupdate %}\n{% endupdates %}\n`,
    },
  },
)
await indexed(world)

/** What each reader sees of the groups. */
const READERS: Record<string, { headers?: Record<string, string>; sees: string[] }> = {
  stranger: { sees: ['Wolves'] },
  pro: {
    headers: bearer({ plan: 'pro', exp: soon() }, site.privateKey),
    sees: ['Zebras', 'Wolves'],
  },
  free: { headers: bearer({ plan: 'free', exp: soon() }, site.privateKey), sees: ['Yaks', 'Wolves'] },
}
const GROUPS = ['Zebras', 'Yaks', 'Wolves', 'Vultures']

/** The texts of the book of the space for the reader of a token. */
async function epubTexts(apiToken: string): Promise<string> {
  const request = `GET ${content.replace('/content', '')}/pdf?format=epub`
  const { body, status, text } = await world.nobody(request, undefined, {
    authorization: `Bearer ${apiToken}`,
  })
  assert.equal(status, 200, text)
  const files = unzip(new Uint8Array(await (await fetch(body.url)).arrayBuffer()), (path) =>
    /\.(?:xhtml|ncx|opf)$/.test(path),
  )
  return [...files.values()].map(String).join('\n')
}

type Read = (path: string) => Promise<string>
interface Surfaces {
  site: Read
  api: Read
  /** What a tool of the protocol for models returns. */
  tool(name: string, input: object): Promise<string>
  /** The texts of the book of the space. */
  epub(): Promise<string>
}
type Surface = (on: Surfaces) => Promise<string>
/** Every surface that lists pages, or names the pages above one. */
const SURFACES: Record<string, Surface> = {
  'a page': ({ site: read }) => read(''),
  'a page with links to groups': ({ site: read }) => read('cards'),
  'the Markdown of a page': ({ site: read }) => read('cards.md'),
  'a part of the tree': ({ site: read }) => read('~/pages/top/0'),
  'a feed': ({ site: read }) => read('cards/rss.xml'),
  'a page of the protocol for models': ({ tool }) => tool('read_page', { page: 'cards' }),
  'the search of the protocol for models': ({ tool }) => tool('search_pages', { query: 'text' }),
  'a book': ({ epub }) => epub(),
  'the search page': ({ site: read }) => read('~/search?q=text'),
  'the index for models': ({ site: read }) => read('llms.txt'),
  'all texts for models': ({ site: read }) => read('llms-full.txt'),
  'the map of the site': ({ site: read }) => read('sitemap-pages.xml'),
  'the page tree of the API': ({ api }) => api('/pages'),
  'the revision of the API': ({ api }) => api(''),
  'the outline of the API': ({ api }) => api('/outline'),
  'the pages of the API with a text': ({ api }) => api('/outline?query=s'),
}
/** The surfaces that show groups. Of the others, no reader learns of one. */
const NAMES_GROUPS = new Set(
  Object.keys(SURFACES).filter((name) => !/^(?:the index|all texts|the map|the search)/.test(name)),
)

for (const [reader, { headers = {}, sees }] of Object.entries(READERS))
  test(`${reader}: a group without pages for the reader is named nowhere`, async () => {
    const { apiToken } = (await resolveFor(world, site, { headers })).body
    const api = (path: string) =>
      world.nobody(`GET ${content}${path}`, undefined, { authorization: `Bearer ${apiToken}` })
    const on = {
      site: async (path: string) => (await site.get(path, headers)).text,
      api: async (path: string) => (await api(path)).text,
      tool: async (name: string, input: object) =>
        (await callTool(world, site.base, { name, input, headers })).content[0].text,
      epub: () => epubTexts(apiToken),
    }
    for (const [surface, read] of Object.entries(SURFACES)) {
      const text = await read(on)
      assert(text.length > 0, surface)
      for (const group of GROUPS) {
        const isSeen = sees.includes(group)
        if (isSeen && !NAMES_GROUPS.has(surface)) continue
        assert.equal(new RegExp(group, 'i').test(text), isSeen, `${surface}: ${group}\n${text}`)
      }
    }
    for (const group of GROUPS) {
      const isSeen = sees.includes(group)
      const id = ids.get(group)!
      const path = group.toLowerCase()
      assert.equal((await api(`/page/${id}`)).status, isSeen ? 200 : 404, group)
      assert.equal((await api(`/path/${path}`)).status, isSeen ? 200 : 404, group)
      assert.equal((await api(`/outline?parent=${id}`)).status, isSeen ? 200 : 404, group)
      assert.equal((await site.get(path, headers)).status, isSeen ? 302 : 404, group)
      const book = await world.nobody(`GET ${content.replace('/content', '')}/pdf?page=${id}`, undefined, {
        authorization: `Bearer ${apiToken}`,
      })
      if (!isSeen) assert.equal(book.status, 404, `${group}: ${book.text}`)
    }
  })

test('a member sees groups as they are, because they fill them', async () => {
  const titles = (await pages()).map(({ title }) => title)
  for (const group of GROUPS) assert(titles.includes(group), group)
})

test('a group within a group is an entry for the sake of a page at any depth', async () => {
  const page = (id: string, type: PageRecord['type'], parent: string | null = null) =>
    [id, { id, type, parent, title: id, slug: id, position: id } as unknown as PageRecord] as const
  const tree = indexTree(
    new Map([
      page('a', 'group'),
      page('b', 'group', 'a'),
      page('c', 'group', 'b'),
      page('page', 'document', 'c'),
      page('d', 'group'),
      page('e', 'group', 'd'),
      page('secret', 'document', 'e'),
      page('f', 'group', 'e'),
    ]),
  )
  const entries = await listedEntries(tree, ({ id }) => id !== 'secret')
  assert.deepEqual([...entries].toSorted(), ['a', 'b', 'c', 'page'])
})
