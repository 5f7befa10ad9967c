import { X509Certificate } from 'node:crypto'
import { invalidField } from '../../http/errors.ts'
import { because } from '../../core/languages/reasons.ts'

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g
const MOST_CERTIFICATES = 5
/** Shorter RSA keys can be broken (NIST SP 800-131A). */
const LEAST_BITS = 2048
/** P-256, P-384 and P-521, by the names of OpenSSL: the curves that XML Signature 1.1, section 6.4.3, names. */
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1']

/**
 * The certificates in a text, as PEM: one or several, so that a provider can roll its key over. A text without the lines
 * `-----BEGIN CERTIFICATE-----` is the base64 of one, as it is in the metadata of a provider.
 * @throws 400 for a text that has none, or one whose key cannot sign safely
 */
export function checkedCertificates(path: string, text: string): string[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, base64 = '']) => base64)
  const rest = text.replace(BLOCK, '').trim()
  if (blocks.length > 0 && rest !== '') throw invalidField(path, because('not-certificates'))
  const found = blocks.length > 0 ? blocks : [rest]
  if (found.length > MOST_CERTIFICATES)
    throw invalidField(
      path,
      because('too-many-certificates', { limit: MOST_CERTIFICATES, size: found.length }),
    )
  return found.map((base64) => checkedCertificate(path, base64))
}

function checkedCertificate(path: string, base64: string): string {
  const certificate = parse(base64.replace(/\s+/g, ''))
  if (!certificate) throw invalidField(path, because('not-x509'))
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  if (asymmetricKeyType === 'ec') {
    const curve = asymmetricKeyDetails?.namedCurve ?? ''
    if (!CURVES.includes(curve)) throw invalidField(path, because('curve-unknown', { curve }))
    return certificate.toString()
  }
  if (asymmetricKeyType !== 'rsa')
    throw invalidField(path, because('key-not-rsa', { kind: String(asymmetricKeyType) }))
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < LEAST_BITS) throw invalidField(path, because('key-too-short', { least: LEAST_BITS, bits }))
  return certificate.toString()
}

function parse(base64: string): X509Certificate | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    // The error of OpenSSL has no word that would help.
    return undefined
  }
}
