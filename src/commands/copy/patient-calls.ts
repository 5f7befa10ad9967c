/** Calls of an API that wait for as long as the server asks for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BareCall, RefusedCall, type ServerAccess } from '../client.ts'
import { UsageError } from '../usage.ts'
import { type JsonRecord, jsonRecord, jsonRecords, someText } from './json.ts'

/** The largest response that is read: the page tree of the largest space has about half as many bytes. */
const MOST_BYTES = 200 * 1024 * 1024
/** The longest wait for one request, in all of its attempts. A run that would wait longer ends, and another continues it. */
const LONGEST_WAIT_MS = 20 * 60_000
const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 60_000
/** How often a request that may have been processed is sent again; only requests that change nothing are. */
const REPEATS = 4
const TIMEOUT_MS = 5 * 60_000

/** Settings of the calls. */
export interface PatientSettings {
  /** The name of the server in messages, such as "The source". */
  name: string
  /** Gets the seconds before each wait. */
  waiting?: ((seconds: number) => void) | undefined
  wait?: ((ms: number) => Promise<unknown>) | undefined
}

/** A server that refuses the token, or cannot be reached: nothing else can be read from it or written to it either. */
class LostServer extends UsageError {}

/**
 * Calls that are sent again after the time in `Retry-After` if the server limits requests (429) or is not ready (503).
 * Requests that change nothing are also sent again if the connection breaks or the server fails.
 * @returns calls that throw a `RefusedCall` with the status, or a `LostServer`
 */
export function patientCalls(
  server: ServerAccess,
  { name, waiting, wait = sleep }: PatientSettings,
): BareCall {
  return async (method, path, body) => {
    let waited = 0
    for (let tries = 1; ; tries++) {
      const response = await request(server, method, path, body).catch((error: unknown) => error as Error)
      const delay = delayBefore(response, method, tries)
      if (delay === undefined || waited + delay > LONGEST_WAIT_MS) {
        if (response instanceof Error)
          throw new LostServer(`${name} at ${server.url} cannot be reached: ${causeOf(response)}`)
        return answerIn(response, `${method} /v1${path}`, name)
      }
      if (!(response instanceof Error)) await response.body?.cancel()
      waited += delay
      waiting?.(Math.ceil(delay / 1000))
      await wait(delay)
    }
  }
}

function request({ url, token }: ServerAccess, method: string, path: string, body?: JsonRecord) {
  return fetch(`${url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    // The token is for this server, and for no other one to which it may send requests.
    redirect: 'manual',
    ...(method === 'GET' ? { signal: AbortSignal.timeout(TIMEOUT_MS) } : {}),
  })
}

/** The time before a request is sent again; undefined if it is not. */
function delayBefore(response: Response | Error, method: string, tries: number): number | undefined {
  const growing = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1))
  const isRepeated = method === 'GET' && tries <= REPEATS
  if (response instanceof Error) return isRepeated ? growing : undefined
  const { status, headers } = response
  if (status === 429 || status === 503) return askedDelay(headers) ?? growing
  return status >= 500 && status !== 501 && isRepeated ? growing : undefined
}

/** The time in `Retry-After`, in seconds or as a date, or else until `X-RateLimit-Reset`. */
function askedDelay(headers: Headers): number | undefined {
  const after = headers.get('retry-after')
  if (after !== null && /^\d+$/.test(after)) return Number(after) * 1000
  const date = after === null ? Number.NaN : Date.parse(after)
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now())
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  return reset > 0 ? Math.max(FIRST_WAIT_MS, reset * 1000 - Date.now()) : undefined
}

/** The body of a response. @throws RefusedCall, LostServer */
async function answerIn(response: Response, what: string, name: string): Promise<JsonRecord> {
  const { status } = response
  if (status === 204 || status === 205) return {}
  const answer = parsedJson(await boundedText(response, what))
  if (response.ok && answer !== undefined) return answer
  const { message } = jsonRecord(answer?.error)
  const reason = someText(message) ?? `${what} returned ${status}`
  if (status === 401) throw new LostServer(`${name} refuses the token: ${reason}`)
  if (response.ok) throw new LostServer(`${what} returned no JSON, so ${response.url} is not the API`)
  throw new RefusedCall(reason, status)
}

async function boundedText(response: Response, what: string): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  // A body that ends too early is as if there were none.
  const body = (response.body ?? []) as AsyncIterable<Uint8Array>
  for await (const part of body) {
    size += part.length
    if (size > MOST_BYTES) throw new RefusedCall(`${what} returned more than ${MOST_BYTES} bytes`, 413)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parsedJson(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as JsonRecord) : undefined
  } catch {
    return undefined
  }
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

const PAGE_SIZE = 100
/** A server that sends a new cursor for ever is wrong. */
const MOST_PAGES = 100_000

/** All items of a list, read page by page. */
export async function listed(
  call: BareCall,
  path: string,
  query: Record<string, string> = {},
): Promise<JsonRecord[]> {
  const items: JsonRecord[] = []
  const cursors = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const params = new URLSearchParams({
      ...query,
      limit: String(PAGE_SIZE),
      ...(cursor && { page: cursor }),
    })
    const answer = await call('GET', `${path}?${params.toString()}`)
    for (const item of jsonRecords(answer.items)) items.push(item)
    cursor = someText(jsonRecord(answer.next).page)
    if (cursor === undefined) return items
    if (cursors.has(cursor) || cursors.size >= MOST_PAGES)
      throw new RefusedCall(`The list ${path} repeats its pages`, 502)
    cursors.add(cursor)
  }
}
