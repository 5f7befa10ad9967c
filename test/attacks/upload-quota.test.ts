/** Uploads that are announced and never used: they cannot fill the disk. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../waiting.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_UPLOAD_QUOTA: '100000', LECTERN_MAX_UPLOAD: '60000' })
const { ada, organizationId } = world

const announce = (size: number, organization = organizationId, who = ada) =>
  who(`POST /v1/orgs/${organization}/storage/upload`, {
    file: { name: 'a.zip', type: 'application/zip', size },
    kind: 'import_file',
  })
const put = (url: string, size: number, letter: string) =>
  fetch(url, { method: 'PUT', body: Buffer.alloc(size, letter) }).then(({ status }) => status)

/** The files that the server stores, by hash, and those that it is still writing. */
const stored = () =>
  readdirSync(join(world.config.data, 'blobs'), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  ).length

test('announced and sent uploads count together, per organization, until they expire', async () => {
  world.clock.now = new Date('2026-11-20T12:00:00.000Z')
  const first = await announce(60_000)
  assert.equal(await put(first.body.url, 60_000, 'a'), 204)
  const refused = await announce(40_001)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /60000 bytes.*100000 bytes/)
  const bob = await world.person('bob', 'edit')
  assert.equal((await announce(40_000, organizationId, bob)).status, 201)
  assert.equal((await announce(1)).status, 409)

  const other = await world.stranger('mallory')
  assert.equal((await announce(60_000, other.organizationId, other)).status, 201)

  world.clock.now = new Date('2026-11-21T12:00:00.001Z')
  assert.equal((await announce(60_000)).status, 201)
  world.clock.now = undefined
})

test('at most one of many requests to one upload is stored, and none of the wrong size', async () => {
  world.clock.now = new Date('2026-12-20T12:00:00.000Z')
  const before = stored()
  const { url } = (await announce(50_000)).body
  for (const letter of 'bcdef') assert.equal(await put(url, 49_999, letter), 400)
  assert.equal(await put(url, 50_001, 'g'), 413)
  assert.equal(stored(), before)

  const statuses = await Promise.all([...'hijklmnop'].map((letter) => put(url, 50_000, letter)))
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [204, ...Array.from({ length: 8 }, () => 409)],
  )
  assert.equal(stored(), before + 1)
  world.clock.now = undefined
})

test('a member who announces all they can leaves as much to the others', async (t) => {
  t.after(() => (world.clock.now = undefined))
  world.clock.now = new Date('2027-01-10T12:00:00.000Z')
  const member = await world.person('greedy', 'edit')
  let bytes = 0
  for (const size of [30_000, 10_000, 5_000, 5_000, 5_000, 1])
    if ((await announce(size, organizationId, member)).status === 201) bytes += size
  assert.equal(bytes, 50_000)
  const refused = await announce(1, organizationId, member)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /^You have 4 uploads of 50000 bytes in this .*cancel an upload/)

  assert.equal((await announce(50_000)).status, 201, 'the only upload of a user may use all that is left')
  assert.equal((await announce(1)).status, 409)
})

test('an upload expires unless a request begins to send it within an hour', async (t) => {
  t.after(() => (world.clock.now = undefined))
  const at = (minutes: number) => (world.clock.now = new Date(Date.UTC(2027, 1, 10, 12, minutes)))
  at(0)
  const [begun, unsent] = [(await announce(30_000)).body.url, (await announce(10_000)).body.url]
  const other = await world.person('patient', 'edit')
  at(50)
  assert.equal(await put(begun, 29_999, 'x'), 400)
  at(59)
  assert.equal((await announce(60_001, organizationId, other)).status, 413)
  assert.equal((await announce(60_000, organizationId, other)).status, 201)
  assert.equal((await announce(1)).status, 409)
  at(61)
  assert.equal(await put(unsent, 10_000, 'y'), 404)
  assert.equal(await put(begun, 30_000, 'z'), 204)
  at(23 * 60)
  assert.equal((await fetch(begun)).status, 200)
  at(24 * 60 + 1)
  assert.equal((await fetch(begun)).status, 404)
})

test('an upload that is cancelled counts no more, and nobody can send it', async (t) => {
  t.after(() => (world.clock.now = undefined))
  world.clock.now = new Date('2027-03-10T12:00:00.000Z')
  const cancel = (url: string) => fetch(url, { method: 'DELETE' }).then(({ status }) => status)
  const sent = (await announce(60_000)).body.url
  assert.equal(await put(sent, 60_000, 'q'), 204)
  assert.equal((await announce(60_000)).status, 409)
  assert.equal(await cancel(sent.replace(/.$/, '-')), 404)
  assert.equal(await cancel(sent), 204)
  assert.deepEqual([await cancel(sent), (await fetch(sent)).status], [404, 404])

  const { url } = (await announce(60_000)).body
  const sender = request(url, { method: 'PUT', headers: { 'content-length': 60_000 } })
  const answered = once(sender, 'response')
  const before = stored()
  sender.write(Buffer.alloc(20_000, 'r'))
  await until(() => stored() > before, 'the first bytes are stored')
  assert.equal(await cancel(url), 204)
  const [{ statusCode }] = await answered
  assert.equal(statusCode, 409)
  sender.destroy()
  assert.equal((await announce(60_000)).status, 201)
})
