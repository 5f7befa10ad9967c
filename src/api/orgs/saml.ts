import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { makeKeyInTurn } from '../../access/credentials/self-signed.ts'
import { partyFor } from '../../core/runtime/turns.ts'
import type { Flag } from '../../db/columns.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id, InOrganization } from '../../model/common.ts'
import { checkedCertificates } from '../../model/membership/certificates.ts'
import {
  checkDefaultTeam,
  checkSsoUrls,
  checkRoomForProvider,
  findProvider,
  keepProvider,
  ProviderLabel,
  SamlFields,
  SamlProvider,
  toSamlProvider,
  toSamlProviders,
} from '../../model/membership/identity-provider.ts'
import {
  insertProvider,
  sealProviderSecret,
  updateProvider,
} from '../../model/membership/provider-changes.ts'
import { providerRoutes } from '../../shared-routes/identity-providers.ts'

const OfSaml = Type.Object({ organizationId: Id, samlProviderId: Id })

const shared = providerRoutes({
  kind: 'saml',
  a: 'a SAML provider',
  several: 'SAML providers',
  param: 'samlProviderId',
  resource: SamlProvider,
  show: toSamlProviders,
})
export const listSAMLProvidersInOrganizationById = shared.list
export const getOrganizationSAMLProviderById = shared.get
export const deleteOrganizationSAMLProvider = shared.remove

export const createOrganizationSAMLProvider = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/saml',
  summary: 'Add a SAML provider to an organization',
  description:
    'Members can sign in with it as soon as it has an `entityID`, an `ssoURL` and a `certificate`. Give the provider the `acsURL` and the `entityID` in `service`, or the address of the metadata, which is that `entityID`.',
  access: onOrg('admin'),
  params: InOrganization,
  body: Type.Object({ label: ProviderLabel, ...SamlFields }),
  returns: SamlProvider,
  status: 201,
  async prepare({ db, organization, body, now, signal }) {
    // A request that fails anyway makes no key.
    checkSsoUrls(body)
    checkCertificates(body.certificate)
    await checkDefaultTeam(db.read, organization.id, body.defaultTeam)
    await checkRoomForProvider(db.read, organization.id)
    return makeKeyInTurn(partyFor(organization.id), 'Lectern', now, signal)
  },
  async handler(context) {
    const {
      tx,
      me,
      urls,
      body,
      organization,
      organizationRole: role,
      prepared,
      now,
      newId,
      sealing,
    } = context
    const { defaultTeam, defaultRole } = body
    await checkDefaultTeam(tx, organization.id, defaultTeam)
    await checkRoomForProvider(tx, organization.id)
    const id = newId()
    const row = await insertProvider(tx, {
      id,
      organizationId: organization.id,
      kind: 'saml',
      label: body.label,
      issuer: body.entityID || null,
      ssoUrl: body.ssoURL || null,
      logoutUrl: body.logoutURL || null,
      certificate: body.certificate || null,
      signsRequests: flagOf(body.signRequests),
      ownCertificate: prepared.certificate,
      sealedSecret: sealProviderSecret(sealing, id, prepared.privateKey),
      allowsUnsolicited: flagOf(body.allowUnsolicited),
      defaultTeam: defaultTeam ?? null,
      defaultRole: defaultRole === undefined ? organization.defaultRole : defaultRole,
      now,
    })
    context.audit({ target: { type: 'saml-provider', id, label: body.label } })
    return toSamlProvider(urls, tx, row, { userId: me.userId, role })
  },
})

export const updateOrganizationSAMLProvider = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/saml/:samlProviderId',
  summary: 'Update a SAML provider',
  description:
    'Fields that are not sent keep their values. If the `entityID` changes, the server forgets whom the provider knew, and finds people by their addresses again. To change the certificate of the provider without interruption, send the old and the new one together, and later the new one alone.',
  access: onOrg('admin'),
  params: OfSaml,
  body: Type.Object({ label: Type.Optional(ProviderLabel), ...SamlFields }),
  returns: SamlProvider,
  // Providers that were created before all had a key get one.
  async prepare({ db, organization, params, body, now, signal }) {
    const row = await findProvider(db.read, organization, 'saml', params.samlProviderId)
    if (row?.ownCertificate !== null) return undefined
    await checkDefaultTeam(db.read, organization.id, body.defaultTeam)
    return makeKeyInTurn(partyFor(organization.id), 'Lectern', now, signal)
  },
  async handler(context) {
    const { tx, me, urls, body, organization, organizationRole: role, params, prepared, now } = context
    const before = await findProvider(tx, organization, 'saml', params.samlProviderId)
    if (!before) throw notFound('identity provider')
    checkSsoUrls(body)
    checkCertificates(body.certificate)
    await checkDefaultTeam(tx, organization.id, body.defaultTeam)
    const changes = {
      label: body.label,
      issuer: body.entityID,
      ssoUrl: body.ssoURL,
      logoutUrl: body.logoutURL,
      certificate: body.certificate,
      signsRequests: body.signRequests === undefined ? undefined : flagOf(body.signRequests),
      allowsUnsolicited: body.allowUnsolicited === undefined ? undefined : flagOf(body.allowUnsolicited),
      defaultTeam: body.defaultTeam,
      defaultRole: body.defaultRole,
      ...(prepared && {
        ownCertificate: prepared.certificate,
        sealedSecret: sealProviderSecret(context.sealing, before.id, prepared.privateKey),
      }),
    }
    const row = await updateProvider(tx, before, changes, now)
    await keepProvider(tx, organization)
    const viewer = { userId: me.userId, role }
    context.audit({ before: await toSamlProvider(urls, tx, before, viewer) })
    return toSamlProvider(urls, tx, row, viewer)
  },
})

const flagOf = (value: boolean | undefined): Flag => (value ? 1 : 0)

function checkCertificates(text: string | undefined): void {
  if (text) checkedCertificates('body.certificate', text)
}
