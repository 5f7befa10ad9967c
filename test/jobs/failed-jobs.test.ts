/** Jobs that failed for good are kept, found and run again: by administrators of the installation and on its machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { because } from '../../src/core/languages/reasons.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { PermanentFault } from '../../src/jobs/queue/tries.ts'
import { runHere } from '../process.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { db, ada, clock } = world
const { enqueue } = world.app.services
const env: Record<string, string> = {
  LECTERN_DATA: world.config.data,
  ...(world.config.databaseUrl ? { DATABASE_URL: world.config.databaseUrl } : {}),
}
const lectern = (...args: string[]) => runHere(['jobs', ...args], env)

/** The parameters of the error of each failed job. */
const REFUSED = { server: 'mail.example.com', response: '550 ada@example.com is unknown' }
const quiet = { warn: () => {}, error: () => {} }
let isBroken = true
const done: unknown[] = []
const run = () =>
  jobLoop(
    db,
    {
      deliver: async (payload: unknown) => {
        if (isBroken) throw new PermanentFault(because('mail-recipient-refused', REFUSED))
        done.push(payload)
      },
    },
    () => clock.now ?? new Date(),
    quiet,
  ).runDue()

/** Makes a job that fails for good. @returns its id */
async function failedJob(payload: object = { to: 'ada' }, dedupe?: string): Promise<string> {
  isBroken = true
  await db.write((tx) => enqueue(tx, 'deliver', payload, dedupe === undefined ? {} : { dedupe }))
  await run()
  const { body } = await ada('GET /v1/installation/jobs?state=failed&kind=deliver')
  return body.items.at(-1).id
}

test('an administrator of the installation finds a job that failed for good, and runs it again', async () => {
  const id = await failedJob()
  const { body: list } = await ada('GET /v1/installation/jobs?state=failed&kind=deliver')
  assert.equal(list.count, 1)
  const [job] = list.items
  assert.deepEqual(
    { ...job, createdAt: '', firstTriedAt: '', lastTriedAt: '' },
    {
      object: 'job',
      id,
      kind: 'deliver',
      state: 'failed',
      payload: { to: 'ada' },
      attempts: 1,
      error: 'mail.example.com refused the recipient: 550 ada@example.com is unknown',
      reason: 'mail-recipient-refused',
      parameters: REFUSED,
      createdAt: '',
      firstTriedAt: '',
      lastTriedAt: '',
    },
  )

  isBroken = false
  const retried = await ada(`POST /v1/installation/jobs/${id}/retry`)
  assert.equal(retried.status, 200, retried.text)
  assert.deepEqual([retried.body.state, retried.body.attempts], ['waiting', 0])
  await run()
  assert.deepEqual(done.splice(0), [{ to: 'ada' }])
  assert.equal((await ada(`GET /v1/installation/jobs/${id}`)).status, 404)
})

test('the command finds it and runs it again', async () => {
  const id = await failedJob({ to: 'bob' })
  const listed = await lectern('--state', 'failed', '--kind', 'deliver')
  assert.equal(listed.code, 0, listed.err)
  assert.match(
    listed.out,
    new RegExp(`^${id}  deliver  failed  tried once, last at .*: mail\\.example\\.com refused`),
  )
  const { out } = await lectern('list', '--state', 'failed', '--kind', 'deliver', '--json')
  assert.deepEqual(
    JSON.parse(out).map((one: { id: string }) => one.id),
    [id],
  )

  isBroken = false
  assert.equal((await lectern('retry', id)).out, `${id} runs again\n`)
  await run()
  assert.deepEqual(done.splice(0), [{ to: 'bob' }])
  const again = await lectern('retry', id)
  assert.equal(again.code, 1)
  assert.match(again.err, /job does not exist/)

  const logged = await db.read
    .selectFrom('auditEvent')
    .select(['action', 'actorType', 'targetId'])
    .where('targetId', '=', id)
    .execute()
  assert.deepEqual(
    logged.map((entry) => ({ ...entry })),
    [{ action: 'installation.job.retry', actorType: 'system', targetId: id }],
  )
})

test('all failed jobs of a kind run again, but none beside one that waits to do the same work', async () => {
  await failedJob({ n: 1 })
  await failedJob({ n: 2 }, 'same')
  await failedJob({ n: 3 }, 'same')
  const other = await ada('POST /v1/installation/jobs/retry', { kind: 'another' })
  assert.deepEqual(other.body, { retried: 0, skipped: 0 })
  isBroken = false
  const { body } = await ada('POST /v1/installation/jobs/retry', { kind: 'deliver' })
  assert.deepEqual(body, { retried: 2, skipped: 1 })
  const { body: left } = await ada('GET /v1/installation/jobs?state=failed&kind=deliver')
  const refused = await ada(`POST /v1/installation/jobs/${left.items[0].id}/retry`)
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'job-waits-elsewhere'])
  await run()
  assert.equal(done.splice(0).length, 2)
  assert.equal((await lectern('retry', '--all')).out, '1 job runs again\n')
  await run()
  assert.equal(done.splice(0).length, 1)
})

test('a job is deleted by the API and by the command', async () => {
  const [one, two] = [await failedJob(), await failedJob()]
  assert.equal((await ada(`DELETE /v1/installation/jobs/${one}`)).status, 204)
  assert.equal((await ada(`DELETE /v1/installation/jobs/${one}`)).status, 204)
  assert.equal((await lectern('delete', two)).out, `${two} is deleted\n`)
  assert.match((await lectern('delete', two)).err, /no job/)
  assert.equal((await ada('GET /v1/installation/jobs?kind=deliver')).body.count, 0)
})

test('a job that was not tried keeps its time, and one that runs is left alone', async () => {
  const runAt = new Date(Date.now() + 3_600_000)
  await db.write((tx) => enqueue(tx, 'deliver', {}, { runAt }))
  const { body } = await ada('GET /v1/installation/jobs?kind=deliver&state=waiting')
  const [{ id }] = body.items
  for (const request of [`POST /v1/installation/jobs/${id}/retry`, `DELETE /v1/installation/jobs/${id}`])
    assert.equal((await ada(request)).body.error.reason, 'job-not-tried')
  await db.write((tx) => tx.updateTable('job').set({ leasedUntil: runAt.toISOString() }).execute())
  for (const request of [`POST /v1/installation/jobs/${id}/retry`, `DELETE /v1/installation/jobs/${id}`])
    assert.equal((await ada(request)).body.error.reason, 'job-runs')
  assert.equal((await ada('GET /v1/installation/jobs?kind=deliver&state=running')).body.count, 1)
  assert.equal((await ada('GET /v1/installation/jobs?kind=deliver&state=waiting')).body.count, 0)
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('only administrators of the organization of the first start see the jobs', async () => {
  const others = [
    await world.person('member', 'create'),
    await world.person('guest', null),
    await world.stranger('stranger'),
  ]
  for (const other of others) {
    const { status, body } = await other('GET /v1/installation/jobs')
    assert.deepEqual([status, body.error.reason], [403, 'installation-admin-required'])
  }
  assert.equal((await (await world.person('second', 'admin'))('GET /v1/installation/jobs')).status, 200)
})

test('a failed job is kept for 30 days, and of many the last 5,000', async (t) => {
  t.after(() => (clock.now = undefined))
  const begin = Date.now()
  await failedJob()
  const expire = () =>
    jobLoop(db, { 'expire-events': workers(world.app.services)['expire-events']! }, () => clock.now!, quiet)
  const expireAt = async (days: number) => {
    clock.now = new Date(begin + days * 86_400_000)
    await db.write((tx) => enqueue(tx, 'expire-events', {}))
    await expire().runDue()
  }
  const failed = async () => (await ada('GET /v1/installation/jobs?state=failed')).body.count
  await expireAt(29)
  assert.equal(await failed(), 1)
  await expireAt(31)
  assert.equal(await failed(), 0)

  const at = (i: number) => new Date(begin + 31 * 86_400_000 + i).toISOString()
  const rows = Array.from({ length: 5_010 }, (_, i) => ({
    id: `many-${i}`,
    kind: 'deliver',
    payload: '{}',
    askedBy: '',
    organizationId: '',
    dedupe: null,
    state: 'failed' as const,
    attempts: 8,
    lostLeases: 0,
    runAt: at(i),
    leasedUntil: null,
    error: 'no luck',
    firstTriedAt: at(i),
    lastTriedAt: at(i),
    createdAt: at(i),
  }))
  for (let i = 0; i < rows.length; i += 501)
    await db.write((tx) =>
      tx
        .insertInto('job')
        .values(rows.slice(i, i + 501))
        .execute(),
    )
  await expireAt(32)
  assert.equal(await failed(), 5_000)
})

test('wrong options of the command are refused', async () => {
  for (const args of [
    ['stop'],
    ['retry'],
    ['retry', 'x', '--all'],
    ['delete'],
    ['list', 'x'],
    ['--state', 'done'],
  ]) {
    const { code, err } = await lectern(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(err, /Use "lectern jobs"|--state must be/)
  }
})
