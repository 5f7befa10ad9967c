/** Hostile responses of SAML providers: each is refused, and the log has the reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignInRefused } from '../../src/sso/sign-in-refused.ts'
import { verifyResponse } from '../../src/sso/saml.ts'
import {
  ALGORITHMS,
  CANONICALIZATIONS,
  RSA_SHA256,
  SHA256,
  signedBy,
  SIGNATURES,
  type Vector,
  WRAPPINGS,
} from './saml-hostile.ts'
import { ADDRESSEES, STATEMENTS, STRUCTURES, TIMES } from './saml-hostile-claims.ts'
import { FIELDS, TEXTS } from './saml-hostile-texts.ts'
import {
  ACS,
  AUDIENCE,
  base64,
  ISSUER,
  key,
  nextKey,
  NOW,
  REQUEST,
  signedResponse,
  strangersKey,
} from './saml-kit.ts'

const trust = {
  issuer: ISSUER,
  certificates: [key.certificate, nextKey.certificate],
  audience: AUDIENCE,
  acsURL: ACS,
}
const open = { isOpen: async (id: string) => id === REQUEST, allowsUnsolicited: false, now: NOW }

const KEYS: Vector[] = (['response', 'assertion', 'both'] as const).map((signed) => [
  `the key of a stranger that signed the ${signed}`,
  () => signedResponse({}, signed, { key: strangersKey }),
  /not valid/,
])

const vectors: Vector[] = [
  ...WRAPPINGS,
  ...ALGORITHMS,
  ...CANONICALIZATIONS,
  ...SIGNATURES,
  ...KEYS,
  ...TEXTS,
  ...TIMES,
  ...ADDRESSEES,
  ...STATEMENTS,
  ...STRUCTURES,
]
const all = [
  ...vectors.map(([name, xml, reason]) => [name, async () => base64(await valueOf(xml)), reason] as const),
  ...FIELDS.map(([name, field, reason]) => [name, async () => valueOf(field), reason] as const),
]

const valueOf = async (made: Vector[1]) => (typeof made === 'string' ? made : made())

for (const [name, field, reason] of all) {
  test(`refuses ${name}`, async () => {
    const refused = verifyResponse(await field(), trust, open)
    await assert.rejects(refused, (error: Error) => {
      assert(error instanceof SignInRefused, String(error.stack))
      assert.match(error.message, reason)
      return true
    })
  })
}

test('there are more than 120 of them, each with a name of its own', () => {
  assert(new Set(all.map(([name]) => name)).size === all.length && all.length > 120, String(all.length))
})

test('the signatures by hand are valid where the algorithm is', async () => {
  await verifyResponse(base64(await signedBy(SHA256, RSA_SHA256)), trust, open)
})
