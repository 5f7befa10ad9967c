import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Blobs } from '../blobs/blobs.ts'
import type { Database, Reader, Tx } from '../db/schema.ts'
import type { Mail } from '../mail/mail.ts'
import type { Addresses } from './addresses.ts'
import type { Fetched } from './fetch.ts'
import type { Page } from './page.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who is calling: the user whose token it is, and what the token may do. */
export interface Caller {
  userId: string
  tokenId: string
  readOnly: boolean
}

/** What a route may use besides the database; the same for the whole process. */
export interface Services {
  db: Database
  blobs: Blobs
  at: Addresses
  now: () => Date
  newId: () => string
  /** The guarded fetch, bound to the configured ranges. */
  fetch: (url: string, bounds: { maxBytes: number; timeoutMs: number }) => Promise<Fetched>
  enqueue: Enqueue
  /** What the audit log can hold, from the declarations. */
  auditActions: () => { id: string; label: string }[]
  mail: Mail
  /** Counts an attempt to prove who one is. @throws 429 after too many for an address or from one place */
  attempt: (from: { ip: string; address?: string }, now: Date) => void
  limits: { upload: number; organizations: 'one' | 'any' }
}

/** Adds a job, or one for each of some payloads, that is done if, and only if, `tx` is committed. */
export type Enqueue = (
  tx: Tx,
  kind: string,
  payload: object | object[],
  options?: { runAt?: Date; dedupe?: string },
) => Promise<void>

/** What a handler tells of its change where the declaration and the answer cannot. */
export interface AuditNote {
  /** Whose log the event belongs in, if not that of the organization of the subject. */
  organizations?: string[]
  target?: { type: string; id: string; label?: string | undefined }
  /** The user who turned out to call an open route. */
  userId?: string
  /** The fields of the target before; of the subject's row if absent. */
  before?: object
  /** The fields of the target after; of the body and the answer if absent. */
  after?: object
}

/** What the URL, the query and the body were validated to. */
export interface Input<P, Q, B> {
  params: P
  query: Q
  body: B
}

/** What every handler gets, whatever the route. */
export interface Circumstances extends Omit<Services, 'db' | 'now'> {
  me: Caller
  /** The one time of this request. */
  now: Date
  /** The address the request came from. */
  ip: string
  /** Where the client asked for the page of a list to start, and how long it may be. */
  page: Page
  /** What the request says of bytes it wants to be sent. */
  conditions: Conditions
}

/** Headers that ask for some of the bytes, or for none where the client has them. */
export interface Conditions {
  range?: string | undefined
  ifRange?: string | undefined
  ifNoneMatch?: string | undefined
}

/**
 * Permission as part of the declaration: loads the subject that the URL names and hands it over, or throws 401, 404
 * or 403. `open` routes need no token, and then `me` has no user.
 */
export interface Access<Subject> {
  /** What the documentation and the contract test say of it, such as `space: admin`. */
  needs: string
  open?: boolean
  load(context: { db: Reader; me: Caller; params: Record<string, string>; now: Date }): Promise<Subject>
}

/** Marks a body that is a stream of bytes instead of JSON. */
export interface BytesBody {
  contentTypes: string[]
}

/** An answer that is bytes instead of JSON. */
export interface Download {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  body: Readable | Buffer | undefined
}

/** What the handler of a DELETE route returns when there was nothing to delete: the answer is 204. */
export const GONE = 'gone'

type Of<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined
type Answer<R> = R extends TSchema ? Static<R> : R extends 'download' ? Download : void
type Outcome<M extends Method, R> = Answer<R> | (M extends 'DELETE' ? typeof GONE : never)

interface Shape<
  M extends Method,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | 'download' | undefined,
  Subject,
  Prepared,
> {
  method: M
  /** With `:name` for ids, starting with `/v1`. */
  path: `/v1${string}`
  summary: string
  description?: string
  access: Access<Subject>
  params?: P
  query?: Q
  body?: B
  /** Takes the body as bytes: `prepare` gets it as `bytes`. */
  takes?: BytesBody
  /** The schema of the answer; absent: an answer without content. */
  returns?: R
  /** Success status: 200 with `returns`, 204 without, unless given. A DELETE may return `GONE`, which is 204. */
  status?: 200 | 201 | 204 | 205
  /** On 201, the address of what was made; its `urls.location` if absent. */
  location?: (answer: Answer<R>, at: Addresses, params: Of<P>) => string
  /** A revision never changes, so its answer may be kept for ever. */
  immutable?: boolean
  /** What the audit log calls it, if not what its address and name say (`audit.ts`); false if it changes nothing. */
  audit?: string | false
  /** The one step outside the transaction, for the few operations that fetch, receive or store bytes. */
  prepare?(
    context: Input<Of<P>, Of<Q>, Of<B>> & Circumstances & Subject & { db: Database; bytes: Readable },
  ): Promise<Prepared>
  handler(
    context: Input<Of<P>, Of<Q>, Of<B>> &
      Circumstances &
      Subject & { prepared: Prepared } & (M extends 'GET'
        ? { db: Reader }
        : { tx: Tx; audit: (note: AuditNote) => void }),
  ): Promise<Outcome<M, R>>
}

/** One endpoint, declared: what it takes, who may call it, what it does and what it answers. */
export function route<
  const M extends Method,
  Subject,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | 'download' | undefined = undefined,
  Prepared = undefined,
>(shape: Shape<M, P, Q, B, R, Subject, Prepared>): Route {
  // Mounting does not know the types of a single route; the compiler has checked them here.
  return { object: 'route', ...shape } as unknown as Route
}

/** A declared endpoint as the mounting, the OpenAPI document and the contract test see it. */
export interface Route {
  object: 'route'
  method: Method
  path: `/v1${string}`
  summary: string
  description?: string
  access: Access<Record<string, unknown>>
  params?: TSchema
  query?: TSchema
  body?: TSchema
  takes?: BytesBody
  returns?: TSchema | 'download'
  status?: 200 | 201 | 204 | 205
  location?: (answer: unknown, at: Addresses, params: unknown) => string
  immutable?: boolean
  audit?: string | false
  prepare?(context: object): Promise<unknown>
  handler(context: object): Promise<unknown>
}
