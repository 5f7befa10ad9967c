import type { Row, Tx } from '../../db/schema.ts'
import type { Sealing } from '../../http/route.ts'
import { withUpdatedAt } from '../common.ts'
import type { IdentityProvider } from './identity-provider.ts'

const NONE = {
  issuer: null,
  ssoUrl: null,
  logoutUrl: null,
  certificate: null,
  signsRequests: 0,
  ownCertificate: null,
  clientId: null,
  sealedSecret: null,
  allowsUnsolicited: 0,
  trustsEmails: 0,
} as const

/** Adds a provider to an organization. */
export async function insertProvider(
  tx: Tx,
  fields: Partial<IdentityProvider> &
    Pick<IdentityProvider, 'id' | 'organizationId' | 'kind' | 'label' | 'defaultTeam' | 'defaultRole'> & {
      now: Date
    },
): Promise<IdentityProvider> {
  const { now, ...given } = fields
  const row: Row<'identityProvider'> = {
    ...NONE,
    ...given,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
  await tx.insertInto('identityProvider').values(row).execute()
  return row
}

/**
 * Changes a provider. If it becomes another one, its names of people are those of others, so they are forgotten. The
 * sessions of those whom it signed in end, and so does what they authorized their tokens for.
 */
export async function updateProvider(
  tx: Tx,
  before: IdentityProvider,
  changes: Partial<Pick<IdentityProvider, 'issuer'>> & object,
  now: Date,
): Promise<IdentityProvider> {
  const row = await tx
    .updateTable('identityProvider')
    .set(withUpdatedAt(before, changes, now))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.issuer !== before.issuer) await forgetPeople(tx, before)
  return row
}

/** Removes a provider with what it said about people, and ends the sessions of those whom it signed in. */
export async function removeProvider(tx: Tx, { id }: Pick<IdentityProvider, 'id'>): Promise<void> {
  await forgetPeople(tx, { id })
  await tx.deleteFrom('identityProvider').where('id', '=', id).execute()
}

async function forgetPeople(tx: Tx, { id }: Pick<IdentityProvider, 'id'>): Promise<void> {
  await tx.deleteFrom('session').where('providerId', '=', id).execute()
  await tx.deleteFrom('tokenAuthorization').where('providerId', '=', id).execute()
  await tx.deleteFrom('identity').where('providerId', '=', id).execute()
  await tx.deleteFrom('signInRequest').where('providerId', '=', id).execute()
}

/** The secret of a provider for its column. */
export function sealProviderSecret(sealing: Sealing, id: string, secret: string): string {
  return sealing.seal(secret, providerSecretPurpose(id))
}

/** The secret of a provider, if it has one. */
export function openProviderSecret(
  sealing: Sealing,
  { id, sealedSecret }: Pick<IdentityProvider, 'id' | 'sealedSecret'>,
): string | undefined {
  if (sealedSecret === null) return undefined
  const secret = sealing.open(sealedSecret, providerSecretPurpose(id))
  if (secret === undefined) throw new Error(`The secret of the provider ${id} was sealed with another secret`)
  return secret
}

/** The purpose for which the secret of a provider is sealed. */
export const providerSecretPurpose = (id: string) => `identity provider ${id}`
