/** Responses that providers sign with ECDSA keys. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { selfSigned } from '../../src/access/credentials/self-signed.ts'
import { verifyResponse } from '../../src/sso/saml.ts'
import { SignInRefused } from '../../src/sso/sign-in-refused.ts'
import { RSA_SHA256, SHA256, signedBy } from './saml-hostile.ts'
import { ACS, AUDIENCE, base64, ISSUER, key, NOW, PERSON, REQUEST } from './saml-kit.ts'

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'
const open = { isOpen: async (id: string) => id === REQUEST, allowsUnsolicited: false, now: NOW }
const verify = (xml: string, ...certificates: string[]) =>
  verifyResponse(base64(xml), { issuer: ISSUER, certificates, audience: AUDIENCE, acsURL: ACS }, open)

const makeEcKey = (namedCurve: string) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve })
  return { privateKey, certificate: selfSigned(privateKey, namedCurve, NOW) }
}
const ecdsa = (
  hash: string,
  privateKey: ReturnType<typeof makeEcKey>['privateKey'],
  dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363',
) => ({
  uri: `${MORE}ecdsa-${hash}`,
  of: (text: string) => sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding }).toString('base64'),
})
const digest = (hash: string, uri: string) => ({
  uri,
  of: (text: string) => createHash(hash).update(text).digest('base64'),
})
const DIGESTS = {
  sha256: SHA256,
  sha384: digest('sha384', `${MORE}sha384`),
  sha512: digest('sha512', `${XMLENC}sha512`),
}

for (const curve of ['P-256', 'P-384', 'P-521'])
  for (const [hash, digested] of Object.entries(DIGESTS))
    test(`accepts a key of ${curve} with ${hash}, beside one of RSA`, async () => {
      const { privateKey, certificate } = makeEcKey(curve)
      const xml = await signedBy(digested, ecdsa(hash, privateKey))
      const { person } = await verify(xml, key.certificate, certificate)
      assert.equal(person.email, PERSON)
    })

const { privateKey, certificate } = makeEcKey('P-256')
const REFUSED: [string, () => Promise<string>][] = [
  ['a signature of another key', () => signedBy(SHA256, ecdsa('sha256', makeEcKey('P-256').privateKey))],
  [
    'another value',
    async () => (await signedBy(SHA256, ecdsa('sha256', privateKey))).replace(PERSON, 'eve@example.com'),
  ],
  ['the encoding of other protocols', () => signedBy(SHA256, ecdsa('sha256', privateKey, 'der'))],
  [
    'a signature of zeros',
    () => signedBy(SHA256, { uri: `${MORE}ecdsa-sha256`, of: () => Buffer.alloc(64).toString('base64') }),
  ],
  [
    'an RSA signature under the name of ECDSA',
    () => signedBy(SHA256, { ...RSA_SHA256, uri: `${MORE}ecdsa-sha256` }),
  ],
  [
    'an ECDSA signature under the name of RSA',
    () => signedBy(SHA256, { ...ecdsa('sha256', privateKey, 'der'), uri: RSA_SHA256.uri }),
  ],
  ['ECDSA with SHA-1', () => signedBy(SHA256, { ...ecdsa('sha256', privateKey), uri: `${MORE}ecdsa-sha1` })],
]

for (const [name, xml] of REFUSED)
  test(`refuses ${name}`, async () => {
    await assert.rejects(verify(await xml(), key.certificate, certificate), (error: Error) => {
      assert(error instanceof SignInRefused, String(error.stack))
      assert.match(error.message, /not valid|not accepted/)
      return true
    })
  })
