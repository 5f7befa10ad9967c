import { because } from '../core/languages/reasons.ts'
import { type Reasoned, reasoned, ReasonedError, reasonFields } from '../core/languages/reasoned.ts'

/** The fault of one value of a request. `path` is a path such as `body.title` or `query.limit`. */
export interface Fault extends Reasoned {
  path: string
}

/** The only error that a handler throws on purpose. The error handler turns it into a response. */
export class ApiError extends ReasonedError {
  readonly status: number
  readonly details: Fault[] | undefined
  /** Seconds after which a retry may succeed; sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** The parts of the content that conflict with the request, if the caller can settle the conflicts by a choice. */
  conflicts: readonly object[] | undefined
  /** Whether the token of the request is the reason. */
  refusesToken = false

  constructor(status: number, why: Reasoned | string, details?: Fault[], retryAfter?: number) {
    super(why)
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** 400: the request is wrong, whatever the state of the server. */
export const invalid = (why: Reasoned | string, details?: Fault[]) => new ApiError(400, why, details)

/** Faults in one response, at most. */
export const FAULTS_MAX = 20

/** 400 for values that are wrong. The message joins the faults: `body.title is required; body.type must be …`. */
export function invalidFields(faults: Fault[]) {
  const first = faults.slice(0, FAULTS_MAX)
  const message = first.map(({ path, message: fault }) => `${path} ${fault}`).join('; ')
  return invalid({ ...because('invalid-values'), message }, first)
}

/** 400 for one value that is wrong. @param why continues the path: `must be …` */
export const invalidField = (path: string, why: Reasoned | string) => invalidFields([faultAt(path, why)])

/** 400 for one value whose fault is a whole sentence. The message puts a colon before it. */
export const invalidAt = (path: string, why: Reasoned) => refusedAt(400, path, why)

/** An error about one value, whose fault is a whole sentence. */
export const refusedAt = (status: number, path: string, why: Reasoned, retryAfter?: number) =>
  new ApiError(
    status,
    { ...because('invalid-values'), message: `${path}: ${why.message}` },
    [faultAt(path, why)],
    retryAfter,
  )

/** The fault of a value. */
export const faultAt = (path: string, why: Reasoned | string): Fault => ({
  path,
  ...reasonFields(reasoned(why)),
})

/**
 * The fault of an id in a body that names nothing the caller can see: the response is 400. An id in the URL is 404.
 * @param what what the id must name: `a collection of this organization`
 */
export const unknownIdFault = (path: string, id: string, what: string): Fault =>
  faultAt(path, because('unknown-id', { what, id: JSON.stringify(id) }))

/** 400 for one id in a body that names nothing the caller can see. */
export const unknownId = (path: string, id: string, what: string) =>
  invalidFields([unknownIdFault(path, id, what)])

/** 401: the token is missing, wrong, expired or revoked. The message is the same for all four. */
export function unauthorized() {
  const error = new ApiError(401, because('token-required'))
  error.refusesToken = true
  return error
}

/** 401: something other than the API token of the caller is missing or wrong. */
export const signInRequired = (why: Reasoned | string) => new ApiError(401, why)

/** 403: the caller can see the resource but lacks a permission, which the message names. */
export const forbidden = (why: Reasoned | string) => new ApiError(403, why)

/**
 * 404: the resource does not exist, or the caller cannot see it. The message is the same for both.
 * @param kind what is missing, such as `change request`
 */
export const notFound = (kind: string) => missing(because('not-found', { kind }))

/** 404 for anything but a resource that the request names by its id. */
export const missing = (why: Reasoned | string) => new ApiError(404, why)

/** 409: the request is valid, but the state of the resource does not allow it. */
export const conflict = (why: Reasoned | string, details?: Fault[]) => new ApiError(409, why, details)

/** 412: a precondition is not met. */
export const preconditionFailed = (why: Reasoned | string) => new ApiError(412, why)

/** 413: the request exceeds a limit on bytes, entries or items. */
export const tooLarge = (why: Reasoned | string) => new ApiError(413, why)

/** 429: the caller exceeds a rate limit. */
export const tooMany = (why: Reasoned | string, retryAfter?: number) =>
  new ApiError(429, why, undefined, retryAfter)

/** 503: a service that the server depends on does not respond. A later retry may succeed. @param retryAfter in seconds */
export const unavailable = (why: Reasoned | string, retryAfter?: number) =>
  new ApiError(503, why, undefined, retryAfter)

/** 507: a disk is full. */
export const insufficientStorage = (why: Reasoned | string) => new ApiError(507, why)

/** The body of every error response: `{"error": {"code", "message", "reason", "parameters", "details", "conflicts"}}`. */
export function errorBody(
  code: number,
  why: Reasoned & { details?: readonly Fault[] | undefined; conflicts?: readonly object[] | undefined },
) {
  const details = why.details?.map((fault) => ({ path: fault.path, ...reasonFields(fault) }))
  const more = {
    ...(details?.length && { details }),
    ...(why.conflicts?.length && { conflicts: why.conflicts }),
  }
  return { error: { code, ...reasonFields(why), ...more } }
}

/** The schemas of `reason` and `parameters` beside a message. */
export const REASON_SCHEMAS = {
  reason: {
    type: 'string',
    description:
      'Why, as a word that stays the same when `message` is reworded, such as `too-long`. Missing if the message has none. Newer versions have more reasons.',
  },
  parameters: {
    type: 'object',
    description: 'The values that `message` contains, by the names that they have for this reason',
    additionalProperties: { type: ['string', 'number'] },
  },
}

/** The schema of `errorBody`. */
export const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status code' },
        message: { type: 'string', description: 'What is wrong, and how to correct it' },
        ...REASON_SCHEMAS,
        conflicts: {
          type: 'array',
          description:
            'For 409: each part of the content that others have changed since the revision that the request is based on, as it was, as they have it, and as the request has it',
          items: {
            type: 'object',
            required: ['title', 'kind'],
            properties: {
              page: {
                type: 'string',
                description:
                  'The id of the page, reusable content or file; missing for the variables and redirects of the space',
              },
              title: { type: 'string' },
              kind: {
                type: 'string',
                enum: ['text', 'field', 'deleted', 'changed'],
                description:
                  'A part of the text, a field, a page or file that others deleted, or one that they changed and the request deletes',
              },
              key: {
                type: 'string',
                description:
                  'The entry of the front matter, the name of the variable, or the path of the redirect',
              },
              field: { type: 'string' },
              base: {
                description:
                  'As the revision has it: Markdown for a part of the text, the whole Markdown for a page; `null` for none',
              },
              theirs: { description: 'As others have it' },
              mine: { description: 'As the request has it' },
            },
          },
        },
        details: {
          type: 'array',
          description:
            'One item for each invalid value of the request, or for each merge rule that is not met',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string', description: 'Where the value is, such as `body.title`' },
              message: { type: 'string' },
              ...REASON_SCHEMAS,
            },
          },
        },
      },
    },
  },
}

/**
 * The result of `prepare` no longer fits, because the content has changed since. The request is prepared and handled
 * again.
 */
export class PrepareAgain extends Error {
  override name = 'PrepareAgain'
}
