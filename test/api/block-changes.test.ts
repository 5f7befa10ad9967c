/** The differences of blocks and words in the changes of a change request and of a revision. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { createWorld } from '../world.ts'
import { onlyLong } from '../effort.ts'

const world = await createWorld()
const { ada } = world

test('changes have the blocks and words that differ', async () => {
  const { spaceId, changeRequest, made, send, revision, document } = await draftOn(world)
  const [id = '', other = ''] = await made(
    insert('# A\n\nOne two three.\n\nStays.\n'),
    insert('# B\n\nText.\n'),
  )
  const before = await revision()
  const was = (await document(id)).nodes
  await send(
    update(id, { document: { markdown: '# A\n\nNew.\n\nOne 2 three.\n\nStays.\n' } }),
    update(other, { title: 'C' }),
  )
  const after = await revision()
  const is = (await document(id)).nodes
  const path = `/v1/spaces/${spaceId}/revisions/${after}/changes`
  const { body } = await ada(`GET ${path}?blocks=true`)
  const edited = body.changes.find(({ page }: { page: { id: string } }) => page.id === id)
  assert.deepEqual(edited.blocks, [
    { change: 'inserted', after: is[0].key },
    {
      change: 'changed',
      before: was[0].key,
      after: is[1].key,
      words: [{ before: [4, 7], after: [4, 5] }],
    },
    { change: 'same', before: was[1].key, after: is[2].key },
  ])
  assert.equal(body.changes.length, 2)
  assert.equal((await ada(`GET ${path}`)).body.changes[0].blocks, undefined)
  const one = (await ada(`GET ${path}?blocks=true&pageId=${other}`)).body
  assert.deepEqual(
    one.changes.map(({ page }: { page: { id: string } }) => page.id),
    [other],
  )
  assert.equal(one.more, undefined)
  assert.notEqual(before, after)

  const request = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/changes`
  const created = (await ada(`GET ${request}?blocks=true&pageId=${id}`)).body.changes
  assert.deepEqual([created.length, created[0].type, created[0].blocks], [1, 'page_created', undefined])
})

test('too many changes with blocks, and values that are none, are refused', async () => {
  const { spaceId, changeRequest } = await draftOn(world)
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/changes`
  const { status, body } = await ada(`GET ${path}?blocks=true&limit=51`)
  assert.equal(status, 400)
  assert.match(body.error.message, /query\.limit must be at most 50 with "blocks", but was 51/)
  assert.equal((await ada(`GET ${path}?blocks=perhaps`)).status, 400)
  assert.deepEqual((await ada(`GET ${path}?pageId=nobody`)).body.changes, [])
})

test('large pages are compared in a thread', onlyLong, async () => {
  const { spaceId, made, send, revision } = await draftOn(world)
  const text = (word: string) =>
    Array.from({ length: 2000 }, (_, i) => `${word} ${i} with *words*.\n\n`).join('')
  const [id = ''] = await made(insert(text('Paragraph')))
  await send(update(id, { document: { markdown: text('Paragraph').replace('Paragraph 7 ', 'Text 7 ') } }))
  const { body } = await ada(`GET /v1/spaces/${spaceId}/revisions/${await revision()}/changes?blocks=true`)
  const { blocks } = body.changes[0]
  assert.equal(blocks.length, 2000)
  assert.deepEqual(
    blocks
      .filter(({ change }: { change: string }) => change !== 'same')
      .map(({ words }: { words: object }) => words),
    [[{ before: [0, 9], after: [0, 4] }]],
  )
})
