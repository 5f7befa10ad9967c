import type { FastifyInstance } from 'fastify'
import { because } from '../core/languages/reasons.ts'
import type { Listeners } from '../effects/streams.ts'
import { errorBody } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import { ConfigError } from '../installation/config.ts'
import { workers } from '../jobs/workers.ts'
import {
  listenForScrapes,
  mayScrape,
  METRICS_PATH,
  type MetricsServer,
  scraper,
} from '../metrics/endpoint.ts'
import { addQueueMetrics } from '../metrics/queue-metrics.ts'
import { addStateMetrics } from '../metrics/state-metrics.ts'
import type { Parts } from './parts.ts'

/** Where the metrics of a server are served. */
export interface MetricsEndpoint {
  /** Adds `/metrics` to the server, unless the metrics have an address for them alone. */
  mount(server: FastifyInstance): void
  /** Starts to listen on that address, if there is one. @throws ConfigError */
  listen(): Promise<void>
  /** The URL of the metrics on that address, once it listens. */
  url(): string | undefined
  close(): Promise<void>
}

/** Serves the metrics of a server as configured; undefined if they are off. */
export function metricsEndpoint(
  { telemetry, config }: Pick<Parts, 'telemetry' | 'config'>,
  { services, listeners }: { services: Services; listeners: Listeners },
): MetricsEndpoint | undefined {
  const registry = telemetry?.metrics?.registry
  if (!registry || !config.metrics) return undefined
  const { listen, token } = config.metrics
  const { db, now, imports } = services
  addStateMetrics(registry, { db, data: config.data, imports, listeners })
  addQueueMetrics(registry, { db, now, kinds: Object.keys(workers(services)) })
  const scrape = scraper(registry)
  let own: MetricsServer | undefined

  return {
    mount(server) {
      if (listen) return
      server.get(METRICS_PATH, { schema: { hide: true } }, async (request, reply) => {
        if (!mayScrape(request.headers.authorization, token))
          return reply
            .code(401)
            .header('www-authenticate', 'Bearer realm="Lectern metrics"')
            .send(errorBody(401, because('metrics-token-required')))
        const { type, text } = await scrape()
        return reply.type(type).header('cache-control', 'no-store').send(text)
      })
    },
    async listen() {
      if (!listen) return
      try {
        own = await listenForScrapes({ listen, token }, scrape)
      } catch (error) {
        throw new ConfigError([`LECTERN_METRICS_LISTEN: cannot listen there (${(error as Error).message})`])
      }
    },
    url() {
      if (!own || !listen) return undefined
      const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host
      return `http://${host}:${own.port}${METRICS_PATH}`
    },
    async close() {
      await own?.close()
    },
  }
}
