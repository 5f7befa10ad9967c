import { randomBytes } from 'node:crypto'
import { type TraceParent, traceParentText } from '../core/runtime/traceparent.ts'
import type { SpanValue, WorkSpan } from '../core/runtime/work.ts'
import type { SamplerConfig } from './config.ts'
import type { FinishedSpan } from './otlp.ts'

/** The most spans of one request or job. More are counted. */
const MOST_SPANS = 500

type Attributes = Readonly<Record<string, SpanValue>>

/** The span of a request or job. Times are milliseconds since 1970. */
export interface RootSpan extends WorkSpan {
  /** Adds a part that has just ended. @param ms how long it took */
  add(name: string, attributes: Attributes, ms: number): void
  end(attributes: Attributes, error?: unknown): void
}

/** A trace as it begins: its id is for the log, also if it is not recorded. */
export interface BegunTrace {
  traceId: string
  span: RootSpan | undefined
  /** Names the work in what it causes later. */
  traceParent: string
}

/** Where a trace comes from. */
export interface TraceOrigin {
  /** The span of a caller, whose trace goes on. */
  parent?: TraceParent | undefined
  /** A span that caused this trace and does not wait for it. The new trace has a link to it. */
  cause?: TraceParent | undefined
}

/** Begins a trace, or continues that of a caller. */
export type BeginTrace = (
  name: string,
  kind: 'server' | 'internal',
  origin: TraceOrigin,
  attributes: Attributes,
) => BegunTrace

const now = () => performance.timeOrigin + performance.now()
const newTraceId = () => randomBytes(16).toString('hex')
const newSpanId = () => randomBytes(8).toString('hex')

/** Records the spans of the traces that a sampler selects. @param finish receives each span when it has ended */
export function tracerOf(sampler: SamplerConfig, finish: (span: FinishedSpan) => void): BeginTrace {
  return (name, kind, { parent, cause }, attributes) => {
    const traceId = parent?.traceId ?? newTraceId()
    const spanId = newSpanId()
    // Of a cause and its effects, all are recorded or none is: a link leads to a span that was recorded.
    const sampled = isSampled(sampler, traceId, parent ?? cause)
    const root = { traceId, spanId, parentSpanId: parent?.spanId, name, kind, attributes }
    return {
      traceId,
      span: sampled ? rootSpan({ ...root, cause: cause?.sampled ? cause : undefined }, finish) : undefined,
      traceParent: traceParentText({ traceId, spanId, sampled }),
    }
  }
}

/**
 * A ratio selects the same traces in every service: by the last 56 bits of the id, which are random (W3C Trace Context).
 * @param before the caller or the cause
 */
function isSampled({ parentBased, ratio }: SamplerConfig, traceId: string, before?: TraceParent): boolean {
  if (parentBased && before) return before.sampled
  if (ratio >= 1) return true
  return Number.parseInt((before?.traceId ?? traceId).slice(-14), 16) / 2 ** 56 < ratio
}

/** What is known of a span when it begins. */
type Beginning = Omit<FinishedSpan, 'start' | 'end' | 'error'>

function rootSpan(root: Beginning, finish: (span: FinishedSpan) => void): RootSpan {
  const { traceId, spanId } = root
  const start = now()
  let spans = 0
  let dropped = 0

  function child(part: Pick<FinishedSpan, 'name' | 'kind' | 'attributes' | 'start' | 'error'>): void {
    if (++spans > MOST_SPANS) {
      dropped++
      return
    }
    finish({
      traceId,
      spanId: newSpanId(),
      parentSpanId: spanId,
      cause: undefined,
      end: now(),
      ...part,
    })
  }

  return {
    begin(name, attributes = {}, kind = 'internal') {
      const began = now()
      return (more = {}, error) =>
        child({ name, kind, attributes: { ...attributes, ...more }, start: began, error })
    },
    add(name, attributes, ms) {
      child({ name, kind: 'client', attributes, start: now() - ms, error: undefined })
    },
    end(more, error) {
      const attributes = {
        ...root.attributes,
        ...more,
        ...(dropped > 0 && { 'lectern.dropped_spans': dropped }),
      }
      finish({ ...root, start, end: now(), attributes, error })
    },
  }
}
