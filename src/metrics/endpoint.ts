import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'

/** Where metrics are served, and to whom. At least one of both is set. */
export interface MetricsConfig {
  /** The address that serves them; without one, the server's own address does. */
  listen: { host: string; port: number } | undefined
  /** The bearer token that a scrape sends; without one, everybody who reaches `listen` may read them. */
  token: string | undefined
}

/** The path of the metrics. */
export const METRICS_PATH = '/metrics'

/** Whether an `Authorization` header has the token. The time that it takes reveals nothing of the token. */
export function mayScrape(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Renders the metrics; scrapes at the same time share a rendering. */
export function scraper(registry: Registry): () => Promise<{ type: string; text: string }> {
  let running: Promise<string> | undefined
  return async () => {
    running ??= registry.metrics().finally(() => {
      running = undefined
    })
    return { type: registry.contentType, text: await running }
  }
}

/** A server for the metrics alone. */
export interface MetricsServer {
  /** The port that it listens on. */
  port: number
  close(): Promise<void>
}

/** Serves the metrics on an address for them alone. @throws if the address is in use */
export async function listenForScrapes(
  { listen, token }: { listen: { host: string; port: number }; token: string | undefined },
  scrape: ReturnType<typeof scraper>,
): Promise<MetricsServer> {
  const server = createServer(({ method = '', url = '', headers }, response) => {
    const end = (status: number, text: string, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...more })
      response.end(method === 'HEAD' ? undefined : text)
    }
    if (url.split('?', 1)[0] !== METRICS_PATH) return end(404, `Only ${METRICS_PATH} is served here\n`)
    if (method !== 'GET' && method !== 'HEAD') return end(405, 'Send GET\n', { allow: 'GET, HEAD' })
    if (!mayScrape(headers.authorization, token))
      return end(401, 'Send LECTERN_METRICS_TOKEN as a bearer token\n', { 'www-authenticate': 'Bearer' })
    scrape().then(
      ({ type, text }) => end(200, text, { 'content-type': type }),
      (error: unknown) => end(500, `The metrics cannot be read: ${String(error)}\n`),
    )
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(listen.port, listen.host, resolve)
  await promise
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : listen.port,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((done) => {
        server.close(() => done())
      })
    },
  }
}
