import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Keyring, keyringOf } from '../../src/access/credentials/keyring.ts'
import { signedDevices } from '../../src/access/credentials/devices.ts'
import { previewToken, readPreviewToken } from '../../src/access/visitors/preview.ts'
import { sealedBy } from '../../src/access/credentials/sealing.ts'

const sealing = sealedBy(keyringOf('a secret of the installation'))

test('a sealed text opens for the same purpose, and for no other', () => {
  const sealed = sealing.seal('the key', 'share-link a')
  assert.equal(sealing.open(sealed, 'share-link a'), 'the key')
  assert.equal(sealing.open(sealed, 'share-link b'), undefined)
  assert.equal(sealedBy(keyringOf('another secret')).open(sealed, 'share-link a'), undefined)
  assert(!Buffer.from(sealed, 'base64url').includes('the key'))
  assert.notEqual(sealing.seal('the key', 'share-link a'), sealed)
})

test('a text that is sealed alike is the same each time, and another text or purpose is not', () => {
  const sealed = sealing.sealAlike('the key', 'share-link a')
  assert.equal(sealing.open(sealed, 'share-link a'), 'the key')
  assert.equal(sealing.open(sealed, 'share-link b'), undefined)
  assert.equal(sealing.sealAlike('the key', 'share-link a'), sealed)
  const nonceOf = (text: string) => Buffer.from(text, 'base64url').subarray(6, 18).toString('hex')
  const others = [
    ['the kez', 'share-link a'],
    ['the key', 'share-link b'],
    ['', ''],
  ] as const
  for (const [text, of] of others)
    assert.notEqual(nonceOf(sealing.sealAlike(text, of)), nonceOf(sealed), `${text} ${of}`)
})

test('no changed byte of a sealed text goes unnoticed, and nothing throws', () => {
  const bytes = Buffer.from(sealing.seal('the key', 'x'), 'base64url')
  for (let i = 0; i < bytes.length; i += 1) {
    const changed = Buffer.from(bytes)
    changed[i] = changed[i]! ^ 1
    assert.equal(sealing.open(changed.toString('base64url'), 'x'), undefined, `byte ${i}`)
    assert.equal(sealing.open(bytes.subarray(0, i).toString('base64url'), 'x'), undefined)
  }
  for (const text of ['', 'AQ', '%%%', '\0', 'é'.repeat(100)])
    assert.equal(sealing.open(text, 'x'), undefined)
})

test('a derived secret is the same for a purpose, and differs between purposes', () => {
  assert.equal(sealing.derive('a'), sealing.derive('a'))
  assert.notEqual(sealing.derive('a'), sealing.derive('b'))
  assert.notEqual(sealing.derive('a'), sealedBy(keyringOf('another secret')).derive('a'))
  assert.match(sealing.derive('a'), /^[\w-]{43}$/)
})

test('the token of a preview is valid for an hour', () => {
  const now = new Date('2026-01-31T12:00:00Z')
  const later = (ms: number) => new Date(now.getTime() + ms)
  const preview = { siteId: 's', userId: 'u', claims: { plan: 'pro' } }
  const token = previewToken(sealing, { ...preview, now })
  const until = now.getTime() + 3_600_000
  assert.deepEqual(readPreviewToken(sealing, token, later(3_599_999)), { ...preview, until })
  assert.equal(readPreviewToken(sealing, token, later(3_600_000)), undefined)
  assert.equal(readPreviewToken(sealing, `${token}A`, now), undefined)
  assert.equal(readPreviewToken(sealing, sealing.seal('[]', 'another purpose'), now), undefined)
})

test('during a rotation, both secrets open and verify, and only the new one seals and signs', () => {
  const [before, after] = [keyringOf('the earlier secret'), keyringOf('the new secret')]
  const both: Keyring = { secrets: () => ['the new secret', 'the earlier secret'] }
  const sealed = sealedBy(before).seal('the key', 'x')
  assert.equal(sealedBy(both).open(sealed, 'x'), 'the key')
  assert.equal(sealedBy(after).open(sealed, 'x'), undefined)
  assert.equal(sealedBy(after).open(sealedBy(both).seal('the key', 'x'), 'x'), 'the key')
  assert.deepEqual(sealedBy(both).deriveAll('x'), [sealedBy(after).derive('x'), sealedBy(before).derive('x')])
  assert.equal(sealedBy(both).derive('x'), sealedBy(after).derive('x'))

  const now = new Date('2026-01-31T10:00:00.000Z')
  const [email, other] = ['ada@example.com', 'bob@example.com']
  const device = signedDevices(before).issue(email, now)
  assert(signedDevices(both).recognize(device, email, now))
  assert.equal(signedDevices(both).recognize(device, other, now), undefined)
  assert.equal(signedDevices(after).recognize(device, email, now), undefined)
  assert(signedDevices(after).recognize(signedDevices(both).issue(email, now), email, now))
})

test('a value that an earlier version sealed, without the id of its key, still opens', () => {
  const sealed = 'AZt0mshDBCrnnkFQfG32M_qEL2GW8sfSa9zPGQLAjrPBMx4O'
  const secret = 'the secret of an earlier version'
  assert.equal(sealedBy(keyringOf(secret)).open(sealed, 'share-link a'), 'the key')
  assert.equal(
    sealedBy({ secrets: () => ['another secret', secret] }).open(sealed, 'share-link a'),
    'the key',
  )
  assert.equal(sealedBy(keyringOf('another secret')).open(sealed, 'share-link a'), undefined)
})

test('a value that an unknown key sealed makes the keyring look for a rotation', () => {
  let looks = 0
  const keyring: Keyring = { secrets: () => ['a secret'], missed: () => looks++ }
  sealedBy(keyring).open(sealedBy(keyring).seal('a', 'x'), 'another purpose')
  assert.equal(looks, 0)
  assert.equal(sealedBy(keyring).open(sealing.seal('a', 'x'), 'x'), undefined)
  assert.equal(looks, 1)
})
