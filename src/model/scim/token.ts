import { type Static, Type } from 'typebox'
import { hashSecret, SCIM_TOKEN_PREFIX } from '../../access/credentials/tokens.ts'
import { randomText } from '../../core/data/id.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { conflict } from '../../http/errors.ts'
import { countRows } from '../../http/pagination.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish, Timestamp, Uri } from '../common.ts'
import { because } from '../../core/languages/reasons.ts'

const SECRET_LENGTH = 40
const MOST_TOKENS = 50

/** A token with which an identity provider provisions the users of an organization. */
export const ScimToken = Type.Object(
  {
    object: oneOf(['scim-token']),
    id: Type.String(),
    createdAt: Timestamp,
    lastUsedAt: Type.Optional(Timestamp),
    endpoint: { ...Uri, description: 'The base URL of SCIM, for the settings of the identity provider' },
  },
  { title: 'ScimToken' },
)
export type ScimToken = Static<typeof ScimToken>

/** A new SCIM token, with its text. */
export const NewScimToken = Type.Object(
  {
    ...ScimToken.properties,
    token: Type.String({
      description: 'The token itself. It cannot be retrieved again, because only its hash is stored',
    }),
  },
  { title: 'NewScimToken' },
)

export function toScimToken(urls: Urls, { id, createdAt, lastUsedAt }: Row<'scimToken'>): ScimToken {
  return { object: 'scim-token', id, createdAt, ...omitNullish({ lastUsedAt }), endpoint: urls.scim('') }
}

/** Creates a token of an organization, and stores its hash. @throws 409 if it has too many */
export async function insertScimToken(
  tx: Tx,
  fields: { id: string; organizationId: string; createdBy: string; now: Date },
): Promise<{ row: Row<'scimToken'>; token: string }> {
  const { now, ...rest } = fields
  const tokens = tx.selectFrom('scimToken').where('organizationId', '=', fields.organizationId)
  if ((await countRows(tokens)) >= MOST_TOKENS)
    throw conflict(because('too-many-scim-tokens', { limit: MOST_TOKENS }))
  const token = SCIM_TOKEN_PREFIX + randomText(SECRET_LENGTH)
  const row = { ...rest, hash: hashSecret(token), createdAt: now.toISOString(), lastUsedAt: null }
  await tx.insertInto('scimToken').values(row).execute()
  return { row, token }
}
