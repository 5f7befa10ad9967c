/** Calls of a running server by the command line. */
import { readConfig } from '../installation/config.ts'
import { printable } from '../core/text/printable.ts'
import { readLocal } from '../installation/setup.ts'
import { UsageError } from './usage.ts'

/** The server to call. Without these, it is the one that was started with the data folder. */
export interface ServerOptions {
  url?: string | undefined
  token?: string | undefined
}

/** A call that the server refused. */
export class RefusedCall extends UsageError {
  readonly status: number

  constructor(message: string, status: number) {
    // The server may be anybody's, and its message is one line.
    super(printable(message))
    this.status = status
  }
}

type Json = Record<string, unknown>
/** The id of the space or organization that a path of the API names. */
const SPACE = /^\/spaces\/([^/?]+)/
const ORGANIZATION = /^\/orgs\/([^/?]+)/

/** Calls the API. It throws a `RefusedCall` with the message of the server if that refuses the call. */
export interface Call {
  (method: string, path: string, body?: Json): Promise<Json>
  /**
   * The address at which this machine reaches what the server names by its public address. The public host may not
   * resolve here, for example on the server itself. Other addresses stay as they are.
   */
  reachable(address: string): Promise<string>
}

/** A server with a token for it. */
export interface ServerAccess {
  /** The address, without the path of the API. */
  url: string
  token: string
}

/** Finds the server in the options, or else in the data folder. @throws UsageError if neither names one */
export async function connect(options: ServerOptions): Promise<Call> {
  const server = findServer(options)
  return withReachable(server.url, callsTo(server))
}

/** The server that the options name, or else the one of the data folder. @throws UsageError if neither names one */
export function findServer({ url, token }: ServerOptions): ServerAccess {
  const { data } = readConfig(process.env)
  const local = url && token ? undefined : readLocal(data)
  const address = serverAddress(url ?? local?.address ?? local?.url)
  // The token of this machine's server is for nobody else.
  const isLocal =
    address !== undefined &&
    [local?.url, local?.address].some((one) => isSameServer(address, serverAddress(one)))
  const server = { url: address, token: token ?? (isLocal ? local?.token : undefined) }
  if (!server.url || !server.token) {
    const missing = url ? `No token is known for ${url}: add --token` : ''
    throw new UsageError(
      missing ||
        `No server has been started with the data folder ${data}. Start one with "npm start", or name one with --url and --token.`,
    )
  }

  return { url: server.url, token: server.token }
}

export type BareCall = (method: string, path: string, body?: Json) => Promise<Json>

function callsTo(server: ServerAccess): BareCall {
  return async (method, path, body) => {
    const response = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${server.token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => {
      throw new UsageError(
        `The server at ${server.url} cannot be reached. Start it with "npm start", or name another with --url.`,
      )
    })
    if (response.status === 204 || response.status === 205) return {}
    const answer = (await response.json().catch(() => undefined)) as Answer | undefined
    if (response.ok && answer !== undefined) return answer
    const fault = responseFault(response, answer, path, server.url)
    // Only Lectern itself returns an error with a message: a proxy does not know whether the call is over.
    throw answer?.error ? new RefusedCall(fault, response.status) : new UsageError(fault)
  }
}

/** @param url the address of the server as it was asked, without the path of the API */
export function withReachable(url: string, call: BareCall): Call {
  let publicApi: Promise<string> | undefined

  return Object.assign(call, {
    async reachable(address: string) {
      publicApi ??= call('GET', '/user').then((user) => apiOf(user as { urls?: { location?: string } }))
      const api = await publicApi
      return address.startsWith(`${api}/`) ? `${url}/v1${address.slice(api.length)}` : address
    },
  })
}

/** The public address of the API, by that of one of its resources: `https://docs.example.com/v1`. */
function apiOf({ urls }: { urls?: { location?: string } }): string {
  return (urls?.location ?? '').replace(/(?<=\/v1)\/.*$/s, '')
}

type Answer = Json & { error?: { message: string } }

/** The address of a server as people write it: without the slash at its end, and without the path of the API. */
export function serverAddress(url: string | undefined, option = '--url'): string | undefined {
  if (url === undefined) return undefined
  if (/^https?:\/\//i.test(url) && URL.canParse(url))
    return url.replace(/\/{1,100}$/, '').replace(/\/v1$/, '')
  throw new UsageError(`${option} must be an address such as https://docs.example.com, but was "${url}"`)
}

/** Whether two addresses name one server: loopback names of one port do. */
function isSameServer(one: string, other: string | undefined): boolean {
  if (other === undefined) return false
  const [a, b] = [new URL(one), new URL(other)]
  return a.href === b.href || (isLoopback(a) && isLoopback(b) && a.port === b.port)
}

/** Whether an address names this machine. */
export const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Why a call failed, with the flag that mends it. */
function responseFault({ status }: Response, answer: Answer | undefined, path: string, url: string): string {
  const message = answer?.error?.message
  if (message === undefined)
    return `${url} returned ${status}, but not as Lectern does. Name the address of the server with --url.`
  if (status === 401) return `${withoutPeriod(message)}. Name a valid API token of ${url} with --token.`
  if (status !== 404) return message
  const [, space] = SPACE.exec(path) ?? []
  const [, organization] = ORGANIZATION.exec(path) ?? []
  if (space !== undefined)
    return `There is no space "${decodeURIComponent(space)}", or the token cannot see it. GET /v1/orgs/<organization>/spaces lists the spaces.`
  if (organization !== undefined)
    return `There is no organization "${decodeURIComponent(organization)}", or the token cannot see it. Name another one with --org.`
  return `${message}. Name the address of the server with --url.`
}

const withoutPeriod = (message: string) => message.replace(/\.$/, '')

/** The organization of the caller, for a command that names none. @throws UsageError if there is none */
export async function firstOrganization(call: Call): Promise<string> {
  const { items } = (await call('GET', '/orgs?limit=1')) as unknown as { items: { id: string }[] }
  const [first] = items
  if (!first) throw new UsageError('The user of the token is in no organization; name one with --org')
  return first.id
}
