import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposalsIn } from '../proposing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, db } = world
const { write, liveSpace, propose } = proposalsIn(world)
const reader = await world.person('reader', 'read')
const editor = await world.person('editor', 'edit')
const reviewer = await world.person('reviewer', 'review')

const page = (first: string, second = 'Second.') => `# Page\n\n${first}\n\n${second}\n`

/** The rows that a merge or an update writes. */
async function rows() {
  const tables = ['space', 'changeRequest', 'revision', 'mergeConflict', 'auditEvent'] as const
  return Promise.all(tables.map((table) => db.read.selectFrom(table).selectAll().orderBy('id').execute()))
}

/** Checks a merge. Nothing of it may stay in the database. */
async function check(base: string, by: Person = reviewer) {
  const before = await rows()
  const { status, body, text } = await by(`GET ${base}/merge`)
  assert.equal(status, 200, text)
  assert.deepEqual(await rows(), before)
  return body
}

const MERGEABLE = {
  object: 'merge-check',
  mergeable: true,
  blockers: [],
  permitted: true,
  outdated: false,
  failingRules: [],
  conflicts: { count: 0, items: [] },
}

test('the check says who can merge, and the merge then succeeds', async () => {
  const space = await liveSpace({ 'page.md': page('First.') })
  const base = await propose(space, { 'page.md': page('Mine.') })
  assert.deepEqual(await check(base), MERGEABLE)
  const refused = { ...MERGEABLE, mergeable: false, blockers: ['role'], permitted: false }
  for (const person of [reader, editor]) {
    const { mergers, ...checked } = await check(base, person)
    assert.deepEqual(checked, refused)
    const names = mergers.map(({ displayName }: { displayName: string }) => displayName)
    assert(names.includes('reviewer') && !names.includes('editor'), names.join(', '))
  }

  await write(space, { 'page.md': page('First.', 'Theirs.') })
  assert.deepEqual(await check(base), { ...MERGEABLE, outdated: true })
  assert.deepEqual(await check(base), { ...MERGEABLE, outdated: true }, 'the same from the cache')
  const merged = await reviewer(`POST ${base}/merge`)
  assert.deepEqual([merged.status, merged.body.result], [200, 'merge'])
  assert.deepEqual(await check(base), { ...MERGEABLE, mergeable: false, blockers: ['closed'] })
})

test('nothing to merge, and archived change requests', async () => {
  const space = await liveSpace({ 'page.md': page('First.') })
  const { body } = await ada(`POST ${space}/change-requests`)
  const empty = `${space}/change-requests/${body.id}`
  assert.deepEqual(await check(empty), { ...MERGEABLE, mergeable: false, blockers: ['unchanged'] })
  // Both sides make the same change.
  await write(empty, { 'page.md': page('Same.') })
  await write(space, { 'page.md': page('Same.') })
  const same = { ...MERGEABLE, mergeable: false, blockers: ['unchanged'], outdated: true }
  assert.deepEqual(await check(empty), same)
  assert.equal((await reviewer(`POST ${empty}/merge`)).status, 409)
  await ada(`PATCH ${empty}`, { status: 'archived' })
  assert.deepEqual(await check(empty), { ...same, blockers: ['closed'] })
})

test('the conflicts of a merge are known before it, and those that are open have ids', async () => {
  const space = await liveSpace({ 'page.md': page('First.'), 'other.md': '# Other\n' })
  const base = await propose(space, { 'page.md': page('Mine.', 'Mine too.') })
  await write(space, { 'page.md': page('Theirs.', 'Theirs too.') })
  const found = await check(base)
  const { blockers, outdated, conflicts } = found
  assert.deepEqual([blockers, outdated, conflicts.count], [['conflicts'], true, 2])
  const target = { object: 'page', id: conflicts.items[0].target.id, title: 'Page' }
  assert.deepEqual(conflicts.items, [
    { kind: 'body', target },
    { kind: 'body', target },
  ])
  assert.deepEqual((await check(base, reader)).blockers, ['role', 'conflicts'])

  assert.equal((await reviewer(`POST ${base}/merge`)).body.result, 'conflicts')
  const open = await check(base)
  assert.deepEqual([open.blockers, open.outdated, open.conflicts.count], [['conflicts'], false, 2])
  const { items } = (await ada(`GET ${base}/conflicts`)).body
  for (const [i, { id }] of items.entries()) {
    assert.deepEqual(open.conflicts.items[i], { id, kind: 'body', target })
    await ada(`POST ${base}/conflicts/${id}/resolve`, { side: 'own' })
  }
  assert.deepEqual(await check(base), MERGEABLE)
})

test('of many conflicts, a hundred are listed', async () => {
  const files = (word: string) =>
    Object.fromEntries(Array.from({ length: 103 }, (_, i) => [`p${i}.md`, `# P${i}\n\n${word}\n`]))
  const space = await liveSpace(files('First'))
  const base = await propose(space, files('Mine'))
  await write(space, files('Theirs'))
  for (const isOpen of [false, true]) {
    const { conflicts } = await check(base)
    assert.deepEqual([conflicts.count, conflicts.items.length], [103, 100])
    assert.equal('id' in conflicts.items[99], isOpen)
    if (!isOpen) await ada(`POST ${base}/update`)
  }
})

test('the merge rules that are not met are those of the merge itself', async () => {
  const space = await liveSpace({ 'page.md': page('First.') })
  const rules = [
    { rule: 'require_at_least_one_review' },
    { rule: 'require_up_to_date_change_request' },
    { rule: 'require_change_request_subject' },
  ]
  await ada(`PATCH ${space}`, { mergeRules: { type: 'rules', rules } })
  const base = await propose(space, { 'page.md': page('Mine.') })
  await write(space, { 'other.md': '# Other\n' })
  const { blockers, failingRules, details, mergeable } = await check(base)
  assert.deepEqual([mergeable, blockers, failingRules.length], [false, ['rules'], 2])
  const refused = await reviewer(`POST ${base}/merge`)
  assert.equal(refused.status, 409)
  const { message, reason, parameters } = refused.body.error
  assert.deepEqual(
    [message, reason, parameters],
    [
      'The merge rules of the space are not met. The current content must be approved. The change request is not up to date with the space: update it first.',
      'merge-rules-not-met',
      { faults: failingRules.map((one: string) => `${one}.`).join(' ') },
    ],
  )
  assert.deepEqual(refused.body.error.details, details)
  assert.deepEqual(details, [
    { path: 'mergeRules.rules.0', message: failingRules[0], reason: 'approval-missing' },
    { path: 'mergeRules.rules.1', message: failingRules[1], reason: 'change-request-not-up-to-date' },
  ])

  await ada(`POST ${base}/update`)
  await reviewer(`POST ${base}/reviews`, { status: 'approved' })
  assert.deepEqual(await check(base), MERGEABLE)
})

test('large pages are merged in a thread, and a result that exceeds a limit is named', async () => {
  const text = (start: string, end: string) =>
    `# Large\n\n${start}\n\n${'Words and words. '.repeat(42_000)}\n\n${end}\n`
  const space = await liveSpace({ 'large.md': text('Start', 'End') })
  const small = await propose(space, { 'large.md': text('Start', 'Mine') })
  const long = 'Many more words. '.repeat(12_000)
  const large = await propose(space, { 'large.md': text('Start', long) })
  await write(space, { 'large.md': text(long, 'End') })
  assert.deepEqual(await check(small), { ...MERGEABLE, outdated: true })

  const { mergeable, blockers, message } = await check(large)
  assert.deepEqual([mergeable, blockers], [false, ['limit']])
  const refused = await reviewer(`POST ${large}/merge`)
  assert.equal(refused.status, 409)
  assert(refused.body.error.message.endsWith(message), refused.body.error.message)
})

test('a change request of another space, or one that a guest cannot see, is not there', async () => {
  const space = await liveSpace({ 'page.md': page('First.') })
  const base = await propose(space, { 'page.md': page('Mine.') })
  const other = await liveSpace({ 'page.md': page('First.') })
  const guest = await world.person('guest', null)
  assert.equal((await ada(`GET ${other}/change-requests/${base.split('/').at(-1)}/merge`)).status, 404)
  assert.equal((await guest(`GET ${base}/merge`)).status, 404)
})
