import { quoted, refuse } from './sign-in-refused.ts'
import { checkIds, checkSignatures, isSigned } from './saml-signature.ts'
import { checkXmlText } from './xml-text.ts'
import {
  allOf,
  ASSERTION,
  attributeIn,
  childrenNamed,
  isNamed,
  PROTOCOL,
  rootOf,
  type SamlNode,
} from './xml-nodes.ts'

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** The statements of an unverified response about itself, and its parts. */
export interface ResponseOutline {
  root: SamlNode
  /** The assertion, or the encrypted one. */
  assertion: SamlNode
  isEncrypted: boolean
  /** The request that it answers; absent if it answers none. */
  inResponseTo: string | undefined
  issuer: string | undefined
  destination: string | undefined
}

/**
 * Reads the outline of a response, and refuses every form that a provider has no reason to send: attacks on SAML put a
 * second assertion, signature or id where a verifier and a reader of the document look at different ones.
 * @throws SignInRefused
 */
export async function outlineOf(xml: string): Promise<ResponseOutline> {
  checkXmlText(xml)
  const root = await rootOf(xml)
  if (!isNamed(root, PROTOCOL, 'Response'))
    refuse(`The document is ${quoted(root.localName)}, not a SAML response`)
  if (root.getAttribute('Version') !== '2.0') refuse('The response has another version than 2.0')

  const elements = [...allOf(root)]
  checkIds(elements)
  checkStatus(root)
  const assertion = onlyAssertion(root, elements)
  const isEncrypted = assertion.localName === 'EncryptedAssertion'
  if (!isEncrypted) checkVersion(assertion)
  checkSignatures(root, isEncrypted ? [root] : [root, assertion])
  // The signature of an encrypted assertion can be inside of it.
  if (!isEncrypted && !isSigned(root) && !isSigned(assertion))
    refuse('Neither the response nor the assertion is signed')

  const issuers = childrenNamed(root, ASSERTION, 'Issuer')
  if (issuers.length > 1) refuse('The response has several issuers')
  return {
    root,
    assertion,
    isEncrypted,
    inResponseTo: attributeIn(root, 'InResponseTo'),
    issuer: issuers[0]?.textContent?.trim(),
    destination: attributeIn(root, 'Destination'),
  }
}

/** The assertion that was encrypted, after the same checks. @throws SignInRefused */
export async function decryptedAssertion(xml: string): Promise<SamlNode> {
  checkXmlText(xml)
  const root = await rootOf(xml)
  if (!isNamed(root, ASSERTION, 'Assertion'))
    refuse(`The encrypted element is ${quoted(root.localName)}, not an assertion`)
  const elements = [...allOf(root)]
  if (elements.some(({ localName }) => ['Response', 'EncryptedAssertion'].includes(localName)))
    refuse('The assertion contains another message')
  if (elements.filter(({ localName }) => localName === 'Assertion').length > 1)
    refuse('The response has several assertions')
  checkIds(elements)
  checkVersion(root)
  checkSignatures(root, [root])
  return root
}

function checkVersion(assertion: SamlNode): void {
  if (assertion.getAttribute('Version') !== '2.0') refuse('The assertion has another version than 2.0')
}

function checkStatus(root: SamlNode): void {
  const [status, ...more] = childrenNamed(root, PROTOCOL, 'Status')
  const [code, ...others] = status ? childrenNamed(status, PROTOCOL, 'StatusCode') : []
  if (!code || more.length + others.length > 0) return refuse('The response must have one status')
  const value = code.getAttribute('Value')
  if (value !== SUCCESS) {
    const [detail] = childrenNamed(code, PROTOCOL, 'StatusCode')
    refuse(`The provider refused: ${quoted(value)} ${quoted(detail?.getAttribute('Value'))}`)
  }
}

function onlyAssertion(root: SamlNode, elements: SamlNode[]): SamlNode {
  // By local name alone, because a reader might not look at the namespace.
  const named = (name: string) => elements.filter(({ localName }) => localName === name)
  if (named('Response').length > 1) refuse('The response contains another response')
  const [assertion, ...more] = [...named('Assertion'), ...named('EncryptedAssertion')]
  if (!assertion) return refuse('The response has no assertion')
  if (more.length > 0) refuse('The response has several assertions')
  if (assertion.parentNode !== root || !isNamed(assertion, ASSERTION, assertion.localName))
    refuse('The assertion is not where SAML has it')
  return assertion
}
