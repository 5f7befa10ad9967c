/** The caller of a request of git: the user whose API token is the password. */
import type { FastifyRequest } from 'fastify'
import { needSpace, type OnSpace } from '../access/checks/on.ts'
import type { Reader, Role } from '../db/schema.ts'
import { demand } from '../access/checks/on.ts'
import { ApiError, notFound, unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'
import { because } from '../core/languages/reasons.ts'

const LONGEST_HEADER = 4_096
const BASIC = /^Basic +([A-Za-z0-9+/]{1,4096}={0,2})$/i

/**
 * Replaces Basic authentication (RFC 7617), which is what git sends, by the bearer token that the rest of the server reads.
 * The token is the password or, without one, the user name. A cookie is ignored: no browser speaks this protocol.
 * @throws 401 without a token
 */
export function takeBasicToken(request: FastifyRequest): void {
  const { headers } = request
  delete headers.cookie
  const { authorization = '' } = headers
  const [, encoded] = authorization.length > LONGEST_HEADER ? [] : (BASIC.exec(authorization) ?? [])
  if (encoded !== undefined) {
    const pair = Buffer.from(encoded, 'base64').toString()
    const colon = pair.indexOf(':')
    const [name, password] = colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)]
    headers.authorization = `Bearer ${password === '' ? name : password}`
  }
  if (headers.authorization === undefined) throw new ApiError(401, because('git-token-required'))
}

/** The ids in the address of a repository. */
export interface RepositoryParams {
  organizationId: string
  /** `<space id>.git` */
  repository: string
}

/**
 * The space of a repository, for callers with at least a role on it.
 * @throws 401 for a token that is no user's, 403, 404 also if the caller may not know of the space
 */
export async function needRepository(
  db: Reader,
  me: Caller,
  { organizationId, repository }: RepositoryParams,
  role: Role,
): Promise<OnSpace> {
  if (me.userId === '') throw unauthorized()
  const [, spaceId] = /^(.{1,64}?)(?:\.git)?$/.exec(repository) ?? []
  if (spaceId === undefined) throw notFound('space')
  const found = await needSpace(db, me, spaceId)
  if (found.space.organizationId !== organizationId) throw notFound('space')
  demand(found.role, role, 'on-space')
  return found
}
