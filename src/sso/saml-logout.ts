/** Requests of providers that sign people out (SAML core, section 3.7; bindings, sections 3.4 and 3.5). */
import { inflateRawSync } from 'node:zlib'
import { LONGEST_SUBJECT } from './person.ts'
import type { SamlName } from '../model/people/session.ts'
import { quoted, refuse, SignInRefused } from './sign-in-refused.ts'
import { decryptedText } from './saml-decryption.ts'
import { instantOf, SKEW_MS } from './saml-assertion.ts'
import type { SamlTrust } from './saml.ts'
import { checkIds, checkSignatures, isQuerySigned, isSigned, verifiedText } from './saml-signature.ts'
import {
  allOf,
  ASSERTION,
  attributeIn,
  childrenNamed,
  isNamed,
  onlyChildNamed,
  PROTOCOL,
  rootOf,
  type SamlNode,
} from './xml-nodes.ts'
import { checkXmlText, decodeMessage, MOST_BYTES } from './xml-text.ts'

/** How old a request may be. Until then, it is remembered, so that it is used once. */
const REQUEST_AGE_MS = 5 * 60_000
const MOST_INDEXES = 100

/** A verified request to sign a person out. */
export interface LogoutRequest {
  id: string
  name: SamlName
  /** The sessions of the provider that ended; empty for all of the person. */
  sessionIndexes: string[]
  /** When the request can be used no longer. */
  usableUntil: Date
}

/** A request in the query of an address, with the signature of the query (HTTP redirect binding). @throws SignInRefused */
export async function readQueryLogout(query: string, trust: LogoutTrust, now: Date): Promise<LogoutRequest> {
  const parts = query.split('&').map((part) => [part.slice(0, part.indexOf('=')), part] as const)
  const partOf = (name: string): string | undefined => {
    const [found, ...more] = parts.filter(([key]) => key === name)
    return more.length > 0 ? refuse(`The request has several ${name}`) : found?.[1]
  }
  const decoded = (name: string) => decodedPart(partOf(name)?.slice(name.length + 1) ?? '')
  const [algorithm, value] = [decoded('SigAlg'), decoded('Signature')]
  if (algorithm === '' || value === '') refuse('The request to sign out is not signed')
  // The provider signed the parameters as it encoded them.
  const text = ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap((name) => partOf(name) ?? []).join('&')
  if (!isQuerySigned(text, { algorithm, value }, trust.certificates))
    refuse('The signature of the request to sign out is not valid for any certificate of the provider')
  const xml = inflated(decoded('SAMLRequest'))
  checkXmlText(xml)
  return readRequest(await rootOf(xml), trust, now)
}

/** A request in a form, with a signature in its XML (HTTP POST binding). @throws SignInRefused */
export async function readFormLogout(field: string, trust: LogoutTrust, now: Date): Promise<LogoutRequest> {
  const xml = decodeMessage(field, 'SAMLRequest')
  checkXmlText(xml)
  const root = await rootOf(xml)
  checkIds([...allOf(root)])
  if (!isSigned(root)) refuse('The request to sign out is not signed')
  checkSignatures(root, [root])
  return readRequest(await rootOf(verifiedText(xml, root, trust.certificates)), trust, now)
}

/** The part of the trust in a provider that its requests need, and the address for them. */
export type LogoutTrust = Pick<SamlTrust, 'issuer' | 'certificates' | 'privateKey'> & { logoutURL: string }

/** Reads a request whose text is verified. */
async function readRequest(
  root: SamlNode,
  { issuer, logoutURL, privateKey }: LogoutTrust,
  now: Date,
): Promise<LogoutRequest> {
  if (!isNamed(root, PROTOCOL, 'LogoutRequest'))
    refuse(`The document is ${quoted(root.localName)}, not a request to sign out`)
  const id = attributeIn(root, 'ID') ?? ''
  if (id === '') refuse('The request has no ID')
  const by = onlyChildNamed(root, ASSERTION, 'Issuer').textContent?.trim()
  if (by !== issuer) refuse(`The issuer of the request is ${quoted(by)}, not ${quoted(issuer)}`)
  const destination = attributeIn(root, 'Destination')
  if (destination !== logoutURL) refuse(`The destination is ${quoted(destination)}, not ${quoted(logoutURL)}`)
  const indexes = childrenNamed(root, PROTOCOL, 'SessionIndex')
  if (indexes.length > MOST_INDEXES) refuse(`The request names more than ${MOST_INDEXES} sessions`)
  return {
    id,
    name: nameIn(await nameElement(root, privateKey)),
    sessionIndexes: indexes.map(({ textContent }) => textContent ?? ''),
    usableUntil: usableUntil(root, now),
  }
}

/** The name identifier of a request, which can be encrypted for this service. */
async function nameElement(root: SamlNode, privateKey: string | undefined): Promise<SamlNode> {
  const [encrypted] = childrenNamed(root, ASSERTION, 'EncryptedID')
  if (!encrypted || privateKey === undefined) return onlyChildNamed(root, ASSERTION, 'NameID')
  const xml = decryptedText(onlyChildNamed(root, ASSERTION, 'EncryptedID'), privateKey)
  checkXmlText(xml)
  const name = await rootOf(xml)
  return isNamed(name, ASSERTION, 'NameID') ? name : refuse('The encrypted element is no name identifier')
}

function nameIn(element: SamlNode): SamlName {
  const nameID = element.textContent ?? ''
  if (nameID.trim() === '' || nameID.length > LONGEST_SUBJECT)
    refuse(`The name identifier must be text of 1 to ${LONGEST_SUBJECT} characters`)
  const format = attributeIn(element, 'Format')
  return { nameID, ...(format !== undefined && { format }) }
}

function usableUntil(root: SamlNode, now: Date): Date {
  const [issued, end] = ['IssueInstant', 'NotOnOrAfter'].map((name) => instantOf(attributeIn(root, name)))
  if (!issued) return refuse('The request has no IssueInstant')
  if (issued.getTime() - SKEW_MS > now.getTime()) refuse('The request is from the future')
  const until = new Date(issued.getTime() + REQUEST_AGE_MS + SKEW_MS)
  if (until <= now || (end && end.getTime() + SKEW_MS <= now.getTime())) refuse('The request has expired')
  return until
}

function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('A parameter of the request is not encoded as in URLs')
  }
}

function inflated(base64: string): string {
  try {
    const bytes = inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: MOST_BYTES })
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new SignInRefused('The request is not compressed as the binding demands', { cause: error })
  }
}
