import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Blobs } from '../blobs/blobs.ts'
import type { Database, Reader, Tx } from '../db/schema.ts'
import type { SignInMethod } from '../db/sign-in-tables.ts'
import type { Mail } from '../mail/mail.ts'
import type { Insights } from './insights.ts'
import type { OwnProcess } from './own-process.ts'
import type { Urls } from './urls.ts'
import type { FetchBounds, Fetched } from './outgoing/guarded-fetch.ts'
import type { Outgoing } from './outgoing/connect.ts'
import type { PageRequest } from './pagination.ts'
import type { AttemptLimiter } from './limits/attempts.ts'
import type { Rates } from './limits/rate.ts'
import type { RunningImports } from './running-imports.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The session of a browser. */
export interface CallerSession {
  id: string
  method: SignInMethod
  /** The identity provider that signed the person in. */
  providerId: string | null
  /** The organization of that provider, to which the session is limited. */
  organizationId: string | null
  createdAt: string
  expiresAt: string
}

/** The user who sends a request, and what their token allows. A reader of a site is no user. */
export interface Caller {
  userId: string
  /** Empty for a session. */
  tokenId: string
  readOnly: boolean
  /** The only organization that the caller reaches: that of the identity provider that signed them in, or of the SCIM token. */
  organizationId?: string
  /** The caller signed in with a password or passkey. Organizations that require single sign-on are closed to them. */
  ownSignIn?: boolean
  /** The session of the browser that sent the request, if its cookie identifies the user instead of a token. */
  session?: CallerSession
  /** The reader that a site token stands for. Only routes with `readers` admit one. */
  reader?: SiteReader
  /** The token is the SCIM token of an organization, and no user's. The routes of SCIM admit nothing else. */
  isProvisioner?: boolean
}

/** A reader of a published site. */
export interface SiteReader {
  organizationId: string
  siteId: string
  proof: ReaderProof
  /** When their site token expires. */
  expires: Date
}

/** The proof that a reader of a site has given. The server decides at each request whether it still admits them. */
export interface ReaderProof {
  /** The claims that the site accepted. Those in `unsigned` are only what the reader said. */
  claims: { unsigned: Record<string, unknown>; [name: string]: unknown }
  /** The hash of the key of the share link that they used. */
  keyHash?: string
  /** The fingerprint of the private key of the site that signed their claims. */
  signedBy?: string
  /** The id of the member whose preview of the site this is. */
  preview?: string
}

/** Recognizes the devices from which a user signed in before. */
export interface Devices {
  /** A text that proves for a year that its holder signed in with this e-mail address. */
  issue(email: string, now: Date): string
  /** The name of the device, if the text was issued for this address and has not expired. */
  recognize(device: string, email: string, now: Date): string | undefined
}

/** Encrypts secrets that have to be shown again, so that they are not stored as plain text. */
export interface Sealing {
  /** Encrypts a text. @param of what the secret belongs to, such as `share-link <id>`; it cannot be opened as another's */
  seal(text: string, of: string): string
  /** Like `seal`, but equal texts give equal results, for what is in addresses. Who has two learns whether they are equal. */
  sealAlike(text: string, of: string): string
  /** Decrypts a sealed text; undefined if it was not sealed by this installation for the same purpose. */
  open(sealed: string, of: string): string | undefined
  /** A secret of 256 bits that is the same for a purpose until the secret of the installation is rotated, as 43 characters. */
  derive(purpose: string): string
  /** During a rotation, the derived secrets of both secrets, the current one first. What either signed is valid. */
  deriveAll(purpose: string): readonly string[]
  /** Like `deriveAll`, according to a transaction, which may know more of a rotation than this process does. */
  deriveAllIn(db: Reader, purpose: string): Promise<readonly string[]>
}

/** The services that routes use besides the database, shared by the whole process. */
export interface Services {
  db: Database
  blobs: Blobs
  urls: Urls
  now: () => Date
  newId: () => string
  /** The guarded fetch, bound to the configured ranges. */
  fetch: (url: string, bounds: FetchBounds, outgoing?: Outgoing) => Promise<Fetched>
  enqueue: Enqueue
  /** Sends the events that were just committed to the clients of this process that listen. Others find them by polling. */
  tellListeners: () => void
  /** The actions of the audit log. */
  auditActions: () => { id: string; label: string }[]
  mail: Mail
  /** Logs that the blob store has lost the bytes of a file: once for each hash, and not for each request. */
  reportMissing: (hash: string, name?: string) => void
  /** Counts an attempt to authenticate. It begins a transaction, so call it outside of others. @throws 429 after too many */
  attempt: AttemptLimiter
  devices: Devices
  sessionTimes: SessionTimes
  sealing: Sealing
  /** The renderer in front of the server, if there is one. */
  renderer: RendererConfig | undefined
  /** The TXT records of a DNS name. @throws 503 if the DNS does not answer */
  resolveTxt: (name: string) => Promise<string[]>
  insights: Insights
  imports: RunningImports
  /** What this copy of the server knows of itself. */
  own: OwnProcess
  rates: Rates
  /**
   * In bytes: the largest upload, and all uploads of an organization or of a user together. The organizations that a user
   * may create. In days: how long events of visitors are kept. In hours: how long the source of an OpenAPI specification is
   * current; 0 is for ever.
   */
  limits: {
    upload: number
    uploadQuota: number
    organizations: number | 'one'
    insightDays: number
    openapiHours: number
  }
}

/** A renderer in front of the server, and the secret with which the server signs requests to it. */
export interface RendererConfig {
  /** Its address, without a trailing slash. */
  url: string
  secret: string
}

/** For how long people stay signed in. */
export interface SessionTimes {
  /** After signing in, however often the session is used. */
  ageMs: number
  /** After the last request. */
  idleMs: number
}

/**
 * Adds a job for each payload. The jobs run if, and only if, `tx` commits. Those that are for an organization run in the
 * turns of the user who asks, or else of the organization; the others in those of the installation.
 */
export type Enqueue = (
  tx: Tx,
  kind: string,
  payload: object | object[],
  options?: { runAt?: Date; dedupe?: string; organization?: string },
) => Promise<void>

/** The details that a handler adds to the audit event of its change, if the route and the response do not give them. */
export interface AuditNote {
  /** The organizations whose logs the event belongs to, if not that of the subject. */
  organizations?: string[]
  target?: { type: string; id: string; label?: string | undefined }
  /** The user who called a route that requires no token. */
  userId?: string
  /** A change request that the change made or updated, if the URL names none. Its events tell of it. */
  changeRequestId?: string
  /** The fields of the target before the change; by default, those of the subject's row. */
  before?: object
  /** The fields of the target after the change; by default, those of the body and the response. */
  after?: object
  /** An earlier event stands for the change too, so there is none for it. */
  isRecorded?: boolean
}

/** The validated parts of a request. */
export interface Input<P, Q, B> {
  params: P
  query: Q
  body: B
}

/** The context that every handler receives. */
export interface HandlerContext extends Omit<Services, 'db' | 'now'> {
  me: Caller
  /** The time of the request: every timestamp that it writes. */
  now: Date
  /** The IP address of the client. */
  ip: string
  /** Where the page of results starts, and how many items it may have. */
  page: PageRequest
  /** The conditional and range headers of the request. */
  conditions: Conditions
}

/** The headers of a conditional or range request (RFC 9110, sections 13 and 14), and the key of one that may be repeated. */
export interface Conditions {
  range?: string | undefined
  ifRange?: string | undefined
  ifNoneMatch?: string | undefined
  ifMatch?: string | undefined
  idempotencyKey?: string | undefined
}

/**
 * The permission that a route requires. `load` returns the subject that the URL names, or throws 401, 403 or 404. A route
 * that is `open` requires no token. Its `me` has no user; one that `knows members` has the user whose valid token was sent.
 */
export interface Access<Subject> {
  /** The permission in the API reference and in the contract test, such as `space: admin`. */
  needs: string
  open?: boolean | 'knows members'
  load(context: AccessContext): Promise<Subject>
}

/** The data on which an access check bases its decision. */
export interface AccessContext {
  db: Reader
  me: Caller
  params: Record<string, string>
  /** The validated query of a GET; empty for other methods, whose access is checked before their input. */
  query: Record<string, unknown>
  now: Date
  sealing: Sealing
  urls: Urls
}

/** The largest JSON body, in bytes, of a route that declares no `bodyLimit`. */
export const BODY_LIMIT = 64 * 1024

/** The `bodyLimit` of a route whose body has a document: the JSON of a document is many times as large as its text. */
export const DOCUMENT_BODY_LIMIT = 1024 * 1024

/** A request body that is a stream of bytes instead of JSON. */
export interface BytesBody {
  contentTypes: string[]
  /**
   * The user whose share of memory the body takes, if no token names one; undefined if the request will be refused. The
   * parameters and the query are not validated yet.
   */
  countedFor?: (request: {
    db: Reader
    params: Record<string, unknown>
    query: Record<string, unknown>
    now: Date
  }) => Promise<string | undefined>
}

/** A response that is bytes instead of JSON. */
export interface Download {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  body: Readable | Buffer | undefined
}

/** The events that a listening client gets: those of a space, or of one of its change requests. */
export interface Listening {
  spaceId: string
  /** With it, only the events of this change request and those of the primary content. */
  changeRequestId?: string
}

/** The event of a route, where it does not follow from the rows of the space and the change request. */
export type EventOfRoute = 'comment' | 'reply' | 'review' | 'review-request'

/** The handler of a DELETE route returns this if there was nothing to delete. The response is 204. */
export const ABSENT = 'absent'

type RoutePath = `/v1${string}` | `/scim/v2${string}`

type Of<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined
/** A response that is no JSON: bytes, or a stream of server-sent events that lasts. */
type Special = 'download' | 'events'
type AnswerOf = { download: Download; events: Listening }
type Answer<R> = R extends TSchema ? Static<R> : R extends Special ? AnswerOf[R] : void
type Outcome<M extends Method, R> = Answer<R> | (M extends 'DELETE' ? typeof ABSENT : never)

interface Shape<
  M extends Method,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | Special | undefined,
  Subject,
  Prepared,
> {
  method: M
  /** With `:name` for ids, starting with `/v1`, or `/scim/v2` for SCIM. */
  path: RoutePath
  summary: string
  description?: string
  access: Access<Subject>
  params?: P
  /** The names of parameters that are secrets, which the request log must not contain. */
  secrets?: string[]
  query?: Q
  body?: B
  /** The largest JSON body in bytes; 64 kB by default. */
  bodyLimit?: number
  /** The body is bytes, which `prepare` receives as a stream. */
  takes?: BytesBody
  /** The schema of the response; without it, the response has no content. */
  returns?: R
  /** The media types of a `download`; by default, it can have any. */
  media?: string[]
  /** The success status: by default 200 with `returns` and 204 without. A DELETE that returns `ABSENT` is 204. */
  status?: 200 | 201 | 204 | 205
  /** The `Location` header of a 201; by default `urls.location` of the response. */
  location?: (answer: Answer<R>, urls: Urls, params: Of<P>) => string
  /** The response never changes, as that of a revision, so clients may cache it for ever. */
  immutable?: boolean
  /**
   * Whether site tokens may be sent. The access check then loads what their readers may see. Only for GET, and for a POST
   * that changes nothing (`audit: false`).
   */
  readers?: M extends 'GET' | 'POST' ? boolean : never
  /** Whether a POST only reads, so that read-only tokens may send it. It is then not audited either (`audit: false`). */
  reads?: M extends 'POST' ? boolean : never
  /** The action in the audit log, if it does not follow from the path and name; false if the route changes nothing. */
  audit?: string | false
  /** The event that announces the change to the listeners of the space. Its `data` has the ids of the URL and the response. */
  event?: EventOfRoute
  /**
   * The only step outside the transaction, for operations that fetch, receive or store bytes, or that need a thread.
   * `signal` aborts when the client leaves, and at the latest when the request is over.
   */
  prepare?(
    context: Input<Of<P>, Of<Q>, Of<B>> &
      HandlerContext &
      Subject & { db: Database; bytes: Readable; signal: AbortSignal },
  ): Promise<Prepared>
  /** `leaving` makes the signal for a GET that may take long, because a signal for each would cost the others time. */
  handler(
    context: Input<Of<P>, Of<Q>, Of<B>> &
      HandlerContext &
      Subject & { prepared: Prepared } & (M extends 'GET'
        ? { db: Reader; leaving: () => AbortSignal }
        : { tx: Tx; audit: (note: AuditNote) => void }),
  ): Promise<Outcome<M, R>>
}

/** Declares an endpoint: its input, the required permission, its handler and its response. */
export function route<
  const M extends Method,
  Subject,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | Special | undefined = undefined,
  Prepared = undefined,
>(shape: Shape<M, P, Q, B, R, Subject, Prepared>): Route {
  // The compiler has checked the types of this route here; mounting treats all routes alike.
  return { object: 'route', ...shape } as unknown as Route
}

/** A declared endpoint, as mounting, the OpenAPI document and the contract test use it. */
export interface Route {
  object: 'route'
  method: Method
  path: RoutePath
  summary: string
  description?: string
  access: Access<Record<string, unknown>>
  params?: TSchema
  secrets?: string[]
  query?: TSchema
  body?: TSchema
  bodyLimit?: number
  takes?: BytesBody
  returns?: TSchema | Special
  media?: string[]
  status?: 200 | 201 | 204 | 205
  location?: (answer: unknown, urls: Urls, params: unknown) => string
  immutable?: boolean
  readers?: boolean
  reads?: boolean
  audit?: string | false
  event?: EventOfRoute
  prepare?(context: object): Promise<unknown>
  handler(context: object): Promise<unknown>
}
