import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asJob } from '../../src/core/runtime/turns.ts'
import type { Row } from '../../src/db/schema.ts'
import { openDatabase } from '../../src/db/open.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import type { JobKind, Worker } from '../../src/jobs/queue/job-kind.ts'
import { leasesOf } from '../../src/jobs/queue/leases.ts'
import { afterLostLease } from '../../src/jobs/queue/lost-lease.ts'
import { PermanentFault, TRIES_OF_MAIL } from '../../src/jobs/queue/tries.ts'
import { workers } from '../../src/jobs/workers.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { db, ada, organizationId } = world
const { enqueue } = world.app.services

const logged: string[] = []
const log = {
  warn: (_: object, text: string) => logged.push(text),
  error: (_: object, text: string) => logged.push(text),
}
let now = new Date('2026-11-20T12:00:00.000Z')
const clock = () => now
const later = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000))
const run = (kinds: Record<string, Worker | JobKind>) => jobLoop(db, kinds, clock, log).runDue()
const waiting = () => db.read.selectFrom('job').selectAll().orderBy('id').execute()

test('a job runs if and only if its transaction is committed', async () => {
  const done: unknown[] = []
  const kinds = { note: async (payload: unknown) => void done.push(payload) }
  await assert.rejects(
    db.write(async (tx) => {
      await enqueue(tx, 'note', { kept: false }, { runAt: now })
      throw new Error('taken back')
    }),
  )
  await db.write((tx) => enqueue(tx, 'note', { kept: true }, { runAt: now }))
  assert.equal(await run(kinds), 1)
  assert.deepEqual(done, [{ kept: true }])
  assert.equal(await run(kinds), 0)
  assert.deepEqual(await waiting(), [])
})

test('a job waits until it is due', async () => {
  let done = 0
  const kinds = { note: async () => void done++ }
  await db.write((tx) => enqueue(tx, 'note', {}, { runAt: new Date(now.getTime() + 60_000) }))
  await run(kinds)
  assert.equal(done, 0)
  later(60)
  await run(kinds)
  assert.equal(done, 1)
})

test('of jobs with the same key only one waits', async () => {
  let done = 0
  for (let i = 0; i < 3; i++) await db.write((tx) => enqueue(tx, 'note', {}, { runAt: now, dedupe: 'one' }))
  await run({ note: async () => void done++ })
  assert.equal(done, 1)
})

test('a job whose payload is changed while it runs, runs again', async () => {
  const done: unknown[] = []
  const change = (payload: object) =>
    db.write((tx) =>
      tx
        .updateTable('job')
        .set({ payload: JSON.stringify(payload) })
        .execute(),
    )
  const note = async (payload: unknown) => {
    done.push(payload)
    if (done.length === 1) await change({ pages: 2 })
  }
  await db.write((tx) => enqueue(tx, 'note', { pages: 1 }, { runAt: now }))
  assert.equal(await run({ note }), 2)
  assert.deepEqual(done, [{ pages: 1 }, { pages: 2 }])
  assert.deepEqual(await waiting(), [])
})

test('a failing job is retried with growing delays, and fails for good after eight attempts', async () => {
  const kinds = {
    broken: async () => {
      throw new Error('no luck')
    },
  }
  await db.write((tx) => enqueue(tx, 'broken', {}, { runAt: now }))
  const delays: number[] = []
  for (let attempt = 1; attempt <= 8; attempt++) {
    assert.equal(await run(kinds), 1, `attempt ${attempt}`)
    const [job] = await waiting()
    assert.equal(job?.attempts, attempt)
    delays.push(new Date(job?.runAt ?? 0).getTime() - now.getTime())
    later(3600)
  }
  for (const [i, delay] of [2000, 4000, 8000, 16_000].entries())
    assert(Math.abs(delays[i]! - delay) <= delay / 10, `${delays[i]} ms after ${i + 1} tries`)
  assert.equal(await run(kinds), 0)
  const [failed] = await waiting()
  assert.equal(failed?.state, 'failed')
  assert.match(failed?.error ?? '', /no luck/)
  assert.equal(logged.at(-1), 'job failed for good')
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('an e-mail is tried for five days, at last every four hours, and then kept as failed', async (t) => {
  const begin = now
  t.after(() => (now = begin))
  const kinds: Record<string, JobKind> = {
    mail: {
      run: async () => {
        throw new Error('connect ECONNREFUSED 192.0.2.1:587')
      },
      limitMs: 1000,
      tries: TRIES_OF_MAIL,
    },
  }
  await db.write((tx) => enqueue(tx, 'mail', {}, { runAt: now }))
  let longest = 0
  for (;;) {
    assert.equal(await run(kinds), 1)
    const [job] = await waiting()
    assert.equal(job?.firstTriedAt, begin.toISOString())
    assert.equal(job.lastTriedAt, now.toISOString())
    if (job.state === 'failed') break
    const delay = new Date(job.runAt).getTime() - now.getTime()
    longest = Math.max(longest, delay)
    now = new Date(job.runAt)
  }
  const days = (now.getTime() - begin.getTime()) / 86_400_000
  assert(days > 4.7 && days <= 5, `${days} days`)
  assert(longest > 3.5 * 3_600_000 && longest <= 4.4 * 3_600_000, `${longest} ms`)
  assert.equal((await waiting())[0]?.runAt, now.toISOString(), 'when it failed')
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('after a standstill of days a job that fails is tried again', async (t) => {
  const begin = now
  t.after(() => (now = begin))
  const kinds = {
    broken: async () => {
      throw new Error('no luck')
    },
  }
  await db.write((tx) => enqueue(tx, 'broken', {}, { runAt: now }))
  await run(kinds)
  later(7 * 86_400)
  await run(kinds)
  assert.equal((await waiting())[0]?.state, 'waiting')
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('a permanent fault ends a job at once, and its error has no secrets', async () => {
  const kinds = {
    refused: async () => {
      throw new PermanentFault(
        'Cannot reach https://ada:pass@example.com/a?key=abc\nwith Bearer abcdef, password=hunter2',
      )
    },
  }
  await db.write((tx) => enqueue(tx, 'refused', {}, { runAt: now }))
  await run(kinds)
  const [job] = await waiting()
  assert.deepEqual([job?.state, job?.attempts], ['failed', 1])
  assert.equal(
    job?.error,
    'Cannot reach https://[secret]@example.com/a?[secret] with Bearer [secret], password=[secret]',
  )
  assert.equal(logged.at(-1), 'job failed for good')
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('a job of a kind that only a newer version has is tried for a day', async (t) => {
  const begin = now
  t.after(() => (now = begin))
  await db.write((tx) => enqueue(tx, 'of-the-future', {}, { runAt: now }))
  for (let attempt = 1; attempt <= 20; attempt++) {
    await run({})
    const [job] = await waiting()
    assert.equal(job?.state, 'waiting', `attempt ${attempt}`)
    now = new Date(job.runAt)
  }
  assert.match((await waiting())[0]?.error ?? '', /"of-the-future"/)
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('the job of a dead process is run by another one after the lease expires, and not before', async () => {
  await db.write((tx) => enqueue(tx, 'note', {}, { runAt: now }))
  const leasedUntil = new Date(now.getTime() + 60_000).toISOString()
  await db.write((tx) => tx.updateTable('job').set({ leasedUntil }).execute())
  let done = 0
  const kinds = { note: async () => void done++ }
  await run(kinds)
  assert.equal(done, 0)
  later(61)
  await run(kinds)
  assert.equal(done, 1)
})

/** A process that claims a due job and ends while it runs. @returns how many jobs it claimed */
async function endWhileRunning(): Promise<number> {
  const leases = leasesOf({ db, clock, log }, 60_000)
  const job = await leases.claim('note')
  later(61)
  return job ? 1 : 0
}

test('a job that ends its process again and again fails for good after five times in a row', async (t) => {
  t.after(() => db.write((tx) => tx.deleteFrom('job').execute()))
  await db.write((tx) => enqueue(tx, 'note', {}, { runAt: now }))
  logged.length = 0
  const seen: [claims: number, attempts: number, state: string][] = []
  for (let i = 0; i < 6; i++) {
    // The first try finds no lost lease; those that wait after several are due at the latest after 32 minutes.
    let claims = await endWhileRunning()
    later(32 * 60)
    claims += claims === 0 ? await endWhileRunning() : 0
    const [job] = await waiting()
    seen.push([claims, job!.attempts, job!.state])
  }
  assert.deepEqual(seen, [
    [1, 0, 'waiting'],
    [1, 1, 'waiting'],
    [1, 2, 'waiting'],
    [1, 3, 'waiting'],
    [1, 4, 'waiting'],
    [0, 5, 'failed'],
  ])
  const [job] = await waiting()
  assert.match(job!.error!, /^The server stopped 5 times in a row while this job ran/)
  const lost = 'the lease of a job ran out; the job is tried again'
  assert.deepEqual(logged, [lost, lost, lost, lost, 'job failed for good'], 'each lost lease is logged once')

  const { body } = await ada('GET /v1/installation/jobs?state=failed')
  const [{ attempts, reason, parameters }] = body.items
  assert.deepEqual(
    { attempts, reason, parameters },
    { attempts: 5, reason: 'job-ended-servers', parameters: { count: 5 } },
  )
  await ada(`POST /v1/installation/jobs/${job!.id}/retry`)
  await db.write((tx) => tx.updateTable('job').set({ runAt: now.toISOString() }).execute())
  assert.equal(await endWhileRunning(), 1)
  assert.equal(await endWhileRunning(), 1, 'its tries begin anew')
})

test('only leases that are lost in a row count: a run that ends, however it does, begins anew', async (t) => {
  const ends: Record<string, Worker> = {
    fails: async () => {
      throw new Error('refused')
    },
    'lets others come first': async () => 'later',
    succeeds: async () => undefined,
  }
  t.after(() => db.write((tx) => tx.deleteFrom('job').execute()))
  for (const [name, end] of Object.entries(ends)) {
    await db.write((tx) => tx.deleteFrom('job').execute())
    await db.write((tx) => enqueue(tx, 'note', {}, { runAt: now }))
    await endWhileRunning()
    const stopping = jobLoop(
      db,
      { note: async (payload, job) => (await stopping.stop(), end(payload, job)) },
      clock,
      log,
    )
    await stopping.runDue()
    const [job] = await waiting()
    assert.equal(job?.lostLeases ?? 0, 0, name)
    assert.notEqual(job?.state, 'failed', name)
  }
})

test('jobs that lose leases together do not run together again', () => {
  const job = { lostLeases: 1, attempts: 1, firstTriedAt: null } as Row<'job'>
  const waits = [0, 0.5, 1].map((random) => {
    const { runAt } = afterLostLease(job, now, random)
    return (new Date(runAt!).getTime() - now.getTime()) / 60_000
  })
  assert.deepEqual(waits, [0, 2, 4])
})

test('two processes never run the same job at the same time', async () => {
  for (let i = 0; i < 20; i++) await db.write((tx) => enqueue(tx, 'note', { i }, { runAt: now }))
  const seen: number[] = []
  const kinds = { note: async ({ i }: { i: number }) => void seen.push(i) }
  await Promise.all([run(kinds), run(kinds), run(kinds)])
  while ((await run(kinds)) > 0);
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => i),
  )
})

test('two processes with slow jobs run each job once', async (t) => {
  const other = await openDatabase({ ...world.config, durable: false })
  t.after(() => other.close())
  for (let i = 0; i < 4; i++) await db.write((tx) => enqueue(tx, 'slow', { i }, { runAt: new Date(0) }))

  // Each job takes three times as long as its lease.
  const runs: number[] = []
  const kinds = {
    slow: async ({ i }: { i: number }) => {
      runs.push(i)
      await sleep(1500)
    },
  }
  const realClock = () => new Date()
  const loops = [db, other].map((database) => jobLoop(database, kinds, realClock, log, { leaseMs: 500 }))
  const counts = loops.map(async (loop) => {
    let count = 0
    while ((await waiting()).length > 0) {
      count += await loop.runDue()
      await sleep(50)
    }
    return count
  })
  const ran = await Promise.all(counts)
  assert.ok(
    ran.every((count) => count >= 1),
    `one process ran all jobs: ${ran.join()}`,
  )
  assert.deepEqual(runs.toSorted(), [0, 1, 2, 3])
})

test('a process cannot end a job that another one has claimed meanwhile', async () => {
  await db.write((tx) => enqueue(tx, 'note', {}, { runAt: now }))
  const leasedUntil = new Date(now.getTime() + 120_000).toISOString()
  await run({
    note: async () => void (await db.write((tx) => tx.updateTable('job').set({ leasedUntil }).execute())),
  })
  assert.deepEqual(
    (await waiting()).map((job) => [job.leasedUntil, job.attempts]),
    [[leasedUntil, 0]],
  )
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('an upload expires after a day, and its bytes are removed', async () => {
  const { body } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'a.zip', type: 'application/zip', size: 4 },
    kind: 'import_file',
  })
  assert.equal((await fetch(body.url, { method: 'PUT', body: 'abcd' })).status, 204)
  const row = await db.read
    .selectFrom('upload')
    .select('blob')
    .where('id', '=', body.key)
    .executeTakeFirstOrThrow()
  const kinds = workers(world.app.services)
  for (const hours of [0, 2, 25]) {
    world.clock.now = now = new Date(Date.now() + hours * 3_600_000)
    while ((await run(kinds)) > 0);
    assert.equal(await world.app.services.blobs.has(row.blob ?? ''), hours < 24)
  }
  assert.equal((await fetch(body.url)).status, 404)
  world.clock.now = undefined
})

test('bytes of an uncommitted change are not removed; unreferenced bytes are removed later', async () => {
  const { blobs } = world.app.services
  const { hash } = await blobs.put(Buffer.from('put by a change that is not committed'))
  const kinds = workers(world.app.services)
  world.clock.now = now = new Date()
  await db.write((tx) => enqueue(tx, 'remove-blob', { hash }))
  while ((await run(kinds)) > 0);
  assert.equal(await blobs.has(hash), true)
  assert.deepEqual(
    (await waiting()).map(({ kind }) => kind),
    ['remove-blob'],
  )

  world.clock.now = now = new Date(Date.now() + 2 * 3_600_000)
  while ((await run(kinds)) > 0);
  assert.equal(await blobs.has(hash), false)
  assert.deepEqual(await waiting(), [])
  world.clock.now = undefined
})

test('of one kind, users take turns, and then the organizations of each, in the order in which their jobs came', async () => {
  await db.write((tx) => tx.deleteFrom('job').execute())
  const order: string[] = []
  const note: Worker = async ({ i }: { i: number }, { askedBy, organizationId: organization }) => {
    order.push(`${askedBy || '-'} ${organization || '-'} ${i}`)
  }
  const add = (userId: string | undefined, organization: string | undefined, i: number) =>
    asJob(userId, () =>
      db.write((tx) =>
        enqueue(tx, 'note', { i }, { runAt: new Date(i), ...(organization ? { organization } : {}) }),
      ),
    )
  for (let i = 1; i <= 3; i++) await add('eve', 'a', i)
  for (let i = 1; i <= 2; i++) await add('eve', 'b', i)
  for (let i = 1; i <= 2; i++) await add('ada', 'b', i)
  await add(undefined, 'c', 1)
  await add('ada', undefined, 1)
  await run({ note })
  assert.deepEqual(order, [
    '- - 1',
    'ada b 1',
    'c c 1',
    'eve a 1',
    'ada b 2',
    'eve b 1',
    'eve a 2',
    'eve b 2',
    'eve a 3',
  ])
})

test('a user who asks again and again has every other turn', async () => {
  const order: string[] = []
  const add = (userId: string) =>
    asJob(userId, () =>
      db.write((tx) => enqueue(tx, 'note', {}, { runAt: new Date(0), organization: `of ${userId}` })),
    )
  const note: Worker = async (_, { askedBy }) => {
    order.push(askedBy)
    if (askedBy === 'ada' && order.length < 12) await add('ada')
  }
  for (let i = 0; i < 4; i++) await add('eve')
  await add('ada')
  await run({ note })
  assert.deepEqual(order.slice(0, 8).filter((user) => user === 'eve').length, 4, order.join())
})
