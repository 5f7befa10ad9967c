/** What a server reports of itself: metrics, traces and slow statements, each if it is configured. */
import { isEventStream } from '../http/response/event-stream.ts'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Blobs } from '../blobs/blobs.ts'
import { readTraceParent, traceParentText } from '../core/runtime/traceparent.ts'
import { currentWork, inWork, type Work } from '../core/runtime/work.ts'
import type { DatabaseObserver } from '../db/observer.ts'
import { methodOf } from '../http/response/head.ts'
import type { Config } from '../installation/config.ts'
import type { JobKind, Worker } from '../jobs/queue/job-kind.ts'
import { type Metrics, openMetrics } from '../metrics/metrics.ts'
import { observedBlobs } from '../metrics/observed.ts'
import { spanExport } from '../tracing/otlp.ts'
import { slowStatements } from '../tracing/slow-statements.ts'
import { type BeginTrace, type RootSpan, tracerOf } from '../tracing/tracer.ts'
import { requestPath } from './methods.ts'

/** What a process reports, from before it opens its database until after it closes it. */
export interface Telemetry {
  /** Undefined if nothing serves them. */
  metrics: Metrics | undefined
  /** For `openDatabase`; undefined if no metrics, traces or slow statements are configured. */
  observer: DatabaseObserver | undefined
  blobs(store: Blobs): Blobs
  /** Observes each run of a job. */
  workers(all: Record<string, JobKind>): Record<string, JobKind>
  /** Begins the trace of a request, if traces are recorded. */
  begin: BeginTrace | undefined
  /** From now on, slow statements and failures are logged. */
  attach(log: FastifyBaseLogger): void
  /** Sends the spans that wait. */
  close(): Promise<void>
}

/** A request that is in progress, and its span if it is recorded. */
interface RequestWork extends Work {
  span: RootSpan | undefined
}

/** Begins to report what the configuration asks for. */
export function openTelemetry(
  config: Pick<Config, 'metrics' | 'tracing' | 'slowQueryMs' | 'databaseUrl'>,
): Telemetry {
  const metrics = config.metrics && openMetrics()
  let log: FastifyBaseLogger | undefined
  const exported = config.tracing && spanExport(config.tracing, () => log)
  const begin = config.tracing && exported && tracerOf(config.tracing.sampler, (span) => exported.add(span))

  return {
    metrics,
    begin,
    observer: observerOf(config, { metrics, isTraced: begin !== undefined, log: () => log }),
    blobs: (store) => (metrics || begin ? observedBlobs(store, metrics) : store),
    workers: (all) =>
      Object.fromEntries(
        Object.entries(all).map(([kind, declared]) => [
          kind,
          { ...declared, run: observedWorker(kind, declared.run, { metrics, begin }) },
        ]),
      ),
    attach(to) {
      log = to
    },
    close: async () => exported?.close(),
  }
}

interface Reported {
  metrics: Metrics | undefined
  isTraced: boolean
  log: () => FastifyBaseLogger | undefined
}

/** Reports statements to the metrics, the span of their request or job, and the log. */
function observerOf(
  { slowQueryMs, databaseUrl }: Pick<Config, 'slowQueryMs' | 'databaseUrl'>,
  { metrics, isTraced, log }: Reported,
): DatabaseObserver | undefined {
  const isSlow = slowQueryMs > 0 ? slowStatements(slowQueryMs, log) : undefined
  if (!metrics && !isTraced && !isSlow) return undefined
  const system = databaseUrl === undefined ? 'sqlite' : 'postgresql'

  return {
    statement(sql, kind, ms) {
      metrics?.database.statement(sql, kind, ms)
      if (isSlow?.(sql, ms)) metrics?.slowStatement()
      if (!isTraced) return
      const span = currentWork()?.span as RootSpan | undefined
      span?.add(firstWord(sql), { 'db.system.name': system, 'db.query.text': sql.slice(0, 2_000) }, ms)
    },
    waited: (reason, ms) => metrics?.database.waited(reason, ms),
    repeated: () => metrics?.database.repeated(),
  }
}

const firstWord = (sql: string) => /\w+/.exec(sql)?.[0].toUpperCase() ?? 'SQL'

/** Runs a job as a work with a name, in a trace if traces are recorded. */
function observedWorker(
  kind: string,
  worker: Worker,
  { metrics, begin }: Pick<Telemetry, 'metrics' | 'begin'>,
): Worker {
  return async (payload, job) => {
    const cause = readTraceParent(job.traceParent ?? undefined)
    const begun = begin?.(`job ${kind}`, 'internal', { cause }, { 'lectern.job': kind })
    // Without traces, the jobs that it causes keep what caused it.
    const { traceId, span, traceParent = job.traceParent ?? undefined } = begun ?? {}
    const start = performance.now()
    let end: 'done' | 'later' | 'failed' = 'failed'
    let failure: unknown
    try {
      const outcome = await inWork({ name: kind, traceId, span, traceParent }, () => worker(payload, job))
      end = outcome ?? 'done'
      return outcome
    } catch (error) {
      failure = error
      throw error
    } finally {
      metrics?.job(kind, end, (performance.now() - start) / 1000)
      span?.end({}, failure)
    }
  }
}

/**
 * Makes each request a work, counts its response, and records its span. Later hooks log it.
 * @param masked a path without its secrets
 */
export function observeRequests(
  server: FastifyInstance,
  { metrics, begin }: Partial<Pick<Telemetry, 'metrics' | 'begin'>>,
  masked: (path: string) => string,
): { traceOf(request: FastifyRequest): string | undefined } {
  const works = new WeakMap<FastifyRequest, RequestWork>()

  server.addHook('onRequest', (request, _reply, done) => {
    const name = operationOfRequest(request)
    const parent = readTraceParent(request.headers.traceparent)
    const method = methodOf(request.raw)
    const { traceId, span, traceParent } = begin?.(`${method} ${name}`, 'server', { parent }, {}) ?? {
      traceId: parent?.traceId,
      span: undefined,
      traceParent: parent && traceParentText(parent),
    }
    const work = { name, traceId, span, traceParent }
    works.set(request, work)
    inWork(work, done)
  })
  // A request whose body was read goes on outside the work in which it arrived.
  server.addHook('preHandler', (request, _reply, done) => {
    const work = works.get(request)
    if (!work || currentWork() === work) return done()
    return inWork(work, done)
  })
  server.addHook('onResponse', (request, reply, done) => {
    const { name = 'none', span } = works.get(request) ?? {}
    const { statusCode: status } = reply
    metrics?.request(name, status, isEventStream(reply) ? undefined : reply.elapsedTime / 1000)
    if (span) endRequest(span, request, reply, masked)
    done()
  })
  return { traceOf: (request) => works.get(request)?.traceId }
}

function endRequest(
  span: RootSpan,
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  masked: (path: string) => string,
): void {
  const attributes = {
    'http.request.method': methodOf(request.raw),
    'http.route': request.routeOptions.url ?? '',
    'http.response.status_code': statusCode,
    'url.path': masked(requestPath(request.originalUrl)),
    'server.address': request.headers.host ?? '',
    'lectern.request_id': request.id,
  }
  span.end(attributes, statusCode >= 500 ? String(statusCode) : undefined)
}

/** The operation of a route of the API, `site` for all of a site, otherwise the pattern of the route. */
function operationOfRequest({ routeOptions }: FastifyRequest): string {
  const { operationId } = (routeOptions.schema ?? {}) as { operationId?: string }
  if (operationId !== undefined) return operationId
  if (routeOptions.url === '/~site') return 'site'
  return routeOptions.url ?? 'none'
}
