/** A failed start of the server prints a message without a stack trace. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../src/installation/config.ts'
import { firstOf, inLongRun } from './effort.ts'
import { run, runHere } from './process.ts'

const data = await mkdtemp(join(tmpdir(), 'lectern-'))
after(() => rm(data, { recursive: true }))

async function start(env: Record<string, string>, command = run) {
  const { code, err } = await command([], { LECTERN_DATA: data, LECTERN_LOG: 'silent', PORT: '0', ...env })
  return { code, said: err.trim() }
}

test('an unreachable database or an unknown host prints one line', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, /database cannot be reached.*DATABASE_URL/],
    [{ HOST: 'nothing.invalid' }, /HOST/],
    [{ HOST: '192.0.2.1' }, /HOST and PORT/],
  ]
  for (const [env, words] of firstOf(cases, 1)) {
    const { code, said } = await start(env)
    assert.equal(code, 1)
    assert.match(said, words)
    assert.equal(said.split('\n').length, 1, said)
  }
})

test(
  'a database that accepts the connection and never responds prints one line',
  { skip: inLongRun },
  async (t) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    t.after(() => silent.close())
    const { port } = silent.address() as { port: number }
    const { code, said } = await start({
      DATABASE_URL: `postgres://x@127.0.0.1:${port}/x`,
      LECTERN_DATABASE_CONNECT_TIMEOUT: '1',
    })
    assert.equal(code, 1)
    assert.match(said, /database cannot be reached.*time.*DATABASE_URL/)
    assert.equal(said.split('\n').length, 1, said)
  },
)

test('a new installation whose bucket fails prints one line', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as { port: number }
  const bucket = {
    LECTERN_S3_BUCKET: 'docs',
    LECTERN_S3_ACCESS_KEY_ID: 'key',
    LECTERN_S3_SECRET_ACCESS_KEY: 'secret',
    LECTERN_S3_TIMEOUT_SECONDS: '1',
  }
  const cases: [string, RegExp][] = [
    ['http://127.0.0.1:1', /^The bucket cannot be reached \(.*ECONNREFUSED.*\); check LECTERN_S3_ENDPOINT/],
    [`http://127.0.0.1:${port}`, /^The bucket does not respond within LECTERN_S3_TIMEOUT_SECONDS/],
    ['http://nothing.invalid', /^The bucket cannot be reached \(.*nothing\.invalid.*LECTERN_S3_ENDPOINT/],
  ]
  for (const [endpoint, words] of firstOf(cases, 2)) {
    const folder = await mkdtemp(join(data, 'bucket-'))
    const { code, said } = await start({ ...bucket, LECTERN_DATA: folder, LECTERN_S3_ENDPOINT: endpoint })
    assert.equal(code, 1)
    assert.match(said, words)
    assert.equal(said.split('\n').length, 1, said)
  }
})

test('a start that cannot listen ends, and names the address of the metrics if that is why', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const cases: [Record<string, string>, RegExp][] = [
    [{ LECTERN_METRICS_LISTEN: `127.0.0.1:${port}` }, /LECTERN_METRICS_LISTEN: .*EADDRINUSE/],
    [{ LECTERN_METRICS_LISTEN: '127.0.0.1:0', HOST: '192.0.2.1' }, /HOST and PORT/],
  ]
  for (const [env, words] of firstOf(cases, 1)) {
    const { code, said } = await start(env)
    assert.equal(code, 1)
    assert.match(said, words)
  }
})

test('a data folder or a database file that cannot be used prints one line', async () => {
  const file = join(data, 'a-file')
  await writeFile(file, '')
  const damaged = join(data, 'damaged')
  await mkdir(damaged)
  await writeFile(join(damaged, 'lectern.sqlite'), Buffer.alloc(8192, 'not a database '))
  const folder = join(data, 'folder')
  await mkdir(join(folder, 'lectern.sqlite'), { recursive: true })
  const blobs = join(data, 'no-blobs')
  await mkdir(blobs)
  await writeFile(join(blobs, 'blobs'), '')

  const cases: [string, RegExp][] = [
    [damaged, /database is damaged.*backup/],
    [file, /data folder cannot be used.*LECTERN_DATA/],
    [join(file, 'below'), /data folder cannot be used.*LECTERN_DATA/],
    [folder, /database cannot be opened/],
    [blobs, /data folder cannot be used.*blobs.*LECTERN_DATA/],
  ]
  for (const [path, words] of firstOf(cases, 1)) {
    const { code, said } = await start({ LECTERN_DATA: path }, runHere)
    assert.equal(code, 1)
    assert.match(said, words)
    assert.equal(said.split('\n').length, 1, said)
  }
})

test('refuses an origin that no browser sends, and an unknown variable', () => {
  for (const origins of ['docs.example.com', 'https://docs.example.com/', '*,https://Docs.example.com']) {
    assert.throws(() => readConfig({ LECTERN_CORS_ORIGINS: origins }), /LECTERN_CORS_ORIGINS/, origins)
  }
  assert.throws(
    () => readConfig({ LECTERN_RATE_LIMTI: '5' }),
    /LECTERN_RATE_LIMTI is not a known variable; did you mean LECTERN_RATE_LIMIT\?/,
  )
  const { corsOrigins } = readConfig({ LECTERN_CORS_ORIGINS: 'https://a.example.com, http://localhost:5173' })
  assert.deepEqual(corsOrigins, ['https://a.example.com', 'http://localhost:5173'])
})

test('the address of the administrator is one that the API accepts', () => {
  const refused = [
    'ada',
    'a b@example.com',
    'ada@exa_mple.com',
    '"ada"@example.com',
    `${'a'.repeat(251)}@b.c`,
  ]
  for (const email of refused)
    assert.throws(() => readConfig({ LECTERN_ADMIN_EMAIL: email }), /LECTERN_ADMIN_EMAIL/, email)
  for (const email of ['ada@localhost', 'Ada.L+1@example.com'])
    assert.equal(readConfig({ LECTERN_ADMIN_EMAIL: email }).adminEmail, email)
})

test(
  'printing the OpenAPI document ends quietly when its reader ends first',
  { skip: inLongRun },
  async () => {
    const main = join(import.meta.dirname, '../src/main.ts')
    const child = spawn(process.execPath, [main, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.once('data', () => child.stdout.destroy())
    const errors: Buffer[] = []
    child.stderr.on('data', (part: Buffer) => errors.push(part))
    const [code] = (await once(child, 'close')) as [number]
    assert.deepEqual([code, Buffer.concat(errors).toString()], [0, ''])
  },
)
