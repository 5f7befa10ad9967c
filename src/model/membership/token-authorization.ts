import { type Static, Type } from 'typebox'
import { findOrganization } from '../../access/checks/on.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Caller } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish, Timestamp, Uri } from '../common.ts'

/** An API token that opens an organization although the organization requires single sign-on. */
export const TokenAuthorization = Type.Object(
  {
    object: oneOf(['token-authorization']),
    id: Type.String({ description: 'The id of the API token' }),
    user: Type.String({ description: 'The id of the user of the token' }),
    provider: Type.String({ description: 'The id of the identity provider that signed the user in' }),
    readOnly: Type.Boolean(),
    createdAt: { ...Timestamp, description: 'When the token was authorized' },
    expiresAt: Type.Optional(Timestamp),
    lastUsedAt: Type.Optional(Timestamp),
    urls: Type.Object({ location: Uri }),
  },
  { title: 'TokenAuthorization' },
)
export type TokenAuthorization = Static<typeof TokenAuthorization>

type TokenAuthorizationRow = Row<'tokenAuthorization'> &
  Pick<Row<'token'>, 'readOnly' | 'expiresAt' | 'lastUsedAt'>

/** A query for the authorizations of an organization. @param ofUser only those of this user */
export function tokenAuthorizationsOf(db: Reader, organizationId: string, ofUser: string | undefined) {
  const all = db
    .selectFrom('tokenAuthorization')
    .innerJoin('token', 'token.id', 'tokenAuthorization.tokenId')
    .selectAll('tokenAuthorization')
    .select(['token.readOnly', 'token.expiresAt', 'token.lastUsedAt'])
    .where('tokenAuthorization.organizationId', '=', organizationId)
  return ofUser === undefined ? all : all.where('tokenAuthorization.userId', '=', ofUser)
}

/** One of them, by the id of its token. */
export function findTokenAuthorization(
  db: Reader,
  organizationId: string,
  tokenId: string,
  ofUser: string | undefined,
) {
  return tokenAuthorizationsOf(db, organizationId, ofUser)
    .where('tokenAuthorization.tokenId', '=', tokenId)
    .executeTakeFirst()
}

export function toTokenAuthorization(urls: Urls, row: TokenAuthorizationRow): TokenAuthorization {
  const { tokenId, organizationId, expiresAt, lastUsedAt } = row
  return {
    object: 'token-authorization',
    id: tokenId,
    user: row.userId,
    provider: row.providerId,
    readOnly: row.readOnly === 1,
    createdAt: row.createdAt,
    ...omitNullish({ expiresAt, lastUsedAt }),
    urls: { location: urls.api(`/orgs/${organizationId}/token-authorizations/${tokenId}`) },
  }
}

/** A session by an identity provider, which can authorize tokens of its user. */
interface ProviderSession {
  userId: string
  organizationId: string
  providerId: string
}

/** The session of the caller, if an identity provider opened it and the caller is still a member. */
export async function providerSession(tx: Tx, me: Caller): Promise<ProviderSession | undefined> {
  const { organizationId, providerId } = me.session ?? {}
  if (!organizationId || !providerId) return undefined
  const isMember = (await findOrganization(tx, me, organizationId)) !== undefined
  return isMember ? { userId: me.userId, organizationId, providerId } : undefined
}

/** Authorizes a token for the organization of the session. */
export async function insertTokenAuthorization(
  tx: Tx,
  { now, ...fields }: ProviderSession & { tokenId: string; now: Date },
): Promise<void> {
  const row = { ...fields, createdAt: now.toISOString() }
  await tx
    .insertInto('tokenAuthorization')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tokenId', 'organizationId']).doUpdateSet(row))
    .execute()
}
