/** The server keeps a space in step with the repository that it is connected with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { contentAt } from '../imports/syncing.ts'
import { createWorld } from '../world.ts'
import { HOST_TOKEN, startGitHost } from './git-host.ts'
import { MAIN_BRANCH as main, REPOSITORY_FILES as FILES, syncedSpacesIn } from './synced-spaces.ts'

const host = await startGitHost()
const world = await createWorld()
const { ada, organizationId } = world
const { liveSpace, edit } = syncedSpacesIn(world)

async function connect(space: string, url: string, more: object = {}) {
  const answer = await ada(`PUT ${space}/git/connection`, { url, ...main, ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Syncs now. @returns the connection afterwards */
async function synced(space: string, more: object = {}) {
  const answer = await ada(`POST ${space}/git/connection/sync`, more)
  assert.equal(answer.status, 204, answer.text)
  await runDueJobs(world)
  return (await ada(`GET ${space}/git/connection`)).body
}

/** A connected space, after the first sync. */
async function connected(name: string) {
  const { repository, address } = host.create(name)
  const start = repository.commit(FILES)
  const space = await liveSpace()
  assert.equal((await connect(space, address)).syncing, true)
  await runDueJobs(world)
  const { outcome, syncing } = (await ada(`GET ${space}/git/connection`)).body
  assert.deepEqual([outcome, syncing], ['synced', false])
  return { repository, address, space, start }
}

test('the branch replaces the content of a space that has some, and gets no commit for it', async () => {
  const { repository, address } = host.create('replacing')
  const start = repository.commit(FILES)
  const space = await liveSpace()
  await edit(space, 'Mine', 'Mine.\n')
  const body = { url: address, ...main }
  assert.equal((await ada(`PUT ${space}/git/connection`, body)).body.error.reason, 'repository-would-replace')
  await connect(space, address, { force: true })
  await runDueJobs(world)
  assert.equal((await ada(`GET ${space}/git/connection`)).body.outcome, 'synced')
  assert.equal((await contentAt(world, space)).texts['a.md'], FILES['docs/a.md'])
  assert.equal(repository.git('rev-parse', 'main').trim(), start)
})

test('a push becomes a revision, and an edit a commit with its author', async () => {
  const { repository, space, start } = await connected('steps')
  assert.equal((await contentAt(world, space)).texts['a.md'], FILES['docs/a.md'])
  assert.equal(repository.git('rev-parse', 'main').trim(), start)

  await edit(space, 'A', '# A\n\nOne, in the space.\n\nTwo.\n')
  const pushed = repository.commit({ 'docs/a.md': '# A\n\nOne.\n\nTwo, in the branch.\n' })
  const after = await synced(space)
  assert.equal(after.outcome, 'synced', JSON.stringify(after))
  assert.equal(after.importedCommit, pushed)
  const merged = '# A\n\nOne, in the space.\n\nTwo, in the branch.\n'
  assert.equal((await contentAt(world, space)).texts['a.md'], merged)
  assert.deepEqual(repository.files(), { ...FILES, 'docs/a.md': merged })
  const newest = repository.git('rev-parse', 'main').trim()
  assert.equal(after.exportedCommit, newest)
  const shown = repository.git('log', '-1', '--format=%ae%n%P%n%(trailers:key=Lectern-Revision)').trim()
  assert.match(shown, new RegExp(`^${ada.id}@users\\.invalid\n${pushed}\nLectern-Revision: \\w+`))

  // Nothing changed, so that there is no commit, no revision and no entry.
  const { revision } = await contentAt(world, space)
  const before = host.requests.length
  await synced(space)
  // The server asks for the commits of the branches, and copies nothing.
  assert.equal(host.requests.length, before + 2)
  assert.equal((await contentAt(world, space)).revision, revision)
  assert.equal(repository.git('rev-parse', 'main').trim(), newest)
  const { items } = (await ada(`GET ${space}/git/connection/syncs`)).body
  assert.deepEqual(
    (items as { importedCommit?: string; exportedCommit?: string }[]).map((one) => [
      one.importedCommit,
      one.exportedCommit,
    ]),
    [
      [pushed, newest],
      [start, undefined],
    ],
  )

  const { body: events } = await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=100`)
  const actions = (events.items as { action: string }[]).map(({ action }) => action)
  assert(actions.includes('space.git.connect') && actions.includes('space.git.sync'))
})

test('a merged change request is a commit with its subject, and several are named in one', async () => {
  const { repository, space } = await connected('subjects')
  const merge = async (subject: string, markdown: string) => {
    const { body } = await ada(`POST ${space}/change-requests`, { subject })
    const change = `${space}/change-requests/${body.id}`
    const page = (await contentAt(world, space)).pages.find(({ title }) => title === 'B')!
    const update = { operation: 'update_page', page: page.id, document: { markdown } }
    assert.equal((await ada(`POST ${change}/content`, { changes: [update] })).status, 200)
    await ada(`PATCH ${change}`, { status: 'open' })
    assert.equal((await ada(`POST ${change}/merge`)).status, 200)
  }
  await merge('Explain B', '# B\n\nFirst.\n')
  await synced(space)
  assert.match(repository.git('log', '-1', '--format=%B'), /^Explain B\n\nLectern-Change-Request: 1\n/)
  await merge('Extend B', '# B\n\nSecond.\n')
  await merge('Mend B', '# B\n\nThird.\n')
  await synced(space)
  assert.match(
    repository.git('log', '-1', '--format=%B'),
    /^Update the documentation: 2 changes\n\n\* Extend B\n\* Mend B\n\nLectern-Change-Request: 2\n/,
  )
  assert.equal(repository.files()['docs/b.md'], '# B\n\nThird.\n')
})

test('a conflict waits for a decision, and then the sync goes on', async () => {
  const { repository, space } = await connected('waiting')
  await edit(space, 'A', '# A\n\nOne, here.\n\nTwo.\n')
  const pushed = repository.commit({ 'docs/a.md': '# A\n\nOne, there.\n\nTwo.\n' })
  assert.equal((await synced(space)).outcome, 'waiting')
  assert.equal((await synced(space)).outcome, 'waiting')
  assert.equal(repository.git('rev-parse', 'main').trim(), pushed)
  const { items: listed } = (await ada(`GET ${space}/git/connection/syncs`)).body
  assert.equal(listed[0].changeRequest, 1)

  const { changeRequest } = (await ada(`GET ${space}/git/info`)).body
  const proposal = `${space}/change-requests/${changeRequest}`
  const { items } = (await ada(`GET ${proposal}/conflicts`)).body
  await ada(`POST ${proposal}/conflicts/${items[0].id}/resolve`, { side: 'primary' })
  await ada(`POST ${proposal}/merge`)
  assert.equal((await synced(space)).outcome, 'synced')
  assert.equal(repository.files()['docs/a.md'], '# A\n\nOne, here.\n\nTwo.\n')
})

test('history that was rewritten stops the syncs until somebody follows it', async () => {
  const { repository, space, start } = await connected('rewritten')
  repository.commit({ 'docs/a.md': '# A\n\nOne.\n\nTwo, lost.\n' })
  await synced(space)
  repository.git('reset', '--quiet', '--hard', start)
  const other = repository.commit({ 'docs/b.md': '# B\n\nOther.\n' })
  await edit(space, 'Home', '# Home\n\nEdited.\n')
  const after = await synced(space)
  assert.deepEqual([after.outcome, after.fault.reason], ['stopped', 'repository-rewritten'])
  assert.equal(after.nextSyncAt, undefined)
  assert.equal(repository.git('rev-parse', 'main').trim(), other)

  const followed = await synced(space, { follow: true })
  assert.equal(followed.outcome, 'synced')
  assert.notEqual(followed.nextSyncAt, undefined)
  assert.equal(repository.files()['docs/a.md'], FILES['docs/a.md'])
  assert.equal(repository.files()['docs/README.md'], '# Home\n\nEdited.\n')
  assert.equal((await contentAt(world, space)).texts['b.md'], '# B\n\nOther.\n')
})

test('after the history was rewritten, the space can be pushed back on top of it', async () => {
  const { repository, space, start } = await connected('pushed-back')
  repository.commit({ 'docs/a.md': '# A\n\nOne.\n\nTwo, here.\n' })
  await synced(space)
  const before = await contentAt(world, space)
  repository.git('reset', '--quiet', '--hard', start)
  const other = repository.commit({
    'docs/SUMMARY.md': '# Contents\n\n- [Home](README.md)\n- [A](a.md)\n',
    'docs/b.md': null,
    LICENSE: 'Freer\n',
  })
  const stopped = await synced(space)
  const { commit: _commit, ...counts } = stopped.fault.parameters
  assert.deepEqual(counts, { branch: 'main', created: 0, updated: 1, deleted: 1 })
  const both = await ada(`POST ${space}/git/connection/sync`, { follow: true, pushBack: true })
  assert.equal(both.body.error.details[0].reason, 'follow-and-push-back')

  const after = await synced(space, { pushBack: true })
  assert.equal(after.outcome, 'synced', JSON.stringify(after.fault))
  // Nothing was forced: the commit of the others is below, and what is no documentation stays as they left it.
  assert.equal(repository.git('rev-parse', 'main^').trim(), other)
  const { files, texts } = { files: repository.files(), texts: (await contentAt(world, space)).texts }
  assert.deepEqual(texts, before.texts)
  for (const [path, text] of Object.entries(texts)) assert.equal(files[`docs/${path}`], text)
  assert.equal(files.LICENSE, 'Freer\n')
  assert.equal(files['docs/SUMMARY.md'], FILES['docs/SUMMARY.md'])
  const next = repository.commit({ 'docs/b.md': '# B\n\nNext.\n' })
  assert.equal((await synced(space)).importedCommit, next)

  // Without rewritten history, the decision changes nothing: both sides are merged.
  const unseen = repository.commit({ 'docs/b.md': '# B\n\nUnseen.\n' })
  assert.equal((await synced(space, { pushBack: true })).importedCommit, unseen)
  assert.equal((await contentAt(world, space)).texts['b.md'], '# B\n\nUnseen.\n')
})

test('a sync is due after the interval, and two copies of the server make one commit', async () => {
  const { repository, space } = await connected('interval')
  await edit(space, 'B', '# B\n\nNew.\n')
  const count = () => Number(repository.git('rev-list', '--count', 'main'))
  const before = count()
  world.clock.now = new Date(Date.now() + 6 * 60_000)
  try {
    const { services } = world.app
    await world.db.write((tx) => services.enqueue(tx, 'look-for-syncs', {}))
    await Promise.all([runDueJobs(world), runDueJobs(world)])
    await runDueJobs(world)
  } finally {
    world.clock.now = undefined
  }
  assert.equal(count(), before + 1)
  assert.equal(repository.files()['docs/b.md'], '# B\n\nNew.\n')
})

test('credentials are sealed, stay when the connection changes, and are in no response', async () => {
  const { repository, address } = host.create('closed-connection')
  repository.commit(FILES)
  const space = await liveSpace()
  const refused = await ada(`PUT ${space}/git/connection`, { url: address, ...main })
  assert.equal(refused.body.error.reason, 'repository-refuses')
  const made = await connect(space, address.replace('//', `//${HOST_TOKEN.user}:${HOST_TOKEN.token}@`))
  assert.deepEqual([made.url, made.hasCredentials], [address, true])
  const changed = await connect(space, address, { intervalMinutes: 60 })
  assert.deepEqual([changed.hasCredentials, changed.intervalMinutes], [true, 60])
  await runDueJobs(world)
  assert.equal((await contentAt(world, space)).texts['b.md'], '# B\n')

  const rows = await world.db.read.selectFrom('repositoryConnection').selectAll().execute()
  const jobs = await world.db.read.selectFrom('job').selectAll().execute()
  const { text } = await ada(`GET ${space}/git/connection`)
  const events = await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=100`)
  const basic = Buffer.from(`${HOST_TOKEN.user}:${HOST_TOKEN.token}`).toString('base64')
  for (const one of [JSON.stringify(rows), JSON.stringify(jobs), text, events.text])
    assert(!one.includes(HOST_TOKEN.token) && !one.includes(basic))

  assert.equal((await ada(`DELETE ${space}/git/connection`)).status, 204)
  assert.equal((await ada(`GET ${space}/git/connection`)).status, 404)
  assert.deepEqual((await ada(`GET ${space}/git/connection/syncs`)).body.items, [])
})

test('a sync stops when the user who connected the repository loses the role', async () => {
  const { repository, address } = host.create('role')
  repository.commit(FILES)
  const space = await liveSpace()
  const grace = await world.person('Grace', 'create')
  const answer = await grace(`PUT ${space}/git/connection`, { url: address, ...main })
  assert.equal(answer.status, 200, answer.text)
  const role = { role: 'read' }
  assert.equal((await ada(`PATCH /v1/orgs/${organizationId}/members/${grace.id}`, role)).status, 200)
  await runDueJobs(world)
  const { body } = await ada(`GET ${space}/git/connection`)
  assert.deepEqual([body.outcome, body.fault.reason], ['stopped', 'sync-without-role'])
  assert.deepEqual((await contentAt(world, space)).pages, [])
})

test('a connection does not replace content without force, and a missing branch is created', async () => {
  const { repository, address } = host.create('own')
  repository.commit(FILES)
  const space = await liveSpace()
  await edit(space, 'Mine', 'Text\n')
  const refused = await ada(`PUT ${space}/git/connection`, { url: address, ...main })
  assert.equal(refused.body.error.reason, 'repository-would-replace')
  await connect(space, address, { ref: 'refs/heads/next', repoProjectDirectory: 'guide' })
  await runDueJobs(world)
  assert.equal((await ada(`GET ${space}/git/connection`)).body.outcome, 'synced')
  assert.equal(repository.git('show', 'next:guide/mine.md'), 'Text\n')
  assert.equal(repository.git('show', 'next:docs/a.md'), FILES['docs/a.md'])
})
