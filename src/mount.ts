import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { organizationOf, writeAudit } from './audit.ts'
import { BlobTooLarge } from './blobs/blobs.ts'
import { identify, type Metering } from './callers.ts'
import { isBusy, isUniqueViolation } from './db/open.ts'
import { conditionsOf, sendDownload, sendJson } from './http/answer.ts'
import { ApiError, conflict, errorBody, forbidden, invalid, tooLarge, unavailable } from './http/errors.ts'
import { pageOf } from './http/page.ts'
import { type AuditNote, type Caller, type Download, GONE, type Route, type Services } from './http/route.ts'
import { compileCheck, onlyKnown } from './http/validate.ts'
import { holdAuditChain } from './model/audit-chain.ts'

/** What mounting needs besides the services that handlers get. */
export interface Mounting extends Metering {
  /** Sees every answer before it is sent; the tests check it against its schema. */
  inspect?: ((route: Route, answer: unknown) => void) | undefined
}

/** Puts a declared route into the server: who, validate, access, prepare, handle, write to the audit log, answer. */
export function mount(server: FastifyInstance, route: Route, name: string, mounting: Mounting): void {
  const { services, inspect } = mounting
  // Compiled when first needed: most routes of most servers are not asked for in the first second.
  let checks: Checks | undefined

  const callers = new WeakMap<FastifyRequest, Caller>()

  const answer = async (request: FastifyRequest) => {
    const now = services.now()
    const me = callers.get(request)
    if (!me) throw new Error('The request came past the hook that tells whose it is')
    checks ??= compileChecks(route)
    const input = checkInput(route, checks, request)
    const params = input.params as Record<string, string>
    const circumstances = {
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
      return await route.handler({ ...circumstances, ...subject, db: services.db.read })
    }

    if (me.readOnly && !route.access.open) {
      // What is not visible is not there for this token either.
      await load(services.db.read)
      throw forbidden('This token can only read; use one that can also write')
    }
    const bytes = request.body instanceof Readable ? request.body : Readable.from([])
    const prepared = await route.prepare?.({ ...circumstances, ...(await load(services.db.read)), bytes })
    return await services.db.write(async (tx) => {
      // Loaded again where it was prepared: what was true before may not be any more.
      const subject = await load(tx)
      await holdAuditChain(services.db, tx, organizationOf(subject, params))

      const note: AuditNote = {}
      const audit = (more: AuditNote) => void Object.assign(note, more)
      const result = await route.handler({ ...circumstances, ...subject, tx, prepared, audit })
      if (result !== GONE) {
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
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const result = await answer(request)
    if (route.method === 'DELETE' && result === GONE) return reply.code(204).send()
    if (route.returns === 'download') return sendDownload(request, reply, result as Download)
    if (route.returns === undefined) return reply.code(route.status ?? 204).send()
    inspect?.(route, result)
    reply.code(route.status ?? 200)
    const location =
      route.location?.(result, services.at, request.params) ?? (result as Located).urls?.location
    if (route.status === 201 && location) reply.header('location', location)
    return sendJson(request, reply, result, route.immutable ?? false)
  }

  server.register(async (scope) => {
    if (route.takes) {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    }
    scope.route({
      method: route.method,
      url: route.path,
      schema: openApiSchema(route, name),
      // Validation is ours: Fastify's would coerce null in bodies.
      attachValidation: true,
      validatorCompiler: () => () => true,
      serializerCompiler: () => (data) => JSON.stringify(data),
      ...(route.takes ? { bodyLimit: services.limits.upload } : {}),
      // Before the body is read, so that nobody sends one uncounted.
      onRequest: async (request, reply) => {
        callers.set(request, await identify(request, reply, route.access.open ?? false, mounting))
      },
      handler,
    })
  })
}

type Located = { urls?: { location?: string } }

/** Answers every error in the one shape; what nobody threw on purpose is logged and becomes a bare 500. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = knownError(error)
  if (known?.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
  if (known) return reply.code(known.status).send(errorBody(known.status, known.message, known.details))

  request.log.error({ err: error }, 'unexpected error')
  return reply
    .code(500)
    .send(errorBody(500, `Something went wrong on the server; request ${request.id} is in its log`))
}

function knownError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (isUniqueViolation(error)) return conflict('Something with the same name exists already')
  if (isBusy(error)) return unavailable('Something long is being written in this organization; try again')
  if (error instanceof BlobTooLarge) return tooLarge(`At most ${error.maxBytes} bytes are taken here`)
  const { statusCode, message } = error as { statusCode?: number; message: string }
  // What Fastify refuses by itself: malformed JSON, an unknown media type, a body over the limit.
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
  if (faults.length > 0)
    throw invalid(faults.map(({ path, message }) => `${path} ${message}`).join('; '), faults)
  return {
    params: request.params,
    query: request.query,
    body: route.body ? onlyKnown(route.body, body) : undefined,
  }
}

/** What the documentation groups it under: the first noun of its address, or what of an organization it is. */
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
    description: [description, `Needs: ${access.needs}.`].filter(Boolean).join('\n\n'),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body } : {}),
    ...(access.open ? { security: [] } : {}),
    response: {
      [status]: content ?? noContent(status),
      ...(route.method === 'DELETE' && status !== 204 ? { 204: noContent(204, 'Was not there') } : {}),
    },
  } as { response: Record<string, TSchema> }
}

const noContent = (status: number, description = status === 205 ? 'Deleted' : 'Done') => ({
  type: 'null',
  description,
})
