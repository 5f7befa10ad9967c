/** The fault of one value of a request. `path` is a path such as `body.title` or `query.limit`. */
export interface Fault {
  path: string
  message: string
}

/** The only error that a handler throws on purpose. The error handler turns it into a response. */
export class ApiError extends Error {
  readonly status: number
  readonly details: Fault[] | undefined
  /** Seconds after which a retry may succeed; sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** The parts of the content that conflict with the request, if the caller can settle the conflicts by a choice. */
  conflicts: readonly object[] | undefined
  /** Whether the token of the request is the reason. */
  refusesToken = false

  constructor(status: number, message: string, details?: Fault[], retryAfter?: number) {
    super(message)
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** 400: the request is wrong, whatever the state of the server. */
export const invalid = (message: string, details?: Fault[]) => new ApiError(400, message, details)

/** Faults in one response, at most. */
export const FAULTS_MAX = 20

/** 400 for values that are wrong. The message joins the faults: `body.title is required; body.type must be …`. */
export function invalidFields(faults: Fault[]) {
  const first = faults.slice(0, FAULTS_MAX)
  return invalid(first.map(({ path, message }) => `${path} ${message}`).join('; '), first)
}

/** 400 for one value that is wrong. @param message continues the path: `must be …` */
export const invalidField = (path: string, message: string) => invalidFields([{ path, message }])

/**
 * The fault of an id in a body that names nothing the caller can see: the response is 400. An id in the URL is 404.
 * @param what what the id must name: `a collection of this organization`
 */
export const unknownIdFault = (path: string, id: string, what: string): Fault => ({
  path,
  message: `must be the id of ${what}, but was ${JSON.stringify(id)}`,
})

/** 400 for one id in a body that names nothing the caller can see. */
export const unknownId = (path: string, id: string, what: string) =>
  invalidFields([unknownIdFault(path, id, what)])

/** 401: the token is missing, wrong, expired or revoked. The message is the same for all four. */
export function unauthorized() {
  const error = new ApiError(401, 'Send a valid API token in the header "Authorization: Bearer <token>"')
  error.refusesToken = true
  return error
}

/** 401: something other than the API token of the caller is missing or wrong. */
export const signInRequired = (message: string) => new ApiError(401, message)

/** 403: the caller can see the resource but lacks a permission, which the message names. */
export const forbidden = (message: string) => new ApiError(403, message)

/**
 * 404: the resource does not exist, or the caller cannot see it. The message is the same for both.
 * @param kind what is missing, such as `change request`
 */
export const notFound = (kind: string) => missing(`The ${kind} does not exist, or you cannot see it`)

/** 404 for anything but a resource that the request names by its id. */
export const missing = (message: string) => new ApiError(404, message)

/** 409: the request is valid, but the state of the resource does not allow it. */
export const conflict = (message: string, details?: Fault[]) => new ApiError(409, message, details)

/** 412: a precondition is not met. */
export const preconditionFailed = (message: string) => new ApiError(412, message)

/** 413: the request exceeds a limit on bytes, entries or items. */
export const tooLarge = (message: string) => new ApiError(413, message)

/** 429: the caller exceeds a rate limit. */
export const tooMany = (message: string, retryAfter?: number) =>
  new ApiError(429, message, undefined, retryAfter)

/** 503: a service that the server depends on does not respond. A later retry may succeed. @param retryAfter in seconds */
export const unavailable = (message: string, retryAfter?: number) =>
  new ApiError(503, message, undefined, retryAfter)

/** 507: a disk is full. */
export const insufficientStorage = (message: string) => new ApiError(507, message)

/** The body of every error response: `{"error": {"code", "message", "details", "conflicts"}}`. */
export function errorBody(status: number, message: string, details?: Fault[], conflicts?: readonly object[]) {
  const more = { ...(details?.length ? { details } : {}), ...(conflicts?.length ? { conflicts } : {}) }
  return { error: { code: status, message, ...more } }
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
          description: 'One item for each invalid value of the request',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string', description: 'Where the value is, such as `body.title`' },
              message: { type: 'string' },
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
