import type { IncomingMessage } from 'node:http'

const heads = new WeakSet<IncomingMessage>()

/**
 * Lets the handler of GET answer a HEAD request, so that no route needs a second one, which would take more time at the
 * start than all others. Node has prepared the response before, and sends no body.
 */
export function answerHeadAsGet(request: IncomingMessage): void {
  if (request.method !== 'HEAD') return
  heads.add(request)
  request.method = 'GET'
}

/** The method that the client sent. */
export function methodOf(request: IncomingMessage): string {
  return heads.has(request) ? 'HEAD' : (request.method ?? '')
}
