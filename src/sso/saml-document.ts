import { samlXml } from '../core/runtime/libraries.ts'
import { quoted, refuse, SignInRefused } from './sign-in-refused.ts'
import { checkXmlText } from './xml-text.ts'

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Signatures with SHA-1 or MD5 can be forged, and one with a shared secret could be made with the public key. */
const SIGNING = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
])
const DIGESTS = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])

/** The little of the DOM that is used here; the compiler does not know the DOM of browsers. */
interface XmlNode {
  nodeType: number
  localName: string
  namespaceURI: string | null
  parentNode: XmlNode | null
  childNodes: { length: number; item(index: number): XmlNode }
  attributes: { length: number; item(index: number): { name: string; localName: string; value: string } }
  textContent: string | null
  getAttribute(name: string): string
  hasAttribute(name: string): boolean
}

const ELEMENT_NODE = 1

/** The statements of an unverified response about itself, and the parts of it that are signed. */
export interface ResponseOutline {
  /** The request that it answers; absent if it answers none. */
  inResponseTo: string | undefined
  issuer: string | undefined
  destination: string | undefined
  isResponseSigned: boolean
  isAssertionSigned: boolean
}

/**
 * Reads the outline of a response, and refuses every form that a provider has no reason to send: attacks on SAML put a
 * second assertion, signature or id where a verifier and a reader of the document look at different ones.
 * @throws SignInRefused
 */
export async function outlineOf(xml: string): Promise<ResponseOutline> {
  checkXmlText(xml)
  const root = await parse(xml)
  if (!is(root, PROTOCOL, 'Response'))
    refuse(`The document is ${quoted(root.localName)}, not a SAML response`)
  if (root.getAttribute('Version') !== '2.0') refuse('The response has another version than 2.0')

  const elements = [...allOf(root)]
  checkIds(elements)
  checkStatus(root)
  const assertion = onlyAssertion(root, elements)
  if (assertion.getAttribute('Version') !== '2.0') refuse('The assertion has another version than 2.0')
  const signed = [root, assertion].filter((element) => childrenOf(element, SIGNATURE, 'Signature').length > 0)
  checkSignatures(elements, signed)

  const issuers = childrenOf(root, ASSERTION, 'Issuer')
  if (issuers.length > 1) refuse('The response has several issuers')
  return {
    inResponseTo: root.hasAttribute('InResponseTo') ? root.getAttribute('InResponseTo') : undefined,
    issuer: issuers[0]?.textContent?.trim(),
    destination: root.hasAttribute('Destination') ? root.getAttribute('Destination') : undefined,
    isResponseSigned: signed.includes(root),
    isAssertionSigned: signed.includes(assertion),
  }
}

async function parse(xml: string): Promise<XmlNode> {
  try {
    const { documentElement } = (await samlXml().parseDomFromString(xml)) as unknown as {
      documentElement: XmlNode
    }
    return documentElement
  } catch (error) {
    throw new SignInRefused('The response is not well-formed XML', { cause: error })
  }
}

/** Two elements with one id would let a signature of one stand for the other. */
function checkIds(elements: XmlNode[]): void {
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

function checkStatus(root: XmlNode): void {
  const [status, ...more] = childrenOf(root, PROTOCOL, 'Status')
  const [code, ...others] = status ? childrenOf(status, PROTOCOL, 'StatusCode') : []
  if (!code || more.length + others.length > 0) return refuse('The response must have one status')
  const value = code.getAttribute('Value')
  if (value !== SUCCESS) {
    const [detail] = childrenOf(code, PROTOCOL, 'StatusCode')
    refuse(`The provider refused: ${quoted(value)} ${quoted(detail?.getAttribute('Value'))}`)
  }
}

function onlyAssertion(root: XmlNode, elements: XmlNode[]): XmlNode {
  // By local name alone, because a reader might not look at the namespace.
  const named = (name: string) => elements.filter(({ localName }) => localName === name)
  if (named('EncryptedAssertion').length > 0)
    refuse('The assertion is encrypted; turn off encryption of assertions at the provider')
  if (named('Response').length > 1) refuse('The response contains another response')
  const [assertion, ...more] = named('Assertion')
  if (!assertion) return refuse('The response has no assertion')
  if (more.length > 0) refuse('The response has several assertions')
  if (assertion.parentNode !== root || !is(assertion, ASSERTION, 'Assertion'))
    refuse('The assertion is not where SAML has it')
  return assertion
}

/** @param signed the response, the assertion or both, which have a signature as their child */
function checkSignatures(elements: XmlNode[], signed: XmlNode[]): void {
  const signatures = elements.filter(({ localName }) => localName === 'Signature')
  if (signatures.length === 0) refuse('Neither the response nor the assertion is signed')
  if (signatures.length !== signed.length)
    refuse('The response has a signature that is not where SAML has it')
  for (const signature of signatures) {
    const parent = signature.parentNode
    if (!parent || !signed.includes(parent)) return refuse('A signature is not where SAML has it')
    checkSignature(signature, parent.getAttribute('ID'))
  }
}

function checkSignature(signature: XmlNode, id: string): void {
  const info = only(signature, 'SignedInfo')
  only(signature, 'SignatureValue')
  if (childrenOf(signature, SIGNATURE, 'Object').length > 0) refuse('A signature contains an object')
  demandAlgorithm(only(info, 'CanonicalizationMethod'), new Set([EXCLUSIVE]))
  demandAlgorithm(only(info, 'SignatureMethod'), SIGNING)

  const reference = only(info, 'Reference')
  const uri = reference.getAttribute('URI')
  if (id === '' || uri !== `#${id}`) refuse(`A signature refers to ${quoted(uri)}, not to its own element`)
  demandAlgorithm(only(reference, 'DigestMethod'), DIGESTS)
  only(reference, 'DigestValue')
  const transforms = childrenOf(only(reference, 'Transforms'), SIGNATURE, 'Transform')
  const names = transforms.map((transform) => transform.getAttribute('Algorithm'))
  if (names.length !== 2 || names[0] !== ENVELOPED || names[1] !== EXCLUSIVE)
    refuse(`A signature has the transforms ${quoted(names.join(' '))}`)
}

function demandAlgorithm(element: XmlNode, allowed: Set<string>): void {
  const algorithm = element.getAttribute('Algorithm')
  if (!allowed.has(algorithm)) refuse(`The algorithm ${quoted(algorithm)} is not accepted`)
}

function only(parent: XmlNode, name: string): XmlNode {
  const [found, ...more] = childrenOf(parent, SIGNATURE, name)
  if (!found || more.length > 0) return refuse(`A signature must have one element ${name}`)
  return found
}

function* allOf(element: XmlNode): Generator<XmlNode> {
  yield element
  for (const child of elementsIn(element)) yield* allOf(child)
}

function elementsIn({ childNodes }: XmlNode): XmlNode[] {
  return Array.from({ length: childNodes.length }, (_, i) => childNodes.item(i)).filter(
    ({ nodeType }) => nodeType === ELEMENT_NODE,
  )
}

const is = (element: XmlNode, namespace: string, name: string) =>
  element.namespaceURI === namespace && element.localName === name

const childrenOf = (element: XmlNode, namespace: string, name: string) =>
  elementsIn(element).filter((child) => is(child, namespace, name))

const attributesOf = ({ attributes }: XmlNode) =>
  Array.from({ length: attributes.length }, (_, i) => attributes.item(i))
