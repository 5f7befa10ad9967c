import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { lru } from '../core/lru.ts'
import { filesOf } from '../model/content.ts'
import { fileDownload } from '../model/download.ts'
import { needRevision } from '../model/revision.ts'
import { conditionsOf, matches } from '../http/answer.ts'
import { ApiError } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import { type Answer, answerRedirect, answerText, chooseEncoding, weightOf } from './answers.ts'
import { asset, ASSET_BASE, ASSET_CACHE_CONTROL } from './assets.ts'
import type { Tools } from './compose.ts'
import { fileAddress } from './content.ts'
import { createHighlighter } from './highlight.ts'
import { renderError } from './page.ts'
import { answerPath, mapsOf, pageHeaders } from './pages.ts'
import { chooseVariant, findSite, listOpenSites, type OpenSite } from './resolve.ts'
import { robots } from './texts.ts'

const CACHE_BYTES = 48 * 1024 * 1024
/** Where sites are on the API's own host, for those who cannot have a host name for each organization. */
export const SITES_PATH = '/sites/'
const PLAIN = 'text/plain; charset=utf-8'

export interface SiteServer {
  /** Whether a request is for a site and not for the API. */
  owns(request: IncomingMessage): boolean
  answer(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

export interface SiteLog {
  info(fact: object, message: string): void
  error(fact: object, message: string): void
}

/** Serves published sites, on the host names of their organizations or under a path of the API's host. */
export function siteServer(services: Services, sitesHost: () => string, log: () => SiteLog): SiteServer {
  const { at, newId } = services
  const { read: db } = services.db
  const highlighter = createHighlighter()
  const tools: Tools = { db, at, highlighter }
  const cache = lru<Answer>(CACHE_BYTES)
  const hosts = lru<string>(1_000)
  const rendering = new Map<string, Promise<Answer>>()

  /** The organization's host name in a request's host; empty on the API's own host. */
  function hostnameOf(request: IncomingMessage): string {
    const header = request.headers.host ?? ''
    const known = hosts.get(header)
    if (known !== undefined) return known
    const host = withoutPort(header)
    const suffix = `.${withoutPort(sitesHost())}`
    const isSite = host.endsWith(suffix) && host !== withoutPort(new URL(at.api('')).host)
    const hostname = isSite ? host.slice(0, -suffix.length) : ''
    hosts.set(header, hostname)
    return hostname
  }

  async function respond(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(
        request,
        response,
        await answerText(405, PLAIN, 'A site can only be read.\n', { allow: 'GET, HEAD' }),
      )
    }
    if (path.startsWith(ASSET_BASE)) return send(request, response, await answerAsset(path))

    const [hostname, base] = placeOf(hostnameOf(request), path)
    const rest = path.slice(base.length)
    const [basename = '', ...segments] = rest.split('/')
    if (basename === '') return send(request, response, await answerHost(hostname, base))
    if (basename === 'robots.txt' && segments.length === 0) {
      return send(request, response, await answerText(200, PLAIN, robots(await hostMaps(hostname))))
    }

    const siteBase = `${base}${basename}/`
    const open = await findSite(db, hostname, basename, siteBase)
    if (!open)
      return send(request, response, await answerText(404, PLAIN, 'There is no site at this address.\n'))
    if (segments.length === 0) return send(request, response, answerRedirect(siteBase))
    const within = segments.join('/')
    if (within.includes('~/files/')) return sendFile(open, within, request, response)
    return send(request, response, await kept(open, within))
  }

  /** An answer from memory if nothing changed; a page that several ask for at once is rendered once. */
  async function kept(open: OpenSite, path: string): Promise<Answer> {
    const key = `${open.site.id} ${open.base}${path} ${open.version}`
    const known = cache.get(key)
    if (known) return known
    const running = rendering.get(key)
    if (running) return running

    const work = answerPath(tools, open, path).finally(() => rendering.delete(key))
    rendering.set(key, work)
    const answer = await work
    // Anyone can make up addresses that are not there; they must not push out the pages that are.
    if (answer.status === 200) cache.set(key, answer, weightOf(answer))
    return answer
  }

  async function answerHost(hostname: string, base: string): Promise<Answer> {
    const sites = await listOpenSites(db, hostname)
    const content = sites[0]?.defaultContent
    const chosen = content ? (JSON.parse(content) as { site: string }).site : undefined
    const site = sites.find(({ id }) => id === chosen) ?? sites[0]
    if (!site) return answerText(404, PLAIN, 'There is no site at this address.\n')
    return answerRedirect(`${base}${site.basename}/`, false)
  }

  async function hostMaps(hostname: string): Promise<string[]> {
    const sites = await listOpenSites(db, hostname)
    return mapsOf(
      tools,
      sites.map((site) => ({
        site: { ...site, icon: null, organizationId: '' },
        organizationHostname: hostname,
      })),
    )
  }

  async function sendFile(open: OpenSite, path: string, request: IncomingMessage, response: ServerResponse) {
    const chosen = chooseVariant(open, path)
    const [, fileId = '', hash = '', name = ''] =
      /^~\/files\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(chosen?.rest ?? '') ?? []
    const revision = chosen && (await needRevision(db, chosen.variant.spaceId, chosen.variant.revisionId))
    const file = revision && (await filesOf(db, revision)).get(fileId)
    if (!file)
      return send(request, response, await answerText(404, PLAIN, 'There is no file at this address.\n'))
    // What is kept for a year must be what the address names; an old address leads to what the file is now.
    const address = fileAddress({ base: chosen.base }, file)
    if (!address.endsWith(`/${hash}/${name}`)) return send(request, response, answerRedirect(address, false))

    const { status, headers, body } = await fileDownload(services.blobs, file, conditionsOf(request))
    response.writeHead(status, headers)
    if (!body || request.method === 'HEAD') {
      if (body && 'destroy' in body) body.destroy()
      return void response.end()
    }
    if (Buffer.isBuffer(body)) return void response.end(body)
    // A reader who leaves in the middle is no fault.
    await pipeline(body, response).catch(() => {})
  }

  return {
    owns: (request) => hostnameOf(request) !== '' || isSitePath(request.url ?? ''),
    answer(request, response) {
      const id = newId()
      const started = performance.now()
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
      response.setHeader('x-request-id', id)
      response.setHeader('x-content-type-options', 'nosniff')
      response.once('close', () => {
        const ms = Math.round((performance.now() - started) * 10) / 10
        const { method, headers } = request
        log().info({ id, method, host: headers.host, path, status: response.statusCode, ms }, 'site request')
      })
      respond(request, response, path).catch(async (error: unknown) => {
        if (!(error instanceof ApiError)) log().error({ id, err: error }, 'a site could not answer')
        await sendFailure(request, response, error, id)
      })
    },
    close: () => highlighter[Symbol.asyncDispose]() as Promise<void>,
  }
}

function isSitePath(url: string): boolean {
  return url.startsWith(SITES_PATH) || url.startsWith(ASSET_BASE)
}

/** The organization's host name and where its sites begin: on a host of its own, or under `/sites/<hostname>/`. */
function placeOf(hostname: string, path: string): [hostname: string, base: string] {
  if (hostname !== '') return [hostname, '/']
  const [named = ''] = path.slice(SITES_PATH.length).split('/', 1)
  return [named, `${SITES_PATH}${named}/`]
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

/** The site's own files do not change while the server runs, so each is compressed once. */
const assets = new Map<string, Answer>()

async function answerAsset(path: string): Promise<Answer> {
  const known = assets.get(path)
  if (known) return known
  const found = asset(path)
  if (!found) return answerText(404, PLAIN, 'There is no file at this address.\n')

  const { bytes, contentType } = found
  const headers = { 'cache-control': ASSET_CACHE_CONTROL, 'access-control-allow-origin': '*' }
  const answer = contentType.startsWith('font/')
    ? { status: 200, headers: { 'content-type': contentType, ...headers }, body: { identity: bytes } }
    : await answerText(200, contentType, bytes.toString(), headers)
  assets.set(path, answer)
  return answer
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { etag } = answer.headers
  if (etag && matches(request.headers['if-none-match'], etag)) {
    return void response.writeHead(304, { ...answer.headers }).end()
  }
  const { bytes, encoding } = chooseEncoding(answer, request.headers['accept-encoding'])
  if (encoding) response.setHeader('content-encoding', encoding)
  const headers = answer.headers.location === undefined ? answer.headers : withQuery(answer.headers, request)
  response.writeHead(answer.status, { ...headers, 'content-length': bytes.length })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/** What stands behind an address goes with it to where it leads on the site; addresses elsewhere are as they were given. */
function withQuery(headers: Answer['headers'], { url = '' }: IncomingMessage): Answer['headers'] {
  const at = url.indexOf('?')
  const { location = '' } = headers
  return at < 0 || !location.startsWith('/') ? headers : { ...headers, location: location + url.slice(at) }
}

async function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown, id: string) {
  if (response.headersSent) return void response.destroy()
  if (error instanceof ApiError)
    return send(request, response, await answerText(error.status, PLAIN, `${error.message}\n`))
  const site = { language: 'en', title: 'Documentation', home: '/', tree: [], variants: [] }
  send(
    request,
    response,
    await answerText(500, 'text/html; charset=utf-8', renderError(site, id), pageHeaders()),
  )
}
