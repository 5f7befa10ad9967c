/** What administrators of the installation see of it: copies, checks, sizes, slow requests and failed sign-ins. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { BlobStoreFault } from '../../src/blobs/blobs.ts'
import { ownProcess } from '../../src/http/own-process.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { renewCopy } from '../../src/model/installation/copies.ts'
import { isNewer } from '../../src/model/installation/health-checks.ts'
import { runHere } from '../process.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_SECRET: 'abababababababababababababababababab' })
const { ada, app, clock, db, nobody } = world
const { own } = app.services
const quiet = { warn: () => {}, error: () => {} }
const reasons = async () =>
  (await ada('GET /v1/installation')).body.checks.map(({ reason }: { reason: string }) => reason)

test('the checks say what is wrong, and what to do', async (t) => {
  t.after(() => (clock.now = undefined))
  assert.deepEqual(await reasons(), ['check-secret-weak', 'check-backup-unknown', 'check-mail-missing'])

  await app.services.db.write((tx) => app.services.enqueue(tx, 'of-another-version', {}))
  clock.now = new Date(Date.now() + 20 * 60_000)
  const { body } = await ada('GET /v1/installation')
  const [late] = body.checks
  assert.deepEqual(
    [late.level, late.reason, late.parameters],
    ['problem', 'check-queue-old', { minutes: 20 }],
  )
  assert.match(late.message, /due for 20 minutes/)
  assert.equal(body.jobs.waiting, 1)
  assert.equal(body.jobs.kinds[0].kind, 'of-another-version')
  await db.write((tx) => tx.deleteFrom('job').execute())
})

test('the command of a backup notes its time, and the check warns when it is a week ago', async (t) => {
  t.after(() => (clock.now = undefined))
  const env = {
    LECTERN_DATA: world.config.data,
    ...(world.config.databaseUrl ? { DATABASE_URL: world.config.databaseUrl } : {}),
  }
  assert.equal((await runHere(['backup'], env)).code, 1)
  const { code, out } = await runHere(['backup', 'done'], env)
  assert.equal(code, 0)
  const { body } = await ada('GET /v1/installation')
  assert(out.includes(body.backupAt))
  assert(!(await reasons()).includes('check-backup-unknown'))
  clock.now = new Date(Date.now() + 8 * 86_400_000)
  assert((await reasons()).includes('check-backup-old'))
})

test('all copies of the server are shown while they run, with their slow requests', async () => {
  const now = new Date()
  const { id: _, ...same } = own
  const other = ownProcess({ ...same, id: 'other', host: 'second' })
  const request = { operation: 'GET /v1/spaces/:spaceId', status: 200 }
  other.noteRequest({ ...request, at: new Date(now.getTime() - 2 * 3_600_000).toISOString(), ms: 9000 })
  other.noteRequest({ ...request, at: now.toISOString(), ms: 1500 })
  own.noteRequest({ ...request, at: now.toISOString(), ms: 2500 })
  await renewCopy(db, other, now)
  const { body } = await ada('GET /v1/installation')
  assert.equal(body.copies.length, 2)
  assert(body.copies.some(({ host }: { host: string }) => host === 'second'))
  assert.deepEqual(
    body.slowRequests.map(({ ms }: { ms: number }) => ms),
    [2500, 1500],
    'of the last hour, the slowest first',
  )
  await renewCopy(db, own, new Date(now.getTime() + 10 * 60_000))
  assert.equal(
    (await ada('GET /v1/installation')).body.copies.length,
    1,
    'a copy that no longer reports is gone',
  )
})

test('failed sign-ins are counted by hour and network', async () => {
  for (let i = 0; i < 3; i++) {
    const wrong = { email: 'nobody@example.com', password: 'not the right password' }
    assert.equal((await nobody('POST /v1/account/sessions', wrong)).status, 401)
  }
  await renewCopy(db, own, new Date())
  const { body } = await ada('GET /v1/installation/failed-sign-ins')
  assert.equal(body.total, 3)
  assert.deepEqual([body.networks.length, body.networks[0].count], [1, 3])
  assert.match(body.networks[0].network, /^127\.0\.0\.0\/24$|\/64$/)
  await renewCopy(db, own, new Date(Date.now() + 26 * 3_600_000))
  assert.equal((await ada('GET /v1/installation/failed-sign-ins')).body.total, 0)
})

test('the sizes of the database and of organizations are measured', async () => {
  const { body } = await ada('GET /v1/installation/sizes')
  assert(body.databaseBytes > 10_000)
  assert.equal(body.organizations.length, 1)
  assert.equal(body.organizations[0].id, world.organizationId)
  const again = await ada('GET /v1/installation/sizes')
  assert.equal(again.body.measuredAt, body.measuredAt, 'kept for minutes')
})

test('a store of files that fails is a problem', async () => {
  let check = async (): Promise<void> => {
    throw new BlobStoreFault('unreachable', new Error('connect ECONNREFUSED 192.0.2.1'))
  }
  const blobs = { ...app.services.blobs, check: () => check() }
  const stored = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' }, { blobs })
  const found = async () => (await stored.ada('GET /v1/installation')).body.checks[0]
  const { level, reason, message } = await found()
  assert.deepEqual([level, reason], ['problem', 'check-files-fail'])
  assert.match(message, /LECTERN_S3_.* cannot be reached/)
  check = () => new Promise(() => undefined)
  assert.match((await found()).message, /does not respond in time/)
  check = async () => undefined
  assert.notEqual((await found()).reason, 'check-files-fail')
})

test('a mail server that fails is a problem until it accepts an e-mail again', async () => {
  let isBroken = true
  const mailed = await createWorld(
    { LECTERN_ADMIN_EMAIL: 'ada@example.com' },
    {
      mail: {
        configured: true,
        send: async () => {
          if (isBroken) throw new Error('connect ECONNREFUSED smtp://user:pass@192.0.2.1')
        },
      },
    },
  )
  const send = async () => {
    await mailed.db.write(async (tx) => {
      await tx.deleteFrom('job').execute()
      await mailed.app.services.enqueue(tx, 'send-email', {
        template: 'password-reset',
        email: 'ada@example.com',
      })
    })
    await jobLoop(mailed.db, workers(mailed.app.services), mailed.app.services.now, quiet).runDue()
    return (await mailed.ada('GET /v1/installation')).body
  }
  const failing = await send()
  assert.equal(failing.checks[0].reason, 'check-mail-fails')
  assert.equal(failing.mail.error, 'connect ECONNREFUSED smtp://[secret]@192.0.2.1')
  isBroken = false
  const works = await send()
  assert(works.mail.sentAt)
  assert(!works.checks.some(({ reason }: { reason: string }) => reason === 'check-mail-fails'))
})

test('the newest version is looked up only where the operator says', async (t) => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ tag_name: 'v99.0.0' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  const check = async (of: typeof world) => {
    await of.db.write((tx) => of.app.services.enqueue(tx, 'check-update', {}))
    await jobLoop(of.db, workers(of.app.services), of.app.services.now, quiet).runDue()
    return (await of.ada('GET /v1/installation')).body
  }
  assert.equal((await check(world)).newestVersion, undefined)
  assert.deepEqual(paths, [])
  const checking = await createWorld({ LECTERN_UPDATE_URL: `http://127.0.0.1:${port}/latest` })
  const state = await check(checking)
  assert.deepEqual(paths, ['/latest'])
  assert.equal(state.newestVersion, '99.0.0')
  assert(state.checks.some(({ reason }: { reason: string }) => reason === 'check-update'))
  const next = await checking.db.read.selectFrom('job').select('runAt').executeTakeFirstOrThrow()
  assert(new Date(next.runAt).getTime() > Date.now() + 23 * 3_600_000, 'again tomorrow')
})

test('versions are compared by their numbers', () => {
  assert(isNewer('1.10.0', '1.9.9'))
  assert(isNewer('v2.0.0', '1.9.9'))
  assert(isNewer('1.0.0', '1.0.0-beta.1'))
  assert(!isNewer('1.0.0', '1.0.0'))
  assert(!isNewer('1.0.0-beta.1', '1.0.0'))
  assert(!isNewer('0.9.0', '1.0.0'))
})

test('only administrators of the installation have the permission to administer it', async () => {
  assert.equal((await ada('GET /v1/user')).body.permissions.administerInstallation, true)
  const other = await world.stranger('eve')
  assert.equal((await other('GET /v1/user')).body.permissions.administerInstallation, false)
  for (const path of ['', '/sizes', '/failed-sign-ins'])
    assert.equal((await other(`GET /v1/installation${path}`)).status, 403)
})
