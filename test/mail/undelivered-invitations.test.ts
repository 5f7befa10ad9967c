/** Administrators see whom an invitation by e-mail did not reach, and why. The mail server is a real one. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { workers } from '../../src/jobs/workers.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { openMail } from '../../src/mail/mail.ts'
import { freePort } from '../process.ts'
import { createWorld } from '../world.ts'
import { startMailServer } from './smtp-server.ts'

const MINUTE = 60_000
const server = await startMailServer('plain')
after(() => server.close())

const sender = { from: 'docs@example.com' }
const quietLog = () => ({ warn: () => {} })
const reached = openMail({ ...sender, url: `smtp://127.0.0.1:${server.port}` }, quietLog)
const closed = openMail({ ...sender, url: `smtp://user:s3cret@127.0.0.1:${await freePort()}` }, quietLog)
let current = reached
const world = await createWorld(
  {},
  {
    mail: {
      configured: true,
      send: (email) => current.send(email),
      // The list depends on reasons, and not on how the sentences of faults are worded.
      explain(error) {
        const fault = current.explain!(error)
        return { ...fault, why: { ...fault.why, message: 'Worded in another way' } }
      },
    },
  },
)
const { ada, organizationId, clock, db } = world
const org = `/v1/orgs/${organizationId}`
const quiet = { warn: () => {}, error: () => {} }
const now = () => clock.now ?? new Date()
const run = () => jobLoop(db, workers(world.app.services), now, quiet).runDue()
const invite = (email: string, role: string | null = 'read') =>
  ada(`POST ${org}/invites`, { emails: [email], role })
const undelivered = async () => (await ada(`GET ${org}/invites/undelivered`)).body
const later = (ms: number) => (clock.now = new Date(now().getTime() + ms))

test('an invitation waits until its e-mail is accepted, and is in the list until then', async () => {
  clock.now = new Date('2026-01-05T10:00:00Z')
  await invite('grace@example.com')
  const { items, count } = await undelivered()
  assert.equal(count, 1)
  const { id, ...rest } = items[0]
  assert.equal(typeof id, 'string')
  assert.deepEqual(rest, {
    object: 'undelivered-invitation',
    email: 'grace@example.com',
    role: 'read',
    state: 'waiting',
    createdAt: '2026-01-05T10:00:00.000Z',
    nextTryAt: '2026-01-05T10:00:00.000Z',
  })
  await run()
  assert.deepEqual(await undelivered(), { count: 0, items: [] })
})

test('an address that the mail server refuses is listed with its reply, and sent again by inviting it again', async () => {
  await invite('unknown@example.com', 'edit')
  await run()
  const at = now().toISOString()
  const [{ id, ...rest }] = (await undelivered()).items
  assert.deepEqual(rest, {
    object: 'undelivered-invitation',
    email: 'unknown@example.com',
    role: 'edit',
    state: 'failed',
    cause: 'recipient-refused',
    response: '550 no such user',
    createdAt: at,
    firstTriedAt: at,
    lastTriedAt: at,
  })

  assert.equal((await invite('unknown@example.com')).body.invited, 0, 'within ten minutes')
  assert.equal((await undelivered()).items[0].id, id)
  later(11 * MINUTE)
  assert.equal((await invite('unknown@example.com')).body.invited, 1)
  const [again, ...others] = (await undelivered()).items
  assert.deepEqual([again.state, again.email, others], ['waiting', 'unknown@example.com', []])
  server.accepts('unknown@example.com')
  await run()
  assert.equal((await undelivered()).count, 0, 'the failure before is not listed any more')
})

test('an e-mail that is tried again is listed with the next try, and inviting again tries it at once', async () => {
  await invite('busy@example.com', null)
  await run()
  const first = now().toISOString()
  later(2 * MINUTE)
  await run()
  const [item] = (await undelivered()).items
  assert.deepEqual(
    [item.state, item.role, item.cause, item.response, item.firstTriedAt, item.lastTriedAt],
    ['retrying', null, 'recipient-refused', '450 mailbox busy', first, now().toISOString()],
  )
  assert(item.nextTryAt > now().toISOString())
  for (let i = 0; i < 4; i++) {
    later(9 * MINUTE)
    await run()
  }
  const [waits] = (await undelivered()).items
  assert(waits.nextTryAt > now().toISOString())
  await invite('busy@example.com')
  const [due] = (await undelivered()).items
  assert.deepEqual([due.id, due.state, due.nextTryAt], [item.id, 'waiting', now().toISOString()])
  server.accepts('busy@example.com')
  await run()
  assert.equal((await undelivered()).count, 0)
})

test('a mail server that fails is named without its address and password', async () => {
  current = closed
  const known = await world.stranger('known')
  await invite('known@example.com', 'create')
  await invite('linus@example.com')
  await run()
  const answer = await ada(`GET ${org}/invites/undelivered`)
  assert.deepEqual(
    answer.body.items
      .map((one: Record<string, unknown>) => [one['email'], one['role'], one['state'], one['cause']])
      .toSorted(),
    [
      ['known@example.com', 'create', 'retrying', 'mail-server-failing'],
      ['linus@example.com', 'read', 'retrying', 'mail-server-failing'],
    ],
  )
  assert.doesNotMatch(answer.text, /127\.0\.0\.1|s3cret|response/)

  const page = await ada(`GET ${org}/invites/undelivered?limit=1`)
  const next = await ada(`GET ${org}/invites/undelivered?limit=1&page=${page.body.next.page}`)
  assert.equal(new Set([...page.body.items, ...next.body.items].map(({ id }) => id)).size, 2)

  const members = (await ada(`GET ${org}/members?search=linus`)).body
  await ada(`DELETE ${org}/members/${members.items[0].id}`)
  assert.deepEqual(
    (await undelivered()).items.map(({ email }: { email: string }) => email),
    ['known@example.com'],
    'a member who was removed needs no e-mail',
  )

  // The organization of another administrator has an e-mail of its own.
  await known(`POST /v1/orgs/${known.organizationId}/invites`, { emails: ['theirs@example.com'] })
  assert.equal((await undelivered()).count, 1)
  await db.write((tx) => tx.updateTable('invite').set({ usedAt: now().toISOString() }).execute())
  assert.equal((await undelivered()).count, 0, 'a user who has joined needs no e-mail')
})

test('only administrators of the organization see the list', async () => {
  for (const person of [await world.person('creator', 'create'), await world.person('visitor', null)])
    assert.equal((await person(`GET ${org}/invites/undelivered`)).status, 403)
})
