import { nodeSaml } from '../core/runtime/libraries.ts'
import { SignInRefused, quoted, refuse } from './sign-in-refused.ts'
import { type Asserted, readAssertion } from './saml-assertion.ts'
import { outlineOf } from './saml-document.ts'
import { decodeResponse } from './xml-text.ts'

/** A SAML provider, as verifying its responses needs it. */
export interface SamlTrust {
  /** The entity ID of the provider. */
  issuer: string
  /** In PEM; any of them may have signed. */
  certificates: string[]
  /** The entity ID of this service. */
  audience: string
  acsURL: string
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
  const xml = decodeResponse(field)
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

  const assertion = await verified(xml, trust, outline)
  const { issuer: expectedIssuer, audience, acsURL } = trust
  const asserted = readAssertion(assertion, { issuer: expectedIssuer, audience, acsURL, requestId, now })
  return { ...asserted, requestId }
}

/** The assertion, from the text that its signature covers. */
async function verified(
  xml: string,
  trust: SamlTrust,
  { isResponseSigned, isAssertionSigned }: { isResponseSigned: boolean; isAssertionSigned: boolean },
): Promise<unknown> {
  const { SAML, ValidateInResponseTo } = nodeSaml()
  const saml = new SAML({
    issuer: trust.audience,
    audience: trust.audience,
    callbackUrl: trust.acsURL,
    idpCert: trust.certificates,
    wantAuthnResponseSigned: isResponseSigned,
    wantAssertionsSigned: isAssertionSigned,
    // `readAssertion` checks the times, by the clock of the server, which never goes back.
    acceptedClockSkewMs: -1,
    // Which request a response answers is checked by the database, in the transaction that ends the request.
    validateInResponseTo: ValidateInResponseTo.never,
  })
  try {
    const { profile } = await saml.validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    })
    const { Assertion } = (profile?.getAssertion?.() ?? {}) as { Assertion?: unknown }
    return Assertion ?? refuse('The library found no assertion')
  } catch (error) {
    if (error instanceof SignInRefused) throw error
    throw new SignInRefused(`The response is not valid: ${(error as Error).message}`, { cause: error })
  }
}
