/** A mail server that accepts connections and never responds: emails are retried, and other jobs do not wait. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { createWorld } from '../world.ts'

const EMAILS = 5

test('other kinds of jobs run while emails wait for a silent mail server', async (t) => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const { app, db, person } = await createWorld({
    LECTERN_SMTP_URL: `smtp://127.0.0.1:${port}`,
    LECTERN_MAIL_FROM: 'docs@example.com',
    LECTERN_ADMIN_EMAIL: 'ada@example.com',
  })
  // Of more e-mails to one account, the server would not send all.
  for (let i = 0; i < EMAILS; i++) await person(`user${i}`)
  await db.write(async (tx) => {
    for (let i = 0; i < EMAILS; i++)
      await app.services.enqueue(tx, 'send-email', {
        template: 'password-reset',
        email: `user${i}@example.com`,
      })
    await app.services.enqueue(tx, 'expire-upload', { id: 'none' })
  })

  const logged: object[] = []
  const log = {
    warn: (fact: object) => void logged.push(fact),
    error: (fact: object) => void logged.push(fact),
  }
  const jobs = jobLoop(db, workers(app.services), () => new Date(), log, { timeMs: { 'send-email': 700 } })
  jobs.start()
  const kinds = async () => (await db.read.selectFrom('job').select('kind').execute()).map(({ kind }) => kind)
  // The emails take at least 3.5 seconds together.
  while (logged.length === 0) await wait(20)
  assert.deepEqual(
    await kinds(),
    Array.from({ length: EMAILS }, () => 'send-email'),
  )

  await db.write((tx) => app.services.enqueue(tx, 'expire-upload', { id: 'none' }))
  while ((await kinds()).includes('expire-upload')) await wait(20)
  assert(logged.length < EMAILS, 'the other job did not wait for the emails')
  while (logged.length < EMAILS) await wait(50)
  const { attempts, error } = await db.read
    .selectFrom('job')
    .select(['attempts', 'error'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.equal(attempts, 1)
  assert.match(error ?? '', /longer than 0.7 seconds/)
  await jobs.stop()
})

test('a stop does not wait for a job that hangs', { timeout: 20_000 }, async () => {
  const { app, db } = await createWorld()
  await db.write((tx) => app.services.enqueue(tx, 'hangs', {}))
  const started = Promise.withResolvers<void>()
  const forever = async () => {
    started.resolve()
    await new Promise(() => {})
  }
  const log = { warn: () => {}, error: () => {} }
  const jobs = jobLoop(db, { hangs: forever }, () => new Date(), log)
  jobs.start()
  await started.promise
  const before = performance.now()
  await jobs.stop()
  assert(performance.now() - before < 15_000)
  const [job] = await db.read.selectFrom('job').selectAll().where('kind', '=', 'hangs').execute()
  assert.equal(job?.attempts, 0, 'it runs again after the next start')
})
