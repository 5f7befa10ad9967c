import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { invalidField, notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id, InOrganization } from '../../model/common.ts'
import {
  checkDefaultTeam,
  checkRoomForProvider,
  findProvider,
  keepProvider,
  ProviderLabel,
  OidcFields,
  OidcProvider,
  toOidcProvider,
  toOidcProviders,
} from '../../model/membership/identity-provider.ts'
import {
  insertProvider,
  sealProviderSecret,
  updateProvider,
} from '../../model/membership/provider-changes.ts'
import { providerRoutes } from '../../shared-routes/identity-providers.ts'
import { because } from '../../core/languages/reasons.ts'

const OfOidc = Type.Object({ organizationId: Id, oidcProviderId: Id })

const shared = providerRoutes({
  kind: 'oidc',
  a: 'an OpenID provider',
  several: 'OpenID providers',
  param: 'oidcProviderId',
  resource: OidcProvider,
  show: toOidcProviders,
})
export const listOIDCProvidersInOrganizationById = shared.list
export const getOrganizationOIDCProviderById = shared.get
export const deleteOrganizationOIDCProvider = shared.remove

export const createOrganizationOIDCProvider = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/oidc',
  summary: 'Add an OpenID provider to an organization',
  description:
    'Members can sign in with it as soon as it has an `issuer`, a `clientID` and a `clientSecret`. Register the `callbackURL` in `service` at the provider.',
  access: onOrg('admin'),
  params: InOrganization,
  body: Type.Object({ label: ProviderLabel, ...OidcFields }),
  returns: OidcProvider,
  status: 201,
  async handler({ tx, me, urls, body, organization, organizationRole: role, now, newId, audit, sealing }) {
    const { defaultTeam, defaultRole, clientSecret } = body
    checkIssuer(body.issuer)
    await checkDefaultTeam(tx, organization.id, defaultTeam)
    await checkRoomForProvider(tx, organization.id)
    const id = newId()
    const row = await insertProvider(tx, {
      id,
      organizationId: organization.id,
      kind: 'oidc',
      label: body.label,
      issuer: body.issuer ?? null,
      clientId: body.clientID || null,
      sealedSecret: clientSecret ? sealProviderSecret(sealing, id, clientSecret) : null,
      trustsEmails: body.trustEmails ? 1 : 0,
      defaultTeam: defaultTeam ?? null,
      defaultRole: defaultRole === undefined ? organization.defaultRole : defaultRole,
      now,
    })
    audit({ target: { type: 'oidc-provider', id, label: body.label } })
    return toOidcProvider(urls, tx, row, { userId: me.userId, role })
  },
})

export const updateOrganizationOIDCProvider = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/oidc/:oidcProviderId',
  summary: 'Update an OpenID provider',
  description:
    'Fields that are not sent keep their values. If the `issuer` changes, the server forgets whom the provider knew, and finds people by their addresses again.',
  access: onOrg('admin'),
  params: OfOidc,
  body: Type.Object({ label: Type.Optional(ProviderLabel), ...OidcFields }),
  returns: OidcProvider,
  async handler(context) {
    const { tx, me, urls, body, organization, organizationRole: role, params, now, sealing } = context
    const before = await findProvider(tx, organization, 'oidc', params.oidcProviderId)
    if (!before) throw notFound('identity provider')
    checkIssuer(body.issuer)
    await checkDefaultTeam(tx, organization.id, body.defaultTeam)
    const changes = {
      label: body.label,
      issuer: body.issuer,
      clientId: body.clientID,
      sealedSecret: body.clientSecret && sealProviderSecret(sealing, before.id, body.clientSecret),
      trustsEmails:
        body.trustEmails === undefined ? undefined : body.trustEmails ? (1 as const) : (0 as const),
      defaultTeam: body.defaultTeam,
      defaultRole: body.defaultRole,
    }
    const row = await updateProvider(tx, before, changes, now)
    await keepProvider(tx, organization)
    const viewer = { userId: me.userId, role }
    context.audit({ before: await toOidcProvider(urls, tx, before, viewer) })
    return toOidcProvider(urls, tx, row, viewer)
  },
})

/** The answers of an issuer over plain HTTP could be anybody's, except on this machine. */
function checkIssuer(issuer: string | undefined): void {
  if (issuer === undefined) return
  const { protocol, hostname, search, hash } = new URL(issuer)
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    throw invalidField('body.issuer', because('not-https-url', { value: JSON.stringify(issuer) }))
  if (search !== '' || hash !== '') throw invalidField('body.issuer', because('url-with-query'))
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
