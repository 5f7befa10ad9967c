/** A sync with the archive of the last sync, which needs not be read again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkThreads } from '../../src/threads/threads.ts'
import { createWorld } from '../world.ts'
import { contentAt, synced, syncWith } from './syncing.ts'

const world = await createWorld()
const { ada, organizationId } = world

const FILES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n* [Gone](gone.md)\n',
  'README.md': '---\ntitle: Documentation\n---\n\n# Home\n\n![](a.png)\n',
  'guide.md': '# Guide\n\n<Unknown/>\n',
  'a.png': 'image',
}

async function emptySpace(editMode = 'live') {
  const made = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Synced', editMode })
  return made.body.id as string
}

/** Runs a sync. @returns its response, and how many archives were read for it */
async function reading(...args: Parameters<typeof syncWith>) {
  const before = bulkThreads.state().ended.done ?? 0
  const answer = await syncWith(...args)
  assert.equal(answer.status, 201, answer.text)
  return { body: answer.body, read: (bulkThreads.state().ended.done ?? 0) - before }
}

test('the same archive is not read again, and its report is the same', async () => {
  const id = await emptySpace()
  const first = await reading(world, id, FILES)
  assert.equal(first.read, 1)
  const { revision, sync: _first, ...report } = first.body
  assert.ok(report.problems.length > 0)

  const again = await reading(world, id, FILES)
  assert.equal(again.read, 0)
  const nothing = { created: 0, updated: 0, deleted: 0, conflicts: 0 }
  assert.deepEqual(again.body, { revision, ...report, sync: { result: 'unchanged', ...nothing } })
})

test('edits of the space stay, and the source is recorded with the newest revision', async () => {
  const id = await emptySpace()
  await synced(world, id, FILES)
  const { pages } = await contentAt(world, `/v1/spaces/${id}`)
  const page = pages.find(({ title }) => title === 'Guide')?.id
  const document = { markdown: '# Guide\n\nEdited.\n' }
  const edited = await ada(`POST /v1/spaces/${id}/content`, {
    changes: [{ operation: 'update_page', page, document }],
  })
  assert.equal(edited.status, 200, edited.text)

  const oid = 'b'.repeat(40)
  const again = await reading(world, id, FILES, { oid })
  assert.equal(again.read, 0)
  const after = await contentAt(world, `/v1/spaces/${id}`)
  assert.deepEqual([again.body.revision, after.texts['guide.md']], [after.revision, document.markdown])
  const { body } = await ada(`GET /v1/spaces/${id}/git/info`)
  assert.deepEqual([body.oid, body.revision], [oid, after.revision])
})

test('another archive, and the same one before its proposal is merged, are read', async () => {
  const id = await emptySpace()
  await synced(world, id, FILES)
  assert.equal((await reading(world, id, { ...FILES, 'guide.md': '# Guide\n' })).read, 1)
  // The first archive is not that of the last sync any more.
  const back = await reading(world, id, FILES)
  assert.deepEqual([back.read, back.body.sync.result], [1, 'updated'])

  await ada(`PATCH /v1/spaces/${id}`, { editMode: 'locked' })
  const next = { ...FILES, 'guide.md': '# Guide\n\nNew.\n' }
  const proposed = await reading(world, id, next)
  assert.deepEqual([proposed.read, proposed.body.sync.result], [1, 'proposed'])
  const twice = await reading(world, id, next)
  assert.deepEqual([twice.read, twice.body.sync.result], [1, 'unchanged'])

  const merged = await ada(
    `POST /v1/spaces/${id}/change-requests/${proposed.body.sync.changeRequest.id}/merge`,
  )
  assert.equal(merged.body.result, 'merge', merged.text)
  const settled = await reading(world, id, next)
  assert.deepEqual([settled.read, settled.body.sync.result], [0, 'unchanged'])
})
