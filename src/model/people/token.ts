import { type Static, Type } from 'typebox'
import { hashSecret, TOKEN_PREFIX } from '../../access/credentials/tokens.ts'
import { randomText } from '../../core/data/id.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'

const SECRET_LENGTH = 40

/** The description of an API token. Only the response that creates it contains the token itself. */
export const Token = Type.Object(
  {
    object: oneOf(['token']),
    id: Type.String(),
    label: Type.String(),
    readOnly: Type.Boolean(),
    createdAt: Timestamp,
    expiresAt: Type.Optional(Timestamp),
    lastUsedAt: Type.Optional(Timestamp),
    organization: Type.Optional(Type.String({ description: 'The only organization that the token reaches' })),
    authorizedFor: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The ids of the organizations that the token is authorized for. It needs this for those that require single sign-on',
      }),
    ),
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>

/** A new API token, with the text to send as `Authorization: Bearer`. */
export const NewToken = Type.Object(
  {
    ...Token.properties,
    token: Type.String({
      description: 'The token itself. It cannot be retrieved again, because only its hash is stored',
    }),
  },
  { title: 'NewToken' },
)

/** Tokens of one user as the API returns them. */
export async function toTokens(db: Reader, rows: readonly Row<'token'>[]): Promise<Token[]> {
  if (rows.length === 0) return []
  const authorizations = await db
    .selectFrom('tokenAuthorization')
    .select(['tokenId', 'organizationId'])
    .where(
      'tokenId',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('organizationId')
    .execute()
  const byToken = Map.groupBy(authorizations, ({ tokenId }) => tokenId)
  return rows.map((row) => {
    const organizations = byToken.get(row.id) ?? []
    return toToken(
      row,
      organizations.map(({ organizationId }) => organizationId),
    )
  })
}

/** @param authorizedFor the ids of the organizations that a session by their provider authorized the token for */
export function toToken(row: Row<'token'>, authorizedFor: string[] = []): Token {
  return {
    object: 'token',
    id: row.id,
    label: row.label,
    readOnly: row.readOnly === 1,
    createdAt: row.createdAt,
    ...omitNullish({
      expiresAt: row.expiresAt,
      lastUsedAt: row.lastUsedAt,
      organization: row.organizationId,
    }),
    ...(authorizedFor.length > 0 && { authorizedFor }),
  }
}

/** Creates a token for a user and stores its hash. @param given the text of the token; random if absent */
export async function insertToken(
  tx: Tx,
  fields: {
    id: string
    userId: string
    label: string
    now: Date
    readOnly?: boolean
    session?: boolean
    organizationId?: string | undefined
    expiresAt?: string | undefined
  },
  given: string = TOKEN_PREFIX + randomText(SECRET_LENGTH),
): Promise<{ row: Row<'token'>; token: string }> {
  const row: Row<'token'> = {
    id: fields.id,
    userId: fields.userId,
    label: fields.label,
    hash: hashSecret(given),
    readOnly: fields.readOnly ? 1 : 0,
    session: fields.session ? 1 : 0,
    organizationId: fields.organizationId ?? null,
    createdAt: fields.now.toISOString(),
    expiresAt: fields.expiresAt ?? null,
    lastUsedAt: null,
  }
  await tx.insertInto('token').values(row).execute()
  return { row, token: given }
}
