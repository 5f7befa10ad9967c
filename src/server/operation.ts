import type { Readable } from 'node:stream'
import { organizationOf, writeAudit } from '../effects/audit.ts'
import { writeEvents } from '../effects/events.ts'
import { writeNotifications } from '../effects/notifications.ts'
import { forbidden, invalidFields, PrepareAgain, unauthorized, unavailable } from '../http/errors.ts'
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

/** The operation of a declared route. */
export function operationOf(
  { route, name }: Pick<NamedRoute, 'route' | 'name'>,
  services: Services,
): Operation {
  // Compiled at the first request, because compiling the checks of all routes would slow the start.
  let checks: Checks | undefined
  const isScim = isScimPath(route.path)
  // Only lists have pages of results. A `page` elsewhere is one of documentation.
  const { properties = {} } = (route.query ?? {}) as { properties?: object }
  const isList = Object.hasOwn(properties, 'limit')

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
    const { me, ip, requestId, conditions } = request
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

    let hasEvents = false
    const write = (prepared: unknown) =>
      services.db.write(async (tx) => {
        // Loaded again, because the subject may have changed while the body was read and `prepare` ran.
        const subject = await load(tx)
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

  return { admit, recheck, run }
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
