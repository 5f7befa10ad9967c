/** Keeping a space equal to a source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { archiveOf, upload } from '../importing.ts'
import { contentAt, SYNC_KEY, synced, syncWith } from './syncing.ts'

const world = await createWorld()
const { ada, organizationId } = world

async function emptySpace(editMode: 'live' | 'locked' = 'live') {
  const made = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Synced', editMode })
  return made.body.id as string
}
const at = (spaceId: string) => `/v1/spaces/${spaceId}`

const FIRST = {
  'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n  * [Detail](detail.md)\n* [Old](old.md)\n',
  'README.md': '# Home\n\nOne.\n\nTwo.\n',
  'guide.md': '# Guide\n\n![](a.png)\n',
  'detail.md': '# Detail\n',
  'old.md': '# Old\n',
  'a.png': 'image',
}

async function edit(spaceId: string, title: string, markdown: string) {
  const { pages } = await contentAt(world, at(spaceId))
  const page = pages.find((one) => one.title === title)!
  const answer = await ada(`POST ${at(spaceId)}/content`, {
    changes: [{ operation: 'update_page', page: page.id, document: { markdown } }],
  })
  assert.equal(answer.status, 200, answer.text)
}

test('the space becomes equal to the source, and a second sync changes nothing', async () => {
  const id = await emptySpace()
  const first = await synced(world, id, FIRST)
  assert.deepEqual([first.result, first.created], ['updated', 4])
  const before = await contentAt(world, at(id))
  assert.deepEqual(before.files, ['a.png'])

  const again = await synced(world, id, FIRST)
  assert.deepEqual([again.result, again.revision], ['unchanged', first.revision])

  const { 'old.md': _old, 'a.png': _image, ...rest } = FIRST
  const next = {
    ...rest,
    'SUMMARY.md': '* [New](new.md)\n* [Detail](detail.md)\n* [Home](README.md)\n* [Guide](guide.md)\n',
    'guide.md': '# Guide\n\nNo image.\n',
    'new.md': '# New\n',
  }
  const second = await synced(world, id, next)
  assert.deepEqual([second.result, second.created, second.deleted, second.conflicts], ['updated', 1, 1, 0])
  const after = await contentAt(world, at(id))
  assert.deepEqual(
    after.pages.map(({ title }) => title),
    ['New', 'Detail', 'Home', 'Guide'],
  )
  assert.deepEqual(after.files, [])
  assert.equal(after.texts['guide.md'], '# Guide\n\nNo image.\n')
  for (const { id: page, title } of after.pages)
    if (title !== 'New') assert.equal(page, before.pages.find((one) => one.title === title)?.id)
  assert.equal((await synced(world, id, next)).revision, second.revision)
})

test('edits since the last sync are merged with those of the source', async () => {
  const id = await emptySpace()
  await synced(world, id, FIRST)
  await edit(id, 'Home', '# Home\n\nOne, edited here.\n\nTwo.\n')
  const result = await synced(world, id, {
    ...FIRST,
    'README.md': '# Home\n\nOne.\n\nTwo, edited there.\n',
  })
  assert.equal(result.result, 'updated')
  const merged = (await contentAt(world, at(id))).texts['README.md']
  assert.equal(merged, '# Home\n\nOne, edited here.\n\nTwo, edited there.\n')
})

test('conflicts leave the space as it is, and a change request has them until it is merged', async () => {
  const id = await emptySpace()
  await synced(world, id, FIRST)
  await edit(id, 'Home', '# Home\n\nOne, edited here.\n\nTwo.\n')
  const before = await contentAt(world, at(id))
  const source = { ...FIRST, 'README.md': '# Home\n\nOne, edited there.\n\nTwo.\n' }
  const result = await synced(world, id, source)
  assert.deepEqual([result.result, result.conflicts], ['proposed', 1])
  assert.deepEqual(await contentAt(world, at(id)), before)

  const again = await synced(world, id, source)
  assert.deepEqual(
    [again.result, again.conflicts, again.changeRequest, again.revision],
    ['unchanged', 1, result.changeRequest, result.revision],
  )

  const proposal = `${at(id)}/change-requests/${result.changeRequest.id}`
  const { items } = (await ada(`GET ${proposal}/conflicts`)).body
  assert.match(items[0].primary, /edited here/)
  assert.match(items[0].own, /edited there/)
  const resolved = await ada(`POST ${proposal}/conflicts/${items[0].id}/resolve`, { side: 'own' })
  assert.equal(resolved.status, 200, resolved.text)

  const waiting = await syncWith(world, id, { ...source, 'guide.md': '# Guide 2\n' })
  assert.equal(waiting.status, 409)
  assert.match(waiting.body.error.message, /merge or archive it first/)

  const merge = await ada(`POST ${proposal}/merge`)
  assert.equal(merge.body.result, 'merge', merge.text)
  const settled = await synced(world, id, source)
  assert.deepEqual([settled.result, settled.revision], ['unchanged', merge.body.revision])
})

test('a change request whose conflicts were all resolved for the space leaves nothing to merge', async () => {
  const id = await emptySpace()
  await synced(world, id, FIRST)
  await edit(id, 'Home', '# Home\n\nOne, edited here.\n\nTwo.\n')
  const source = { ...FIRST, 'README.md': '# Home\n\nOne, edited there.\n\nTwo.\n' }
  const { changeRequest } = await synced(world, id, source)
  const proposal = `${at(id)}/change-requests/${changeRequest.id}`
  const { items } = (await ada(`GET ${proposal}/conflicts`)).body
  await ada(`POST ${proposal}/conflicts/${items[0].id}/resolve`, { side: 'primary' })
  const before = await contentAt(world, at(id))

  const again = await synced(world, id, source)
  assert.deepEqual([again.result, again.conflicts], ['unchanged', 0])
  assert.equal((await ada(`GET ${proposal}`)).body.status, 'archived')
  assert.deepEqual(await contentAt(world, at(id)), before)

  const next = await synced(world, id, { ...source, 'guide.md': '# Guide 2\n' })
  assert.deepEqual([next.result, next.updated, next.conflicts], ['updated', 1, 0])
  assert.match((await contentAt(world, at(id))).texts['README.md']!, /edited here/)
})

test('a locked space gets one change request, which later syncs update', async () => {
  const id = await emptySpace('locked')
  assert.equal((await synced(world, id, FIRST)).result, 'updated', 'it was empty')
  const before = await contentAt(world, at(id))
  const one = await synced(world, id, { ...FIRST, 'old.md': '# Old\n\nOne.\n' })
  assert.deepEqual([one.result, one.updated, one.conflicts], ['proposed', 1, 0])
  const latest = { ...FIRST, 'guide.md': '# Guide\n\nTwo.\n' }
  const two = await synced(world, id, latest)
  assert.deepEqual([two.result, two.changeRequest], ['proposed', one.changeRequest])
  assert.deepEqual(await contentAt(world, at(id)), before)

  const proposal = `${at(id)}/change-requests/${one.changeRequest.id}`
  const { texts } = await contentAt(world, proposal)
  assert.deepEqual([texts['old.md'], texts['guide.md']], ['# Old\n', '# Guide\n\nTwo.\n'])
  assert.equal((await ada(`GET ${proposal}`)).body.status, 'open')

  await ada(`PATCH ${proposal}`, { status: 'archived' })
  assert.equal((await synced(world, id, latest)).result, 'declined')
  const third = await synced(world, id, { ...FIRST, 'guide.md': '# Guide\n\nThree.\n' })
  assert.equal(third.result, 'proposed')
  assert.notEqual(third.changeRequest.id, one.changeRequest.id)

  assert.equal((await synced(world, id, FIRST)).result, 'unchanged')
  const left = await ada(`GET ${at(id)}/change-requests/${third.changeRequest.id}`)
  assert.equal(left.body.status, 'archived', 'nothing is left to propose')
})

test('the first sync of a space with other content replaces it', async () => {
  const id = await emptySpace()
  const url = await upload(
    ada,
    organizationId,
    archiveOf({ 'README.md': '# Home\n', 'other.md': '# Other\n' }),
  )
  await ada(`POST ${at(id)}/content/import`, { url, source: 'zip' })
  const before = await contentAt(world, at(id))
  const result = await synced(world, id, FIRST)
  assert.deepEqual([result.created, result.deleted], [3, 1])
  const after = await contentAt(world, at(id))
  const home = ({ pages }: typeof after) => pages.find(({ title }) => title === 'Home')?.id
  assert.equal(home(after), home(before))
  assert.deepEqual(Object.keys(after.texts).toSorted(), ['README.md', 'detail.md', 'guide.md', 'old.md'])
})

test('a source that was exported from the space is recorded', async () => {
  const id = await emptySpace()
  await synced(world, id, FIRST)
  await edit(id, 'Old', '# Old\n\nEdited here.\n')
  const exported = (await contentAt(world, at(id))).revision
  await edit(id, 'Guide', '# Guide\n\nEdited later.\n')
  const { revision } = await contentAt(world, at(id))
  const files = { ...FIRST, 'old.md': '# Old\n\nEdited here.\n' }
  const result = await synced(world, id, files, { exported })
  assert.deepEqual([result.result, result.revision], ['recorded', revision])

  const there = { ...files, 'old.md': '# Old\n\nEdited here.\n\nAnd there.\n' }
  assert.deepEqual((await synced(world, id, there)).conflicts, 0)
  const { texts } = await contentAt(world, at(id))
  assert.equal(texts['guide.md'], '# Guide\n\nEdited later.\n')
  assert.equal(texts['old.md'], '# Old\n\nEdited here.\n\nAnd there.\n')

  const wrong = await syncWith(world, id, files, { exported: 'unknown' })
  assert.deepEqual([wrong.status, /exported/.test(wrong.body.error.message)], [400, true])
})

test('a source says what it is, and the space is found by it', async () => {
  const id = await emptySpace()
  assert.equal((await ada(`GET ${at(id)}/git/info`)).status, 404)
  const key = 'b'.repeat(64)
  const oid = '1'.repeat(40)
  const git = { kind: 'git', key, name: 'docs', url: 'https://example.com/docs.git', branch: 'main', oid }
  await synced(world, id, FIRST, git)
  const info = (await ada(`GET ${at(id)}/git/info`)).body
  const { syncedAt: _syncedAt, revision, ...rest } = info
  assert.deepEqual(rest, { object: 'space-source', ...git })
  assert.equal(revision, (await contentAt(world, at(id))).revision)

  const listed = await ada(`GET /v1/orgs/${organizationId}/spaces?source=${key}`)
  assert.deepEqual([listed.body.count, listed.body.items[0].id], [1, id])
  const anySource = await ada(`GET /v1/orgs/${organizationId}/spaces?synced=true&limit=1000`)
  const found = anySource.body.items.map((space: { id: string }) => space.id)
  assert(found.includes(id), 'synced')
  assert(!found.includes(await emptySpace()), 'not synced')
  const stranger = await world.stranger('Eve')
  assert.equal((await stranger(`GET /v1/orgs/${organizationId}/spaces?source=${key}`)).status, 404)
  assert.equal((await ada(`GET /v1/orgs/${organizationId}/spaces?source=${SYNC_KEY}x`)).status, 400)
  assert.equal((await syncWith(world, id, FIRST, { key: 'A' })).status, 400)
})

test('pages have the dates of the source', async () => {
  const id = await emptySpace()
  const files = {
    ...FIRST,
    '.lectern/source.json': '{"version":1,"dates":{"old.md":[1000000000,1100000000]}}',
  }
  const url = await upload(ada, organizationId, archiveOf(files))
  const sync = { kind: 'folder', key: SYNC_KEY, name: 'docs' }
  const result = await ada(`POST ${at(id)}/content/import`, { url, source: 'zip', sync })
  assert.equal(result.status, 201, result.text)
  const { pages } = (await ada(`GET ${at(id)}/content`)).body
  const dated = pages as { title: string; createdAt: string; updatedAt: string }[]
  const old = dated.find(({ title }) => title === 'Old')
  assert.deepEqual([old?.createdAt, old?.updatedAt], ['2001-09-09T01:46:40.000Z', '2004-11-09T11:33:20.000Z'])
})

test('a proposal does not change the language of the space', async () => {
  const chinese = '本页说明如何在自己的机器上安装服务器，以及第一次启动之前需要准备什么。'
  const language = async (id: string) => (await ada(`GET ${at(id)}`)).body.language
  const id = await emptySpace('locked')
  await synced(world, id, { 'README.md': '# 1.2.3\n' })
  const proposed = await synced(world, id, { 'README.md': `# 1.2.3\n\n${chinese}\n` })
  assert.deepEqual([proposed.result, await language(id)], ['proposed', undefined])
  const other = await emptySpace()
  await synced(world, other, { 'README.md': `# 1.2.3\n\n${chinese}\n` })
  assert.equal(await language(other), 'zh')
})
