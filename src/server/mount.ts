import { sizeLimit } from '../core/text/byte-size.ts'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { ScimFault } from '../core/scim/fault.ts'
import { BlobTooLarge } from '../blobs/blobs.ts'
import { callerBy, identifyCaller, countedCaller, type Metering } from './callers.ts'
import { isBusy, isSerializationFailure, isUniqueViolation } from '../db/errors.ts'
import { rendererHeaders } from '../http/response/renderer-headers.ts'
import { canChange, conditionsOf, sendDownload, sendJson } from '../http/response/answer.ts'
import { hasErrorCode } from '../core/runtime/error-code.ts'
import type { Counted } from '../http/limits/networks.ts'
import { admitBody, bodyTooLarge, jsonParser } from '../http/request/request-body.ts'
import { ApiError, conflict, errorBody, tooLarge, unavailable } from '../http/errors.ts'
import { sendNoEvents } from '../http/response/event-stream.ts'
import { methodOf } from '../http/response/head.ts'
import { answerJson } from '../http/response/json-parts.ts'
import { clientLeft, leaving } from '../http/request/leaving.ts'
import {
  ABSENT,
  BODY_LIMIT,
  type Caller,
  type Download,
  type Listening,
  type Route,
  type Services,
} from '../http/route.ts'
import { isScimPath, SCIM_TYPE, scimErrorBody } from './scim-responses.ts'
import { logOutage, outageOf } from '../http/response/outage.ts'
import type { OperationOfPage } from '../console/serve/server.ts'
import type { Listeners } from '../effects/streams.ts'
import { BUSY_RETRY_S, type Operation, operationOf } from './operation.ts'
import { describedOperation } from './described.ts'
import { representationsOf } from './preconditions.ts'
import type { NamedRoute } from './routes.ts'
import { inTurnsOfCaller } from './taking-turns.ts'
import { ThreadError } from '../threads/pool.ts'
import { because } from '../core/languages/reasons.ts'

/** The parts that mounting needs besides the services of the handlers. */
export interface Mounting extends Metering {
  /** The clients that listen to events. */
  listeners: Listeners
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

/** Adds the declared routes to the server: those with a JSON body, those of SCIM, and those that take bytes. */
export function mountRoutes(server: FastifyInstance, routes: NamedRoute[], services: Mounting): void {
  const mounting = { ...services, representations: representationsOf(routes) }
  // Three scopes, because each scope costs the start about a millisecond.
  server.register(async (scope) => {
    scope.removeContentTypeParser('text/plain')
    for (const one of routes) if (!one.route.takes && !isScimPath(one.route.path)) mount(scope, one, mounting)
  })
  server.register(async (scope) => {
    scope.removeContentTypeParser('text/plain')
    scope.addContentTypeParser(SCIM_TYPE, { parseAs: 'string' }, jsonParser(scope))
    for (const one of routes) if (isScimPath(one.route.path)) mount(scope, one, mounting)
  })
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const one of routes) if (one.route.takes) mount(scope, one, mounting)
  })
}

/**
 * Adds a declared route to a scope. A request passes these steps: identify the caller, check access, read and validate
 * the body, prepare, handle, write the audit event, respond. A GET has no body, so its access is checked last.
 */
function mount(
  scope: FastifyInstance,
  named: NamedRoute,
  mounting: Mounting & { representations: ReadonlyMap<string, Route> },
): void {
  const { route, name } = named
  const { services, inspect, representations } = mounting
  const operation = operationOf(named, services, representations)
  const isScim = isScimPath(route.path)
  const admitted = new WeakMap<FastifyRequest, Admitted>()

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Admitted> => {
    const me = await identifyCaller(request, reply, route.access.open ?? false, mounting)
    const { ip, params } = request
    return { me, subject: await inTurnsOfCaller(me, ip, () => operation.admit(me, params)) }
  }

  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const known = admitted.get(request)
    if (!known) throw new Error('The hook that admits the caller did not run')
    const { ip, id: requestId, params, query, body } = request
    const { me, subject } = known
    // A request whose body was read goes on outside the turns in which it arrived.
    return inTurnsOfCaller(me, ip, () =>
      operation.run({
        me,
        subject,
        params,
        query,
        body,
        ip,
        requestId,
        conditions: conditionsOf(request),
        onReplay: () => void reply.header('idempotent-replayed', 'true'),
        bytes: () => (body instanceof Readable ? body : Readable.from([])),
        signal: () => leaving(reply),
      }),
    )
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const result = await answer(request, reply)
    const { reader } = admitted.get(request)!.me
    if (reader) reply.headers(rendererHeaders(reader, request.params as Record<string, string>))
    if (route.method === 'DELETE' && result === ABSENT) return reply.code(204).send()
    if (route.returns === 'download')
      return sendDownload(request, reply, result as Download, () => callerKey(request))
    if (route.returns === 'events') return listen(request, reply, result as Listening)
    if (route.returns === undefined) return reply.code(route.status ?? 204).send()
    inspect?.(route, JSON.parse(answerJson(result)))
    reply.code(route.status ?? 200)
    const location =
      route.location?.(result, services.urls, request.params) ?? (result as Located).urls?.location
    if (route.status === 201 && location) reply.header('location', location)
    return sendJson(request, reply, result, {
      // The view that a reader has of a revision changes with the site.
      immutable: route.immutable === true && !admitted.get(request)?.me.reader && !canChange(result),
      caller: () => callerKey(request),
      ...(isScim ? { type: SCIM_TYPE } : {}),
    })
  }

  const listen = (request: FastifyRequest, reply: FastifyReply, listening: Listening) => {
    if (methodOf(request.raw) === 'HEAD') return sendNoEvents(reply)
    const { userId } = admitted.get(request)!.me
    const lastEventId = request.headers['last-event-id']?.toString()
    const isAllowed = async () => {
      const me = await callerBy(request, services, services.now())
      if (me.userId !== userId) return false
      await operation.recheck(me, request.params)
      return true
    }
    return mounting.listeners.open(reply, { ...listening, userId, lastEventId, isAllowed })
  }

  const callerKey = (request: FastifyRequest) => countedCaller(admitted.get(request)?.me, request)

  const limit = route.takes ? undefined : (route.bodyLimit ?? BODY_LIMIT)
  const countedFor = async (request: FastifyRequest): Promise<Counted> => {
    const { params, query } = request as Record<'params' | 'query', Record<string, unknown>>
    const asked = { db: services.db.read, params, query, now: services.now() }
    return (await route.takes?.countedFor?.(asked)) ?? callerKey(request)
  }
  // Calls back, because most bodies need no promise.
  const receive: preParsingHookHandler = (request, reply, payload, done) => {
    const admitting = route.takes?.countedFor
      ? countedFor(request).then((caller) => admitBody(request, reply, { limit, caller: () => caller }))
      : admitBody(request, reply, { limit, caller: () => callerKey(request) })
    if (!admitting) return done(null, payload)
    // oxlint-disable-next-line promise/no-callback-in-promise
    admitting.then(() => done(null, payload), done)
  }

  scope.route({
    method: route.method,
    url: route.path,
    schema: describedOperation(route, name),
    bodyLimit: limit ?? services.limits.upload,
    // Runs before the body is read, so that the rate limit counts every body.
    onRequest: async (request, reply) => {
      admitted.set(request, await admit(request, reply))
    },
    ...(route.method === 'GET' ? {} : { preParsing: receive }),
    handler,
  })
}

/**
 * Runs operations by name, or operations without an address, for the server's own pages and for git. These respond with
 * something other than what operations return.
 */
export function operationsForPages(
  routes: NamedRoute[],
  services: Services,
): (named: string | Pick<NamedRoute, 'name' | 'route'>, asked: OperationOfPage) => Promise<unknown> {
  const known = new Map<string, Operation>()
  for (const named of routes) known.set(named.name, operationOf(named, services))

  return async (named, { me, request, reply, params = {}, query = {}, body }) => {
    const operation = typeof named === 'string' ? known.get(named) : operationOf(named, services)
    if (!operation) throw new Error(`There is no operation ${JSON.stringify(named)}`)
    const { ip, id: requestId } = request
    const [bytes, signal] = [() => Readable.from([]), () => leaving(reply)]
    try {
      return await inTurnsOfCaller(me, ip, async () => {
        const subject = await operation.admit(me, params)
        const sent = { params, query: { ...query }, body }
        return operation.run({ me, subject, ...sent, ip, requestId, conditions: {}, bytes, signal })
      })
    } catch (error) {
      throw knownError(error, request) ?? error
    }
  }
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
  if (outage) logOutage(request, outage, error)
  const known = outage ?? knownError(error, request)
  if (known?.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
  if (known?.status === 401) reply.header('www-authenticate', challengeFor(request, known))
  if (!known) request.log.error({ id: request.id, err: error }, 'unexpected error')
  const status = known?.status ?? 500
  const why = known ?? because('server-error', { id: request.id })
  if (isScimPath(request.url))
    return reply
      .code(status)
      .type(SCIM_TYPE)
      .send(JSON.stringify(scimErrorBody(status, why.message, error)))
  return reply.code(status).send(errorBody(status, why))
}

/**
 * The challenge of a 401 (RFC 6750, section 3). A token that was sent and refused is `invalid_token`, whatever is wrong
 * with it. If a password is wrong, the token is not the reason.
 */
function challengeFor({ headers }: FastifyRequest, { refusesToken }: ApiError): string {
  const realm = 'Bearer realm="Lectern"'
  return headers.authorization !== undefined && refusesToken ? `${realm}, error="invalid_token"` : realm
}

function knownError(error: unknown, { raw, routeOptions }: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error
  // The stream of a body fails so when its client leaves.
  if (raw.destroyed && !raw.complete && hasErrorCode(error, 'ECONNRESET')) return clientLeft()
  if (error instanceof ScimFault)
    return new ApiError(error.scimType === 'uniqueness' ? 409 : 400, error.message)
  if (isUniqueViolation(error)) return conflict(because('name-taken'))
  if (isBusy(error) || isSerializationFailure(error))
    return unavailable(because('database-busy'), BUSY_RETRY_S)
  if (error instanceof BlobTooLarge)
    return tooLarge(because('file-too-large', { limit: sizeLimit(error.maxBytes) }))
  if (error instanceof ThreadError && error.fault === 'aborted') return clientLeft()
  const { statusCode, message } = error as { statusCode?: number; message: string }
  if (statusCode === 415) return new ApiError(415, because('not-json'))
  if (statusCode === 413) return bodyTooLarge(routeOptions.bodyLimit)
  // Errors of Fastify itself, such as malformed JSON or a body over the limit.
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError(statusCode, message)
  return undefined
}
