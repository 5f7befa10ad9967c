import { type RawBuilder, sql } from 'kysely'
import { prepare } from '../db/prepare.ts'
import type { Reader } from '../db/schema.ts'
import { forbidden } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

/**
 * The fields that decide, besides membership, which organizations a caller reaches. With only a user id, the caller
 * reaches all organizations of the user.
 */
export type Reaching = Pick<Caller, 'userId' | 'organizationId' | 'ownSignIn'>

/**
 * Whether a caller reaches an organization with this session or token. The people who run the identity provider of an
 * organization can sign in as anybody, so its sessions reach that organization alone. And an organization that requires
 * single sign-on is closed to people who signed in themselves.
 */
export async function isReached(db: Reader, me: Reaching, organizationId: string): Promise<boolean> {
  if (me.organizationId !== undefined) return me.organizationId === organizationId
  if (!me.ownSignIn) return true
  const [row] = await ssoOf(db, organizationId)
  return row?.sso === 0
}

const ssoOf = prepare((db, argument) =>
  db.selectFrom('organization').select('sso').where('id', '=', argument(0)),
)

/** SQL for the same. @param column the id of an organization, such as `member.organizationId` */
export function reaches(me: Reaching, column: string): RawBuilder<boolean> {
  if (me.organizationId !== undefined) return sql<boolean>`${sql.ref(column)} = ${me.organizationId}`
  if (!me.ownSignIn) return sql<boolean>`1 = 1`
  return sql<boolean>`${sql.ref(column)} not in (select "id" from "organization" where "sso" = 1)`
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
 * @throws 403 with the paths where the caller can sign in
 */
export async function refuseWithoutSso(
  db: Reader,
  me: Reaching,
  find: (me: Reaching) => Promise<string | undefined>,
): Promise<void> {
  if (!me.ownSignIn) return
  const organizationId = await find({ userId: me.userId })
  if (organizationId === undefined || (await isReached(db, me, organizationId))) return
  const providers = await db
    .selectFrom('identityProvider')
    .select('id')
    .where('organizationId', '=', organizationId)
    .orderBy('id')
    .limit(PROVIDERS_NAMED)
    .execute()
  const where = providers.map(({ id }) => `/sso/${id}`).join(' or ')
  throw forbidden(`This organization requires single sign-on: sign in at ${where} of this server`)
}

const PROVIDERS_NAMED = 3

/** @throws 403 for a session or token that is limited to one organization */
export function refuseLimited({ organizationId }: Reaching): void {
  if (organizationId === undefined) return
  throw forbidden(
    'This session is limited to the organization whose identity provider signed you in; sign in with your own password or passkey, or use an API token that you created then',
  )
}
