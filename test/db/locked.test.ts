/** Another process holds the write lock of the SQLite database. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastUses } from '../../src/access/credentials/last-uses.ts'
import { sealedBy } from '../../src/access/credentials/sealing.ts'
import { keyringOf } from '../../src/access/credentials/keyring.ts'
import { buildApp } from '../../src/server/app.ts'
import { openBlobs } from '../../src/blobs/open.ts'
import { readConfig } from '../../src/installation/config.ts'
import { idSource, randomText } from '../../src/core/data/id.ts'
import { isBusy } from '../../src/db/errors.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { setUp } from '../../src/installation/setup.ts'
import { run, runHere, temporaryFolder } from '../process.ts'

const TOKEN = 'the-token-of-this-test'
const newId = idSource(Date.now)

/** A server on SQLite whose statements wait `lockWaitMs` for a lock. */
async function serverOn(t: TestContext, lockWaitMs: number) {
  const folder = temporaryFolder()
  const config = readConfig({
    PORT: '0',
    LECTERN_DATA: folder.path,
    LECTERN_LOG: 'silent',
    LECTERN_ADMIN_TOKEN: TOKEN,
  })
  const db = await openDatabase({ data: config.data, durable: false, lockWaitMs })
  const keyring = keyringOf(randomText(48))
  await setUp(db, config, sealedBy(keyring), new Date(), newId)
  const app = await buildApp({
    config,
    db,
    blobs: await openBlobs(config),
    keyring,
  })
  const url = await app.listen()
  t.after(async () => {
    await app.close()
    await db.close()
    folder.remove()
  })
  const call = (method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  return { db, app, call, data: folder.path }
}

/** Takes the write lock in another process. @returns releases it */
async function lock(t: TestContext, data: string): Promise<() => Promise<void>> {
  const holder = fork(join(import.meta.dirname, 'hold-lock.ts'), [join(data, 'lectern.sqlite')])
  const ended = once(holder, 'exit')
  const release = async () => {
    holder.kill('SIGKILL')
    await ended
  }
  t.after(release)
  const [message] = (await Promise.race([once(holder, 'message'), ended])) as unknown[]
  assert.equal(message, 'locked')
  return release
}

test('a write waits for the lock, and other requests continue meanwhile', async (t) => {
  const { call, data } = await serverOn(t, 5000)
  await call('GET', '/v1/orgs')
  const release = await lock(t, data)

  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let settled = false
  const write = call('POST', '/v1/orgs', { title: 'Acme' }).finally(() => (settled = true))
  for (let i = 0; i < 10; i++) {
    await sleep(40)
    assert.equal((await call('GET', '/v1/orgs')).status, 200)
  }
  delay.disable()
  assert.equal(settled, false)
  assert.ok(delay.max < 1e9, `the event loop stopped for ${delay.max / 1e6} ms`)

  await release()
  assert.equal((await write).status, 201)
})

test('writes that wait too long fail with 503 and Retry-After, all at the same time', async (t) => {
  const { call, data } = await serverOn(t, 1000)
  await call('GET', '/v1/orgs')
  const release = await lock(t, data)

  const start = performance.now()
  const writes = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((i) => call('POST', '/v1/orgs', { title: `${i}.` })),
  )
  assert.ok(performance.now() - start < 4000, 'each write waited for the one before it')
  for (const write of writes) {
    assert.equal(write.status, 503)
    assert.equal(write.headers.get('retry-after'), '2')
    const { error } = (await write.json()) as { error: { message: string } }
    assert.match(error.message, /database is locked/)
  }

  await release()
  assert.equal((await call('POST', '/v1/orgs', { title: 'Acme' })).status, 201)
})

test('a job is claimed and finished after the lock is released', async (t) => {
  const { db, app, data } = await serverOn(t, 300)
  await db.write((tx) => app.services.enqueue(tx, 'note', {}))
  const messages: string[] = []
  const log = {
    warn: (_: object, text: string) => void messages.push(text),
    error: (_: object, text: string) => void messages.push(text),
  }
  const ran = Promise.withResolvers<void>()
  const release = await lock(t, data)
  const jobs = jobLoop(db, { note: async () => ran.resolve() }, () => new Date(), log)
  jobs.start()
  await sleep(700)
  assert.equal((await db.read.selectFrom('job').select('leasedUntil').executeTakeFirst())?.leasedUntil, null)
  assert.match(messages.join(), /could not be read/)
  await release()
  await ran.promise
  await jobs.stop()
  assert.deepEqual(await db.read.selectFrom('job').select('id').execute(), [])
})

test('a start waits for the lock, and gives up in one line', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  // A database without tables: a start writes only if it has migrations to run.
  const database = await openSqlite({ file: join(folder.path, 'lectern.sqlite'), durable: false })
  await database.close()

  const release = await lock(t, folder.path)
  const env = { LECTERN_DATA: folder.path, PORT: '0' }
  const { code, err } = await runHere(['migrate'], env)
  assert.equal(code, 1)
  assert.match(err, /database is locked/)
  assert.equal(err.trim().split('\n').length, 1, err)

  const waiting = run(['migrate'], env)
  await sleep(1000)
  await release()
  assert.equal((await waiting).code, 0)
})

test('the times at which tokens were used are written after the lock is released', async (t) => {
  const { db, data } = await serverOn(t, 50)
  const tokens = lastUses(db, 'token')
  const [{ id }] = (await db.read.selectFrom('token').select('id').execute()) as [{ id: string }]
  const release = await lock(t, data)
  tokens.note(id, new Date('2030-01-01T00:00:00.000Z'))
  await assert.rejects(tokens.flush(), isBusy)
  await release()
  await tokens.flush()
  const row = await db.read.selectFrom('token').select('lastUsedAt').where('id', '=', id).executeTakeFirst()
  assert.equal(row?.lastUsedAt, '2030-01-01T00:00:00.000Z')
})
