/** Clients of the server-sent events of spaces. */
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { after } from 'node:test'
import type { ListeningLimits } from '../src/effects/streams.ts'
import { startCopy } from './copies.ts'
import type { Person, World } from './world.ts'

export interface HeardEvent {
  name: string
  id: string | undefined
  // Tests read events of any shape. Their assertions check what they expect.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any
}

export interface Hearing {
  status: number
  headers: IncomingMessage['headers']
  /** All events so far. */
  events: HeardEvent[]
  /** So many heartbeats so far. */
  heartbeats: number
  isClosed: boolean
  /** The first event that fulfils the condition, when it has come. Fails after some seconds. */
  hear(wanted: string | ((event: HeardEvent) => boolean)): Promise<HeardEvent>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  /** Breaks the connection. */
  leave(): void
  response: IncomingMessage
}

const PATIENCE_MS = 60_000

/** Listens at a path. The result has what a refusal says as the only event. */
export async function listen(
  url: string,
  path: string,
  { token }: Pick<Person, 'token'>,
  headers: Record<string, string> = {},
): Promise<Hearing> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request: ClientRequest = get(
    url + path,
    { agent: false, headers: { authorization: `Bearer ${token}`, ...headers } },
    resolve,
  )
  request.on('error', reject)
  const response = await promise
  const { promise: ended, resolve: close } = Promise.withResolvers<void>()
  const hearing: Hearing = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events: [],
    heartbeats: 0,
    isClosed: false,
    async hear(wanted) {
      const fits = typeof wanted === 'string' ? ({ name }: HeardEvent) => name === wanted : wanted
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(5)) {
        const found = hearing.events.find(fits)
        if (found) return found
        if (hearing.isClosed) break
      }
      const state = hearing.isClosed ? 'closed' : `open, after ${hearing.heartbeats} heartbeats`
      throw new Error(
        `Did not hear ${String(wanted)} on a stream that is ${state}, but ${JSON.stringify(hearing.events)}`,
      )
    },
    ended,
    leave: () => void request.destroy(),
    response,
  }
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      if (part === ':') hearing.heartbeats += 1
      else hearing.events.push(eventOf(part))
    }
  })
  response.on('error', () => undefined)
  response.on('close', () => {
    hearing.isClosed = true
    close()
  })
  return hearing
}

function eventOf(part: string): HeardEvent {
  const fields = new Map(
    part.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
  return {
    name: fields.get('event') ?? '',
    id: fields.get('id'),
    data: JSON.parse(fields.get('data') ?? 'null') as unknown,
  }
}

/** Listens to the servers of a world, and leaves after the tests of the file. */
export function listeningIn(world: World, limits: Partial<ListeningLimits>) {
  const hearings: Hearing[] = []
  const leaveAll = () => hearings.forEach((hearing) => hearing.leave())
  after(leaveAll)

  async function hearAt(
    path: string,
    by: Person = world.ada,
    headers: Record<string, string> = {},
    at = world.url,
  ) {
    const hearing = await listen(at, path, by, headers)
    hearings.push(hearing)
    if (hearing.status === 200) await hearing.hear('ready')
    return hearing
  }

  /** Starts another server of the same database. */
  const another = (listening: Partial<ListeningLimits> = {}) =>
    startCopy(world, { listening: { ...limits, ...listening } })

  return { hearAt, another, leaveAll }
}
