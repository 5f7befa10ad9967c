/** A server in front of another one, with the faults that networks and services have. */
import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'

/** What is wrong with a server. */
export type Fault =
  | 'refuse'
  | 'reset at once'
  | 'reset in the body'
  | 'hang'
  | 'slow drip'
  | '500'
  | '503 with Retry-After'
  | '429 with Retry-After'
  | 'truncated'
  | 'another protocol'
  | 'a page of a proxy'

export const HTTP_FAULTS: readonly Fault[] = [
  'refuse',
  'reset at once',
  'reset in the body',
  'hang',
  'slow drip',
  '500',
  '503 with Retry-After',
  '429 with Retry-After',
  'truncated',
  'another protocol',
  'a page of a proxy',
]

/** Another server that can fail. */
export interface FaultyServer {
  port: number
  url: string
  /** The fault of the next requests; undefined is none. `times` is how many requests meet it; by default, all. */
  fail(fault: Fault | undefined, times?: number): Promise<void>
  /** Only these requests fail: `GET /path`. */
  only: RegExp
  /** The requests that have come since the last `fail`, such as `GET /path`. */
  requests: string[]
  /** Connections that are open. */
  sockets: Set<Socket>
  close(): Promise<void>
}

/** The seconds of `Retry-After` in the responses of the faulty server. */
export const RETRY_AFTER = 7

/** @param origin the address of the working server; requests without a fault go to it unchanged */
export async function faultyServer(origin: string | (() => string)): Promise<FaultyServer> {
  const sockets = new Set<Socket>()
  let fault: Fault | undefined
  let left = Number.POSITIVE_INFINITY
  const http = createServer((message, response) => {
    const line = `${message.method} ${message.url}`
    faulty.requests.push(line)
    if (fault === undefined || left <= 0 || !faulty.only.test(line)) return pass(message, response)
    left -= 1
    fail(fault, message, response)
  })
  http.keepAliveTimeout = 60_000
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })

  function pass(message: IncomingMessage, response: ServerResponse) {
    const target = new URL(typeof origin === 'string' ? origin : origin())
    const { method, url, headers } = message
    const { hostname, port } = target
    const onward = forward({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    message.pipe(onward)
  }

  function fail(kind: Fault, message: IncomingMessage, response: ServerResponse): unknown {
    const { socket } = message
    if (kind === 'reset at once') return socket.resetAndDestroy()
    if (message.method !== 'GET' && message.method !== 'POST') message.resume()
    if (kind === 'hang') return undefined
    if (kind === 'another protocol') return socket.end('SSH-2.0-OpenSSH_9.2\r\n')
    if (kind === 'a page of a proxy') {
      response.writeHead(200, { 'content-type': 'text/html' })
      return response.end('<html><title>Sign in to the network</title></html>')
    }
    if (/^\d/.test(kind)) {
      const headers: Record<string, string> = { 'content-type': 'text/plain' }
      if (kind.includes('Retry-After')) headers['retry-after'] = String(RETRY_AFTER)
      response.writeHead(Number(kind.slice(0, 3)), headers)
      return response.end('busy')
    }
    if (message.method === 'GET' || message.method === 'POST')
      return wholeResponse(message).then(
        (whole) => breakOff(kind, whole, socket),
        () => socket.destroy(),
      )
    // These responses have no body.
    return breakOff(kind, Buffer.from('HTTP/1.1 200 OK\r\nETag: "0"\r\nContent-Length: 0\r\n\r\n'), socket)
  }

  /** The response of the working server, as the bytes of a connection. */
  async function wholeResponse(message: IncomingMessage): Promise<Buffer> {
    const { hostname, port } = new URL(typeof origin === 'string' ? origin : origin())
    const { method, url, headers } = message
    const onward = forward({ hostname, port, method, path: url, headers, agent: false })
    onward.end(Buffer.concat(await message.toArray()))
    const [answer] = (await once(onward, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await answer.toArray())
    const lines = Object.entries(answer.headers)
      .filter(([name]) => !['transfer-encoding', 'content-length', 'connection'].includes(name))
      .map(([name, value]) => `${name}: ${String(value)}`)
    const head = [`HTTP/1.1 ${answer.statusCode} OK`, ...lines, `content-length: ${body.length}`]
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
  }

  /** Sends the first half, or one byte every 20 ms. */
  function breakOff(kind: Fault, whole: Buffer, socket: Socket): unknown {
    const body = whole.indexOf('\r\n\r\n') + 4
    const half = body < whole.length ? Math.floor((body + whole.length) / 2) : Math.floor(whole.length / 2)
    if (kind === 'slow drip') {
      let at = half
      socket.write(whole.subarray(0, half))
      const timer = setInterval(() => socket.write(whole.subarray(at, ++at)), 20)
      return socket.once('close', () => clearInterval(timer))
    }
    return socket.write(whole.subarray(0, half), () =>
      setImmediate(() => (kind === 'truncated' ? socket.end() : socket.resetAndDestroy())),
    )
  }

  await listen(http, 0)
  const { port } = http.address() as AddressInfo
  const faulty: FaultyServer = {
    port,
    url: `http://127.0.0.1:${port}`,
    only: /^/,
    requests: [],
    sockets,
    async fail(next, times = Number.POSITIVE_INFINITY) {
      fault = next
      left = times
      faulty.requests.length = 0
      for (const socket of sockets) socket.destroy()
      if (next === 'refuse' && http.listening) {
        http.close()
        await once(http, 'close')
      } else if (next !== 'refuse' && !http.listening) await listen(http, port)
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      if (!http.listening) return
      http.close()
      await once(http, 'close')
    },
  }
  return faulty
}

async function listen(server: Server, port: number) {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
