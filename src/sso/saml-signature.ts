/** The signatures of SAML messages, by RSA and ECDSA keys (XML Signature 1.1, sections 6.4.2 and 6.4.3). */
import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import { xmlCrypto } from '../core/runtime/libraries.ts'
import { quoted, refuse } from './sign-in-refused.ts'
import { allOf, attributesOf, childrenNamed, onlyChildNamed, SIGNATURE, type SamlNode } from './xml-nodes.ts'

const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }

const TRANSFORMS = [ENVELOPED, EXCLUSIVE]

interface SigningMethod {
  /** The type of key that makes such signatures. With another one, they are refused. */
  key: 'rsa' | 'ec'
  hash: string
  options?: object
}

/** Signatures with SHA-1 or MD5 can be forged, and one with a shared secret could be made with the public key. */
const SIGNING: Record<string, SigningMethod> = {
  [`${MORE}rsa-sha256`]: { key: 'rsa', hash: 'sha256' },
  [`${MORE}rsa-sha384`]: { key: 'rsa', hash: 'sha384' },
  [`${MORE}rsa-sha512`]: { key: 'rsa', hash: 'sha512' },
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1': { key: 'rsa', hash: 'sha256', options: PSS },
  [`${MORE}ecdsa-sha256`]: { key: 'ec', hash: 'sha256' },
  [`${MORE}ecdsa-sha384`]: { key: 'ec', hash: 'sha384' },
  [`${MORE}ecdsa-sha512`]: { key: 'ec', hash: 'sha512' },
}

const DIGESTS: Record<string, string> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${MORE}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

/**
 * Refuses two elements with one id, which would let a signature of one stand for the other.
 * @throws SignInRefused
 */
export function checkIds(elements: SamlNode[]): void {
  const seen = new Set<string>()
  for (const element of elements) {
    const own = attributesOf(element).filter(({ localName }) => localName.toLowerCase() === 'id')
    if (own.length > 1) refuse('An element of the response has several ids')
    const [id] = own
    if (!id) continue
    if (seen.has(id.value)) refuse(`The response has the id ${quoted(id.value)} twice`)
    seen.add(id.value)
  }
}

/**
 * Refuses signatures that are not children of an element which may have one, and those of other forms than SAML has.
 * @param signed the elements that may have a signature
 * @throws SignInRefused
 */
export function checkSignatures(root: SamlNode, signed: SamlNode[]): void {
  const signatures = [...allOf(root)].filter(({ localName }) => localName === 'Signature')
  if (signatures.length !== signed.filter(isSigned).length)
    refuse('The response has a signature that is not where SAML has it')
  for (const signature of signatures) {
    const parent = signature.parentNode
    if (!parent || !signed.includes(parent)) return refuse('A signature is not where SAML has it')
    checkSignature(signature, parent.getAttribute('ID'))
  }
}

/** Whether an element has a signature as its child. */
export const isSigned = (element: SamlNode): boolean =>
  childrenNamed(element, SIGNATURE, 'Signature').length > 0

function checkSignature(signature: SamlNode, id: string): void {
  const info = only(signature, 'SignedInfo')
  only(signature, 'SignatureValue')
  if (childrenNamed(signature, SIGNATURE, 'Object').length > 0) refuse('A signature contains an object')
  demandAlgorithm(only(info, 'CanonicalizationMethod'), [EXCLUSIVE])
  demandAlgorithm(only(info, 'SignatureMethod'), Object.keys(SIGNING))

  const reference = only(info, 'Reference')
  const uri = reference.getAttribute('URI')
  if (id === '' || uri !== `#${id}`) refuse(`A signature refers to ${quoted(uri)}, not to its own element`)
  demandAlgorithm(only(reference, 'DigestMethod'), Object.keys(DIGESTS))
  only(reference, 'DigestValue')
  const transforms = childrenNamed(only(reference, 'Transforms'), SIGNATURE, 'Transform')
  const names = transforms.map((transform) => transform.getAttribute('Algorithm'))
  if (names.length !== TRANSFORMS.length || names.some((name, i) => name !== TRANSFORMS[i]))
    refuse(`A signature has the transforms ${quoted(names.join(' '))}`)
}

function demandAlgorithm(element: SamlNode, allowed: string[]): void {
  const algorithm = element.getAttribute('Algorithm')
  if (!allowed.includes(algorithm)) refuse(`The algorithm ${quoted(algorithm)} is not accepted`)
}

const only = (parent: SamlNode, name: string) => onlyChildNamed(parent, SIGNATURE, name)

/**
 * The canonical text of an element that a certificate has signed. Read nothing else of the document.
 * @param xml the document of the element, whose signatures `checkSignatures` has accepted
 * @param certificates in PEM; any of them may have signed
 * @throws SignInRefused
 */
export function verifiedText(xml: string, element: SamlNode, certificates: readonly string[]): string {
  const signature = only(element, 'Signature')
  for (const certificate of certificates) {
    const verified = textSignedBy(xml, signature, certificate)
    if (verified !== undefined) return verified
  }
  return refuse(`The signature of ${element.localName} is not valid for any certificate of the provider`)
}

function textSignedBy(xml: string, signature: SamlNode, certificate: string): string | undefined {
  const signed = new (xmlCrypto().SignedXml)({ publicCert: certificate, getCertFromKeyInfo: () => null })
  signed.CanonicalizationAlgorithms = Object.fromEntries(
    Object.entries(signed.CanonicalizationAlgorithms).filter(([name]) => TRANSFORMS.includes(name)),
  )
  signed.HashAlgorithms = HASHES
  signed.SignatureAlgorithms = VERIFIERS
  try {
    signed.loadSignature(signature)
    if (!signed.checkSignature(xml)) return undefined
  } catch {
    // The library throws for a signature that does not fit. Another certificate may.
    return undefined
  }
  const [text, ...more] = signed.getSignedReferences()
  return more.length === 0 ? text : undefined
}

const HASHES = Object.fromEntries(
  Object.entries(DIGESTS).map(([name, hash]) => [
    name,
    class {
      getAlgorithmName = () => name
      getHash = (text: string) => createHash(hash).update(text).digest('base64')
    },
  ]),
)

const VERIFIERS = Object.fromEntries(
  Object.entries(SIGNING).map(([name, method]) => [
    name,
    class {
      getAlgorithmName = () => name
      getSignature = (): never => refuse('This service signs no documents')
      verifySignature = (text: string, certificate: unknown, value: string) =>
        isSignatureOf(text, Buffer.from(value, 'base64'), String(certificate), method)
    },
  ]),
)

/**
 * Whether a certificate has signed the query of a request (HTTP redirect binding).
 * @param text the parameters as they were sent, in the order of the binding
 * @param algorithm the `SigAlg`
 * @param value the `Signature` in base64
 * @throws SignInRefused for another algorithm
 */
export function isQuerySigned(
  text: string,
  { algorithm, value }: { algorithm: string; value: string },
  certificates: readonly string[],
): boolean {
  const method = Object.hasOwn(SIGNING, algorithm) ? SIGNING[algorithm] : undefined
  if (!method) return refuse(`The algorithm ${quoted(algorithm)} is not accepted`)
  const signature = Buffer.from(value, 'base64')
  return certificates.some((certificate) => isSignatureOf(text, signature, certificate, method))
}

function isSignatureOf(
  text: string,
  signature: Buffer,
  certificate: string,
  { key, hash, options }: SigningMethod,
): boolean {
  const { publicKey } = new X509Certificate(certificate)
  if (publicKey.asymmetricKeyType !== key) return false
  // The two numbers of an ECDSA signature follow each other, as in IEEE P1363.
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' as const, ...options }
  return verify(hash, Buffer.from(text), how, signature)
}
