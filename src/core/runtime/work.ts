/** What the process works for: the request or the job that the code in progress belongs to. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** A request or a job. */
export interface Work {
  /** The operation of a request, such as `updatePage`, or the kind of a job, such as `send-email`. */
  name: string
  /** The trace that it belongs to (W3C Trace Context): 32 hexadecimal digits; undefined if it is in no trace. */
  traceId: string | undefined
  /** Its span, if the trace is recorded. */
  span: WorkSpan | undefined
  /** Names this work in the jobs that it causes, as `traceparent`; undefined if it is in no trace. */
  traceParent?: string | undefined
}

/** The span of a work, under which its parts are recorded. */
export interface WorkSpan {
  /**
   * Begins a part that this process waits for.
   * @param kind `client` for a request to another server
   * @returns ends the part, with an error if it failed
   */
  begin(name: string, attributes?: Readonly<Record<string, SpanValue>>, kind?: 'internal' | 'client'): EndSpan
}

/** A value of an attribute of a span. */
export type SpanValue = string | number | boolean

/** Ends a span. */
export type EndSpan = (attributes?: Readonly<Record<string, SpanValue>>, error?: unknown) => void

const works = new AsyncLocalStorage<Work>()

/** Does something as a part of a request or job. */
export const inWork = <T>(work: Work, run: () => T): T => works.run(work, run)

/** The request or job that goes on; undefined outside of both. */
export const currentWork = (): Work | undefined => works.getStore()

/**
 * The `traceparent` that a job of a kind keeps of the work that causes it; null if it is in no trace. A job that causes
 * the next one of its kind, such as one of every day, names nothing: otherwise all of them would hang together for ever.
 */
export function causeOfJob(kind: string): string | null {
  const work = currentWork()
  return work === undefined || work.name === kind ? null : (work.traceParent ?? null)
}

/** Does a part of the current work in a span, if its trace is recorded. */
export async function inSpan<T>(
  name: string,
  attributes: Readonly<Record<string, SpanValue>>,
  run: () => Promise<T>,
  kind?: 'internal' | 'client',
): Promise<T> {
  const span = currentWork()?.span
  if (!span) return run()
  const end = span.begin(name, attributes, kind)
  try {
    const result = await run()
    end()
    return result
  } catch (error) {
    end({}, error)
    throw error
  }
}
