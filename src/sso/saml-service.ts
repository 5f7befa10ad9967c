import { nodeSaml } from '../core/runtime/libraries.ts'
import type { Services } from '../http/route.ts'
import { checkedCertificates } from '../model/membership/certificates.ts'
import { type IdentityProvider, serviceOf } from '../model/membership/identity-provider.ts'
import { openProviderSecret } from '../model/membership/provider-changes.ts'
import type { SamlName } from '../model/people/session.ts'
import type { LogoutRequest, LogoutTrust } from './saml-logout.ts'
import { samlMetadata } from './saml-metadata.ts'
import { refuse } from './sign-in-refused.ts'
import type { SamlTrust } from './saml.ts'

type SamlServices = Pick<Services, 'urls' | 'sealing'>

/** Returns the data with which the responses of a provider are verified. */
export function trustOf(
  { urls, sealing }: SamlServices,
  provider: IdentityProvider,
): SamlTrust & LogoutTrust {
  const { issuer, certificate } = provider
  if (!issuer || !certificate) return refuse('The provider is not configured')
  const { acsURL, entityID, logoutURL } = serviceOf(urls, provider)
  return {
    issuer,
    certificates: checkedCertificates('certificate', certificate),
    audience: entityID,
    acsURL,
    logoutURL,
    privateKey: openProviderSecret(sealing, provider),
  }
}

/** The address at the provider to which the browser is sent, with a request (HTTP redirect binding). */
export async function requestUrl(
  services: SamlServices,
  provider: IdentityProvider,
  id: string,
): Promise<string> {
  const { ssoUrl } = provider
  if (!ssoUrl) return refuse('The provider is not configured')
  const saml = samlOf(services, provider, {
    isSigned: provider.signsRequests === 1,
    entryPoint: ssoUrl,
    generateUniqueId: () => id,
  })
  return saml.getAuthorizeUrlAsync('', undefined, {})
}

/** The address at the provider that signs a person out there, with a signed request. */
export function signOutUrl(
  services: SamlServices,
  provider: IdentityProvider,
  { format, ...name }: SamlName,
): Promise<string> {
  const person = { issuer: provider.issuer ?? '', nameIDFormat: format ?? UNSPECIFIED, ...name }
  return logoutOf(services, provider).getLogoutUrlAsync(person, '', {})
}

/** The address at the provider that hears that a person was signed out, as it requested. */
export function signedOutUrl(
  services: SamlServices,
  provider: IdentityProvider,
  { id, name }: LogoutRequest,
  relayState: string,
): Promise<string> {
  const request = { ID: id, issuer: provider.issuer ?? '', nameID: name.nameID, nameIDFormat: '' }
  return logoutOf(services, provider).getLogoutResponseUrlAsync(request, relayState, {}, true)
}

const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

function logoutOf(services: SamlServices, provider: IdentityProvider) {
  const { logoutUrl } = provider
  if (!logoutUrl) return refuse('The provider has no address to sign people out')
  return samlOf(services, provider, { isSigned: true, entryPoint: logoutUrl, logoutUrl })
}

/** The metadata of this service for a provider. */
export function metadataOf({ urls }: Pick<SamlServices, 'urls'>, provider: IdentityProvider): string {
  const { signsRequests, ownCertificate: certificate } = provider
  return samlMetadata({ ...serviceOf(urls, provider), signsRequests: signsRequests === 1, certificate })
}

function samlOf(
  { urls, sealing }: SamlServices,
  provider: IdentityProvider,
  {
    isSigned,
    ...more
  }: { isSigned: boolean; entryPoint: string; logoutUrl?: string; generateUniqueId?: () => string },
) {
  const { acsURL, entityID } = serviceOf(urls, provider)
  const privateKey = isSigned ? openProviderSecret(sealing, provider) : undefined
  return new (nodeSaml().SAML)({
    issuer: entityID,
    callbackUrl: acsURL,
    // Requests need no certificate of the provider, but the library does.
    idpCert: provider.ownCertificate ?? 'none',
    // The provider decides how it names people, and how it authenticates them.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: false,
    ...(privateKey !== undefined && { privateKey, signatureAlgorithm: 'sha256' as const }),
    ...more,
  })
}
