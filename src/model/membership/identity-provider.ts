import { type Static, Type } from 'typebox'
import type { Reader, Role, Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict, invalidField, unknownId } from '../../http/errors.ts'
import {
  Id,
  nullable,
  oneOf,
  omitNullish,
  RoleSchema,
  Timestamp,
  titleSchema,
  Uri,
  WebUri,
} from '../common.ts'
import { Team, toTeams } from '../people/team.ts'
import { because } from '../../core/languages/reasons.ts'

export type IdentityProvider = Row<'identityProvider'>

const Label = titleSchema(30)
const ENTITY_ID = { maxLength: 1024 }
const CERTIFICATE = { maxLength: 10_000 }

const Common = {
  id: Type.String(),
  label: Type.String(),
  status: oneOf(['active', 'pending'], {
    description: '`pending`: something is missing, so nobody can sign in yet',
  }),
  defaultTeam: Type.Optional(Team),
  defaultRole: nullable(RoleSchema),
  createdAt: Timestamp,
  urls: Type.Object({ location: Uri }),
}

/** An identity provider of an organization that speaks SAML 2.0. */
export const SamlProvider = Type.Object(
  {
    object: oneOf(['saml-provider']),
    ...Common,
    ssoURL: Type.String({
      description:
        'Where the provider receives sign-in requests (HTTP redirect binding); empty while it is missing',
    }),
    logoutURL: Type.String({
      description: 'Where the provider signs people out (HTTP redirect binding); empty if it does not',
    }),
    entityID: Type.String({ description: 'Empty while it is missing' }),
    certificate: Type.String({ description: 'Empty while it is missing' }),
    signRequests: Type.Boolean(),
    allowUnsolicited: Type.Boolean(),
    service: Type.Object({
      acsURL: Uri,
      startURL: Uri,
      entityID: Type.String({ description: 'Also the address of the metadata of this service' }),
      logoutURL: { ...Uri, description: 'Where the provider sends requests to sign people out' },
      certificate: Type.Optional(
        Type.String({
          description:
            'The certificate of this service in PEM. Its key signs requests and decrypts assertions. A provider that has none gets it with the next update',
        }),
      ),
    }),
  },
  { title: 'SamlProvider' },
)
export type SamlProvider = Static<typeof SamlProvider>

/** An identity provider of an organization that speaks OpenID Connect. */
export const OidcProvider = Type.Object(
  {
    object: oneOf(['oidc-provider']),
    ...Common,
    issuer: Type.String(),
    clientID: Type.String(),
    trustEmails: Type.Boolean(),
    service: Type.Object({ callbackURL: Uri, startURL: Uri }),
  },
  { title: 'OidcProvider' },
)
export type OidcProvider = Static<typeof OidcProvider>

/** A URL, or the empty text that a provider without one returns. `checkSsoUrl` checks the rest. */
const SsoUrl = Type.String({
  maxLength: 2048,
  pattern: '^$|^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$',
  'x-pattern': 'be empty, or a URL that begins with "https://" or "http://"',
})

/** @throws 400 for a text that is neither empty nor a URL */
export function checkSsoUrls(body: { ssoURL?: string; logoutURL?: string }): void {
  for (const name of ['ssoURL', 'logoutURL'] as const) {
    const url = body[name]
    if (url && !URL.canParse(url))
      throw invalidField(`body.${name}`, because('not-url-text', { value: JSON.stringify(url) }))
  }
}

/** The fields that both kinds of provider accept. */
const CommonFields = {
  defaultTeam: Type.Optional(nullable(Id, { description: 'A team for members who join by signing in' })),
  defaultRole: Type.Optional(
    nullable(RoleSchema, { description: 'The role of members who join by signing in; null for guests' }),
  ),
}
export const SamlFields = {
  ...CommonFields,
  entityID: Type.Optional(Type.String(ENTITY_ID)),
  certificate: Type.Optional(
    Type.String({
      ...CERTIFICATE,
      description:
        'One or several certificates in PEM, of RSA keys of at least 2048 bits or of ECDSA keys; any of them may sign',
    }),
  ),
  ssoURL: Type.Optional(SsoUrl),
  logoutURL: Type.Optional({
    ...SsoUrl,
    description:
      'Where the provider receives requests to sign people out (HTTP redirect binding). Signing out of Lectern then signs out there too',
  }),
  signRequests: Type.Optional(
    Type.Boolean({ description: 'Sign requests to sign in; requests to sign out are always signed' }),
  ),
  allowUnsolicited: Type.Optional(
    Type.Boolean({
      description:
        'Accept responses without a request. Others can then sign a browser in under their own name unnoticed',
    }),
  ),
}
export const OidcFields = {
  ...CommonFields,
  issuer: Type.Optional(WebUri),
  clientID: Type.Optional(Type.String({ maxLength: 512 })),
  clientSecret: Type.Optional(Type.String({ maxLength: 2048, description: 'It is never returned' })),
  trustEmails: Type.Optional(
    Type.Boolean({
      description:
        'Take the addresses of people as verified although the provider does not send `email_verified`',
    }),
  ),
}
export const ProviderLabel = Label

/** Whether a provider has all that signing in needs. */
export function isActive(provider: IdentityProvider): boolean {
  const { kind, issuer, ssoUrl, certificate, clientId, sealedSecret } = provider
  if (!issuer) return false
  return kind === 'saml' ? Boolean(ssoUrl && certificate) : Boolean(clientId && sealedSecret)
}

/** SQL for the same. */
export function activeProviders(db: Reader) {
  return db
    .selectFrom('identityProvider')
    .where('issuer', '!=', '')
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'saml'), eb('ssoUrl', '!=', ''), eb('certificate', '!=', '')]),
        eb.and([eb('kind', '=', 'oidc'), eb('clientId', '!=', ''), eb('sealedSecret', '!=', '')]),
      ]),
    )
}

/** The addresses of this service for the users of a provider. */
export function serviceOf(urls: Urls, { id }: Pick<IdentityProvider, 'id'>) {
  return {
    startURL: urls.sso(`/${id}`),
    acsURL: urls.sso(`/${id}/acs`),
    entityID: urls.sso(`/${id}/metadata`),
    logoutURL: urls.sso(`/${id}/logout`),
    callbackURL: urls.sso(`/${id}/callback`),
  }
}

/** Whom providers are shown to. What they see of the default team depends on it. */
export type ProviderViewer = { userId: string; role: Role | null }

/** SAML providers of one organization as the API returns them. */
export async function toSamlProviders(
  urls: Urls,
  db: Reader,
  rows: IdentityProvider[],
  viewer: ProviderViewer,
): Promise<SamlProvider[]> {
  const common = await commonOf(urls, db, rows, viewer)
  return rows.map((row, i) => {
    const { startURL, acsURL, entityID, logoutURL } = serviceOf(urls, row)
    return {
      object: 'saml-provider',
      ...common[i]!,
      ssoURL: row.ssoUrl ?? '',
      logoutURL: row.logoutUrl ?? '',
      entityID: row.issuer ?? '',
      certificate: row.certificate ?? '',
      signRequests: row.signsRequests === 1,
      allowUnsolicited: row.allowsUnsolicited === 1,
      service: { acsURL, startURL, entityID, logoutURL, ...omitNullish({ certificate: row.ownCertificate }) },
    }
  })
}

export async function toSamlProvider(
  urls: Urls,
  db: Reader,
  row: IdentityProvider,
  viewer: ProviderViewer,
): Promise<SamlProvider> {
  const [provider] = await toSamlProviders(urls, db, [row], viewer)
  if (!provider) throw new Error('one row makes one provider')
  return provider
}

/** OpenID providers of one organization as the API returns them. */
export async function toOidcProviders(
  urls: Urls,
  db: Reader,
  rows: IdentityProvider[],
  viewer: ProviderViewer,
): Promise<OidcProvider[]> {
  const common = await commonOf(urls, db, rows, viewer)
  return rows.map((row, i) => {
    const { startURL, callbackURL } = serviceOf(urls, row)
    return {
      object: 'oidc-provider',
      ...common[i]!,
      issuer: row.issuer ?? '',
      clientID: row.clientId ?? '',
      trustEmails: row.trustsEmails === 1,
      service: { callbackURL, startURL },
    }
  })
}

export async function toOidcProvider(
  urls: Urls,
  db: Reader,
  row: IdentityProvider,
  viewer: ProviderViewer,
): Promise<OidcProvider> {
  const [provider] = await toOidcProviders(urls, db, [row], viewer)
  if (!provider) throw new Error('one row makes one provider')
  return provider
}

async function commonOf(urls: Urls, db: Reader, rows: IdentityProvider[], viewer: ProviderViewer) {
  const teams = await teamsOf(db, rows, viewer)
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    status: isActive(row) ? ('active' as const) : ('pending' as const),
    ...omitNullish({ defaultTeam: teams.get(row.defaultTeam ?? '') }),
    defaultRole: row.defaultRole,
    createdAt: row.createdAt,
    urls: { location: urls.api(`/orgs/${row.organizationId}/${row.kind}/${row.id}`) },
  }))
}

async function teamsOf(
  db: Reader,
  rows: IdentityProvider[],
  viewer: ProviderViewer,
): Promise<Map<string, Team>> {
  const ids = [...new Set(rows.flatMap(({ defaultTeam }) => defaultTeam ?? []))]
  const organizationId = rows[0]?.organizationId
  if (ids.length === 0 || organizationId === undefined) return new Map()
  const teams = await db.selectFrom('team').selectAll().where('id', 'in', ids).execute()
  const shown = await toTeams(db, organizationId, teams, viewer)
  return new Map(shown.map((team) => [team.id, team]))
}

/** A provider of an organization. */
export function findProvider(
  db: Reader,
  { id: organizationId }: Pick<Row<'organization'>, 'id'>,
  kind: IdentityProvider['kind'],
  id: string,
): Promise<IdentityProvider | undefined> {
  return providersOf(db, organizationId).where('kind', '=', kind).where('id', '=', id).executeTakeFirst()
}

/** A query for the providers of an organization. */
export function providersOf(db: Reader, organizationId: string) {
  return db.selectFrom('identityProvider').selectAll().where('organizationId', '=', organizationId)
}

/** @throws 400 for a team that is not of the organization */
export async function checkDefaultTeam(
  db: Reader,
  organizationId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id === null || id === undefined) return
  const team = await db
    .selectFrom('team')
    .select('id')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (!team) throw unknownId('body.defaultTeam', id, 'a team of this organization')
}

/** The most providers of one organization. */
const MOST_PROVIDERS = 50

/** @throws 409 if the organization has as many providers as it may have */
export async function checkRoomForProvider(db: Reader, organizationId: string): Promise<void> {
  const { count } = await db
    .selectFrom('identityProvider')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_PROVIDERS)
    throw conflict(because('too-many-identity-providers', { limit: MOST_PROVIDERS }))
}

/**
 * Single sign-on can only be required where somebody can sign in with it. Called after a change, in its transaction.
 * @throws 409 if no active provider is left
 */
export async function keepProvider(db: Reader, { id, sso }: Row<'organization'>): Promise<void> {
  if (sso === 0 || (await hasActiveProvider(db, id))) return
  throw conflict(because('last-identity-provider'))
}

/** @throws 400 if the organization has no active provider */
export async function needActiveProvider(db: Reader, organizationId: string): Promise<void> {
  if (await hasActiveProvider(db, organizationId)) return
  throw invalidField('body.sso', because('no-identity-provider'))
}

async function hasActiveProvider(db: Reader, organizationId: string): Promise<boolean> {
  const found = await activeProviders(db)
    .select('id')
    .where('organizationId', '=', organizationId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
