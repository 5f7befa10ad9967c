/**
 * The gateway between git and the repository of another host (decision 22). Git reaches nothing but this gateway on the
 * loopback interface, which forwards the three requests of the smart HTTP protocol through the guarded fetch. So the rules of
 * outgoing requests hold for git, and git has neither the credentials nor the address.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { because } from '../core/languages/reasons.ts'
import { ApiError, conflict, invalid, unavailable } from '../http/errors.ts'
import { type Fetched, locationOf } from '../http/outgoing/guarded-fetch.ts'
import type { Services } from '../http/route.ts'
import type { Remote } from './remote.ts'

/** The largest list of branches, in bytes. */
const LIST_BYTES = 32 * 1024 ** 2
/** The largest pack that a repository sends or gets, in bytes. */
const PACK_BYTES = 1024 ** 3
/** The longest that one request may take. */
const LONGEST_MS = 10 * 60_000
const KEY_HEADER = 'x-lectern-gateway'
const FORWARDED = ['accept', 'content-encoding', 'content-length', 'content-type', 'git-protocol']

/** A gateway to one repository. Disposing it closes it. */
export interface Gateway extends AsyncDisposable {
  /** The address at which git finds the repository. */
  url: string
  /** Variables with which git may pass. They are in no list of processes. */
  env: Readonly<Record<string, string>>
  /** Why the repository could not be reached; undefined if it could. */
  fault(): ApiError | undefined
}

/** What one of the three requests needs. */
interface Forwarding {
  method: 'GET' | 'POST'
  /** The rest of the address of the repository. */
  path: string
  /** The media type of its response. A server that sends another is no server of git. */
  media: string
  maxBytes: number
}

const FORWARDINGS: readonly Forwarding[] = ['git-upload-pack', 'git-receive-pack'].flatMap((service) => [
  {
    method: 'GET',
    path: `/info/refs?service=${service}`,
    media: `application/x-${service}-advertisement`,
    maxBytes: LIST_BYTES,
  },
  { method: 'POST', path: `/${service}`, media: `application/x-${service}-result`, maxBytes: PACK_BYTES },
])

/** Opens a gateway to a repository. @param signal ends its requests */
export async function openGateway(
  { fetch }: Pick<Services, 'fetch'>,
  remote: Remote,
  signal: AbortSignal,
): Promise<Gateway> {
  const key = randomBytes(32).toString('hex')
  let fault: ApiError | undefined
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      // Git reports a second fault after the first.
      fault ??= error instanceof ApiError ? error : unavailable(because('repository-not-reached'))
      if (response.headersSent) response.destroy()
      else response.writeHead(403).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isSame(String(request.headers[KEY_HEADER]), key)) return void response.writeHead(404).end()
    const forwarding = FORWARDINGS.find(
      ({ method, path }) => method === request.method && path === request.url,
    )
    if (!forwarding) return void response.writeHead(404).end()
    const { method, path, media, maxBytes } = forwarding
    const headers = Object.fromEntries(
      FORWARDED.flatMap((name) => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const { authorization } = remote
    const bounds = {
      maxBytes,
      timeoutMs: LONGEST_MS,
      maxRedirects: 'none',
      isSecret: authorization !== undefined,
      signal,
    } as const
    const fetched = await fetch(remote.url + path, bounds, {
      method,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
      ...(method === 'POST' ? { body: request } : {}),
    })
    const refusal = refusalOf(fetched, media)
    if (refusal) {
      fetched.body.on('error', () => undefined).destroy()
      throw refusal
    }
    response.writeHead(200, { 'content-type': media, 'cache-control': 'no-cache' })
    await pipeline(fetched.body, response)
  }

  return {
    url,
    env: {
      GIT_ALLOW_PROTOCOL: 'http',
      ...settingsInEnvironment({
        'http.extraHeader': `${KEY_HEADER}: ${key}`,
        'http.followRedirects': 'false',
        'protocol.version': '2',
        // Objects stay in the pack that came, whose size the gateway bounds.
        'transfer.unpackLimit': '1',
      }),
    },
    fault: () => fault,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Settings of git that are in no list of processes. */
function settingsInEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings)
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(entries.length)],
    ...entries.flatMap(([name, value], nth) => [
      [`GIT_CONFIG_KEY_${nth}`, name],
      [`GIT_CONFIG_VALUE_${nth}`, value],
    ]),
  ])
}

/** Why a response is not one of a git server that lets the caller in; undefined if it is. */
function refusalOf(fetched: Fetched, media: string): ApiError | undefined {
  const { status, headers, url } = fetched
  const location = locationOf(fetched)
  if (location !== undefined)
    return invalid(because('repository-moved', { url: repositoryIn(location, url) }))
  if (status === 401 || status === 403) return conflict(because('repository-refuses', { status }))
  if (status === 404 || status === 410) return conflict(because('repository-missing'))
  if (status !== 200) return unavailable(because('repository-failing', { status }))
  const isGit = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === media
  return isGit ? undefined : invalid(because('repository-not-git'))
}

/** The address of the repository to which a redirect leads, for a message. */
function repositoryIn(location: string, from: string): string {
  if (!URL.canParse(location, from)) return '?'
  const { origin, pathname } = new URL(location, from)
  return `${origin}${pathname.replace(/\/info\/refs$/, '')}`
}

function isSame(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)]
  return a.length === b.length && timingSafeEqual(a, b)
}
