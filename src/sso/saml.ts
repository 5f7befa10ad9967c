import { isRecord } from '../core/data/is-record.ts'
import { samlXml } from '../core/runtime/libraries.ts'
import { quoted, refuse } from './sign-in-refused.ts'
import { type Asserted, readAssertion } from './saml-assertion.ts'
import { decryptedText } from './saml-decryption.ts'
import { decryptedAssertion, outlineOf, type ResponseOutline } from './saml-document.ts'
import { isSigned, verifiedText } from './saml-signature.ts'
import { ASSERTION, onlyChildNamed, rootOf, type SamlNode } from './xml-nodes.ts'
import { decodeMessage, withLineFeeds } from './xml-text.ts'

/** A SAML provider, as verifying its responses needs it. */
export interface SamlTrust {
  /** The entity ID of the provider. */
  issuer: string
  /** In PEM; any of them may have signed. */
  certificates: string[]
  /** The entity ID of this service. */
  audience: string
  acsURL: string
  /** The key of this service in PEM, for encrypted assertions; undefined if it has none. */
  privateKey?: string | undefined
}

/**
 * Verifies the response of a SAML provider. The signature is that of the response, the assertion or both; each that is
 * there must be valid. What is read afterwards is only the text that was verified.
 * @param isOpen whether the server sent a request and waits for its answer
 * @param allowsUnsolicited whether a response may answer no request
 * @returns the assertion, and the request that it answers
 * @throws SignInRefused
 */
export async function verifyResponse(
  field: string,
  trust: SamlTrust,
  {
    isOpen,
    allowsUnsolicited,
    now,
  }: { isOpen: (requestId: string) => Promise<boolean>; allowsUnsolicited: boolean; now: Date },
): Promise<Asserted & { requestId: string | undefined }> {
  const xml = decodeMessage(field, 'SAMLResponse')
  const outline = await outlineOf(xml)
  const { inResponseTo: requestId, issuer, destination } = outline
  if (issuer !== undefined && issuer !== trust.issuer)
    refuse(`The issuer of the response is ${quoted(issuer)}, not ${quoted(trust.issuer)}`)
  if (destination !== undefined && destination !== trust.acsURL)
    refuse(`The destination is ${quoted(destination)}, not ${quoted(trust.acsURL)}`)
  if (requestId === undefined && !allowsUnsolicited) refuse('The response answers no request')
  // Before the signature, because verifying takes more work than reading a row.
  if (requestId !== undefined && !(await isOpen(requestId)))
    refuse(`The response answers ${quoted(requestId)}, which is no open request`)

  const assertion = await verifiedAssertion(xml, trust, outline)
  const { issuer: expectedIssuer, audience, acsURL } = trust
  const asserted = readAssertion(assertion, { issuer: expectedIssuer, audience, acsURL, requestId, now })
  return { ...asserted, requestId }
}

/** The assertion, from the text that a signature covers. Each signature that is there must be valid. */
async function verifiedAssertion(
  xml: string,
  { certificates, privateKey }: SamlTrust,
  { root, assertion, isEncrypted }: ResponseOutline,
): Promise<unknown> {
  const response = isSigned(root) ? verifiedText(xml, root, certificates) : undefined
  if (isEncrypted) {
    if (privateKey === undefined) return refuse('The assertion is encrypted, and this service has no key')
    const source = response === undefined ? assertion : encryptedIn(await rootOf(response))
    const text = withLineFeeds(decryptedText(source, privateKey))
    const inner = await decryptedAssertion(text)
    if (isSigned(inner)) return readAs(verifiedText(text, inner, certificates), 'Assertion')
    // The signature of the response covers the encrypted text.
    return response === undefined
      ? refuse('Neither the response nor the assertion is signed')
      : readAs(text, 'Assertion')
  }
  if (isSigned(assertion)) return readAs(verifiedText(xml, assertion, certificates), 'Assertion')
  const read = await readAs(response ?? '', 'Response')
  const [only] = (isRecord(read) ? read.Assertion : undefined) as unknown[]
  return only
}

const encryptedIn = (response: SamlNode) => onlyChildNamed(response, ASSERTION, 'EncryptedAssertion')

/** The first element of a text as records without prefixes. */
async function readAs(text: string, name: string): Promise<unknown> {
  return ((await samlXml().parseXml2JsFromString(text)) as Record<string, unknown>)[name]
}
