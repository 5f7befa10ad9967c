import { type RawBuilder, sql } from 'kysely'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { forbidden } from '../../http/errors.ts'
import type { Caller } from '../../http/route.ts'
import { because } from '../../core/languages/reasons.ts'

/**
 * The fields that decide, besides membership, which organizations a caller reaches. With only a user id, the caller
 * reaches all organizations of the user.
 */
export type Reaching = Pick<Caller, 'userId' | 'organizationId' | 'ownSignIn'> &
  Partial<Pick<Caller, 'tokenId'>>

/** An organization, and whether it requires single sign-on. */
export type RequiresSso = Pick<Row<'organization'>, 'id' | 'sso'>

/**
 * Whether a caller reaches an organization with this session or token. The people who run the identity provider of an
 * organization can sign in as anybody, so its sessions reach that organization alone. And an organization that requires
 * single sign-on is closed to people who signed in themselves, and to tokens that no session by its provider vouched for.
 */
export async function isReached(db: Reader, me: Reaching, { id, sso }: RequiresSso): Promise<boolean> {
  if (me.organizationId !== undefined && me.organizationId !== id) return false
  if (sso === 0 || isVouchedFor(me)) return true
  if (!mayBeAuthorized(me)) return false
  const [authorization] = await authorizationOf(db, me.tokenId, id)
  return authorization !== undefined
}

/** Whether requiring single sign-on closes nothing to a caller: a session of a provider or of the operator. */
const isVouchedFor = ({ ownSignIn, tokenId }: Reaching) => !ownSignIn && !tokenId

/** The token of `POST /v1/account/sessions` is a sign-in with a password. It cannot be authorized. */
const mayBeAuthorized = (me: Reaching): me is Reaching & { tokenId: string } =>
  !me.ownSignIn && Boolean(me.tokenId)

const authorizationOf = prepare((db, argument) =>
  db
    .selectFrom('tokenAuthorization')
    .select('tokenId')
    .where('tokenId', '=', argument(0))
    .where('organizationId', '=', argument(1)),
)

const ssoOf = prepare((db, argument) =>
  db.selectFrom('organization').select(['id', 'sso']).where('id', '=', argument(0)),
)

/** SQL for the same. @param column the id of an organization, such as `member.organizationId` */
export function reaches(me: Reaching, column: string): RawBuilder<boolean> {
  const id = sql.ref(column)
  const within = withinReach(me, column)
  if (isVouchedFor(me)) return within
  const isOpen = sql<boolean>`not exists (select 1 from "organization" as "shut" where "shut"."id" = ${id} and "shut"."sso" = 1)`
  if (!mayBeAuthorized(me)) return sql<boolean>`(${within} and ${isOpen})`
  const isAuthorized = sql<boolean>`exists (select 1 from "tokenAuthorization" as "vouched" where "vouched"."tokenId" = ${me.tokenId} and "vouched"."organizationId" = ${id})`
  return sql<boolean>`(${within} and (${isOpen} or ${isAuthorized}))`
}

/** SQL for whether a session or token of the user belongs to the scope of the caller. @param column of its organization */
export function withinReach({ organizationId }: Reaching, column: string): RawBuilder<boolean> {
  return organizationId === undefined
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${sql.ref(column)} = ${organizationId}`
}

/**
 * Says that single sign-on is missing, where it is the only reason why a caller does not see something.
 * @param find the organization of it, if a caller sees it
 * @throws 403 with the paths where the caller can sign in, and authorize their token
 */
export async function refuseWithoutSso(
  db: Reader,
  me: Reaching,
  find: (me: Reaching) => Promise<string | undefined>,
): Promise<void> {
  if (isVouchedFor(me)) return
  const { userId, organizationId: limit } = me
  const id = await find({ userId, ...(limit !== undefined && { organizationId: limit }) })
  const [organization] = id === undefined ? [] : await ssoOf(db, id)
  if (!organization || (await isReached(db, me, organization))) return
  const providers = await db
    .selectFrom('identityProvider')
    .select('id')
    .where('organizationId', '=', organization.id)
    .orderBy('id')
    .limit(PROVIDERS_NAMED)
    .execute()
  const where = providers.map((provider) => `/sso/${provider.id}`).join(' or ')
  if (!mayBeAuthorized(me)) throw forbidden(because('sso-required', { address: where }))
  throw forbidden(
    because('sso-required-for-token', { address: where, page: tokenAuthorizationPath(me.tokenId) }),
  )
}

const PROVIDERS_NAMED = 3

/** The path of the page on which a member authorizes a token, in a session by the provider of the organization. */
export const tokenAuthorizationPath = (tokenId: string) => `/app/tokens/${tokenId}/authorize`

/** @throws 403 for a session or token that is limited to one organization */
export function refuseLimited({ organizationId }: Reaching): void {
  if (organizationId === undefined) return
  throw forbidden(because('session-limited'))
}
