/** Makes the sign-in providers of an organization what a setup declares. */
import { type KeyAndCertificate, makeKey } from '../access/credentials/self-signed.ts'
import type { Reader, Tx } from '../db/schema.ts'
import type { Sealing } from '../http/route.ts'
import type { IdentityProvider } from '../model/membership/identity-provider.ts'
import {
  insertProvider,
  openProviderSecret,
  sealProviderSecret,
  updateProvider,
} from '../model/membership/provider-changes.ts'
import type { OidcOfSetup, SamlOfSetup } from './setup-providers.ts'

/** The keys of the SAML providers that have none, by their labels. */
export type ProviderKeys = ReadonlyMap<string, KeyAndCertificate>

/** What applying a provider needs. */
interface ProviderContext {
  sealing: Sealing
  keys: ProviderKeys
  now: Date
  newId: () => string
}

/** Makes the keys that providers need and do not have, before the transaction because that takes long. */
export async function keysOfProviders(
  db: Reader,
  providers: readonly (OidcOfSetup | SamlOfSetup)[],
  now: Date,
): Promise<ProviderKeys> {
  const declared = providers.filter(({ kind }) => kind === 'saml')
  if (declared.length === 0) return new Map()
  const known = await db
    .selectFrom('identityProvider')
    .innerJoin('instance', 'instance.value', 'identityProvider.organizationId')
    .select('label')
    .where('instance.name', '=', 'organization')
    .where('identityProvider.kind', '=', 'saml')
    .where('identityProvider.ownCertificate', 'is not', null)
    .execute()
  const labels = new Set(known.map(({ label }) => label))
  const keys = new Map<string, KeyAndCertificate>()
  for (const { label } of declared) if (!labels.has(label)) keys.set(label, await makeKey('Lectern', now))
  return keys
}

/** @returns a line for each change */
export async function applyProvider(
  tx: Tx,
  organizationId: string,
  wanted: OidcOfSetup | SamlOfSetup,
  context: ProviderContext,
): Promise<string[]> {
  const { now, newId } = context
  const kind = wanted.kind ?? 'oidc'
  const { label } = wanted
  const before = await tx
    .selectFrom('identityProvider')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .where('label', '=', label)
    .executeTakeFirst()
  const id = before?.id ?? newId()
  const fields =
    wanted.kind === 'saml'
      ? samlColumns(id, wanted, before, context)
      : oidcColumns(id, wanted, before, context)
  if (!before) {
    await insertProvider(tx, { id, organizationId, kind, label, defaultTeam: null, ...fields, now })
    return [`The sign-in provider "${label}" is created`]
  }
  if (Object.entries(fields).every(([name, value]) => before[name as keyof typeof fields] === value))
    return []
  await updateProvider(tx, before, fields, now)
  return [`The sign-in provider "${label}" is updated`]
}

/** The columns of a provider that a setup decides. */
type ProviderColumns = Pick<IdentityProvider, 'issuer' | 'defaultRole'> & Partial<IdentityProvider>

function oidcColumns(
  id: string,
  { issuer, clientID, clientSecret, trustEmails, defaultRole }: OidcOfSetup,
  before: IdentityProvider | undefined,
  { sealing }: ProviderContext,
): ProviderColumns {
  // To seal the same secret again makes another text.
  const isSameSecret = before !== undefined && openProviderSecret(sealing, before) === clientSecret
  return {
    issuer,
    clientId: clientID,
    trustsEmails: trustEmails ? 1 : 0,
    defaultRole: defaultRole ?? null,
    ...(!isSameSecret && { sealedSecret: sealProviderSecret(sealing, id, clientSecret) }),
  }
}

function samlColumns(
  id: string,
  {
    label,
    entityID,
    ssoURL,
    logoutURL,
    certificate,
    signRequests,
    allowUnsolicited,
    defaultRole,
  }: SamlOfSetup,
  before: IdentityProvider | undefined,
  { sealing, keys }: ProviderContext,
): ProviderColumns {
  const key = before?.ownCertificate == null ? keys.get(label) : undefined
  return {
    issuer: entityID,
    ssoUrl: ssoURL,
    logoutUrl: logoutURL ?? null,
    certificate,
    signsRequests: signRequests ? 1 : 0,
    allowsUnsolicited: allowUnsolicited ? 1 : 0,
    defaultRole: defaultRole ?? null,
    ...(key && {
      ownCertificate: key.certificate,
      sealedSecret: sealProviderSecret(sealing, id, key.privateKey),
    }),
  }
}
