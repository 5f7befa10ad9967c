/** Responses in the shapes of the well-known providers sign people in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyResponse } from '../../src/sso/saml.ts'
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
  signedResponse,
} from './saml-kit.ts'
import { firstOf } from '../effort.ts'
import { SHAPES } from './saml-shapes.ts'

const trust = { issuer: ISSUER, certificates: [key.certificate], audience: AUDIENCE, acsURL: ACS }
const open = { isOpen: async (id: string) => id === REQUEST, allowsUnsolicited: false, now: NOW }

for (const { provider, content, signed, signing, written = (xml: string) => xml, expected } of SHAPES) {
  test(`accepts ${provider}`, async () => {
    const xml = written(responseWith(content))
    const inner = signed === 'response' ? xml : sign(xml, 'Assertion', signing)
    const whole = signed === 'assertion' ? inner : sign(inner, 'Response', signing)
    const { person, requestId, id, usableUntil } = await verifyResponse(base64(whole), trust, open)
    assert.deepEqual({ ...person, ...expected }, person)
    assert.deepEqual([requestId, id], [REQUEST, '_assertion1'])
    assert(usableUntil > NOW)
  })
}

test('accepts the old and the new certificate of a provider that rolls its key over', async () => {
  const both = { ...trust, certificates: [key.certificate, nextKey.certificate] }
  for (const by of [key, nextKey])
    for (const signed of ['response', 'assertion', 'both'] as const)
      await verifyResponse(base64(signedResponse({}, signed, { key: by })), both, open)
})

test('accepts a response without a request where the provider may send such', async () => {
  const content = { inResponseTo: undefined, subjectInResponseTo: undefined }
  const field = base64(signedResponse(content))
  const { requestId } = await verifyResponse(field, trust, { ...open, allowsUnsolicited: true })
  assert.equal(requestId, undefined)
})

test('accepts a person who is in 700 groups', async () => {
  const groups = Array.from({ length: 700 }, (_, i) => `Group number ${i}`)
  const content = {
    valueType: true,
    attributes: [
      ['email', PERSON],
      ['groups', ...groups],
    ] as [string, ...string[]][],
  }
  for (const signed of firstOf(['both', 'response', 'assertion'] as const, 1))
    await verifyResponse(base64(signedResponse(content, signed)), trust, open)
})

test('accepts base64 on several lines, and clocks that differ by less than a minute', async () => {
  const field = base64(signedResponse()).replace(/.{76}/g, '$&\r\n')
  for (const seconds of [-5 * 60 - 59, 5 * 60 + 59]) {
    const now = new Date(NOW.getTime() + seconds * 1000)
    await verifyResponse(field, trust, { ...open, now })
  }
})
