/** Assertions that providers encrypt for the key of this service. */
import assert from 'node:assert/strict'
import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { verifyResponse } from '../../src/sso/saml.ts'
import { SignInRefused } from '../../src/sso/sign-in-refused.ts'
import { createWorld } from '../world.ts'
import { browser } from './browser.ts'
import {
  ACS,
  AUDIENCE,
  base64,
  ISSUER,
  key,
  nextKey,
  NOW,
  PERSON,
  REQUEST,
  responseWith,
  sign,
  strangersKey,
} from './saml-kit.ts'
import { type Encryption, startSamlProvider } from './saml-provider.ts'

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'
const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const own = nextKey
const trust = {
  issuer: ISSUER,
  certificates: [key.certificate],
  audience: AUDIENCE,
  acsURL: ACS,
  privateKey: own.privateKey,
}
const open = { isOpen: async (id: string) => id === REQUEST, allowsUnsolicited: false, now: NOW }

interface Encrypted {
  cipher?: 'aes128-cbc' | 'aes256-cbc' | 'aes128-gcm' | 'aes256-gcm'
  method?: string
  /** The hash of OAEP with its mask; undefined for the method that has SHA-1 only. */
  hash?: string
  keyMethod?: string
  padding?: number
  certificate?: string
  /** Where the key is: in the data, or beside it. */
  beside?: boolean
  change?: (bytes: Buffer) => Buffer
}

/** Encrypts the assertion of a response, as XML Encryption 1.1 says. */
function encrypted(xml: string, how: Encrypted = {}): string {
  const { cipher = 'aes256-gcm', hash, certificate = own.certificate, change = (bytes) => bytes } = how
  const { padding = constants.RSA_PKCS1_OAEP_PADDING, beside = false } = how
  const [, bits = '', mode = ''] = /aes(\d+)-(.*)/.exec(cipher) ?? []
  const secret = randomBytes(Number(bits) / 8)
  const assertion = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
  const bytes =
    mode === 'gcm' ? gcm(`aes-${bits}-gcm`, secret, assertion) : cbc(`aes-${bits}-cbc`, secret, assertion)
  const wrapped = publicEncrypt({ key: certificate, padding, oaepHash: hash ?? 'sha1' }, secret)
  const method = how.method ?? `${mode === 'gcm' ? XMLENC11 : XMLENC}${cipher}`
  const keyMethod = how.keyMethod ?? (hash === undefined ? `${XMLENC}rsa-oaep-mgf1p` : `${XMLENC11}rsa-oaep`)
  const digest =
    hash === undefined
      ? ''
      : `<ds:DigestMethod Algorithm="${XMLENC}${hash}"/><e11:MGF xmlns:e11="${XMLENC11}" Algorithm="${XMLENC11}mgf1${hash}"/>`
  const value = (content: Buffer) =>
    `<e:CipherData><e:CipherValue>${content.toString('base64')}</e:CipherValue></e:CipherData>`
  const encryptedKey = `<e:EncryptedKey xmlns:e="${XMLENC}" Id="_k"><e:EncryptionMethod Algorithm="${keyMethod}">${digest}</e:EncryptionMethod>${value(wrapped)}</e:EncryptedKey>`
  const info = beside ? '<ds:RetrievalMethod URI="#_k"/>' : encryptedKey
  const data = `<e:EncryptedData xmlns:e="${XMLENC}" Type="${XMLENC}Element"><e:EncryptionMethod Algorithm="${method}"/><ds:KeyInfo>${info}</ds:KeyInfo>${value(change(bytes))}</e:EncryptedData>`
  const element = `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:ds="${DSIG}">${data}${beside ? encryptedKey : ''}</saml:EncryptedAssertion>`
  return xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, () => element)
}

function gcm(name: string, secret: Buffer, text: string): Buffer {
  const vector = randomBytes(12)
  const cipher = createCipheriv(name as 'aes-128-gcm', secret, vector)
  return Buffer.concat([vector, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

function cbc(name: string, secret: Buffer, text: string): Buffer {
  const vector = randomBytes(16)
  const cipher = createCipheriv(name, secret, vector).setAutoPadding(false)
  const content = Buffer.from(text)
  const padding = randomBytes(16 - (content.length % 16))
  padding[padding.length - 1] = padding.length
  return Buffer.concat([vector, cipher.update(content), cipher.update(padding), cipher.final()])
}

type Signed = 'assertion' | 'response' | 'both'

/** Signs the assertion, encrypts it, and signs the response. */
function signedAndEncrypted(signed: Signed, how: Encrypted = {}, content = {}): string {
  // In an encrypted assertion, its namespace is declared by itself.
  const xml = responseWith(content)
  const inner = encrypted(signed === 'response' ? xml : sign(xml, 'Assertion'), how)
  return signed === 'assertion' ? inner : sign(inner, 'Response')
}

const METHODS: [string, Encrypted][] = [
  ['AES-128-CBC', { cipher: 'aes128-cbc' }],
  ['AES-256-CBC', { cipher: 'aes256-cbc' }],
  ['AES-128-GCM', { cipher: 'aes128-gcm' }],
  ['AES-256-GCM', { cipher: 'aes256-gcm' }],
  ['OAEP with SHA-256', { hash: 'sha256' }],
  ['OAEP with SHA-512', { hash: 'sha512' }],
  ['the key beside the data', { beside: true }],
]

for (const [name, how] of METHODS)
  for (const signed of ['assertion', 'response', 'both'] as const)
    test(`accepts ${name} where ${signed === 'both' ? 'both are' : `the ${signed} is`} signed`, async () => {
      const { person, id } = await verifyResponse(base64(signedAndEncrypted(signed, how)), trust, open)
      assert.deepEqual([person.email, id], [PERSON, '_assertion1'])
    })

const one = (xml: string) => /<saml:EncryptedAssertion .*<\/saml:EncryptedAssertion>/s.exec(xml)?.[0] ?? ''
const REFUSED: [string, () => string, RegExp, object?][] = [
  ['an assertion that nobody signed', () => encrypted(responseWith()), /signed/],
  [
    'an assertion that a stranger signed',
    () => encrypted(sign(responseWith(), 'Assertion', { key: strangersKey })),
    /not valid/,
  ],
  [
    'a signed response whose assertion a stranger signed',
    () => sign(encrypted(sign(responseWith(), 'Assertion', { key: strangersKey })), 'Response'),
    /not valid/,
  ],
  [
    'another assertion in a signed response',
    () => {
      const [signed, other] = [
        signedAndEncrypted('response'),
        encrypted(responseWith({ nameID: 'eve@example.com' })),
      ]
      return signed.replace(one(signed), () => one(other))
    },
    /not valid/,
  ],
  [
    'an assertion for another service',
    () => signedAndEncrypted('assertion', { certificate: key.certificate }),
    /decrypted/,
  ],
  ['a service without a key', () => signedAndEncrypted('assertion'), /no key/, { privateKey: undefined }],
  [
    'the padding of PKCS #1 1.5',
    () =>
      signedAndEncrypted('assertion', {
        padding: constants.RSA_PKCS1_PADDING,
        keyMethod: `${XMLENC}rsa-1_5`,
      }),
    /not accepted/,
  ],
  [
    'that padding under the name of OAEP',
    () => signedAndEncrypted('assertion', { padding: constants.RSA_PKCS1_PADDING }),
    /decrypted/,
  ],
  [
    'an unknown cipher',
    () => signedAndEncrypted('assertion', { method: `${XMLENC}tripledes-cbc` }),
    /not accepted/,
  ],
  [
    'a cipher with a longer key',
    () => signedAndEncrypted('assertion', { cipher: 'aes128-gcm', method: `${XMLENC11}aes256-gcm` }),
    /decrypted/,
  ],
  ['a changed bit of GCM', () => signedAndEncrypted('assertion', { change: flipped(20) }), /decrypted/],
  [
    'a text that is cut off',
    () => signedAndEncrypted('assertion', { change: (bytes) => bytes.subarray(0, 20) }),
    /decrypted/,
  ],
  ['no text', () => signedAndEncrypted('assertion', { change: () => Buffer.alloc(0) }), /decrypted/],
  [
    'a changed block of CBC',
    () => signedAndEncrypted('assertion', { cipher: 'aes128-cbc', change: flipped(-1) }),
    /decrypted|not well-formed|elements|character|not valid/,
  ],
  [
    'two encrypted assertions',
    () =>
      signedAndEncrypted('assertion').replace(
        '</samlp:Response>',
        () => `${one(signedAndEncrypted('assertion'))}</samlp:Response>`,
      ),
    /several|twice/,
  ],
  [
    'an encrypted assertion beside a plain one',
    () =>
      sign(responseWith(), 'Assertion').replace(
        '</samlp:Response>',
        () => `${one(signedAndEncrypted('assertion'))}</samlp:Response>`,
      ),
    /several/,
  ],
  [
    'an assertion inside an encrypted one',
    () =>
      signedAndEncrypted('assertion').replace(
        '</saml:EncryptedAssertion>',
        () =>
          '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/></saml:EncryptedAssertion>',
      ),
    /several/,
  ],
  [
    'two keys',
    () => signedAndEncrypted('assertion').replace(/<e:EncryptedKey .*<\/e:EncryptedKey>/s, '$&$&'),
    /twice|one encrypted key/,
  ],
]

function flipped(at: number) {
  return (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    const index = at < 0 ? copy.length + at : at
    copy[index] = copy[index]! ^ 1
    return copy
  }
}

for (const [name, xml, reason, changes] of REFUSED)
  test(`refuses ${name}`, async () => {
    await assert.rejects(verifyResponse(base64(xml()), { ...trust, ...changes }, open), (error: Error) => {
      assert(error instanceof SignInRefused, String(error.stack))
      assert.match(error.message, reason)
      return true
    })
  })

test('a provider of another implementation reads the key from the metadata, and signs people in', async () => {
  const world = await createWorld()
  const methods: Encryption[] = ['aes256-cbc', 'aes128-gcm']
  for (const encryption of methods) {
    const idp = await startSamlProvider(key, { encryption })
    const { body } = await world.ada(`POST /v1/orgs/${world.organizationId}/saml`, {
      label: 'Example',
      entityID: idp.entityID,
      ssoURL: idp.ssoURL,
      certificate: key.certificate,
    })
    const user = browser()
    idp.know((await user.load(body.service.entityID)).text)
    const start = await user.load(body.service.startURL)
    const account = { nameID: 'grace', email: 'grace@example.com', displayName: 'Grace' }
    const { acsURL, form } = await idp.answer(start.location!, account)
    const xml = Buffer.from(form.SAMLResponse, 'base64').toString()
    assert(xml.includes('EncryptedAssertion') && !xml.includes('grace'), 'the assertion is encrypted')
    const answered = await user.load(acsURL, form, idp.ssoURL)
    assert.equal(answered.status, 303, encryption)
    assert.equal((await user.load(answered.location!)).status, 303)
  }
})
