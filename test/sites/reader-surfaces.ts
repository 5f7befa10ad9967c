/** What one reader meets on the surfaces of a site that are no pages: feeds, the protocol for models, and the API. */
import assert from 'node:assert/strict'
import type { Answer, World } from '../world.ts'
import { assertSameText, type siteForReaders } from './reading.ts'

type Site = Awaited<ReturnType<typeof siteForReaders>>

/** How a reader asks. */
export interface SurfaceReader {
  prefix?: string
  headers?: Record<string, string>
  query?: string
}

/** The readers who stand for the others on the surfaces that are no pages, by default. */
export const REPRESENTATIVES = [
  'stranger',
  'right key',
  'expired',
  'claims A',
  'claims B',
  'right key and claims A',
  'unsigned claims',
]

/** What a reader may see beyond the pages for everyone. */
export interface Sees {
  pro: boolean
  beta: boolean
}

/** The pages of the site by their path, and who sees them. */
export const pagesFor = ({ pro, beta }: Sees) => ({ open: true, pro, 'pro/below': pro, beta })
const filesFor = ({ pro }: Sees) => ({ 'everyone.png': true, 'pro.png': pro, 'block.png': pro })

/** The token that a visitor sends to pages by any means. */
export function tokenOf({ headers = {} }: SurfaceReader): string | undefined {
  return (
    /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? /visitor=(.+)$/.exec(headers.cookie ?? '')?.[1]
  )
}

/** Calls a tool of the protocol for models of a site. @param base the path of the site */
export async function callTool(
  world: World,
  base: string,
  call: { name: string; input: object; headers: Record<string, string>; query?: string },
) {
  const { name, input, headers, query = '' } = call
  const accept = 'application/json, text/event-stream'
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const answer = await world.nobody(`POST ${base}~mcp${query}`, message, { ...headers, accept })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.result as { content: [{ text: string }]; isError?: boolean }
}

/** The feed of a page, and what the tools of the protocol find and read. */
export async function checkFeedAndProtocol(
  what: string,
  world: World,
  site: Site,
  reader: SurfaceReader,
  sees: Sees,
): Promise<void> {
  const { prefix = '', headers = {}, query = '' } = reader
  const feed = await site.get(`${prefix}pro/rss.xml${query}`, headers)
  assert.equal(feed.status, sees.pro ? 200 : 404, `${what}: the feed of a page`)
  const mixed = await site.get(`${prefix}mixed/rss.xml${query}`, headers)
  assert.equal(mixed.status, sees.pro ? 200 : 404, `${what}: the feed of a block`)

  const call = (name: string, input: object) =>
    callTool(world, `${site.base}${prefix}`, { name, input, headers, query })
  // A client may make 120 calls in a minute, so a page for each claim stands for the others.
  for (const [path, shown] of Object.entries({ 'pro/below': sees.pro, beta: sees.beta })) {
    const read = await call('read_page', { page: path })
    assert.equal(read.isError !== true, shown, `${what}: ${path} by the protocol`)
  }
  const found = (await call('search_pages', { query: 'secret' })).content[0].text
  assert.equal(found.includes('/mixed'), sees.pro, `${what}: a block is found`)
}

/** Resolves the address of the site as a client of the API does it for a reader. */
export function resolveFor(
  { nobody }: World,
  site: Site,
  reader: SurfaceReader,
  more: object = {},
): Promise<Answer> {
  const jwtToken = tokenOf(reader)
  const url = site.address + (reader.prefix ?? '') + (reader.query ?? '')
  const visitor = jwtToken === undefined ? {} : { visitor: { jwtToken } }
  return nobody('POST /v1/urls/published', { url, ...visitor, ...more })
}

/** What the API shows to a reader with a site token, beside what the pages show. */
export async function checkApi(
  what: string,
  world: World,
  site: Site,
  reader: SurfaceReader,
  sees: Sees,
): Promise<void> {
  const resolved = await resolveFor(world, site, reader)
  assert.equal(resolved.status, 200, `${what}: ${resolved.text}`)
  const { apiToken, space, siteBasePath } = resolved.body
  assert(siteBasePath.endsWith(`/${reader.prefix ?? ''}`), what)
  const read = (path: string) =>
    world.nobody(`GET ${path}`, undefined, { authorization: `Bearer ${apiToken}` })

  const published = await read(`${site.at}/published`)
  assert.equal(published.status, 200, `${what}: ${published.text}`)
  const address = published.body.site.urls.published as string
  const opened = await site.get(here(address), reader.headers)
  assert.equal(opened.status, 200, `${what}: ${address} is open for its reader`)
  const { revision, urls } = (await read(`/v1/spaces/${space}`)).body
  assert.equal(urls.published, address, what)

  const at = `/v1/spaces/${space}/revisions/${revision}`
  const { body: content, text } = await read(at)
  const paths = pathsIn(content.pages)
  for (const [path, shown] of Object.entries(pagesFor(sees))) {
    const place = `${what}: ${path} in the API`
    assert.equal(paths.includes(path), shown, place)
    const page = await read(`${at}/path/${encodeURIComponent(path)}?format=markdown`)
    assert.equal(page.status, shown ? 200 : 404, place)
    if (!shown) continue
    const own = await site.get(`${reader.prefix ?? ''}${path}.md${reader.query ?? ''}`, reader.headers)
    assertSameText(page.body.markdown, own.text, `${place} as Markdown`)
    assert.equal((await read(`${at}/page/${page.body.id}/document`)).status, 200, place)
  }
  await checkSearch(what, world, site, { apiToken, sees })
  assert.doesNotMatch(text, /"condition"|"variables"|visitor\.claims/, what)

  const mixed = (await read(`${at}/path/mixed`)).text
  assert.equal(mixed.includes('The secret text'), sees.pro, `${what}: a block in the API`)
  assert.equal(mixed.includes('The free text'), !sees.pro, `${what}: a block in the API`)
  for (const [name, shown] of Object.entries(filesFor(sees))) {
    const file = (content.files as { id: string; name: string; downloadURL: string }[]).find(
      (one) => one.name === name,
    )
    assert.equal(file !== undefined, shown, `${what}: ${name} in the API`)
    const id = /~\/files\/([^/]+)/.exec(site.file(name))![1]!
    assert.equal((await read(`${at}/files/${id}`)).status, shown ? 200 : 404, `${what}: ${name}`)
    if (file) assert.equal((await site.get(here(file.downloadURL))).status, 200, `${what}: ${name}`)
  }
}

/** What the search of the API finds for the reader of a site token. */
async function checkSearch(
  what: string,
  { nobody }: World,
  site: Site,
  { apiToken, sees }: { apiToken: string; sees: Sees },
): Promise<void> {
  const search = async (query: string) => {
    const body = { query, scope: { mode: 'all' } }
    const answer = await nobody(`POST ${site.at}/search`, body, { authorization: `Bearer ${apiToken}` })
    assert.equal(answer.status, 200, `${what}: ${answer.text}`)
    const spaces = answer.body.items as { pages: { path: string }[] }[]
    return { paths: spaces.flatMap(({ pages }) => pages.map(({ path }) => path)), text: answer.text }
  }
  const shown = { ...pagesFor(sees), mixed: sees.pro }
  const words = { open: 'everyone', pro: 'pro', 'pro/below': 'below', beta: 'beta', mixed: 'secret' }
  for (const [path, isShown] of Object.entries(shown)) {
    const { paths, text } = await search(words[path as keyof typeof words])
    assert.equal(paths.includes(path), isShown, `${what}: ${path} in the search of the API`)
    assert.equal(text.includes('The secret text'), path === 'mixed' && isShown, `${what}: a block is found`)
  }
}

/** The path below `/sites/` of an address on the host of the organization. */
function here(address: string): string {
  const { pathname, search } = new URL(address)
  return `/sites/docs${pathname}${search}`
}

interface Listed {
  path?: string
  pages?: Listed[]
}

function pathsIn(pages: Listed[]): (string | undefined)[] {
  return pages.flatMap(({ path, pages: below = [] }) => [path, ...pathsIn(below)])
}

/** The operations that accept the key of a share link, for a user of another organization. */
export async function checkShareKey(
  what: string,
  stranger: (request: string) => Promise<Answer>,
  site: Site,
  key: string | undefined,
  isOpen: boolean,
): Promise<void> {
  const query = (more = '') => {
    const given = [key === undefined ? '' : `shareKey=${key}`, more].filter(Boolean).join('&')
    return given && `?${given}`
  }
  const operations = [
    `${site.at}/published${query()}`,
    `${site.at}/structure${query()}`,
    `${site.at}/sections${query()}`,
    `${site.at}/site-spaces${query()}`,
    `${site.at}/redirect${query('source=/old')}`,
    `/v1/spaces/${site.spaceId}${query()}`,
  ]
  for (const path of operations) {
    const answer = await stranger(`GET ${path}`)
    assert.equal(answer.status, isOpen ? 200 : 404, `${what}: ${path} ${answer.text}`)
    if (isOpen && !path.includes('/sections'))
      assert(answer.text.includes(`/${key}/`), `${what}: ${path} has addresses with the key`)
  }
}
