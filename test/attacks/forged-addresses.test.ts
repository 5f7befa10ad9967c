/** Every input that makes the server request an address, with addresses that lead to what is not public. */
import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { after, test } from 'node:test'
import type { Services } from '../../src/http/route.ts'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { checkLinks } from '../../src/jobs/check-links.ts'
import { isRecord } from '../../src/core/data/is-record.ts'
import { loadRoutes } from '../../src/server/routes.ts'
import { isLongRun } from '../effort.ts'
import { CRAWL_FILE, type Crawl } from '../../src/core/sources/website/addresses.ts'
import { ApiError } from '../../src/http/errors.ts'
import { CRAWL_LIMITS, crawlWebsite } from '../../src/imports/website.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { forgedAddresses } from './forged-addresses.ts'

/** The links of a page of the website, so few that an import requests all their hosts. */
const PER_PAGE = 15
/** The one private address that may be reached. */
const REDIRECTOR = '127.77.77.77'

let seen = 0
const canaries = [createServer(), createServer()]
const listen = (server: Server, at: number, host: string) =>
  new Promise<number>((done) => server.listen(at, host, () => done((server.address() as AddressInfo).port)))
for (const canary of canaries) canary.on('connection', (socket) => void ((seen += 1), socket.destroy()))
const port = await listen(canaries[0]!, 0, '127.0.0.1')
await listen(canaries[1]!, port, '::1')

const redirects = createHttpServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
  const to = searchParams.get('to')
  if (pathname.startsWith('/site/')) {
    const part = addresses.slice(Number(pathname.slice(6)) * PER_PAGE).slice(0, PER_PAGE)
    const links = part.map((url) => url.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`))
    response.setHeader('content-type', 'text/html')
    response.end(links.map((url) => `<a href="${url}">x</a><img src="${url}">`).join(''))
    return
  }
  if (pathname === '/robots.txt') {
    response.setHeader('content-type', 'text/plain')
    response.end(addresses.map((url) => `Sitemap: ${url}\n`).join(''))
    return
  }
  response.writeHead(to === null ? 404 : Number(pathname.slice(1)), to === null ? {} : { location: to }).end()
})
const redirector = `http://${REDIRECTOR}:${await listen(redirects, 0, REDIRECTOR)}`
after(() => [...canaries, redirects].forEach((server) => server.close()))

/** How often the name was resolved that leads to this machine from the second time on. */
let rebound = 0
const NAMES: Record<string, () => string[]> = {
  'private.example': () => ['127.0.0.1'],
  'rebinding.example': () => [rebound++ === 0 ? REDIRECTOR : '127.0.0.1'],
  'mixed.example': () => [REDIRECTOR, '127.0.0.1'],
  'metadata.example': () => ['169.254.169.254'],
  'mapped.example': () => ['::ffff:127.0.0.1'],
  localhost: () => ['127.0.0.1', '::1'],
}
const world = await createWorld(
  { LECTERN_FETCH_ALLOW: `${REDIRECTOR}/32` },
  {
    lookup: async (host) => {
      const found = NAMES[host.replace(/\.$/, '')]?.()
      if (!found) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
      return found
    },
  },
)
const { ada, organizationId } = world
const addresses = forgedAddresses(port, redirector)
const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, {
  title: 'Live',
  editMode: 'live',
})
const { body: provider } = await ada(`POST /v1/orgs/${organizationId}/oidc`, { label: 'Forged' })

/** An operation at an address, as a specification has it. Its query is only in the request. */
function operationAt(url: string): { server: string; path: string } {
  const found = URL.parse(url)
  const isWeb = found && /^https?:$/.test(found.protocol)
  return isWeb ? { server: found.origin, path: found.pathname } : { server: url, path: '/' }
}
const paths = [...new Set(addresses.map((url) => operationAt(url).path))]
const { spaceId: tried } = await spaceWith(
  world,
  archiveOf({
    'README.md': paths
      .map(
        (path) =>
          `{% openapi-operation spec="tried" path="${path}" method="get" %}\n{% endopenapi-operation %}\n`,
      )
      .join('\n'),
  }),
  'Tried',
)
const place = new URL((await publish(world, tried, 'Tried')).address)
const triedSite = `${world.url}/sites/${place.hostname.split('.')[0]}${place.pathname}`
await ada(`PUT /v1/orgs/${organizationId}/openapi/tried`, {
  source: { text: '{"openapi":"3.1.0","paths":{}}' },
})
await ada(`PATCH /v1/orgs/${organizationId}/openapi/tried`, { requestProxy: true })

/** The addresses that forms offered, so that only the fetch refused them. */
let fetched = 0

/** Crawls a website as an import does, without pauses. @returns the problems */
async function crawl(url: string): Promise<Crawl['problems']> {
  const { fetch, urls } = world.app.services
  const services = { fetch, urls, party: { user: organizationId }, signal: new AbortController().signal }
  await using folder = await crawlWebsite(services, url, { ...CRAWL_LIMITS, pauseMs: 0 })
  return (JSON.parse(readFileSync(join(folder.path, CRAWL_FILE), 'utf8')) as Crawl).problems
}

/** What an input does with an address. @returns the status and the text of the response */
type Input = (url: string) => Promise<{ status: number; text: string }>

const INPUTS: Record<string, Input> = {
  'an import': (url) => ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'markdown' }),
  'an import of a zip archive': (url) =>
    ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'zip' }),
  'an import of a repository': (url) =>
    ada(`POST /v1/spaces/${space.id}/git/import`, { url, ref: 'refs/heads/main', force: true }),
  'an export to a repository': (url) =>
    ada(`POST /v1/spaces/${space.id}/git/export`, { url, ref: 'refs/heads/main', commitMessage: 'Change' }),
  'a connection with a repository': (url) =>
    ada(`PUT /v1/spaces/${space.id}/git/connection`, { url, ref: 'refs/heads/main', force: true }),
  async 'an import of a website'(url) {
    const found = await crawl(url).catch((error: unknown) => error)
    return found instanceof ApiError
      ? { status: found.status, text: found.message }
      : { status: 201, text: '' }
  },
  'a file of a batch': (url) =>
    ada(`POST /v1/spaces/${space.id}/content`, {
      changes: [{ operation: 'insert_files', files: [{ name: 'a.png', url }] }],
    }),
  'the new bytes of a file of a batch': (url) =>
    ada(`POST /v1/spaces/${space.id}/content`, {
      changes: [
        {
          operation: 'insert_files',
          files: [{ name: 'b.txt', base64: 'SGk=', contentType: 'text/plain', ref: 'b' }],
        },
        { operation: 'update_file', file: 'b', url },
      ],
    }),
  async 'the source of a specification'(url) {
    const sent = await ada(`PUT /v1/orgs/${organizationId}/openapi/forged`, { source: { url } })
    if (sent.status !== 200) return sent
    await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
    const { body, text } = await ada(`GET /v1/orgs/${organizationId}/openapi/forged`)
    return { status: body.lastProcessErrorCode === 'FETCH_ERROR' ? 400 : 200, text }
  },
  async 'the specification of a new space'(url) {
    const sent = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Forged', openapiUrl: url })
    if (sent.status !== 201) return sent
    await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
    const { body } = await ada(`GET /v1/orgs/${organizationId}/openapi?limit=1000`)
    const made = (body.items as { id: string; slug: string; lastProcessErrorCode?: string }[]).at(-1)!
    await ada(`DELETE /v1/orgs/${organizationId}/openapi/${made.slug}`)
    await ada(`DELETE /v1/spaces/${sent.body.id}`)
    return { status: made.lastProcessErrorCode === 'FETCH_ERROR' ? 400 : 200, text: JSON.stringify(made) }
  },
  async 'a request that a reader tries'(url) {
    const { server, path } = operationAt(url)
    const info = { openapi: '3.1.0', info: { title: 'x', version: '1' } }
    const text = JSON.stringify({ ...info, servers: [{ url: server }], paths: { [path]: { get: {} } } })
    await ada(`PUT /v1/orgs/${organizationId}/openapi/tried`, { source: { text } })
    world.clock.now = new Date((world.clock.now ?? new Date()).getTime() + 3_000)
    await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
    const { pathname: page } = new URL(triedSite)
    const response = await fetch(`${triedSite}~/try`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ page, spec: 'tried', path, method: 'GET', url, headers: [], body: '' }),
    })
    const answer = await response.text()
    // The page offers no request to such a server.
    if (response.status === 404) return { status: 403, text: answer }
    fetched += 1
    const isRedirect = response.status === 200 && /^\{"status":30\d/.test(answer)
    return { status: isRedirect ? 400 : response.status, text: answer }
  },
  async 'the issuer of OpenID Connect'(url) {
    const changed = await ada(`PATCH /v1/orgs/${organizationId}/oidc/${provider.id}`, {
      issuer: url,
      clientID: 'a',
      clientSecret: 'b',
    })
    if (changed.status !== 200) return changed
    return world.nobody(`GET ${new URL(provider.service.startURL).pathname}`)
  },
}

test('the table is as long as it claims, and names each address once', () => {
  assert(addresses.length >= 120, `${addresses.length}`)
  assert.equal(new Set(addresses).size, addresses.length)
})

for (const [index, [what, send]] of Object.entries(INPUTS).entries()) {
  // By default, the inputs share the addresses, so that each is tried twice; the check of links tries all of them.
  const own = isLongRun() ? addresses : addresses.filter((_, at) => (at + index) % 4 === 0)
  test(`${what} reaches nothing that is not public`, async () => {
    for (const url of own) {
      rebound = 0
      const { status, text } = await send(url)
      // The name that changes is first one that may be reached, where nobody listens at the port of the canary.
      const expected = url.includes('rebinding') ? [400, 403, 503] : [400, 403]
      assert(expected.includes(status), `${url}: ${status} ${text}`)
      assert.equal(seen, 0, `${url} reached the canary`)
    }
  })
}

test('the forms of operations offer most addresses', () => {
  assert(fetched >= (isLongRun() ? 120 : 25), `${fetched}`)
})

test('the pages, images and sitemaps of a website lead to nothing that is not public', async () => {
  const reported: string[] = []
  for (let part = 0; part * PER_PAGE < addresses.length; part += 1)
    for (const { path } of await crawl(`${redirector}/site/${part}`)) reported.push(path)
  assert(reported.length > 100, `${reported.length}`)
  assert.equal(seen, 0)
})

test('the check of links reaches nothing that is not public', async () => {
  const checked: string[] = []
  const { fetch } = world.app.services
  const counted: Services['fetch'] = (url, ...rest) => {
    checked.push(url)
    return fetch(url, ...rest)
  }
  const links = addresses.map((url) => `[x](<${url}>)`).join('\n\n')
  await spaceWith(world, archiveOf({ 'README.md': `# Links\n\n${links}\n` }), 'Links')
  await ada(`PATCH /v1/orgs/${organizationId}`, { checkExternalLinks: true })
  const { services } = world.app
  await checkLinks({ ...services, fetch: counted }, 1)({ organizationId } as never, {} as never)
  assert(checked.length > 100, `${checked.length}`)
  assert.equal(seen, 0)
})

/** Fields with addresses that only browsers follow, by the end of their path. */
const STORED =
  /(?:\/external-links|\/:siteExternalLinkId|\/mcp-servers|\/:siteMcpServerId)\.url$|\.(logo|icon|photoURL|ssoURL|logoutURL|fallbackURL|privacyPolicy\.url|socialPreview\.url|destination\.url|location\.url|target\.url|sources\[\]\.url|(icon|logo)\.(light|dark))$/

/** The fields of a schema that hold an address. */
function addressesOf(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return []
  const { format, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  return [
    ...(format === 'uri' ? [path] : []),
    ...Object.entries(properties as object).flatMap(([name, one]) => addressesOf(one, `${path}.${name}`)),
    ...addressesOf(items, `${path}[]`),
    ...[anyOf, oneOf, allOf].flat().flatMap((one) => addressesOf(one, path)),
  ]
}

test('a body has no other addresses that the server could request', async () => {
  const fields = (await loadRoutes()).flatMap(({ route: { path, body } }) =>
    addressesOf(body, path.slice(path.lastIndexOf('/'))),
  )
  const requested = fields.filter((field) => !STORED.test(field))
  assert.deepEqual([...new Set(requested)].toSorted(), [
    '/:oidcProviderId.issuer',
    '/:specSlug.source.url',
    '/connection.url',
    '/content.changes[].files[].url',
    '/content.changes[].url',
    '/export.url',
    '/import.url',
    '/oidc.issuer',
    '/openapi.source.url',
    '/spaces.openapiUrl',
  ])
})

test('addresses in the settings of a site are only for browsers', async () => {
  const { spaceId } = await spaceWith(
    world,
    archiveOf({ 'README.md': `# Page\n\n![x](http://127.0.0.1:${port}/a.png)\n` }),
  )
  const { siteId, address } = await publish(world, spaceId, 'Settings')
  const path = `/v1/orgs/${organizationId}/sites/${siteId}/customization`
  const { body: settings } = await ada(`GET ${path}`)
  const url = `http://127.0.0.1:${port}/logo.png`
  const both = { light: url, dark: url }
  const changed = await ada(`PUT ${path}`, {
    ...settings,
    header: { ...settings.header, logo: both },
    favicon: { icon: both },
    socialPreview: { url },
  })
  assert.equal(changed.status, 200, changed.text)
  const { host, pathname } = new URL(address)
  const page = await world.nobody(`GET /sites/${host.split('.')[0]}${pathname}`)
  assert(page.text.includes(url))
  for (const found of page.text.matchAll(/(?:href|src|content)="([^"]*~[^"]*)"/g))
    await world.nobody(`GET ${found[1]!.replace(/^https?:\/\/[^/]+/, '')}`)
  assert.equal(seen, 0)
})
