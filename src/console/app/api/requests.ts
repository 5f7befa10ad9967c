/** Calls of the API, which is all that the console speaks. The first of them begin before the rest of the program is there. */
import type { Refused } from '../words/refusal-text.ts'
import type { AnswerOf, ApiRequest, Known, KnownPath, Sent } from './typed.ts'

export type { ApiRequest } from './typed.ts'

/** A part of the content that others have changed too: see "Build on a revision" in the manual. */
export interface Conflict {
  page?: string
  title: string
  kind: 'text' | 'field' | 'deleted' | 'changed'
  field?: string
  base?: unknown
  theirs?: unknown
  mine?: unknown
}

/** A refusal of the API, with a message for people. */
export class ApiFault extends Error implements Refused {
  readonly status: number
  readonly reason: string | undefined
  readonly parameters: Refused['parameters']
  readonly details: Refused['details']
  readonly conflicts: Conflict[]

  constructor(status: number, refused: Refused & { conflicts?: Conflict[] }) {
    super(refused.message)
    this.status = status
    this.reason = refused.reason
    this.parameters = refused.parameters
    this.details = refused.details
    this.conflicts = refused.conflicts ?? []
  }
}

/** The console uses an early request within this time. After it, the console sends the request again. */
export const FRESH_MS = 5000
/** The requests that were begun before a screen needs their answers, by their paths. */
const begun = new Map<string, { at: number; answer: Promise<unknown> }>()

/** Begins to read what the next request for this path will be given. @param path below `/v1` */
export function begin<const P extends `/${string}`>(path: P & KnownPath<P>): Promise<AnswerOf<`GET ${P}`>> {
  const answer = sendRequest<AnswerOf<`GET ${P}`>>(`GET ${path}`)
  begun.set(path, { at: performance.now(), answer })
  return answer
}

/** The answer of a request that was begun; undefined if there is none. */
function takeBegun(path: string): Promise<unknown> | undefined {
  const known = begun.get(path)
  begun.delete(path)
  return known && performance.now() - known.at < FRESH_MS ? known.answer : undefined
}

/** The most bytes that browsers send for a tab that is gone. */
const MOST_LEAVING = 64 * 1024

/** Whether the browser has to finish a request although its tab may be closed. A character has three bytes at most. */
const isLeaving = (text: string): boolean =>
  document.visibilityState === 'hidden' && 3 * text.length < MOST_LEAVING

/** The function that changes the text of a response before it is parsed, once the rest of the program is loaded. */
const reading = { prepare: (answer: string, _path: string): string => answer }

/** @param prepare changes the text of an answer; the path is below `/v1` */
export function prepareAnswers(prepare: (answer: string, path: string) => string): void {
  reading.prepare = prepare
}

/** Sends a request to an operation of the API. @throws ApiFault */
export function api<const R extends ApiRequest>(
  request: R & Known<R>,
  ...sent: Sent<R>
): Promise<AnswerOf<R>> {
  return sendRequest(request, ...sent)
}

/** Sends a request, and returns its response in the form that the caller gives. @throws ApiFault */
export async function sendRequest<T>(request: ApiRequest, body?: unknown, signal?: AbortSignal): Promise<T> {
  const [method = '', path = ''] = request.split(' ', 2)
  const early = method === 'GET' ? takeBegun(path) : begun.clear()
  if (early) return early as Promise<T>
  let answer: Response
  const text = body === undefined ? undefined : JSON.stringify(body)
  try {
    answer = await fetch(`/v1${path}`, {
      method,
      headers: text === undefined ? {} : { 'content-type': 'application/json' },
      ...(text === undefined ? {} : { body: text, keepalive: isLeaving(text) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFault(0, { reason: 'server-unreachable', message: 'The server cannot be reached' })
  }
  const answered = await answer.text()
  const json: unknown = answered === '' ? undefined : JSON.parse(reading.prepare(answered, path))
  if (answer.ok) return json as T
  if (answer.status === 401) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
  }
  const { error } = (json ?? {}) as { error?: Refused & { conflicts?: Conflict[] } }
  throw new ApiFault(answer.status, error ?? unexplained(answer.status))
}

/** The refusal of something else than the API, such as a proxy. */
const unexplained = (status: number): Refused => ({
  reason: 'server-answered',
  message: `The server answered ${status}`,
  parameters: { status },
})

/** A page of a list. */
export interface ListPage<T> {
  items: T[]
  next?: { page: string }
  count?: number
}
