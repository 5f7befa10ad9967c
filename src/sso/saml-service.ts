import { nodeSaml } from '../core/runtime/libraries.ts'
import type { Services } from '../http/route.ts'
import { checkedCertificates } from '../model/membership/certificates.ts'
import { type IdentityProvider, serviceOf } from '../model/membership/identity-provider.ts'
import { openProviderSecret } from '../model/membership/provider-changes.ts'
import { refuse } from './sign-in-refused.ts'
import type { SamlTrust } from './saml.ts'

type SamlServices = Pick<Services, 'urls' | 'sealing'>

/** Returns the data with which the responses of a provider are verified. */
export function trustOf({ urls }: Pick<Services, 'urls'>, provider: IdentityProvider): SamlTrust {
  const { issuer, certificate } = provider
  if (!issuer || !certificate) return refuse('The provider is not configured')
  const { acsURL, entityID } = serviceOf(urls, provider)
  return { issuer, certificates: checkedCertificates('certificate', certificate), audience: entityID, acsURL }
}

/** The address at the provider to which the browser is sent, with a request (HTTP redirect binding). */
export async function requestUrl(
  services: SamlServices,
  provider: IdentityProvider,
  id: string,
): Promise<string> {
  const { ssoUrl } = provider
  if (!ssoUrl) return refuse('The provider is not configured')
  const saml = samlOf(services, provider, { entryPoint: ssoUrl, generateUniqueId: () => id })
  return saml.getAuthorizeUrlAsync('', undefined, {})
}

/** The metadata of this service for a provider (SAML metadata 2.0). */
export function metadataOf(services: SamlServices, provider: IdentityProvider): string {
  const certificate = provider.signsRequests === 1 ? provider.ownCertificate : null
  return samlOf(services, provider, {}).generateServiceProviderMetadata(null, certificate)
}

function samlOf(
  { urls, sealing }: SamlServices,
  provider: IdentityProvider,
  more: { entryPoint?: string; generateUniqueId?: () => string },
) {
  const { acsURL, entityID } = serviceOf(urls, provider)
  const privateKey = provider.signsRequests === 1 ? openProviderSecret(sealing, provider) : undefined
  return new (nodeSaml().SAML)({
    issuer: entityID,
    callbackUrl: acsURL,
    // Requests and metadata need no certificate of the provider, but the library does.
    idpCert: provider.ownCertificate ?? 'none',
    // The provider decides how it names people, and how it authenticates them.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: false,
    ...(privateKey !== undefined && { privateKey, signatureAlgorithm: 'sha256' as const }),
    ...more,
  })
}
