import { because } from '../core/languages/reasons.ts'
import { ApiError, preconditionFailed } from '../http/errors.ts'
import { etagOfAnswer, matches } from '../http/response/answer.ts'
import type { Method, Route } from '../http/route.ts'
import type { NamedRoute } from './routes.ts'

const CONDITIONAL = new Set<Method>(['PUT', 'PATCH', 'DELETE'])

/** The routes whose JSON is what other routes with the same path change, by this path. */
export function representationsOf(routes: readonly NamedRoute[]): ReadonlyMap<string, Route> {
  const reading = routes.filter(({ route }) => route.method === 'GET' && typeof route.returns === 'object')
  return new Map(reading.map(({ route }) => [route.path, route]))
}

/** Whether requests to a route may have an `If-Match` with the ETag of the `GET` of its address. */
export function takesIfMatch({ method, takes }: Pick<Route, 'method' | 'takes'>): boolean {
  return CONDITIONAL.has(method) && !takes
}

/**
 * Checks the `If-Match` header of a change (RFC 9110, section 13.1.1) against the ETag that the `GET` of the same address,
 * without a query, has at this moment. Tags compare weakly, because a compressed response has the weak form of the tag.
 * @param read runs that `GET` in the transaction of the change; undefined if the address has none
 * @throws 412 if no tag matches, or if there is nothing to read
 */
export async function requireMatch(
  header: string,
  read: (() => Promise<unknown>) | undefined,
): Promise<void> {
  if (!read) throw preconditionFailed(because('without-etag'))
  const answer = await read().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404)
      throw preconditionFailed(because('changed-since-read'))
    throw error
  })
  if (!matches(header, etagOfAnswer(answer))) throw preconditionFailed(because('changed-since-read'))
}
