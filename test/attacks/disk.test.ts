/** A disk that is full, read-only or damaged: clear responses, and recovery without a restart. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { databaseFault } from '../../src/db/errors.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { Schema } from '../../src/db/schema.ts'
import { readiness } from '../../src/server/health.ts'
import { inLongRun } from '../effort.ts'
import { run, temporaryFolder } from '../process.ts'
import { createWorld, type World } from '../world.ts'
import { smallDisk } from './small-disk.ts'

const onPostgres = process.env.LECTERN_TEST_POSTGRES !== undefined
const disk = smallDisk(16)
const skip = disk ? false : 'it needs the right to mount a file system'
after(() => disk?.unmount())

/** Uploads bytes. @returns the status */
async function upload({ ada, organizationId }: World, bytes: Buffer): Promise<number> {
  const { status, body } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'a.zip', type: 'application/zip', size: bytes.length },
    kind: 'import_file',
  })
  if (status !== 201) return status
  return (await fetch(body.url, { method: 'PUT', body: new Uint8Array(bytes) })).status
}

async function ready({ url }: World): Promise<string> {
  // A result of the check is kept for half a second.
  await wait(600)
  const response = await fetch(`${url}/readyz`)
  return `${response.status} ${await response.text()}`
}

test('a full disk', { skip }, async () => {
  const world = await createWorld({ LECTERN_DATA: disk!.path })
  const { ada, organizationId } = world
  const create = (title: string) => ada(`POST /v1/orgs/${organizationId}/spaces`, { title })
  assert.equal((await create('Before')).status, 201)
  assert.equal(await upload(world, randomBytes(100_000)), 204)

  disk!.fill()
  const { body } = await ada(`GET /v1/orgs/${organizationId}/spaces`)
  assert.match(await ready(world), /^503 .*full/)
  let acknowledged = 0
  // SQLite first uses up the space that its log has already.
  for (let full = onPostgres; !full;) {
    const { status, text } = await create('x'.repeat(50))
    if (status === 201) acknowledged += 1
    else assert.match(`${status} ${text}`, /^507 .*disk of the database is full/)
    full = status === 507
    assert(acknowledged < 10_000)
  }
  const link = await (onPostgres ? upload(world, randomBytes(100_000)) : 507)
  assert.equal(link, 507)
  assert.equal((await ada(`GET /v1/orgs/${organizationId}/spaces`)).status, 200, 'reads continue')
  assert.match(await ready(world), /^503 .*full/)

  disk!.free()
  assert.match(await ready(world), /^200/)
  assert.equal((await create('After')).status, 201)
  assert.equal(await upload(world, randomBytes(100_000)), 204)
  const { body: all } = await ada(`GET /v1/orgs/${organizationId}/spaces`)
  assert.equal(all.count, body.count + acknowledged + 1, 'what was acknowledged is there, and nothing else')
  if (!onPostgres) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(
      world.db.read as Kysely<Schema>,
    )
    assert.equal(rows[0]?.integrity_check, 'ok')
  }
})

test('bytes that do not fit on the disk leave nothing behind', { skip }, async () => {
  const data = join(disk!.path, 'other')
  const world = await createWorld({ LECTERN_DATA: data })
  const { ada, organizationId } = world
  const { body } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'a.zip', type: 'application/zip', size: 30_000_000 },
    kind: 'import_file',
  })
  // The server reads on after its answer. A client that is still sending would otherwise lose its connection, and with
  // it perhaps the answer.
  const put = request(body.url, { method: 'PUT', headers: { 'content-length': 30_000_000 } })
  put.end(randomBytes(30_000_000))
  const [[response]] = await Promise.all([once(put, 'response'), once(put, 'finish')])
  assert.equal(response.statusCode, 507)
  response.resume()
  await once(response, 'end')
  assert.deepEqual(readdirSync(join(data, 'blobs', 'tmp')), [])
  assert.match(await ready(world), /^200/)
  assert.equal(await upload(world, randomBytes(100_000)), 204)
})

test('a folder for uploaded files that was replaced', async () => {
  const world = await createWorld()
  const temporary = join(world.config.data, 'blobs', 'tmp')
  renameSync(temporary, `${temporary}-moved`)
  writeFileSync(temporary, '')
  assert.equal(await upload(world, randomBytes(1000)), 503)
  assert.match(await ready(world), /^503 .*folder for uploaded files/)

  rmSync(temporary)
  renameSync(`${temporary}-moved`, temporary)
  assert.match(await ready(world), /^200/)
  assert.equal(await upload(world, randomBytes(1000)), 204)
})

test('a database file that is damaged while the server runs', { skip: onPostgres }, async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  await (await openDatabase({ data: folder.path, durable: false })).close()
  damage(join(folder.path, 'lectern.sqlite'), 'token')

  const db = await openDatabase({ data: folder.path, durable: false })
  t.after(() => db.close())
  const check = readiness({ db, blobs: { check: () => Promise.resolve() } })
  assert.equal((await check()).refusal, undefined)
  await assert.rejects(
    db.read.selectFrom('token').selectAll().execute(),
    (error) => databaseFault(error) === 'damaged',
  )
  await wait(600)
  assert.match((await check()).refusal?.message ?? '', /damaged; restore a backup/)
})

/** Overwrites the first page of a table. */
function damage(file: string, table: string): void {
  const database = new DatabaseSync(file)
  // The log would otherwise repair the page.
  database.exec('pragma wal_checkpoint(truncate)')
  const { size } = database.prepare('select page_size as size from pragma_page_size').get() as {
    size: number
  }
  const { page } = database
    .prepare('select rootpage as page from sqlite_schema where name = ?')
    .get(table) as {
    page: number
  }
  database.close()
  const open = openSync(file, 'r+')
  writeSync(open, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size)
  closeSync(open)
}

test(
  'a start on a file system that is full or read-only prints one line',
  { skip: skip || onPostgres || inLongRun },
  async (t) => {
    const small = smallDisk(1)
    assert(small)
    t.after(() => small.unmount())
    const env = { LECTERN_DATA: small.path, PORT: '0', LECTERN_LOG: 'silent' }
    small.fill()
    const full = await run([], env)
    assert.match(full.err, /full|ENOSPC/)
    small.free()
    small.readOnly()
    const readOnly = await run([], env)
    assert.match(readOnly.err, /cannot be (written|opened|used)/)
    for (const { code, err } of [full, readOnly]) {
      assert.equal(code, 1)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
  },
)
