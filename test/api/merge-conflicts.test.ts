import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomText } from '../../src/core/data/id.ts'
import { pagesOf } from '../../src/model/content/content.ts'
import { commitRevision, needRevision } from '../../src/model/content/commit.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const { write, liveSpace, propose, sources } = proposalsIn(world)

const page = (first: string, second = 'Second.') => `# Page\n\n${first}\n\n${second}\n`
const revisionOf = async (base: string) => (await ada(`GET ${base}`)).body.revision as string
const conflictsOf = async (base: string, status = 'open') =>
  (await ada(`GET ${base}/conflicts?status=${status}`)).body

/** A change request whose first block conflicts with the primary content. */
async function disagreement() {
  const space = await liveSpace({ 'README.md': page('First.') })
  const base = await propose(space, { 'README.md': page('Mine.'), 'own.md': '# Own\n' })
  const primary = await write(space, { 'README.md': page('Theirs.', 'Changed.'), 'new.md': '# New\n' })
  return { space, base, primary }
}

test('a merge with conflicts leaves the primary content unchanged and opens them on the change request', async () => {
  const { space, base, primary } = await disagreement()
  const own = await revisionOf(base)
  const answer = await ada(`POST ${base}/merge`)
  assert.deepEqual([answer.status, answer.body.result], [200, 'conflicts'])
  assert.equal(await revisionOf(space), primary)
  assert.deepEqual(await sources(space), { Page: page('Theirs.', 'Changed.'), New: '# New\n' })

  const after = (await ada(`GET ${base}`)).body
  assert.deepEqual([after.revision, after.status, after.outdated], [answer.body.revision, 'draft', false])
  const content = (await ada(`GET ${base}/content`)).body
  assert.deepEqual([content.type, content.parents], ['update', [own, primary]])
  assert.deepEqual(await sources(base), { Page: page('Mine.', 'Changed.'), Own: '# Own\n', New: '# New\n' })

  const { items, count } = await conflictsOf(base)
  assert.equal(count, 1)
  const { status, kind, target, base: had, primary: theirs, own: mine } = items[0]
  assert.deepEqual(
    { status, kind, title: target.title, had: had.trim(), theirs: theirs.trim(), mine: mine.trim() },
    { status: 'open', kind: 'body', title: 'Page', had: 'First.', theirs: 'Theirs.', mine: 'Mine.' },
  )
  const refused = await ada(`POST ${base}/merge`)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /conflict/)
})

test('a conflict of the front matter names its key', async () => {
  const withMood = (mood: string) => `---\nmood: ${mood}\n---\n\n# Page\n\nText of ${mood}.\n`
  const space = await liveSpace({ 'README.md': withMood('calm') })
  const base = await propose(space, { 'README.md': withMood('glad') })
  await write(space, { 'README.md': withMood('tired') })
  await ada(`POST ${base}/update`)
  const { items } = await conflictsOf(base)
  assert.deepEqual(
    items.map(({ kind, entry, own }: Record<string, unknown>) => [kind, entry, own]),
    [
      ['body', 'mood', 'mood: glad'],
      ['body', undefined, 'Text of glad.'],
    ],
  )
})

/** How many events a change request has had. */
async function eventsOf(base: string): Promise<number> {
  const { count } = await world.db.read
    .selectFrom('spaceEvent')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('changeRequestId', '=', base.split('/').at(-1)!)
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('Markdown that resolves a conflict is reported if sites do not show it as it was meant', async () => {
  for (const [content, problems] of [
    ['Ours.', undefined],
    ['Ours. {% IF a %} Hidden.', ['condition-lookalike']],
    ['Ours. {% endif %}', ['condition-unopened']],
  ] as const) {
    const { base } = await disagreement()
    await ada(`POST ${base}/update`)
    const [open] = (await conflictsOf(base)).items
    const { status, body, text } = await ada(`POST ${base}/conflicts/${open.id}/resolve`, { content })
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.problems?.map(({ reason }: { reason: string }) => reason),
      problems,
    )
    for (const { line } of body.problems ?? []) assert(line > 1, String(line))
  }
})

const CHOICES = [
  { choice: { side: 'primary' }, result: 'Theirs.' },
  { choice: { side: 'own' }, result: 'Mine.' },
  { choice: { content: 'Ours.' }, result: 'Ours.' },
]
for (const { choice, result } of CHOICES) {
  test(`a conflict resolved by ${JSON.stringify(choice)} makes the change request mergeable`, async () => {
    const { space, base } = await disagreement()
    assert.equal((await ada(`POST ${base}/update`)).body.result, 'conflicts')
    assert.equal((await ada(`POST ${base}/update`)).body.result, 'conflicts', 'while one is open')
    const before = await revisionOf(base)
    const [open] = (await conflictsOf(base)).items
    const eventsBefore = await eventsOf(base)

    const resolved = await ada(`POST ${base}/conflicts/${open.id}/resolve`, choice)
    assert.equal(resolved.status, 200, resolved.text)
    assert.deepEqual(
      [resolved.body.status, resolved.body.resolution, resolved.body.resolvedBy.id],
      ['resolved', choice, ada.id],
    )
    assert.deepEqual((await conflictsOf(base)).items, [])
    assert.deepEqual((await conflictsOf(base, 'resolved')).items, [resolved.body])
    assert((await eventsOf(base)) > eventsBefore, 'clients get an event, also if no text changes')
    const content = (await ada(`GET ${base}/content`)).body
    if (result === 'Mine.') assert.equal(content.id, before)
    else assert.deepEqual([content.type, content.parents], ['edits', [before]])
    assert.equal((await sources(base)).Page, page(result, 'Changed.'))

    const again = await ada(`POST ${base}/conflicts/${open.id}/resolve`, { side: 'own' })
    assert.equal(again.status, 409)

    // The resolution can be undone, and chosen again.
    assert.equal(resolved.body.reopenable, true)
    const reopened = await ada(`POST ${base}/conflicts/${open.id}/reopen`)
    assert.equal(reopened.status, 200, reopened.text)
    assert.deepEqual([reopened.body, (await conflictsOf(base)).items], [open, [open]])
    assert.equal((await sources(base)).Page, page('Mine.', 'Changed.'))
    assert.equal((await ada(`POST ${base}/conflicts/${open.id}/reopen`)).status, 409, 'it is open')
    assert.equal((await ada(`POST ${base}/merge`)).status, 409)
    assert.equal((await ada(`POST ${base}/conflicts/${open.id}/resolve`, choice)).status, 200)
    assert.equal((await sources(base)).Page, page(result, 'Changed.'))

    assert.equal((await ada(`POST ${base}/update`)).body.result, 'update')
    assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
    assert.equal((await sources(space)).Page, page(result, 'Changed.'))
    assert.equal((await ada(`POST ${base}/conflicts/${open.id}/reopen`)).status, 409, 'it is merged')
    assert.equal((await conflictsOf(base, 'resolved')).items[0].reopenable, false)
  })
}

test('a resolution cannot be undone after an update, or once its text has changed', async () => {
  const { space, base } = await disagreement()
  await ada(`POST ${base}/update`)
  const [{ id }] = (await conflictsOf(base)).items
  await ada(`POST ${base}/conflicts/${id}/resolve`, { side: 'primary' })
  await write(base, { 'README.md': page('Edited since.', 'Changed.') })
  const changed = await ada(`POST ${base}/conflicts/${id}/reopen`)
  assert.equal(changed.status, 409)
  assert.match(changed.body.error.message, /changed since the conflict was resolved/)
  assert.equal((await sources(base)).Page, page('Edited since.', 'Changed.'))

  await write(base, { 'README.md': page('Theirs.', 'Changed.') })
  await write(space, { 'other.md': '# Other\n' })
  assert.equal((await conflictsOf(base, 'resolved')).items[0].reopenable, true)
  assert.equal((await ada(`POST ${base}/update`)).body.result, 'update')
  assert.equal((await conflictsOf(base, 'resolved')).items[0].reopenable, false)
  const updated = await ada(`POST ${base}/conflicts/${id}/reopen`)
  assert.match(updated.body.error.message, /updated since/)
})

test('conflicts are resolved one by one, and the last resolution makes the change request mergeable', async () => {
  const files = (word: string) =>
    Object.fromEntries([1, 2, 3, 4].map((i) => [`page${i}.md`, `# Page ${i}\n\n${word}\n`]))
  const space = await liveSpace(files('Base'))
  const base = await propose(space, files('Mine'))
  await write(space, files('Theirs'))
  await ada(`POST ${base}/update`)

  const first = (await ada(`GET ${base}/conflicts?limit=3`)).body
  assert.deepEqual([first.items.length, first.count], [3, 4])
  const rest = (await ada(`GET ${base}/conflicts?limit=3&page=${first.next.page}`)).body
  const all = [...first.items, ...rest.items]
  assert.equal(new Set(all.map(({ id }) => id)).size, 4)
  for (const [i, { id }] of all.entries()) {
    assert.equal((await ada(`POST ${base}/merge`)).status, 409)
    const side = i % 2 === 0 ? 'primary' : 'own'
    assert.equal((await ada(`POST ${base}/conflicts/${id}/resolve`, { side })).status, 200)
  }
  const wanted = Object.fromEntries(
    all.map(({ target }, i) => [target.title, `# ${target.title}\n\n${i % 2 === 0 ? 'Theirs' : 'Mine'}\n`]),
  )
  assert.deepEqual(await sources(base), wanted)
  assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
  assert.deepEqual(await sources(space), wanted)
})

test('an open conflict keeps its id when the primary content changes again', async () => {
  const { space, base } = await disagreement()
  await ada(`POST ${base}/update`)
  const [first] = (await conflictsOf(base)).items
  await write(space, { 'README.md': page('Theirs, again.', 'Changed.') })
  assert.equal((await ada(`POST ${base}/update`)).body.result, 'conflicts')

  const { items } = await conflictsOf(base)
  assert.equal(items.length, 1)
  assert.deepEqual([items[0].id, items[0].createdAt], [first.id, first.createdAt])
  assert.deepEqual(
    [items[0].base, items[0].primary, items[0].own].map((text) => text.trim()),
    ['First.', 'Theirs, again.', 'Mine.'],
  )
  await ada(`POST ${base}/conflicts/${first.id}/resolve`, { side: 'primary' })
  assert.equal((await sources(base)).Page, page('Theirs, again.', 'Changed.'))
})

test('a page that one side deleted and the other changed is one conflict, and can be restored in full', async () => {
  const space = await liveSpace({ 'README.md': '# Home\n', 'gone.md': page('First.') })
  const base = await propose(space, { 'gone.md': page('Mine.') })
  await removePage(space, 'gone.md')
  assert.equal((await ada(`POST ${base}/update`)).body.result, 'conflicts')
  const [conflict] = (await conflictsOf(base)).items
  assert.deepEqual([conflict.kind, conflict.target.title, conflict.primary], ['existence', 'Page', null])
  assert.equal((await ada(`POST ${base}/conflicts/${conflict.id}/resolve`, { content: 'x' })).status, 400)
  assert.equal((await ada(`POST ${base}/conflicts/${conflict.id}/resolve`, { side: 'primary' })).status, 200)
  assert.deepEqual(await sources(base), { Home: '# Home\n' })
  assert.deepEqual((await ada(`POST ${base}/conflicts/${conflict.id}/reopen`)).body, conflict)
  assert.deepEqual(await sources(base), { Home: '# Home\n', Page: page('Mine.') })
  assert.equal((await ada(`POST ${base}/conflicts/${conflict.id}/resolve`, { side: 'own' })).status, 200)
  assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
  assert.deepEqual(await sources(space), { Home: '# Home\n', Page: page('Mine.') })
})

test('a resolution is validated, and a conflict belongs to its change request', async () => {
  const { space, base } = await disagreement()
  await ada(`POST ${base}/update`)
  const [{ id }] = (await conflictsOf(base)).items
  for (const body of [{}, { side: 'own', content: 'x' }, { side: 'both' }, { content: 7 }])
    assert.equal((await ada(`POST ${base}/conflicts/${id}/resolve`, body)).status, 400)
  const other = await propose(space, { 'other.md': '# Other\n' })
  const foreign = await ada(`POST ${other}/conflicts/${id}/resolve`, { side: 'own' })
  const unknown = await ada(`POST ${other}/conflicts/nothing/resolve`, { side: 'own' })
  assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])

  await ada(`PATCH ${base}`, { status: 'archived' })
  assert.equal((await ada(`POST ${base}/conflicts/${id}/resolve`, { side: 'own' })).status, 409)
  assert.equal((await conflictsOf(base)).count, 1)
})

test('adjacent blocks can be resolved and reopened in any order', async () => {
  const text = (word: string, count = 5) =>
    Array.from({ length: count }, (_, i) => `${word} ${'!'.repeat(i + 1)}`).join('\n\n')
  const space = await liveSpace({ 'README.md': `# Page\n\n${text('Base')}\n` })
  const base = await propose(space, { 'README.md': `# Page\n\n${text('Own')}\n` })
  await write(space, { 'README.md': `# Page\n\n${text('The primary')}\n` })
  await ada(`POST ${base}/update`)
  const { items } = await conflictsOf(base)
  assert.equal(items.length, 5)
  for (const i of [1, 3, 2, 0, 4]) {
    const answer = await ada(`POST ${base}/conflicts/${items[i].id}/resolve`, { side: 'primary' })
    assert.equal(answer.status, 200, answer.text)
  }
  assert.equal((await sources(base)).Page, `# Page\n\n${text('The primary')}\n`)
  for (const i of [2, 0, 3, 4, 1]) {
    const answer = await ada(`POST ${base}/conflicts/${items[i].id}/reopen`)
    assert.equal(answer.status, 200, answer.text)
  }
  assert.equal((await sources(base)).Page, `# Page\n\n${text('Own')}\n`)
  for (const i of [3, 1, 0, 4, 2]) {
    const choice = i % 2 === 0 ? { side: 'primary' } : { content: null }
    const answer = await ada(`POST ${base}/conflicts/${items[i].id}/resolve`, choice)
    assert.equal(answer.status, 200, answer.text)
  }
  const [first, , third, , fifth] = text('The primary').split('\n\n')
  assert.equal((await sources(base)).Page, `# Page\n\n${[first, third, fifth].join('\n\n')}\n`)
  for (const i of [1, 2, 0, 4, 3]) {
    const answer = await ada(`POST ${base}/conflicts/${items[i].id}/reopen`)
    assert.equal(answer.status, 200, answer.text)
  }
  assert.equal((await sources(base)).Page, `# Page\n\n${text('Own')}\n`)
})

test('refuses to resolve a block that changed since, and never resolves an equal block instead', async () => {
  const answers = (fast: string) => `# Page\n\nIs it fast?\n\n${fast}\n\nIs it safe?\n\nYes.\n`
  const space = await liveSpace({ 'README.md': answers('Maybe.') })
  const base = await propose(space, { 'README.md': answers('Yes.') })
  await write(space, { 'README.md': answers('No.') })
  await ada(`POST ${base}/update`)
  await write(base, { 'README.md': answers('Very fast.') })
  const [{ id }] = (await conflictsOf(base)).items
  for (const choice of [{ side: 'primary' }, { content: 'Quick.' }]) {
    const { status, body } = await ada(`POST ${base}/conflicts/${id}/resolve`, choice)
    assert.equal(status, 409)
    assert.match(body.error.message, /was changed since/)
  }
  assert.equal((await sources(base)).Page, answers('Very fast.'))
})

test('a conflict closes when the primary content becomes equal to the change request', async () => {
  const { space, base } = await disagreement()
  await ada(`POST ${base}/update`)
  await write(space, { 'other.md': '# Other\n' })
  assert.equal((await ada(`POST ${base}/update`)).body.result, 'conflicts', 'nobody has settled it')

  await write(space, { 'README.md': page('Mine.', 'Changed.') })
  assert.equal((await ada(`POST ${base}/update`)).body.result, 'update')
  assert.equal((await conflictsOf(base)).count, 0)
  const [closed] = (await conflictsOf(base, 'resolved')).items
  assert.deepEqual([closed.resolution, closed.resolvedBy.id], [{ side: 'own' }, ada.id])
})

/** Deletes a page from the primary content. */
async function removePage(space: string, file: string) {
  const { id } = (await ada(`GET ${space}`)).body
  await world.db.write(async (tx) => {
    const row = await tx.selectFrom('space').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const parent = await needRevision(tx, id, row.revisionId)
    const gone = (await pagesOf(tx, parent)).byFile(file)!
    const reason = { id: randomText(22), type: 'edits', message: '', userId: ada.id } as const
    await commitRevision(tx, parent, { pages: new Map([[gone.id, null]]) }, { ...reason, now: new Date() })
  })
}
