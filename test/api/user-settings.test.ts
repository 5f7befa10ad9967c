/** What users set for themselves: language, time zone and picture. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blobsInUse } from '../../src/model/content/files/blob-uses.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const bob = await world.person('bob', 'read')
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEUlEQVR42mNk+M9QzwAEjDAGACgQAwFEjZVpAAAAAElFTkSuQmCC'
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const path = `/v1/users/${bob.id}`
const base64Of = (text: string) => Buffer.from(text).toString('base64')

test('a language and a time zone are set and cleared, and only the user sees them', async () => {
  const set = await bob(`PATCH ${path}`, { language: 'pt-br', timeZone: 'Europe/Berlin' })
  assert.deepEqual([set.status, set.body.language, set.body.timeZone], [200, 'pt-br', 'Europe/Berlin'])
  assert.equal((await bob(`PATCH ${path}`, { displayName: 'Bob' })).body.language, 'pt-br')
  const { body } = await bob('GET /v1/user')
  assert.deepEqual([body.displayName, body.language, body.timeZone], ['Bob', 'pt-br', 'Europe/Berlin'])

  for (const answer of [
    await ada(`GET ${path}`),
    await bob(`GET ${path}`),
    await ada(`GET /v1/orgs/${organizationId}/members/${bob.id}`),
  ]) {
    assert.equal(answer.status, 200)
    assert.doesNotMatch(answer.text, /pt-br|Berlin/)
  }
  assert.equal((await ada(`PATCH ${path}`, { language: 'de' })).status, 403)
  assert.equal((await ada('GET /v1/user')).body.language, undefined)

  const cleared = (await bob(`PATCH ${path}`, { language: null })).body
  assert.deepEqual([cleared.language, cleared.timeZone], [undefined, 'Europe/Berlin'])
  assert.equal((await bob(`PATCH ${path}`, { timeZone: null })).body.timeZone, undefined)
})

test('a picture is kept, served with its own type and without scripts, and found by its signed address', async () => {
  const { status, body, text } = await bob(`PATCH ${path}`, { photo: { base64: PNG } })
  assert.equal(status, 200, text)
  assert.equal((await ada(`GET ${path}`)).body.photoURL, body.photoURL)
  const image = await fetch(body.photoURL)
  assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png'])
  assert.equal(image.headers.get('x-content-type-options'), 'nosniff')
  assert.match(image.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.deepEqual(Buffer.from(await image.arrayBuffer()), Buffer.from(PNG, 'base64'))

  const forged = body.photoURL.replace(/signature=./, 'signature=!')
  assert.equal((await fetch(forged)).status, 404)
  assert.equal((await fetch(body.photoURL.replace(bob.id, ada.id))).status, 404)

  // A client may send back what it read.
  const again = await bob(`PATCH ${path}`, { photoURL: body.photoURL, displayName: 'Bobby' })
  assert.deepEqual([again.body.photoURL, again.body.displayName], [body.photoURL, 'Bobby'])
})

test('another picture, or none, replaces a picture, whose bytes are then unused', async () => {
  const first = (await bob(`PATCH ${path}`, { photo: { base64: PNG } })).body.photoURL as string
  const hash = /photo\/([0-9a-f]{64})/.exec(first)![1]!
  const isUsed = async () => (await blobsInUse(world.db.read, [hash])).has(hash)
  assert.equal(await isUsed(), true)

  const second = (await bob(`PATCH ${path}`, { photo: { base64: GIF } })).body.photoURL as string
  assert.equal((await fetch(second)).headers.get('content-type'), 'image/gif')
  assert.equal((await fetch(first)).status, 404)
  assert.equal(await isUsed(), false)

  const elsewhere = 'https://example.com/bob.png'
  assert.equal((await bob(`PATCH ${path}`, { photoURL: elsewhere })).body.photoURL, elsewhere)
  await bob(`PATCH ${path}`, { photo: { base64: PNG } })
  assert.equal((await bob(`PATCH ${path}`, { photo: null })).body.photoURL, undefined)
})

test('invalid settings are refused, and the error names the field', async () => {
  const large = Buffer.alloc(1024 * 1024 + 1)
  Buffer.from(PNG, 'base64').copy(large)
  const wide = Buffer.from(PNG, 'base64')
  wide.writeUInt32BE(4097, 16)
  const refused: [object, string | undefined][] = [
    [{ language: 'xx' }, 'body.language'],
    [{ language: '' }, 'body.language'],
    [{ timeZone: 'Europe/Nowhere' }, 'body.timeZone'],
    [{ timeZone: '+01:00' }, 'body.timeZone'],
    [{ timeZone: 'a'.repeat(65) }, 'body.timeZone'],
    [{ photo: {} }, 'body.photo.base64'],
    [{ photo: { base64: '' } }, 'body.photo.base64'],
    [{ photo: { base64: 'A*' } }, 'body.photo.base64'],
    [{ photo: { base64: base64Of('text') } }, 'body.photo.base64'],
    [{ photo: { base64: base64Of('<svg xmlns="http://www.w3.org/2000/svg"/>') } }, 'body.photo.base64'],
    [{ photo: { base64: base64Of('%PDF-1.7') } }, 'body.photo.base64'],
    [{ photo: { base64: large.toString('base64') } }, 'body.photo.base64'],
    [{ photo: { base64: wide.toString('base64') } }, 'body.photo.base64'],
    [{ photo: { base64: PNG }, photoURL: 'https://example.com/a.png' }, undefined],
    [{ photoURL: 'photo:abc' }, 'body.photoURL'],
  ]
  for (const [fields, field] of refused) {
    const { status, body } = await bob(`PATCH ${path}`, fields)
    assert.equal(status, 400, JSON.stringify(fields).slice(0, 100))
    assert.equal(body.error.details?.[0].path, field, body.error.message)
  }
})
