import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy between a client and a server whose connections a test breaks. */
export interface TcpProxy {
  port: number
  /** Breaks every connection, and refuses new ones until `restore`. */
  cut(): void
  /** Passes nothing on, in either direction, on connections old and new, until `restore`. */
  pause(): void
  restore(): void
  close(): Promise<void>
}

/** Starts a proxy to a server on this machine. */
export async function tcpProxy(port: number, host = '127.0.0.1'): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'paused' = 'open'

  const server = createServer((client) => {
    if (state === 'cut') return client.destroy()
    const upstream = connect(port, host)
    const pair: [Socket, Socket][] = [
      [client, upstream],
      [upstream, client],
    ]
    for (const [from, to] of pair) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (state === 'paused') from.pause()
    }
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = 'cut'
      for (const socket of sockets) socket.destroy()
    },
    pause() {
      state = 'paused'
      for (const socket of sockets) socket.pause()
    },
    restore() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
