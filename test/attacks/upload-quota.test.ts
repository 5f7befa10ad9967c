/** Uploads that are announced and never used: they cannot fill the disk. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
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
  assert.equal((await announce(40_000)).status, 201)
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
