import { hash } from 'node:crypto'
import { prepare } from '../../db/prepare.ts'
import type { Reader } from '../../db/schema.ts'
import { unauthorized } from '../../http/errors.ts'
import type { Caller, Sealing } from '../../http/route.ts'
import { isJwt, LONGEST_SITE_TOKEN, readSiteToken } from './site-token.ts'

/** The prefix of API tokens, by which scanners recognize a leaked one. */
export const TOKEN_PREFIX = 'lec_'

/** The prefix of the tokens with which identity providers call SCIM. */
export const SCIM_TOKEN_PREFIX = 'lec_scim_'

/** The hash that is stored instead of a secret. Secrets are random, so they need no salt. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

const tokenByHash = prepare((db, argument) =>
  db
    .selectFrom('token')
    .select(['id', 'userId', 'readOnly', 'session', 'organizationId', 'expiresAt'])
    .where('hash', '=', argument(0)),
)

const scimTokenByHash = prepare((db, argument) =>
  db.selectFrom('scimToken').select(['id', 'organizationId']).where('hash', '=', argument(0)),
)

/** The longest API token, in characters. */
const LONGEST = 255
const BEARER = new RegExp(`^Bearer +(\\S{1,${LONGEST_SITE_TOKEN}})$`, 'i')

/** The caller whose token is in an `Authorization` header. @throws 401, with the same message for every cause */
export async function callerOf(
  { db, sealing }: { db: Reader; sealing: Sealing },
  authorization: string | undefined,
  now: Date,
): Promise<Caller> {
  const token = BEARER.exec(authorization ?? '')?.[1]
  if (token && isJwt(token)) {
    const reader = await readSiteToken(sealing, token, now)
    if (!reader) throw unauthorized()
    return { userId: '', tokenId: '', readOnly: true, reader }
  }
  if (!token || token.length > LONGEST) throw unauthorized()
  if (token.startsWith(SCIM_TOKEN_PREFIX)) {
    const [scim] = await scimTokenByHash(db, hashSecret(token))
    if (!scim) throw unauthorized()
    const { id: tokenId, organizationId } = scim
    return { userId: '', tokenId, readOnly: false, organizationId, isProvisioner: true }
  }

  const [found] = await tokenByHash(db, hashSecret(token))
  if (!found || (found.expiresAt !== null && found.expiresAt <= now.toISOString())) throw unauthorized()
  const { userId, organizationId, session } = found
  return {
    userId,
    tokenId: found.id,
    readOnly: found.readOnly === 1,
    ...(organizationId !== null && { organizationId }),
    // The token of `POST /v1/account/sessions` is a sign-in with a password, not an API token.
    ...(session === 1 && { ownSignIn: true }),
  }
}
