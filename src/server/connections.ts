import { createServer, type RequestListener, type Server } from 'node:http'

/** A request has to arrive within this time, so that unfinished ones do not pile up. */
const REQUEST_MS = 10 * 60_000
/** How long a connection stays open without a request. */
const KEEP_ALIVE_MS = 72_000
/** How long a client may read nothing of its answer, or send nothing of the rest of its request. */
export const UNREAD_MS = 60_000

/** How often a server that closes looks for connections without a request. */
const IDLE_SWEEP_MS = 50

/** Creates the HTTP server, which closes the connections of clients that do not go on. */
export function openServer(handler: RequestListener, unreadMs: number = UNREAD_MS): Server {
  const server = createServer({ requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS }, handler)
  // Without this, Node would ask for the body before the request is checked. `admitBody` asks for it.
  server.on('checkContinue', handler)
  server.setTimeout(unreadMs)
  server.on('timeout', (socket) => {
    // Node sets another timeout between two requests. A client that has read all it was sent waits for the server, or
    // is in the middle of a body, which `admitBody` ends.
    const waitsForServer = socket.timeout === unreadMs && socket.writableLength === 0
    if (!waitsForServer) socket.destroy()
  })
  closeWhenIdle(server)
  return server
}

/** Closes the connections whose last response was sent after the server began to close. Node closes only earlier ones. */
function closeWhenIdle(server: Server): void {
  const close = server.close.bind(server)
  server.close = (callback) => {
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
    return close((error) => {
      clearInterval(sweep)
      callback?.(error)
    })
  }
}
