/** Sends spans by OTLP over HTTP, in JSON (the protocol of OpenTelemetry). */
import type { SpanValue } from '../core/runtime/work.ts'
import type { TraceParent } from '../core/runtime/traceparent.ts'
import { VERSION } from '../core/runtime/version.ts'
import type { TracingConfig } from './config.ts'

/** A span that has ended. Times are milliseconds since 1970, with fractions. */
export interface FinishedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  /** The span that caused this one, in another trace. */
  cause: TraceParent | undefined
  name: string
  kind: 'internal' | 'server' | 'client'
  attributes: Readonly<Record<string, SpanValue>>
  start: number
  end: number
  /** Why the work failed; undefined if it did not. */
  error: unknown
}

/** Where spans wait until they are sent. */
export interface SpanExport {
  add(span: FinishedSpan): void
  /** Sends what waits, and sends no more. */
  close(): Promise<void>
}

/** Learns that spans were lost. */
export interface ExportLog {
  warn(fact: object, message: string): void
}

const MOST_WAITING = 4_096
const AT_ONCE = 512
/** A collector that stays away is reported once in this time. */
const REPORT_MS = 60_000
/** A server that stops waits for the collector no longer than this. */
const CLOSE_MS = 2_000
const RETRIED = new Set([429, 502, 503, 504])

const KINDS = { internal: 1, server: 2, client: 3 } as const
const ERROR = 2

/**
 * Collects spans and sends them in batches. A batch that the collector cannot take now is sent again with the next one;
 * spans beyond the room for 4,096 are dropped, so a collector that is away costs no memory.
 */
export function spanExport(config: TracingConfig, log: () => ExportLog | undefined): SpanExport {
  let waiting: FinishedSpan[] = []
  let lost = 0
  let reportedAt = -Infinity
  let sending: Promise<void> = Promise.resolve()
  const timer = setInterval(() => void flush(), config.delayMs)
  timer.unref()

  function report(reason: object): void {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    log()?.warn({ ...reason, lost }, 'spans could not be sent')
    lost = 0
  }

  /** Sends the spans that wait. Those that a collector may take later stay in front of newer ones. */
  async function sendAll(timeoutMs: number): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE)
      const outcome = await send(batch, config, timeoutMs)
      if (outcome === 'sent') continue
      if (outcome.again) waiting = [...batch, ...waiting].slice(0, MOST_WAITING)
      else lost += batch.length
      report(outcome.reason)
      if (outcome.again) return
    }
  }

  function flush(timeoutMs = config.timeoutMs): Promise<void> {
    sending = sending.then(() => sendAll(timeoutMs))
    return sending
  }

  return {
    add(span) {
      if (waiting.length >= MOST_WAITING) {
        lost++
        return
      }
      waiting.push(span)
      if (waiting.length === AT_ONCE) void flush()
    },
    async close() {
      clearInterval(timer)
      await flush(Math.min(CLOSE_MS, config.timeoutMs))
    },
  }
}

type SendOutcome = 'sent' | { again: boolean; reason: object }

async function send(
  spans: readonly FinishedSpan[],
  { url, headers, resource }: TracingConfig,
  timeoutMs: number,
): Promise<SendOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(otlpOf(spans, resource)),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    await response.body?.cancel()
    if (response.ok) return 'sent'
    return { again: RETRIED.has(response.status), reason: { status: response.status } }
  } catch (err) {
    return { again: true, reason: { err } }
  }
}

/** The body of a request, `ExportTraceServiceRequest` of the OTLP specification. */
function otlpOf(spans: readonly FinishedSpan[], resource: Record<string, string>): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues({ ...resource, 'service.version': VERSION }) },
        scopeSpans: [{ scope: { name: 'lectern', version: VERSION }, spans: spans.map(otlpSpan) }],
      },
    ],
  }
}

function otlpSpan({
  traceId,
  spanId,
  parentSpanId,
  cause,
  name,
  kind,
  attributes,
  start,
  end,
  error,
}: FinishedSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: keyValues(attributes),
    ...(cause && { links: [{ traceId: cause.traceId, spanId: cause.spanId }] }),
    ...(error !== undefined && { status: { code: ERROR, message: errorName(error) } }),
  }
}

/** A message of an error can contain what a user wrote, so spans have only its kind. */
const errorName = (error: unknown) => (error instanceof Error ? error.name : String(error))

/** As text, because numbers of this size are not exact. */
const nanoseconds = (ms: number) => `${Math.floor(ms)}${String(Math.floor((ms % 1) * 1e6)).padStart(6, '0')}`

function keyValues(attributes: Readonly<Record<string, SpanValue>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }))
}

function otlpValue(value: SpanValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
