import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { organizationOf, writeAudit } from './audit.ts'
import { BlobTooLarge } from './blobs/blobs.ts'
import { identifyCaller, type Metering } from './callers.ts'
import { isBusy, isSerializationFailure, isUniqueViolation } from './db/errors.ts'
import { conditionsOf, answerJson, sendDownload, sendJson } from './http/answer.ts'
import {
  ApiError,
  conflict,
  errorBody,
  forbidden,
  invalidFields,
  PrepareAgain,
  tooLarge,
  unavailable,
} from './http/errors.ts'
import { pageOf } from './http/pagination.ts'
import {
  type AuditNote,
  BODY_LIMIT,
  type Caller,
  type Download,
  ABSENT,
  type Route,
  type Services,
} from './http/route.ts'
import { compileCheck, onlyKnown } from './http/validate.ts'
import { OUTAGE, outageOf } from './http/outage.ts'
import { holdAuditChain } from './model/audit/chain.ts'
import type { NamedRoute } from './routes.ts'
import { ThreadError } from './threads/pool.ts'

/** How soon a client may repeat a request that the database was too busy for. */
const BUSY_RETRY_S = 2
/** How often a request is prepared if the content keeps changing meanwhile. */
const MOST_PREPARATIONS = 5
const AGAIN = Symbol('again')
/** A status for the log alone, as other servers write it. */
const CLIENT_LEFT = 499

function again(error: unknown): typeof AGAIN {
  if (error instanceof PrepareAgain) return AGAIN
  throw error
}

/** What mounting needs besides the services of the handlers. */
export interface Mounting extends Metering {
  /** Receives every response before it is sent. The tests check it against its schema. */
  inspect?: ((route: Route, answer: unknown) => void) | undefined
}

/**
 * The `schemaController` of a server with declared routes. Fastify does not check or serialize by the schemas, because its
 * validation would coerce null in bodies; it does not even load the libraries for that.
 */
export const NO_SCHEMA_CHECKS = {
  compilersFactory: {
    // Fastify's type has only the compiler of its own library.
    buildValidator: (() => () => () => true) as never,
    buildSerializer: () => () => JSON.stringify,
  },
}

/** Adds the declared routes to the server: those with a JSON body, and those that take bytes. */
export function mountRoutes(server: FastifyInstance, routes: NamedRoute[], mounting: Mounting): void {
  // Two scopes, because each scope costs the start about a millisecond.
  server.register(async (scope) => {
    scope.removeContentTypeParser('text/plain')
    for (const { name, route } of routes) if (!route.takes) mount(scope, route, name, mounting)
  })
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const { name, route } of routes) if (route.takes) mount(scope, route, name, mounting)
  })
}

/**
 * Adds a declared route to a scope. A request passes these steps: identify the caller, check access, read and validate
 * the body, prepare, handle, write the audit event, respond. A GET has no body, so its access is checked last.
 */
function mount(scope: FastifyInstance, route: Route, name: string, mounting: Mounting): void {
  const { services, inspect } = mounting
  // Compiled at the first request, because compiling the checks of all routes would slow the start.
  let checks: Checks | undefined

  const admitted = new WeakMap<FastifyRequest, Admitted>()

  /** Decides before the body is read: whether the caller is known, and for a change, whether they may make it. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Admitted> => {
    const me = await identifyCaller(request, reply, route.access.open ?? false, mounting)
    if (route.method === 'GET') return { me, subject: undefined }

    checks ??= compileChecks(route)
    const faults = checks.params?.(request.params) ?? []
    if (faults.length > 0) throw invalidFields(faults)
    const params = request.params as Record<string, string>
    const subject = await route.access.load({ db: services.db.read, me, params, now: services.now() })
    // After `load`, so that a resource that the caller cannot see is 404 for this token too.
    if (me.readOnly && !route.access.open)
      throw forbidden('This token is read-only; use a token that can also write')
    return { me, subject }
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const now = services.now()
    const known = admitted.get(request)
    if (!known) throw new Error('The hook that admits the caller did not run')
    const { me } = known
    checks ??= compileChecks(route)
    const input = checkInput(route, checks, request)
    const params = input.params as Record<string, string>
    const context = {
      ...services,
      ...input,
      me,
      now,
      ip: request.ip,
      page: pageOf(input.query as { page?: string }),
      conditions: conditionsOf(request),
    }
    const load = (db: Services['db']['read']) => route.access.load({ db, me, params, now })

    if (route.method === 'GET') {
      const subject = await load(services.db.read)
      return await route.handler({ ...context, ...subject, db: services.db.read })
    }

    const bytes = request.body instanceof Readable ? request.body : Readable.from([])
    const write = (prepared: unknown) =>
      services.db.write(async (tx) => {
        // Loaded again, because the subject may have changed while the body was read and `prepare` ran.
        const subject = await load(tx)
        await holdAuditChain(services.db, tx, organizationOf(subject, params))

        const note: AuditNote = {}
        const audit = (more: AuditNote) => void Object.assign(note, more)
        const result = await route.handler({ ...context, ...subject, tx, prepared, audit })
        if (result !== ABSENT) {
          const { ip, id: requestId } = request
          const { body } = input
          await writeAudit(tx, route, name, {
            me,
            now,
            ip,
            requestId,
            params,
            body,
            subject,
            answer: result,
            note,
          })
        }
        return result
      })
    for (let attempt = 1; attempt <= MOST_PREPARATIONS; attempt++) {
      const subject = attempt === 1 ? known.subject : await load(services.db.read)
      const prepared = await route.prepare?.({ ...context, ...subject, bytes, signal: leaving(reply) })
      const result = await write(prepared).catch(again)
      if (result !== AGAIN) return result
    }
    throw unavailable('The content changed again and again meanwhile; retry the request', BUSY_RETRY_S)
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const result = await answer(request, reply)
    if (route.method === 'DELETE' && result === ABSENT) return reply.code(204).send()
    if (route.returns === 'download') return sendDownload(request, reply, result as Download)
    if (route.returns === undefined) return reply.code(route.status ?? 204).send()
    inspect?.(route, JSON.parse(answerJson(result)))
    reply.code(route.status ?? 200)
    const location =
      route.location?.(result, services.urls, request.params) ?? (result as Located).urls?.location
    if (route.status === 201 && location) reply.header('location', location)
    return sendJson(request, reply, result, route.immutable ?? false)
  }

  scope.route({
    method: route.method,
    url: route.path,
    schema: openApiSchema(route, name),
    bodyLimit: route.takes ? services.limits.upload : (route.bodyLimit ?? BODY_LIMIT),
    // Runs before the body is read, so that the rate limit counts every body.
    onRequest: async (request, reply) => {
      admitted.set(request, await admit(request, reply))
    },
    handler,
  })
}

/** Aborts when the client leaves, and at the latest when the request is over. */
function leaving({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}

/** The caller of a request, and for a change, the subject that the URL names. */
interface Admitted {
  me: Caller
  subject: Record<string, unknown> | undefined
}

type Located = { urls?: { location?: string } }

/**
 * Sends an error in the one shape that all errors have. An error that nothing threw on purpose is logged and becomes a
 * 500 without details.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // Fastify closes the connection of a body that is too large at once, and the client would not see the answer.
  if (!request.raw.complete) reply.removeHeader('connection')
  // The rest of a body that nobody reads any more would block the connection.
  if (!request.raw.complete && request.raw.destroyed) reply.header('connection', 'close')
  const outage = outageOf(error)
  if (outage) request.log.error({ id: request.id, err: error }, OUTAGE)
  const known = outage ?? knownError(error, request)
  if (known?.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
  if (known?.status === 401) reply.header('www-authenticate', challengeFor(request, known))
  if (known) return reply.code(known.status).send(errorBody(known.status, known.message, known.details))

  request.log.error({ id: request.id, err: error }, 'unexpected error')
  return reply
    .code(500)
    .send(
      errorBody(500, `An unexpected error occurred; the server log has the details of request ${request.id}`),
    )
}

/**
 * The challenge of a 401 (RFC 6750, section 3). A token that was sent and refused is `invalid_token`, whatever is wrong
 * with it. If a password is wrong, the token is not the reason.
 */
function challengeFor({ headers }: FastifyRequest, { refusesToken }: ApiError): string {
  const realm = 'Bearer realm="Lectern"'
  return headers.authorization !== undefined && refusesToken ? `${realm}, error="invalid_token"` : realm
}

function knownError(error: unknown, { routeOptions }: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (isUniqueViolation(error)) return conflict('A resource with the same name already exists')
  if (isBusy(error) || isSerializationFailure(error))
    return unavailable('The database is locked by another write; retry the request', BUSY_RETRY_S)
  if (error instanceof BlobTooLarge) return tooLarge(`The file must have at most ${error.maxBytes} bytes`)
  if (error instanceof ThreadError && error.fault === 'aborted')
    return new ApiError(CLIENT_LEFT, 'The connection was closed before the answer')
  const { statusCode, message } = error as { statusCode?: number; message: string }
  if (statusCode === 415)
    return new ApiError(415, 'Send the body as JSON, with the header "Content-Type: application/json"')
  if (statusCode === 413) return tooLarge(`The body must have at most ${routeOptions.bodyLimit} bytes`)
  // Errors of Fastify itself, such as malformed JSON or a body over the limit.
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError(statusCode, message)
  return undefined
}

interface Checks {
  params?: ReturnType<typeof compileCheck>
  query?: ReturnType<typeof compileCheck>
  body?: ReturnType<typeof compileCheck>
}

function compileChecks({ params, query, body }: Route): Checks {
  return {
    ...(params ? { params: compileCheck(params, 'params') } : {}),
    ...(query ? { query: compileCheck(query, 'query') } : {}),
    ...(body ? { body: compileCheck(body, 'body') } : {}),
  }
}

function checkInput(route: Route, checks: Checks, request: FastifyRequest) {
  const body = route.body ? (request.body ?? {}) : undefined
  const faults = [
    ...(checks.params?.(request.params) ?? []),
    ...(checks.query?.(request.query) ?? []),
    ...(checks.body?.(body) ?? []),
  ]
  if (faults.length > 0) throw invalidFields(faults)
  return {
    params: request.params,
    query: request.query,
    body: route.body ? onlyKnown(route.body, body) : undefined,
  }
}

/** The group in the API reference: the first word of the path, or the second for resources of an organization. */
function tagOf({ path }: Route): string {
  const [first = 'root', second] = path
    .split('/')
    .filter((word) => word && word !== 'v1' && !word.startsWith(':'))
  return first === 'orgs' && second ? second : first
}

function openApiSchema(route: Route, name: string) {
  const { summary, description, params, query, body, returns, access } = route
  const status = route.status ?? (returns === undefined ? 204 : 200)
  const content = returns === 'download' ? { type: 'string', format: 'binary' } : returns
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary,
    description: [description, `Required permission: ${access.needs}.`].filter(Boolean).join('\n\n'),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body } : {}),
    ...(access.open ? { security: [] } : {}),
    response: {
      [status]: content ?? noContent(status),
      ...(route.method === 'DELETE' && status !== 204 ? { 204: noContent(204, 'Did not exist') } : {}),
    },
  } as { response: Record<string, TSchema> }
}

const noContent = (status: number, description = status === 205 ? 'Deleted' : 'Done') => ({
  type: 'null',
  description,
})
