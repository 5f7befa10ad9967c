/** Listens for the webhooks of a git host. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { announcedBy, changesBranch, checkWebhook } from '../../sync/webhook.ts'
import { UsageError } from '../usage.ts'

/** Hosts send at most 25 MB. The first megabyte is kept; a longer body is only checked. */
const [LONGEST_BODY, LONGEST_KEPT] = [30_000_000, 1_000_000]
/** A request has this long, and so many are received at once. */
const REQUEST_MS = 30_000
const MOST_CONNECTIONS = 20

/** How webhooks are received. */
export interface ListenOptions {
  /** `8080`, which only this machine reaches, or `0.0.0.0:8080`. */
  at: string
  /** `LECTERN_WEBHOOK_SECRET`. */
  secret: string | undefined
  /** The branch whose pushes count; undefined for the main branch. */
  branch: string | undefined
  pushed(): void
}

/** Receives webhooks until the signal aborts. @returns the address */
export async function listenForPushes(
  { at, secret, branch, pushed }: ListenOptions,
  signal: AbortSignal,
): Promise<string> {
  const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d{1,5})$/.exec(at) ?? []
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(
      `--listen must be a port such as 8080, or an address such as 0.0.0.0:8080, but was "${at}"`,
    )
  if (secret === undefined)
    throw new UsageError(
      'Set LECTERN_WEBHOOK_SECRET to at least 16 characters, and give the same secret to the git host',
    )
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    // A client may leave at any time.
    receive(request, response, secret).catch(() => response.destroy())
  })
  server.maxConnections = MOST_CONNECTIONS
  server.listen(Number(port), host.replace(/^\[|\]$/g, ''))
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError(
      `Cannot listen on ${at}: ${(error as Error).message}. Name another port with --listen`,
    )
  })
  signal.addEventListener('abort', () => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://${host}:${typeof address === 'object' && address ? address.port : port}/`

  async function receive(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST')
      return answer(response, 405, 'Send webhooks with POST')
    }
    const check = checkWebhook(request.headers, key)
    const kept: Buffer[] = []
    let size = 0
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > LONGEST_BODY) return answer(response, 413, 'The body has more than 30 MB')
      check.take(piece)
      if (size <= LONGEST_KEPT) kept.push(piece)
    }
    if (!check.isSigned())
      return answer(
        response,
        401,
        'The signature is missing or wrong: use the value of LECTERN_WEBHOOK_SECRET',
      )
    const body = size <= LONGEST_KEPT ? Buffer.concat(kept).toString() : undefined
    const announced = announcedBy(request.headers, body)
    if (announced.kind === 'other') return answer(response, 200, 'This event changes no branch')
    if (!changesBranch(announced, branch))
      return answer(response, 200, `Only pushes to ${branch ?? announced.defaultBranch} are synced`)
    answer(response, 202, 'The sync begins')
    pushed()
  }
}

function answer(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(`${JSON.stringify({ message })}\n`)
}
