/** Who is notified when the syncs of a space with its repository stop, and when they work again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox } from '../mailbox.ts'
import { createWorld, type Person } from '../world.ts'
import { startGitHost } from './git-host.ts'
import { MAIN_BRANCH as main, REPOSITORY_FILES as FILES, syncedSpacesIn } from './synced-spaces.ts'

const host = await startGitHost()
const mail = mailbox()
const world = await createWorld({}, { mail })
const { ada, organizationId } = world
const { liveSpace } = syncedSpacesIn(world)
const grace = await world.person('Grace', 'create')
const alan = await world.person('Alan', 'admin')
const guest = await world.person('Guest', null)

async function connected(name: string, more: object = {}) {
  const { repository, address } = host.create(name)
  repository.commit(FILES)
  const space = await liveSpace()
  const answer = await grace(`PUT ${space}/git/connection`, { url: address, ...main, ...more })
  assert.equal(answer.status, 200, answer.text)
  await runDueJobs(world)
  return { repository, address, space }
}

async function synced(space: string, more: object = {}): Promise<string> {
  assert.equal((await grace(`POST ${space}/git/connection/sync`, more)).status, 204)
  await runDueJobs(world)
  return (await grace(`GET ${space}/git/connection`)).body.outcome
}

/** The kinds of the notifications of a user about a space, and the e-mails since the last call. */
async function heard(person: Person, space: string) {
  const { items } = (await person('GET /v1/user/notifications')).body
  const own = (items as { kind: string; space: { id: string }; urls: { app: string } }[]).filter(
    ({ space: { id } }) => space.endsWith(id),
  )
  for (const { urls } of own) assert.match(urls.app, /\/app\/s\/\w+\/~\/sync$/)
  return own.map(({ kind }) => kind)
}
const subjects = () =>
  mail.letters.splice(0).map(({ to, subject }) => `${to}: ${subject.replace(/localhost\S*/, 'HOST')}`)
const toAll = (names: readonly string[], subject: string) =>
  names.map((name) => `${name}@example.com: ${subject}`)
// The first administrator has an address at localhost, to which no e-mail goes.
const STOPPED = 'The syncs of a space on HOST have stopped'
const RESUMED = 'The syncs of a space on HOST work again'

test('a stop notifies its person and the administrators once, and so does the first sync that works again', async () => {
  const { repository, space } = await connected('once')
  subjects()
  repository.git('commit', '--quiet', '--amend', '--message', 'Another')
  assert.equal(await synced(space), 'stopped')
  assert.equal(await synced(space), 'stopped')
  assert.deepEqual(subjects().toSorted(), toAll(['alan', 'grace'], STOPPED))
  for (const person of [ada, alan, grace]) assert.deepEqual(await heard(person, space), ['sync-stopped'])

  await alan(`PATCH /v1/users/${alan.id}`, { language: 'zh' })
  assert.equal(await synced(space, { follow: true }), 'synced')
  assert.equal(await synced(space), 'synced')
  const chinese = 'alan@example.com: HOST 上一个空间的同步已恢复'
  assert.deepEqual(subjects().toSorted(), [chinese, ...toAll(['grace'], RESUMED)])
  for (const person of [ada, alan, grace])
    assert.deepEqual(await heard(person, space), ['sync-resumed', 'sync-stopped'])
})

test('a connection names who is notified, if they can see the space', async () => {
  const unknown = await grace(`PUT ${await liveSpace()}/git/connection`, {
    url: host.create('unknown').address,
    ...main,
    notify: [grace.id, guest.id],
  })
  assert.equal(unknown.status, 400)
  assert.equal(unknown.body.error.details[0].path, 'body.notify.1')
  const { repository, space, address } = await connected('named', { notify: [alan.id] })
  assert.deepEqual((await grace(`GET ${space}/git/connection`)).body.notify, [alan.id])
  // A change of the connection that names nobody keeps them.
  assert.deepEqual((await grace(`PUT ${space}/git/connection`, { url: address, ...main })).body.notify, [
    alan.id,
  ])
  await runDueJobs(world)
  repository.git('commit', '--quiet', '--amend', '--message', 'Another')
  assert.equal(await synced(space), 'stopped')
  assert.deepEqual(await heard(ada, space), [])
  for (const person of [alan, grace]) assert.deepEqual(await heard(person, space), ['sync-stopped'])
})

test('syncs that fail for an hour have stopped, and one that fails has not', async () => {
  const { space } = await connected('failing')
  const begin = Date.now()
  world.clock.now = new Date(begin)
  host.intercept = (_request, response) => {
    response.writeHead(500).end()
    return true
  }
  try {
    assert.equal(await synced(space), 'failed')
    world.clock.now = new Date(begin + 30 * 60_000)
    assert.equal(await synced(space), 'failed')
    assert.deepEqual(await heard(ada, space), [])
    world.clock.now = new Date(begin + 61 * 60_000)
    assert.equal(await synced(space), 'failed')
    assert.equal(await synced(space), 'failed')
    assert.deepEqual(await heard(ada, space), ['sync-stopped'])
    host.intercept = undefined
    assert.equal(await synced(space), 'synced')
    assert.deepEqual(await heard(ada, space), ['sync-resumed', 'sync-stopped'])
  } finally {
    host.intercept = undefined
    world.clock.now = undefined
  }
})

test('a user who can no longer see the space is not notified', async () => {
  const { repository, space } = await connected('shut')
  repository.git('commit', '--quiet', '--amend', '--message', 'Another')
  assert.equal((await ada(`DELETE /v1/orgs/${organizationId}/members/${grace.id}`)).status, 204)
  mail.letters.length = 0
  await world.db.write((tx) =>
    world.app.services.enqueue(tx, 'sync-repository', { spaceId: space.split('/').at(-1) }),
  )
  await runDueJobs(world)
  assert.deepEqual(
    subjects().filter((one) => one.startsWith('grace')),
    [],
  )
  assert.deepEqual(await heard(ada, space), ['sync-stopped'])
})
