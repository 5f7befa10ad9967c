/** A fault in one place of the input. `path` is a JSON path such as `body.title` or `query.limit`. */
export interface Fault {
  path: string
  message: string
}

/** The only error a handler throws on purpose; the error handler sends it as it is. */
export class ApiError extends Error {
  readonly status: number
  readonly details: Fault[] | undefined
  /** Seconds after which trying again may work; sent as `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, details?: Fault[], retryAfter?: number) {
    super(message)
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** The request is wrong, whatever the state of things: 400. */
export const invalid = (message: string, details?: Fault[]) => new ApiError(400, message, details)

/** No token, or one that is wrong, expired or revoked; never says which: 401. */
export const unauthorized = () =>
  new ApiError(401, 'Send a valid API token in the header "Authorization: Bearer <token>"')

/** Visible to the caller, but not allowed; names the missing permission: 403. */
export const forbidden = (message: string) => new ApiError(403, message)

/** Not there, or not visible to the caller; the same words for both: 404. */
export const notFound = (what = 'Not found') => new ApiError(404, what)

/** The request is right but the state of things does not allow it: 409. */
export const conflict = (message: string, details?: Fault[]) => new ApiError(409, message, details)

/** A condition the caller named does not hold: 412. */
export const preconditionFailed = (message: string) => new ApiError(412, message)

/** More bytes, entries or items than allowed: 413. */
export const tooLarge = (message: string) => new ApiError(413, message)

/** Over the rate limit: 429. */
export const tooMany = (message: string, retryAfter?: number) =>
  new ApiError(429, message, undefined, retryAfter)

/** Something this depends on does not answer; trying later may work: 503. */
export const unavailable = (message: string) => new ApiError(503, message)

/** The one shape of every error answer (api-facts 1.1, with `details` beside it). */
export function errorBody(status: number, message: string, details?: Fault[]) {
  return { error: { code: status, message, ...(details?.length ? { details } : {}) } }
}

/** The schema of every error answer. */
export const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status' },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
}
