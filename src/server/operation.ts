import type { Readable } from 'node:stream'
import { organizationOf, writeAudit } from '../effects/audit.ts'
import { writeEvents } from '../effects/events.ts'
import { writeNotifications } from '../effects/notifications.ts'
import { forbidden, invalid, invalidFields, PrepareAgain, unauthorized, unavailable } from '../http/errors.ts'
import { pageOf } from '../http/pagination.ts'
import {
  type AccessContext,
  type AuditNote,
  ABSENT,
  type Caller,
  type Conditions,
  type Route,
  type Services,
} from '../http/route.ts'
import type { Reader, Tx } from '../db/schema.ts'
import { answerJson } from '../http/response/json-parts.ts'
import {
  beginAnswering,
  earlierAnswer,
  keepAnswer,
  type RepeatableRequest,
  repeatableRequest,
} from '../model/people/answered-requests.ts'
import { takesIfMatch, requireMatch } from './preconditions.ts'
import { isScimPath } from './scim-responses.ts'
import { compileCheck, onlyKnown } from '../http/validation/validate.ts'
import { holdAuditChain } from '../model/audit/chain.ts'
import type { NamedRoute } from './routes.ts'
import { because } from '../core/languages/reasons.ts'

/** How soon a client may repeat a request that the database was too busy for. */
export const BUSY_RETRY_S = 2
/** How often a request is prepared if the content keeps changing meanwhile. */
const MOST_PREPARATIONS = 5
const AGAIN = Symbol('again')
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

function again(error: unknown): typeof AGAIN {
  if (error instanceof PrepareAgain) return AGAIN
  throw error
}

/** The input that a caller sends to an operation. */
export interface OperationInput {
  params: unknown
  query: unknown
  body: unknown
}

/** A request to an operation, whose caller is admitted. */
export interface OperationRequest extends OperationInput {
  me: Caller
  /** The subject that `admit` has loaded, unless the operation only reads. */
  subject: Record<string, unknown> | undefined
  ip: string
  requestId: string
  conditions: Conditions
  /** Runs if the answer is that of an earlier request with the same key. */
  onReplay?: () => void
  /** The body of an operation that takes bytes. */
  bytes(): Readable
  /** Aborts when the client leaves. */
  signal(): AbortSignal
}

/** A declared route without HTTP. Requests and the server's own pages call it. */
export interface Operation {
  /**
   * Decides before the body is read whether the caller may make a change. @returns its subject
   * @throws 400 for the ids in the address, 403, 404
   */
  admit(me: Caller, params: unknown): Promise<Record<string, unknown> | undefined>
  /** Checks whether the caller still may what they were admitted to. @throws 401, 403, 404 */
  recheck(me: Caller, params: unknown): Promise<void>
  /** Checks the input and the access, prepares, handles, and writes the audit event. @throws ApiError */
  run(request: OperationRequest): Promise<unknown>
}

/**
 * The operation of a declared route.
 * @param representations what `representationsOf` returns, for the `If-Match` of requests
 */
export function operationOf(
  { route, name }: Pick<NamedRoute, 'route' | 'name'>,
  services: Services,
  representations: ReadonlyMap<string, Route> = new Map(),
): Operation {
  // Compiled at the first request, because compiling the checks of all routes would slow the start.
  let checks: Checks | undefined
  const isScim = isScimPath(route.path)
  // Only lists have pages of results. A `page` elsewhere is one of documentation.
  const { properties = {} } = (route.query ?? {}) as { properties?: object }
  const isList = Object.hasOwn(properties, 'limit')
  const reading = takesIfMatch(route) ? representations.get(route.path) : undefined

  const loadSubject = (
    db: Services['db']['read'],
    context: Omit<AccessContext, 'db' | 'sealing' | 'urls'>,
  ) => {
    const { sealing, urls } = services
    return route.access.load({ db, ...context, sealing, urls })
  }

  function refuseOtherKinds(me: Caller): void {
    if (!route.access.open && !me.userId && !me.reader && !me.isProvisioner) throw unauthorized()
    if (me.reader && !route.readers) throw forbidden(because('token-of-site'))
    if (me.isProvisioner && !isScim) throw forbidden(because('token-of-scim'))
    if (!me.isProvisioner && isScim) throw forbidden(because('scim-token-required'))
  }

  async function admit(me: Caller, given: unknown): Promise<Record<string, unknown> | undefined> {
    refuseOtherKinds(me)
    if (route.method === 'GET') return undefined

    checks ??= compileChecks(route)
    const faults = checks.params?.(given) ?? []
    if (faults.length > 0) throw invalidFields(faults)
    const params = given as Record<string, string>
    const subject = await loadSubject(services.db.read, { me, params, query: {}, now: services.now() })
    // After `load`, so that a resource that the caller cannot see is 404 for this token too.
    if (me.readOnly && !me.reader && !route.access.open && !route.reads)
      throw forbidden(because('token-read-only'))
    return subject
  }

  async function recheck(me: Caller, params: unknown): Promise<void> {
    refuseOtherKinds(me)
    const named = params as Record<string, string>
    await loadSubject(services.db.read, { me, params: named, query: {}, now: services.now() })
  }

  async function run(request: OperationRequest): Promise<unknown> {
    const now = services.now()
    const { me, ip, requestId, conditions, onReplay } = request
    checks ??= compileChecks(route)
    const input = checkInput(route, checks, request)
    const params = input.params as Record<string, string>
    const page = pageOf(isList ? (input.query as { page?: string }) : {})
    const context = { ...services, ...input, me, now, ip, page, conditions }
    const query = route.method === 'GET' ? (input.query as Record<string, unknown>) : {}
    const load = (db: Services['db']['read']) => loadSubject(db, { me, params, query, now })

    if (route.method === 'GET') {
      const subject = await load(services.db.read)
      return await route.handler({ ...context, ...subject, db: services.db.read, leaving: request.signal })
    }

    const readNow = reading && ((tx: Tx) => readIn(tx, reading, { ...context, leaving: request.signal }))
    const repeatable = repeatableOf(request, input)
    const earlier = async (db: Reader) => repeatable && earlierAnswer(db, services.sealing, repeatable, now)
    const replay = (answer: string): unknown => {
      onReplay?.()
      return answer === '' ? undefined : JSON.parse(answer)
    }
    const known = await earlier(services.db.read)
    if (known !== undefined) return replay(known)

    let hasEvents = false
    const write = (prepared: unknown) =>
      services.db.write(async (tx) => {
        // Loaded again, because the subject may have changed while the body was read and `prepare` ran.
        const subject = await load(tx)
        // Another request with the same key may have ended meanwhile.
        const answer = await earlier(tx)
        if (answer !== undefined) return replay(answer)
        if (repeatable) await beginAnswering(tx, repeatable, now)
        if (conditions.ifMatch !== undefined && takesIfMatch(route))
          await requireMatch(conditions.ifMatch, readNow && (() => readNow(tx)))
        if (route.audit !== false) await holdAuditChain(services.db, tx, organizationOf(subject, params))

        const note: AuditNote = {}
        const audit = (more: AuditNote) => void Object.assign(note, more)
        const result = await route.handler({ ...context, ...subject, tx, prepared, audit })
        if (result !== ABSENT) {
          const { body } = input
          const change = { me, now, ip, requestId, params, body, subject, answer: result, note }
          await writeAudit(tx, services.sealing, route, name, change)
          hasEvents = await writeEvents(tx, route, change)
          if (hasEvents) await writeNotifications(tx, services.newId, route, change)
        }
        if (repeatable)
          await keepAnswer(tx, services.sealing, repeatable, result === undefined ? '' : answerJson(result))
        return result
      })
    for (let attempt = 1; attempt <= MOST_PREPARATIONS; attempt++) {
      const subject = attempt === 1 ? request.subject : await load(services.db.read)
      const [bytes, signal] = [request.bytes(), request.signal()]
      const prepared = await route.prepare?.({ ...context, ...subject, bytes, signal })
      const result = await write(prepared).catch(again)
      if (result === AGAIN) continue
      if (hasEvents) services.tellListeners()
      return result
    }
    throw unavailable(because('content-kept-changing'), BUSY_RETRY_S)
  }

  /** Reads a resource as its `GET` without a query does, in the transaction that changes it. */
  async function readIn(tx: Tx, from: Route, context: Reading): Promise<unknown> {
    const { me, params, now } = context
    const { sealing, urls } = services
    const access = { db: tx, me, params: params as Record<string, string>, query: {}, now, sealing, urls }
    const subject = await from.access.load(access)
    const page = pageOf({})
    return from.handler({ ...context, ...subject, query: {}, page, db: tx })
  }

  /** The request as one that may be repeated, if it has a key and makes a change for a user. */
  function repeatableOf(
    { me, conditions: { idempotencyKey: key } }: OperationRequest,
    { params, query, body }: OperationInput,
  ): RepeatableRequest | undefined {
    if (route.method !== 'POST' || route.reads || key === undefined) return undefined
    if (!IDEMPOTENCY_KEY.test(key)) throw invalid(because('idempotency-key-invalid'))
    return me.userId === '' ? undefined : repeatableRequest(me.userId, key, [name, params, query, body])
  }

  return { admit, recheck, run }
}

/** What a handler has besides its subject and its database. */
type Reading = OperationInput & { me: Caller; now: Date; leaving: () => AbortSignal }

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

function checkInput(route: Route, checks: Checks, request: OperationInput) {
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
