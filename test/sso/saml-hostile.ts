/** Responses that must be refused, by the part that an attacker changes. */
import { createHash, createHmac, createSign } from 'node:crypto'
import { samlXml } from '../../src/core/runtime/libraries.ts'
import { key, responseWith, RSA, sign, type Signed, signedResponse } from './saml-kit.ts'

/** A name, a response, and a word of the reason in the log. */
export type Vector = [name: string, xml: string | (() => string | Promise<string>), reason: RegExp]

const VICTIM = 'victim@example.com'
const SIGNATURE = /<ds:Signature .*?<\/ds:Signature>/s
const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s

/** The same text with another person and other ids, without signatures. */
function forged(xml: string): string {
  return xml
    .replace(new RegExp(SIGNATURE, 'gs'), '')
    .replaceAll('ada@example.com', VICTIM)
    .replaceAll('ID="_assertion1"', 'ID="_evil_assertion"')
    .replaceAll('ID="_response1"', 'ID="_evil_response"')
}

const part = (xml: string, pattern: RegExp) => pattern.exec(xml)?.[0] ?? ''

/**
 * Signature wrapping in the eight arrangements of Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be"
 * (USENIX Security 2012): the signature stays valid for the original, and a reader may find the forged part.
 */
export function wrapped(kind: number, signed: Signed): string {
  const original = signedResponse({}, signed)
  const signature = part(original, SIGNATURE)
  const assertion = part(original, ASSERTION)
  const bare = assertion.replace(SIGNATURE, '')
  const evil = forged(assertion)
  const evilResponse = forged(original)
  const into = (outer: string, inner: string) => outer.replace(/<\/ds:Signature>/, `${inner}</ds:Signature>`)
  const withSignature = (xml: string, inserted: string) => xml.replace(/(<\/saml:Issuer>)/, `$1${inserted}`)
  const unsigned = original.replace(SIGNATURE, '')

  switch (kind) {
    case 1:
      return withSignature(evilResponse, into(signature, unsigned))
    case 2:
      return withSignature(evilResponse, unsigned + signature)
    case 3:
      return original.replace(ASSERTION, evil + assertion)
    case 4:
      return original.replace(ASSERTION, evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`))
    case 5:
      return original.replace(ASSERTION, withSignature(evil, signature) + bare)
    case 6:
      return original.replace(ASSERTION, withSignature(evil, into(signature, bare)))
    case 7:
      return withSignature(original, `<samlp:Extensions>${evil}</samlp:Extensions>`)
    default:
      return original.replace(
        ASSERTION,
        withSignature(evil, into(signature, `<ds:Object>${bare}</ds:Object>`)),
      )
  }
}

/** The vectors of signature wrapping: eight arrangements on each signed part. */
export const WRAPPINGS: Vector[] = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((kind) =>
  (['response', 'assertion', 'both'] as const).map((signed): Vector => [
    `XSW ${kind} where ${signed === 'both' ? 'both are' : `the ${signed} is`} signed`,
    () => wrapped(kind, signed),
    /several|another response|not where|own element|one element|object|twice/,
  ]),
)

/** A response that is signed with other algorithms than the library would use, and is otherwise valid. */
export async function signedBy(
  digest: { uri: string; of: (bytes: string) => string },
  signing: { uri: string; of: (bytes: string) => string },
): Promise<string> {
  const xml = signedResponse()
  const parsed = await samlXml().parseDomFromString(xml)
  const [assertion] = samlXml().xpath.selectElements(parsed as never, `//*[local-name(.)='Assertion']`)
  const canonical = samlXml().getVerifiedXml(xml, assertion as never, [key.certificate]) ?? ''
  const info = part(xml, /<ds:SignedInfo>.*<\/ds:SignedInfo>/s)
    .replace(/<ds:DigestMethod Algorithm="[^"]*"/, `<ds:DigestMethod Algorithm="${digest.uri}"`)
    .replace(/<ds:SignatureMethod Algorithm="[^"]*"/, `<ds:SignatureMethod Algorithm="${signing.uri}"`)
    .replace(/<ds:DigestValue>[^<]*/, `<ds:DigestValue>${digest.of(canonical)}`)
  const whole = info
    .replace('<ds:SignedInfo>', '<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">')
    .replace(/<(ds:\w+)([^<>]*)\/>/g, '<$1$2></$1>')
  return xml
    .replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, info)
    .replace(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${signing.of(whole)}`)
}

const hashing = (name: string) => (bytes: string) => createHash(name).update(bytes).digest('base64')
const rsa = (name: string) => (bytes: string) =>
  createSign(`RSA-${name}`).update(bytes).sign(key.privateKey, 'base64')
const hmac = (name: string) => (bytes: string) =>
  createHmac(name, key.certificate).update(bytes).digest('base64')

export const SHA256 = { uri: 'http://www.w3.org/2001/04/xmlenc#sha256', of: hashing('sha256') }
export const RSA_SHA256 = { uri: RSA.sha256, of: rsa('SHA256') }
const MORE = 'http://www.w3.org/2001/04/xmldsig-more'
const DSIG = 'http://www.w3.org/2000/09/xmldsig'
const algorithm = /algorithm/

export const ALGORITHMS: Vector[] = [
  [
    'a signature with RSA and SHA-1',
    () => signedResponse({}, 'assertion', { algorithm: RSA.sha1 }),
    algorithm,
  ],
  [
    'a response signed with RSA and SHA-1',
    () => signedResponse({}, 'response', { algorithm: RSA.sha1 }),
    algorithm,
  ],
  ...(
    [
      ['a signature with RSA and MD5', SHA256, { uri: `${MORE}#rsa-md5`, of: rsa('MD5') }],
      ['a signature with RSA and RIPEMD-160', SHA256, { uri: `${MORE}#rsa-ripemd160`, of: rsa('RIPEMD160') }],
      ['a digest with SHA-1', { uri: `${DSIG}#sha1`, of: hashing('sha1') }, RSA_SHA256],
      ['a digest with MD5', { uri: `${MORE}#md5`, of: hashing('md5') }, RSA_SHA256],
      [
        'HMAC-SHA1 with the certificate as the secret',
        SHA256,
        { uri: `${DSIG}#hmac-sha1`, of: hmac('sha1') },
      ],
      ['HMAC-SHA256 with the certificate', SHA256, { uri: `${MORE}#hmac-sha256`, of: hmac('sha256') }],
      ['DSA', SHA256, { uri: `${DSIG}#dsa-sha1`, of: rsa('SHA1') }],
      ['no algorithm', SHA256, { uri: '', of: () => '' }],
      ['an unknown algorithm', SHA256, { uri: 'none', of: () => '' }],
      ['the name of an algorithm in capitals', SHA256, { uri: RSA.sha256.toUpperCase(), of: rsa('SHA256') }],
    ] as const
  ).map(([name, digest, signing]): Vector => [
    name.startsWith('a ') ? name : `a signature with ${name}`,
    () => signedBy(digest, signing),
    algorithm,
  ]),
]

const ENVELOPED = `${DSIG}#enveloped-signature`
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const transformed = (transforms: string[]) => () => signedResponse({}, 'assertion', { transforms })
const replaced = (from: string | RegExp, to: string, signed: Signed = 'assertion') => {
  return () => signedResponse({}, signed).replace(from, to)
}

export const CANONICALIZATIONS: Vector[] = [
  ['inclusive canonicalization of the element', transformed([ENVELOPED, INCLUSIVE]), /transforms/],
  ['canonicalization with comments', transformed([ENVELOPED, `${EXCLUSIVE}WithComments`]), /transforms/],
  ['no canonicalization of the element', transformed([ENVELOPED]), /transforms/],
  ['a signature that is not removed', transformed([EXCLUSIVE]), /transforms/],
  ['transforms in another order', transformed([EXCLUSIVE, ENVELOPED]), /transforms/],
  ['one transform too many', transformed([ENVELOPED, EXCLUSIVE, EXCLUSIVE]), /transforms/],
  [
    'an XSLT transform',
    replaced(
      `Algorithm="${EXCLUSIVE}"/></ds:Transforms>`,
      'Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></ds:Transforms>',
    ),
    /transforms/,
  ],
  [
    'an XPath transform',
    replaced(`Algorithm="${ENVELOPED}"`, 'Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"'),
    /transforms/,
  ],
  [
    'inclusive canonicalization of the signature',
    replaced(/CanonicalizationMethod Algorithm="[^"]*"/, `CanonicalizationMethod Algorithm="${INCLUSIVE}"`),
    algorithm,
  ],
  [
    'canonicalization of the signature with comments',
    replaced(
      /CanonicalizationMethod Algorithm="[^"]*"/,
      `CanonicalizationMethod Algorithm="${EXCLUSIVE}WithComments"`,
    ),
    algorithm,
  ],
  ['no method of canonicalization', replaced(/<ds:CanonicalizationMethod [^>]*\/>/, ''), /one element/],
  [
    'a prefix with another namespace after signing',
    replaced('<saml:Subject>', '<saml:Subject xmlns:saml="urn:example">'),
    /not valid|one element/,
  ],
  [
    'white space in a signed value',
    replaced('>ada@example.com</saml:NameID>', '> ada@example.com</saml:NameID>'),
    /not valid/,
  ],
  [
    'a line break in a signed value',
    replaced('>ada@example.com</saml:NameID>', '>ada@example.com\n</saml:NameID>'),
    /not valid/,
  ],
  [
    'an attribute that was not signed',
    replaced('<saml:NameID ', '<saml:NameID SPProvidedID="x" '),
    /not valid/,
  ],
]

export const SIGNATURES: Vector[] = [
  ['no signature', () => responseWith(), /signed/],
  ['a signature that was removed', replaced(SIGNATURE, ''), /signed/],
  ['both signatures removed', replaced(new RegExp(SIGNATURE, 'gs'), '', 'both'), /signed/],
  [
    'an empty signature',
    replaced(SIGNATURE, `<ds:Signature xmlns:ds="${DSIG}#"/>`),
    /one element SignedInfo/,
  ],
  [
    'a signature in another namespace',
    replaced(/xmlns:ds="[^"]*"/, 'xmlns:ds="urn:example"'),
    /signed|not where/,
  ],
  ['no value of the signature', replaced(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, ''), /one element/],
  [
    'another value of the signature',
    replaced(/<ds:SignatureValue>..../, '<ds:SignatureValue>AAAA'),
    /not valid/,
  ],
  [
    'an empty value of the signature',
    replaced(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'),
    /not valid/,
  ],
  [
    'two values of the signature',
    replaced(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, '$&$&'),
    /one element/,
  ],
  ['another digest', replaced(/<ds:DigestValue>..../, '<ds:DigestValue>AAAA'), /not valid/],
  ['two digests', replaced(/<ds:DigestValue>.*<\/ds:DigestValue>/s, '$&$&'), /one element/],
  [
    'two parts that say what is signed',
    replaced(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, '$&$&'),
    /one element/,
  ],
  ['no reference', replaced(/<ds:Reference .*<\/ds:Reference>/s, ''), /one element/],
  ['two references', replaced(/<ds:Reference .*<\/ds:Reference>/s, '$&$&'), /one element/],
  ['a reference to nothing', replaced('URI="#_assertion1"', 'URI=""'), /refers/],
  ['no address of the reference', replaced(' URI="#_assertion1"', ''), /refers/],
  ['a reference to the other element', replaced('URI="#_assertion1"', 'URI="#_response1"'), /refers/],
  ['a reference by XPointer', replaced('URI="#_assertion1"', `URI="#xpointer(id('_assertion1'))"`), /refers/],
  ['a reference to a file', replaced('URI="#_assertion1"', 'URI="file:///etc/passwd"'), /refers/],
  [
    'an object in a signature',
    replaced('</ds:Signature>', '<ds:Object>x</ds:Object></ds:Signature>'),
    /object/,
  ],
  [
    'a signature of the name alone',
    () =>
      signedResponse()
        .replace(SIGNATURE, '')
        .replace('</saml:NameID>', `</saml:NameID>${part(signedResponse(), SIGNATURE)}`),
    /signed|not where/,
  ],
  [
    'a signature in the extensions',
    () =>
      signedResponse()
        .replace(SIGNATURE, '')
        .replace(
          '<samlp:Status>',
          `<samlp:Extensions>${part(signedResponse(), SIGNATURE)}</samlp:Extensions><samlp:Status>`,
        ),
    /not where|signed/,
  ],
  ['two signatures of one element', replaced(SIGNATURE, '$&$&'), /not where/],
  [
    'a valid signature of the response, and one of the assertion that is not',
    () => sign(signedResponse().replace(/<ds:SignatureValue>..../, '<ds:SignatureValue>AAAA'), 'Response'),
    /not valid/,
  ],
  [
    'a valid signature of the assertion, and one of the response that is not',
    () =>
      signedResponse({}, 'both').replace(
        'IssueInstant="2026-11-22T12:00:00.000Z" Destination',
        'IssueInstant="2026-11-22T12:00:01.000Z" Destination',
      ),
    /not valid/,
  ],
]
