/** `lectern doctor`, beside a running server and without one. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openUnchecked } from '../src/db/open.ts'
import { sql } from 'kysely'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const world = await createWorld()
const { data, databaseUrl } = world.config
const env: Record<string, string> = {
  LECTERN_DATA: data,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
}
await writeFile(join(data, 'local.json'), JSON.stringify({ url: world.url, token: 'x' }))

/** The result of a check. */
interface Check {
  name: string
  status: string
  message: string
  advice?: string
}

async function doctor(more: Record<string, string> = {}) {
  const { code, out, err } = await runHere(['doctor', '--json'], { ...env, ...more })
  assert.equal(err, '')
  const { faults, checks } = JSON.parse(out) as { faults: number; checks: Check[] }
  assert.equal(code, faults > 0 ? 1 : 0, out)
  for (const { status, advice, message } of checks)
    assert.equal(advice === undefined, status === 'ok', message)
  const of = (name: string, status: string) =>
    checks.filter((check) => check.name === name && check.status === status).map(({ message }) => message)
  return { faults, checks, of }
}

test('beside a server that works, there are no faults', async () => {
  const { faults, checks, of } = await doctor({ LECTERN_URL: world.url })
  assert.equal(faults, 0, JSON.stringify(checks))
  assert.deepEqual(of('address', 'ok'), [`the server runs at ${world.url}`, `${world.url} responds`])
  assert.match(of('database', 'ok').join(), /(SQLite|PostgreSQL) \d.*the schema is that of this version/)
  assert.match(of('secret', 'ok').join(), /secret is in/)
  assert.match(of('files', 'ok').join(), /stores, reads and removes/)
  assert.match(of('clock', 'ok').join(), /^the clock is at/)
  assert.match(of('data folder', 'ok').join(), /free space/)
  assert.match(of('fonts', 'ok').join(), /fonts of PDF files are installed/)
  // The probe of the files leaves nothing behind.
  const left: unknown[] = []
  for await (const blob of world.app.services.blobs.list()) left.push(blob)
  assert.deepEqual(left, [])
})

test('prints a line for each check, and what to do', async () => {
  const { code, out } = await runHere(['doctor'], env)
  assert.equal(code, 0)
  assert.match(out, /^Lectern \d/)
  assert.match(out, /\nOK {6}database: the schema is that of this version\n/)
  assert.match(out, /\nWARNING address: LECTERN_URL is not set.*\n {8}→ Set LECTERN_URL/)
  assert.match(out, /\n0 faults, 2 warnings\n$/)
})

test('finds each fault without a stop at the first', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { of } = await doctor({
    LECTERN_URL: `http://127.0.0.1:${port}`,
    LECTERN_SMTP_URL: 'smtp://ada:hidden-password@127.0.0.1:1',
    LECTERN_MAIL_FROM: 'docs@example.com',
    LECTERN_SECRET: 'another secret, which is long enough',
  })
  other.close()
  assert.match(of('address', 'fault').join(), /does not respond.*another server responds with 502/)
  assert.match(of('mail', 'fault').join(), /ECONNREFUSED/)
  assert.doesNotMatch(of('mail', 'fault').join(), /hidden-password/)
  assert.deepEqual(of('secret', 'fault'), ['LECTERN_SECRET has not the secret of the database'])
})

test('warns of what other users of the machine can read', async () => {
  await chmod(join(data, 'secret'), 0o644)
  const { of } = await doctor()
  await chmod(join(data, 'secret'), 0o600)
  assert.match(of('secret', 'warning').join(), /other users of this machine can read/)
})

test('an invalid configuration names each variable', async () => {
  const { of, checks } = await doctor({ PORT: 'http', LECTERN_LOG: 'loud' })
  assert.equal(of('configuration', 'fault').length, 2)
  assert.deepEqual(of('node', 'ok'), [`Node ${process.versions.node}`])
  assert.equal(checks.at(-1)?.name, 'configuration')
})

test('before the first start, nothing is a fault and nothing is created', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const { faults, of } = await doctor({ LECTERN_DATA: join(folder.path, 'new'), DATABASE_URL: '' })
  assert.equal(faults, 0)
  assert.match(of('database', 'ok').join(), /does not exist yet/)
  assert.match(of('address', 'ok').join(), /no server runs/)
  assert.match(
    (await doctor({ LECTERN_DATA: join(folder.path, 'new') })).of('data folder', 'ok').join(),
    /not exist/,
  )
})

test('names a folder and a database that cannot be used', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const file = join(folder.path, 'file')
  await writeFile(file, '')
  assert.match((await doctor({ LECTERN_DATA: file })).of('data folder', 'fault').join(), /is not a folder/)

  const damaged = join(folder.path, 'damaged')
  await mkdir(damaged)
  await writeFile(join(damaged, 'lectern.sqlite'), Buffer.alloc(8192, 'not a database '))
  await writeFile(join(damaged, 'blobs'), '')
  const { of } = await doctor({ LECTERN_DATA: damaged, DATABASE_URL: '' })
  assert.match(of('database', 'fault').join(), /not a database/)
  assert.equal(of('files', 'fault').length, 1)
  const away = await doctor({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })
  assert.match(away.of('database', 'fault').join(), /cannot be reached/)
})

test('lists every difference of the schema', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const database = await openUnchecked({ data: folder.path, durable: false })
  const statements = [
    'drop index "member_of"',
    'alter table "space" drop column "emoji"',
    'create table "ours" ("id" text)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(database.writer)
  await database.close()
  const { of } = await doctor({ LECTERN_DATA: folder.path, DATABASE_URL: '' })
  assert.deepEqual(of('database', 'fault'), [
    'the index "member_of" of the table "member" is missing',
    'the column "emoji" of the table "space" is missing',
  ])
  assert.deepEqual(of('database', 'warning'), [`the table "ours" is not Lectern's`])
})
