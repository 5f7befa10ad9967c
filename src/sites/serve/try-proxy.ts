/** Sends requests that readers try on a page, for specifications that permit it, if the API refuses those of browsers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRecord } from '../../core/data/is-record.ts'
import { isUrlOf } from '../../core/openapi/try-it.ts'
import { forbidden, invalid, missing, tooMany } from '../../http/errors.ts'
import { inFlight } from '../../http/limits/in-flight.ts'
import { networksOf, type Network } from '../../http/limits/networks.ts'
import type { Outgoing } from '../../http/outgoing/connect.ts'
import type { Services } from '../../http/route.ts'
import { proxiedSpecs } from '../../model/openapi/stored-parts.ts'
import { operationOnPage } from '../../model/sites/published/content/body.ts'
import type { OpenSite } from '../../model/sites/published/open-site.ts'
import { pageAtPath } from '../../model/sites/published/resolve/page-at-path.ts'
import { readableBySandbox, TRY_PATH } from './pages/page-headers.ts'
import { because } from '../../core/languages/reasons.ts'

/** Requests of one network in a minute. */
const MOST_REQUESTS = 30
/** The largest response of an API, in bytes, and the time that it may take. */
const MOST_BYTES = 1024 * 1024
const TIMEOUT_MS = 15_000
const [LONGEST_TEXT, LONGEST_URL, MOST_HEADERS, LONGEST_HEADERS] = [2_000, 8_000, 50, 16_384]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers that belong to a connection, that browsers set, that name a client to the servers behind a proxy, and cookies. */
const NOT_SENT =
  /^(?:accept-encoding|connection|content-length|cookie2?|expect|forwarded|host|http2-settings|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|user-agent|via|x-real-ip|(?:proxy|sec|x-forwarded|cf|x-amz-cf|x-envoy|x-vercel|fly|true-client)-.*)$/
/** Headers of responses that mean nothing to readers, and those that set cookies. */
const NOT_RETURNED = /^(?:connection|keep-alive|set-cookie2?|transfer-encoding|proxy-.*)$/

/** Browsers neither show nor run what a response with these headers has. */
const INERT = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment; filename="response"',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-store',
}

/** Whether a request wants another one to be sent, by its URL alone. */
export const isTryRequest = ({ originalUrl }: FastifyRequest) =>
  originalUrl.split('?', 1)[0]!.endsWith(`/${TRY_PATH}`)

interface WantedRequest {
  /** The path of the page on its host. */
  page: string
  spec: string
  /** The path of the operation in the specification. */
  path: string
  method: (typeof METHODS)[number]
  url: URL
  headers: Record<string, string>
  body: Buffer
}

/**
 * Sends a request to an operation that its reader sees on a page, and returns the response as JSON: `status`, `headers`
 * and `body`, in base64. Neither is stored or logged. A redirect is returned and not followed.
 */
export function tryEndpoint({
  db,
  urls,
  fetch,
  now,
  rates,
}: Pick<Services, 'db' | 'urls' | 'fetch' | 'now' | 'rates'>) {
  const services = { db: db.read, urls }
  const take = rates.limiter('try', MOST_REQUESTS)
  const room = inFlight(
    { total: 32 * MOST_BYTES, share: 4 * MOST_BYTES, waiting: 32 * MOST_BYTES, waitMs: 5_000 },
    'requests to APIs',
  )

  return async (open: OpenSite, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The errors too must be readable for a page in an opaque origin.
    reply.headers({ ...INERT, ...readableBySandbox(open) })
    const from = request.headers['sec-fetch-site']
    if (!open.sandboxed && from !== undefined && from !== 'same-origin')
      throw forbidden(because('from-page-of-site'))
    const networks = networksOf(request.ip)
    const { over, reset } = take(networks, now())
    if (over) {
      const seconds = Math.max(1, reset - Math.floor(now().getTime() / 1000))
      throw tooMany(because('too-many-requests', { seconds }), seconds)
    }
    const wanted = readWanted(request.body)
    await demandSeen(open, wanted)

    const { url, method, headers, body } = wanted
    const outgoing: Outgoing = { method, headers, ...(body.length > 0 ? { body } : {}) }
    // A slow API takes no more room than a large network, so that it does not keep readers of other sites out.
    const site: Network = { name: `organization ${open.site.organizationId}`, level: 2 }
    const release = await room.take([...networks, site], MOST_BYTES)
    try {
      const bounds = { maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects: 'none' as const }
      const response = await fetch(url.href, bounds, outgoing)
      const bytes = await response.bytes()
      const returned = Object.entries(response.headers).filter(([name]) => !NOT_RETURNED.test(name))
      const text = { status: response.status, headers: returned, body: bytes.toString('base64') }
      return await reply.code(200).send(Buffer.from(JSON.stringify(text)))
    } finally {
      release()
    }
  }

  /** @throws 404 unless the reader sees the operation on the page, and its specification permits requests */
  async function demandSeen(open: OpenSite, { page, spec, path, method, url }: WantedRequest): Promise<void> {
    const permitted = await proxiedSpecs(db.read, open.site.organizationId, [spec])
    const found = permitted.has(spec) ? await pageAtPath(services, open, page) : undefined
    const operation =
      found && (await operationOnPage(services, found.content, found.page, { spec, path, method }))
    if (!operation) throw missing(because('operation-not-on-page'))
    if (!isUrlOf(url, operation)) throw invalid(because('url-of-other-operation'))
  }
}

/** The request in a body. It is text, because browsers ask before they send JSON from an opaque origin. */
function readWanted(body: unknown): WantedRequest {
  const sent = typeof body === 'string' ? parsed(body) : undefined
  if (!isRecord(sent)) throw invalid(because('try-not-object'))
  const method = METHODS.find((one) => one === sent['method'])
  if (method === undefined) throw invalid(because('try-method-unknown', { methods: METHODS.join(', ') }))
  const url = textIn(sent, 'url', LONGEST_URL)
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw invalid(because('try-url-scheme'))
  const bytes = textIn(sent, 'body', Infinity)
  if (!/^[\w+/]*={0,2}$/.test(bytes)) throw invalid(because('try-body-not-base64'))
  return {
    page: textIn(sent, 'page', LONGEST_TEXT),
    spec: textIn(sent, 'spec', LONGEST_TEXT),
    path: textIn(sent, 'path', LONGEST_TEXT),
    method,
    url: new URL(url),
    headers: headersIn(sent['headers']),
    body: method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(bytes, 'base64'),
  }
}

function textIn(sent: Record<string, unknown>, name: string, longest: number): string {
  const value = sent[name]
  if (typeof value !== 'string' || value.length > longest)
    throw invalid(because('try-text-too-long', { name, limit: longest }))
  return value
}

function headersIn(value: unknown): Record<string, string> {
  const isPair = (one: unknown): one is [string, string] =>
    Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string')
  if (!Array.isArray(value) || value.length > MOST_HEADERS || !value.every(isPair))
    throw invalid(because('try-too-many-headers', { limit: MOST_HEADERS }))
  const headers: Record<string, string> = {}
  let length = 0
  for (const [given, text] of value) {
    const name = given.toLowerCase()
    length += name.length + text.length
    if (!NAME.test(name) || !VALUE.test(text) || length > LONGEST_HEADERS)
      throw invalid(because('try-headers-invalid', { limit: LONGEST_HEADERS }))
    if (!NOT_SENT.test(name)) headers[name] = text
  }
  return headers
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
