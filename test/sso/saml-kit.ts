/** Responses of SAML providers, as text that tests can change before and after it is signed. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { makeKey, selfSigned } from '../../src/access/credentials/self-signed.ts'

// The types of the library come with those of browsers, which would change the types of the whole project.
const { SamlLib } = createRequire(import.meta.url)('samlify') as {
  SamlLib: { constructSAMLSignature(options: object): string }
}

export const NOW = new Date('2026-11-22T12:00:00.000Z')
export const ISSUER = 'https://idp.example.com/saml'
export const AUDIENCE = 'https://docs.example.com/sso/abc/metadata'
export const ACS = 'https://docs.example.com/sso/abc/acs'
export const REQUEST = '_request1'
export const PERSON = 'ada@example.com'

/** The key of the provider, its next one, and one that the service does not trust. */
export const [key, nextKey, strangersKey] = (await Promise.all(
  ['provider', 'provider, next', 'stranger'].map((name) => makeKey(name, NOW)),
)) as [Key, Key, Key]
export type Key = Awaited<ReturnType<typeof makeKey>>

/** A key that is too short to be trusted. */
export function shortKey(): Key {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return { privateKey: pem, certificate: selfSigned(createPrivateKey(pem), 'short', NOW) }
}

const minutes = (n: number) => new Date(NOW.getTime() + n * 60_000).toISOString()

/** What a response says. Undefined omits an attribute or an element. */
export interface Content {
  /** The prefixes of the protocol and the assertion; empty for a default namespace. */
  prefixes: { protocol: string; assertion: string }
  responseId: string
  assertionId: string | undefined
  inResponseTo: string | undefined
  issuer: string | undefined
  assertionIssuer: string | undefined
  destination: string | undefined
  status: string
  nameID: string
  nameFormat: string | undefined
  method: string
  recipient: string | undefined
  subjectInResponseTo: string | undefined
  subjectNotBefore: string | undefined
  subjectNotOnOrAfter: string | undefined
  notBefore: string | undefined
  notOnOrAfter: string | undefined
  audiences: string[][]
  sessionNotOnOrAfter: string | undefined
  /** Text of elements that come instead of, or besides, the usual ones. */
  subject: string | undefined
  conditions: string
  statement: string | undefined
  extensions: string
  afterAssertion: string
  attributes: [name: string, ...values: string[]][]
  attributeFormat: string | undefined
  valueType: boolean
}

export const FORMAT = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
}

const USUAL: Content = {
  prefixes: { protocol: 'samlp', assertion: 'saml' },
  responseId: '_response1',
  assertionId: '_assertion1',
  inResponseTo: REQUEST,
  issuer: ISSUER,
  assertionIssuer: ISSUER,
  destination: ACS,
  status:
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
  nameID: PERSON,
  nameFormat: FORMAT.email,
  method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  recipient: ACS,
  subjectInResponseTo: REQUEST,
  subjectNotBefore: undefined,
  subjectNotOnOrAfter: minutes(5),
  notBefore: minutes(-5),
  notOnOrAfter: minutes(5),
  audiences: [[AUDIENCE]],
  sessionNotOnOrAfter: undefined,
  subject: undefined,
  conditions: '',
  statement: undefined,
  extensions: '',
  afterAssertion: '',
  attributes: [['email', PERSON]],
  attributeFormat: undefined,
  valueType: false,
}

const attr = (name: string, value: string | undefined) => (value === undefined ? '' : ` ${name}="${value}"`)

/** The text of a response without signatures. */
export function responseWith(changes: Partial<Content> = {}): string {
  const c: Content = { ...USUAL, ...changes }
  const [p, a] = [c.prefixes.protocol, c.prefixes.assertion].map((prefix) => prefix && `${prefix}:`)
  const declare = (prefix: string, namespace: string) => ` xmlns${prefix && `:${prefix}`}="${namespace}"`
  const protocol = declare(c.prefixes.protocol, 'urn:oasis:names:tc:SAML:2.0:protocol')
  const assertion = declare(c.prefixes.assertion, 'urn:oasis:names:tc:SAML:2.0:assertion')
  const issuer = (text: string | undefined, more = '') =>
    text === undefined ? '' : `<${a}Issuer${more}>${text}</${a}Issuer>`
  const instant = NOW.toISOString()

  return (
    `<${p}Response${protocol}${attr('ID', c.responseId)} Version="2.0" IssueInstant="${instant}"` +
    `${attr('Destination', c.destination)}${attr('InResponseTo', c.inResponseTo)}>` +
    issuer(c.issuer, assertion) +
    c.extensions +
    c.status.replaceAll('samlp:', p!) +
    `<${a}Assertion${assertion}${attr('ID', c.assertionId)} Version="2.0" IssueInstant="${instant}">` +
    issuer(c.assertionIssuer) +
    (c.subject?.replaceAll('saml:', a!) ?? subjectOf(c, a!)) +
    `<${a}Conditions${attr('NotBefore', c.notBefore)}${attr('NotOnOrAfter', c.notOnOrAfter)}>` +
    c.audiences
      .map(
        (some) =>
          `<${a}AudienceRestriction>${some.map((one) => `<${a}Audience>${one}</${a}Audience>`).join('')}</${a}AudienceRestriction>`,
      )
      .join('') +
    `${c.conditions}</${a}Conditions>` +
    (c.statement ?? authenticationOf(c, a!)) +
    attributesOf(c, a!) +
    `</${a}Assertion>${c.afterAssertion}</${p}Response>`
  )
}

function subjectOf(c: Content, a: string): string {
  return (
    `<${a}Subject><${a}NameID${attr('Format', c.nameFormat)}>${c.nameID}</${a}NameID>` +
    `<${a}SubjectConfirmation Method="${c.method}"><${a}SubjectConfirmationData` +
    `${attr('InResponseTo', c.subjectInResponseTo)}${attr('NotBefore', c.subjectNotBefore)}` +
    `${attr('NotOnOrAfter', c.subjectNotOnOrAfter)}${attr('Recipient', c.recipient)}/>` +
    `</${a}SubjectConfirmation></${a}Subject>`
  )
}

function authenticationOf(c: Content, a: string): string {
  return (
    `<${a}AuthnStatement AuthnInstant="${NOW.toISOString()}" SessionIndex="_session1"` +
    `${attr('SessionNotOnOrAfter', c.sessionNotOnOrAfter)}><${a}AuthnContext><${a}AuthnContextClassRef>` +
    `urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</${a}AuthnContextClassRef></${a}AuthnContext></${a}AuthnStatement>`
  )
}

function attributesOf(c: Content, a: string): string {
  if (c.attributes.length === 0) return ''
  const type = c.valueType
    ? ' xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string"'
    : ''
  const one = ([name, ...values]: [string, ...string[]]) =>
    `<${a}Attribute Name="${name}"${attr('NameFormat', c.attributeFormat)}>` +
    values.map((value) => `<${a}AttributeValue${type}>${value}</${a}AttributeValue>`).join('') +
    `</${a}Attribute>`
  return `<${a}AttributeStatement>${c.attributes.map(one).join('')}</${a}AttributeStatement>`
}

export interface Signing {
  key?: Key
  algorithm?: string
  prefix?: string
  transforms?: string[]
}

export const RSA = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  sha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  sha512: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
}

const PLACE = {
  Response: `/*[local-name(.)='Response']/*[local-name(.)='Issuer']`,
  Assertion: `//*[local-name(.)='Assertion']/*[local-name(.)='Issuer']`,
}

/** Signs the first response or assertion of a text. */
export function sign(xml: string, what: 'Response' | 'Assertion', signing: Signing = {}): string {
  const { key: by = key, algorithm = RSA.sha256, prefix = 'ds', transforms } = signing
  return SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath:
      what === 'Response' ? `/*[local-name(.)='Response']` : `//*[local-name(.)='Assertion']`,
    privateKey: by.privateKey,
    privateKeyPass: '',
    signatureAlgorithm: algorithm,
    signingCert: by.certificate.replace(/-----.*-----|\s/g, ''),
    isBase64Output: false,
    ...(transforms && { transformationAlgorithms: transforms }),
    signatureConfig: { prefix, location: { reference: PLACE[what], action: 'after' } },
  })
}

export type Signed = 'response' | 'assertion' | 'both'

/** A signed response. */
export function signedResponse(
  changes: Partial<Content> = {},
  signed: Signed = 'assertion',
  signing: Signing = {},
): string {
  const xml = responseWith(changes)
  const inner = signed === 'response' ? xml : sign(xml, 'Assertion', signing)
  return signed === 'assertion' ? inner : sign(inner, 'Response', signing)
}

export const base64 = (xml: string) => Buffer.from(xml).toString('base64')
