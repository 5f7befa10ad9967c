import { escapeXml } from '../core/text/xml.ts'
import { ENCRYPTION_METHODS } from './saml-decryption.ts'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings:'

/** What a provider has to know of this service. */
export interface SamlService {
  entityID: string
  acsURL: string
  logoutURL: string
  /** Whether requests to sign in are signed. Those to sign out always are. */
  signsRequests: boolean
  /** In PEM, of the key that signs and decrypts; null until the service has one. */
  certificate: string | null
}

/** The metadata of this service for a provider (SAML metadata 2.0, section 2.4.4). */
export function samlMetadata(service: SamlService): string {
  const { entityID, acsURL, logoutURL, signsRequests, certificate } = service
  const keys =
    certificate === null
      ? ''
      : keyDescriptor('signing', certificate) + keyDescriptor('encryption', certificate)
  const logout = ['HTTP-Redirect', 'HTTP-POST'].map(
    (binding) => `<SingleLogoutService Binding="${BINDINGS}${binding}" Location="${escapeXml(logoutURL)}"/>`,
  )
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<EntityDescriptor xmlns="${METADATA}" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeXml(entityID)}">` +
    `<SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="${signsRequests}">` +
    keys +
    (certificate === null ? '' : logout.join('')) +
    `<AssertionConsumerService index="1" isDefault="true" Binding="${BINDINGS}HTTP-POST" Location="${escapeXml(acsURL)}"/>` +
    '</SPSSODescriptor></EntityDescriptor>\n'
  )
}

function keyDescriptor(use: 'signing' | 'encryption', certificate: string): string {
  const base64 = certificate.replace(/-----.*-----|\s/g, '')
  return (
    `<KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate>` +
    `</ds:X509Data></ds:KeyInfo>${use === 'encryption' ? encryptionMethods() : ''}</KeyDescriptor>`
  )
}

const encryptionMethods = () =>
  ENCRYPTION_METHODS.map(({ algorithm, digest, mask }) => {
    const digestMethod = digest === undefined ? '' : `<ds:DigestMethod Algorithm="${digest}"/>`
    const maskFunction =
      mask === undefined ? '' : `<MGF xmlns="http://www.w3.org/2009/xmlenc11#" Algorithm="${mask}"/>`
    return `<EncryptionMethod Algorithm="${algorithm}">${digestMethod}${maskFunction}</EncryptionMethod>`
  }).join('')
