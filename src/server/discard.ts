import type { IncomingMessage } from 'node:http'

const DISCARD_MS = 5000
const DISCARD_BYTES = 32 * 1024 * 1024
const CHECK_MS = 100

/**
 * Ends a request that was answered before its body arrived. To close the connection at once would reset it, and a
 * client that is still sending would not see the answer. Node discards the body as it arrives; this bounds for how long
 * and how much, and closes the connection then.
 */
export function discardRest(request: IncomingMessage): void {
  // The socket of a request that was destroyed is gone, whatever its type says.
  const socket = request.socket as IncomingMessage['socket'] | undefined
  if (request.complete || !socket || socket.destroyed) return
  const start = performance.now()
  const received = socket.bytesRead
  request.resume()
  const timer = setInterval(() => {
    // The reader of the body may have stopped listening only now, and until then the request does not flow.
    request.resume()
    const isEnded = request.complete || socket.destroyed
    const isTooMuch = performance.now() - start > DISCARD_MS || socket.bytesRead - received > DISCARD_BYTES
    if (!isEnded && !isTooMuch) return
    clearInterval(timer)
    if (!isEnded) socket.destroy()
  }, CHECK_MS)
  timer.unref()
}
