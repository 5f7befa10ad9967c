import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const { write, liveSpace, propose, sources } = proposalsIn(world)
const eve = await world.person('eve', 'edit')
const rex = await world.person('rex', 'review')

const HOME = { 'README.md': '# Home\n\nHello\n' }
const LONG = '# Page\n\nFirst.\n\nSecond.\n\nThird.\n'
const revisionOf = async (base: string) => (await ada(`GET ${base}`)).body.revision as string

test('merging without other changes makes the content primary, as one revision with both parents', async () => {
  const space = await liveSpace(HOME)
  const before = await revisionOf(space)
  const base = await propose(
    space,
    { 'README.md': '# Home\n\nHello, you\n', 'more.md': '# More\n' },
    'Say you',
  )
  const own = await revisionOf(base)

  const answer = await ada(`POST ${base}/merge`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.result, 'merge')
  assert.equal(await revisionOf(space), answer.body.revision)
  assert.deepEqual(await sources(space), { Home: '# Home\n\nHello, you\n', More: '# More\n' })

  const merged = (await ada(`GET ${base}`)).body
  const { status, revision, revisionMerged, outdated } = merged
  assert.deepEqual(
    { status, revision, revisionMerged, outdated },
    { status: 'merged', revision: own, revisionMerged: answer.body.revision, outdated: false },
  )
  const primary = (await ada(`GET ${space}/revisions/${answer.body.revision}`)).body
  assert.deepEqual([primary.type, primary.parents], ['merge', [before, own]])
  const { createdBy, ...from } = merged
  const { createdBy: shownBy, ...shown } = primary.mergedFrom
  assert.deepEqual(shown, from)
  assert.deepEqual(shownBy.id, createdBy.id)
  assert.equal('email' in shownBy, false)
})

test('the response to a repeated merge stays the same', async () => {
  const space = await liveSpace(HOME)
  const base = await propose(space, { 'more.md': '# More\n' })
  const { revision } = (await ada(`POST ${base}/merge`)).body
  const first = await ada(`GET ${space}/revisions/${revision}`)
  await ada(`PATCH ${base}`, { subject: 'Called otherwise' })
  await ada(`PATCH /v1/users/${ada.id}`, { displayName: 'Somebody' })
  assert.equal((await ada(`GET ${space}/revisions/${revision}`)).text, first.text)
})

test('changes to different pages and to different blocks of a page are merged', async () => {
  const space = await liveSpace({ ...HOME, 'page.md': LONG })
  const base = await propose(space, { 'page.md': LONG.replace('First', '1st'), 'own.md': '# Own\n' })
  await write(space, { 'page.md': LONG.replace('Third', '3rd'), 'README.md': '# Home\n\nChanged\n' })
  const [primary, own] = [await revisionOf(space), await revisionOf(base)]
  assert.equal((await ada(`GET ${base}`)).body.outdated, true)

  const { body } = await ada(`POST ${base}/merge`)
  assert.equal(body.result, 'merge')
  assert.deepEqual(await sources(space), {
    Home: '# Home\n\nChanged\n',
    Page: '# Page\n\n1st.\n\nSecond.\n\n3rd.\n',
    Own: '# Own\n',
  })
  assert.deepEqual((await ada(`GET ${space}/content`)).body.parents, [primary, own])
})

test('an update merges the primary content in once, and does not change the primary content', async () => {
  const space = await liveSpace({ ...HOME, 'page.md': LONG })
  const base = await propose(space, { 'page.md': LONG.replace('First', '1st') })
  const own = await revisionOf(base)
  const nothing = await eve(`POST ${base}/update`)
  assert.deepEqual([nothing.status, nothing.body], [200, { revision: own, result: 'update' }])

  const primary = await write(space, { 'page.md': LONG.replace('Third', '3rd') })
  const { body } = await eve(`POST ${base}/update`)
  assert.equal(body.result, 'update')
  const content = (await ada(`GET ${base}/content`)).body
  assert.deepEqual([content.id, content.type, content.parents], [body.revision, 'update', [own, primary]])
  const after = (await ada(`GET ${base}`)).body
  assert.deepEqual([after.revisionMergedAncestor, after.outdated], [primary, false])
  assert.equal((await sources(base)).Page, '# Page\n\n1st.\n\nSecond.\n\n3rd.\n')
  assert.equal(await revisionOf(space), primary)

  assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
  assert.deepEqual(await sources(space), await sources(base))
})

test('refuses to merge archived, merged or empty change requests, and to update closed ones', async () => {
  const space = await liveSpace(HOME)
  const empty = (await ada(`POST ${space}/change-requests`)).body
  const refused = await ada(`POST ${space}/change-requests/${empty.id}/merge`)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /nothing to merge/)

  const base = await propose(space, { 'more.md': '# More\n' })
  await ada(`PATCH ${base}`, { status: 'archived' })
  for (const action of ['merge', 'update']) {
    const closed = await ada(`POST ${base}/${action}`)
    assert.equal(closed.status, 409)
    assert.match(closed.body.error.message, /archived/)
  }
  await ada(`PATCH ${base}`, { status: 'open' })
  assert.equal((await ada(`POST ${base}/merge`)).status, 200)
  for (const action of ['merge', 'update']) {
    const closed = await ada(`POST ${base}/${action}`)
    assert.equal(closed.status, 409)
    assert.match(closed.body.error.message, /merged/)
  }
})

test('editors can propose and update, but not merge', async () => {
  const space = await liveSpace(HOME)
  const base = await propose(space, { 'more.md': '# More\n' })
  assert.equal((await eve(`POST ${base}/update`)).status, 200)
  const refused = await eve(`POST ${base}/merge`)
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /"review"/)
})

test('the audit log records a merge with its revisions', async () => {
  const space = await liveSpace(HOME)
  const base = await propose(space, { 'more.md': '# More\n' }, 'Logged')
  const { number, id } = (await ada(`GET ${base}`)).body
  const { revision } = (await ada(`POST ${space}/change-requests/${number}/merge`)).body
  const list = await ada(`GET /v1/orgs/${world.organizationId}/audit-events?target=${id}&limit=1`)
  const [event] = list.body.items
  assert.deepEqual(
    [event.action, event.target],
    ['space.change-request.merge', { type: 'change-request', id, label: 'Logged' }],
  )
  const { payload } = (await ada(`GET /v1/orgs/${world.organizationId}/audit-events/${event.id}`)).body
  assert.deepEqual([payload.after.revision, payload.after.result], [revision, 'merge'])
})

test('a failing merge rule refuses the merge with its message', async () => {
  const space = await liveSpace(HOME)
  const base = await propose(space, { 'more.md': '# More\n' }, '')
  const rules = [{ rule: 'require_change_request_subject' }, { rule: 'require_at_least_one_review' }]
  await ada(`PATCH ${space}`, { mergeRules: { type: 'rules', rules } })
  const refused = await ada(`POST ${base}/merge`)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /subject/)
  assert.match(refused.body.error.message, /must be approved/)
  assert.equal((await ada(`GET ${space}`)).body.revision, (await ada(`GET ${base}`)).body.revisionInitial)

  await ada(`PATCH ${base}`, { subject: 'Say more' })
  assert.equal((await rex(`POST ${base}/reviews`, { status: 'approved' })).status, 201)
  assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
})

test('the changes of a change request exclude updates from the primary content', async () => {
  const space = await liveSpace({ ...HOME, 'page.md': LONG })
  const base = await propose(space, { 'page.md': LONG.replace('First', '1st') })
  await write(space, { 'README.md': '# Home\n\nChanged\n', 'new.md': '# New\n' })
  const { body } = await ada(`GET ${base}/changes`)
  assert.deepEqual(
    body.changes.map((one: { type: string; page: { title: string } }) => [one.type, one.page.title]),
    [['page_edited', 'Page']],
  )
  await ada(`POST ${base}/update`)
  assert.deepEqual((await ada(`GET ${base}/changes`)).body, body)
  const { revision } = (await ada(`POST ${base}/merge`)).body
  const { mergedFrom, ...mergedChanges } = (await ada(`GET ${space}/revisions/${revision}/changes`)).body
  assert.deepEqual([mergedChanges, mergedFrom.subject], [body, 'A change'])
  assert.deepEqual((await ada(`GET ${base}/changes`)).body, body)
})

test('contributors are users who edited or commented, each once per kind, the latest first', async () => {
  const space = await liveSpace(HOME)
  const base = await propose(space, { 'more.md': '# More\n' })
  await write(base, { 'more.md': '# More\n\nEve\n' }, eve)
  await write(base, { 'more.md': '# More\n\nEve again\n' }, eve)
  await write(space, { 'README.md': '# Home\n\nChanged\n' })
  await rex(`POST ${base}/update`)
  assert.equal(
    (await rex(`POST ${base}/reviews`, { status: 'approved', comment: { markdown: 'Yes' } })).status,
    201,
  )

  const { items, count } = (await ada(`GET ${base}/contributors`)).body
  const shown = items.map((one: { user: { id: string }; actionType: string; count: number }) => [
    one.user.id,
    one.actionType,
    one.count,
  ])
  assert.deepEqual(shown, [
    [rex.id, 'comment', 1],
    [eve.id, 'edit', 2],
    [ada.id, 'edit', 1],
  ])
  assert.equal(count, 3)
  const first = (await ada(`GET ${base}/contributors?limit=2`)).body
  const rest = (await ada(`GET ${base}/contributors?limit=2&page=${first.next.page}`)).body
  assert.deepEqual([...first.items, ...rest.items], items)
  assert.equal('next' in rest, false)
})

test('a page that one side moved and the other deleted is a conflict, whichever side deleted it', async () => {
  for (const deleter of ['primary', 'own']) {
    const space = await liveSpace({ 'a.md': '# A\n', 'p.md': '# P\n' })
    const base = await propose(space, { 'new.md': '# New\n' })
    const { pages } = (await ada(`GET ${space}/content/pages`)).body
    const [into, page] = ['A', 'P'].map(
      (title) => pages.find((one: { title: string }) => one.title === title).id,
    )
    const change = (to: string, operation: object) =>
      ada(`POST ${to}/content`, { changes: [{ page, ...operation }] })
    const [deleting, moving] = deleter === 'primary' ? [space, base] : [base, space]
    await change(deleting, { operation: 'delete_page' })
    await change(moving, { operation: 'update_page', into, document: { markdown: '# P\n\nNew words\n' } })

    assert.equal((await ada(`POST ${base}/merge`)).body.result, 'conflicts')
    const { items } = (await ada(`GET ${base}/conflicts`)).body
    assert.deepEqual(
      items.map((one: { kind: string; target: { title: string } }) => [one.kind, one.target.title]),
      [['existence', 'P']],
    )
    await ada(`POST ${base}/conflicts/${items[0].id}/resolve`, { side: 'primary' })
    assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
    assert.equal('P' in (await sources(space)), deleter === 'own')
  }
})

test('pages that two change requests add from one file, or with one title, get two files', async () => {
  const space = await liveSpace({ 'a.md': '# A\n' })
  const [first, second] = [
    await propose(space, { 'n.md': '# N\n\nOf the first\n' }),
    await propose(space, { 'n.md': '# N\n\nOf the second\n' }),
  ]
  for (const base of [first, second]) {
    const changes = [{ operation: 'insert_page', title: 'Setup', document: { markdown: base } }]
    assert.equal((await ada(`POST ${base}/content`, { changes })).status, 200)
    assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
  }
  const { pages } = (await ada(`GET ${space}/content/pages?metadata=true`)).body
  const paths = pages.map(({ git }: { git: { path: string } }) => git.path).toSorted()
  assert.deepEqual(paths, ['a.md', 'n-1.md', 'n.md', 'setup-1.md', 'setup.md'])
})
