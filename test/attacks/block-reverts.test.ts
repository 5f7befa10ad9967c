import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../effort.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld({}, { inspect: undefined })
const { ada, organizationId } = world

const PARAGRAPHS = isLongRun() ? 4000 : 2000

const paragraph = (i: number, word: string) =>
  `Paragraph ${i} **${word}** with [a link](https://example.com/${i}).`
const text = (word: string) =>
  Array.from({ length: PARAGRAPHS }, (_, i) => paragraph(i, i % 2 ? word : 'same')).join('\n\n')

async function setUp() {
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { editMode: 'live' })).body
  const write = (change: object) => ada(`POST /v1/spaces/${id}/content`, { changes: [change] })
  await write({ operation: 'insert_page', title: 'Large', document: { markdown: text('old') } })
  const before = (await ada(`GET /v1/spaces/${id}/content`)).body
  const page = before.pages[0].id as string
  await write({ operation: 'update_page', page, document: { markdown: text('new') } })
  const { body } = await ada(`GET /v1/spaces/${id}/content/page/${page}`)
  const keys: string[] = body.document.nodes.map(({ key }: { key: string }) => key)
  return { id, page, revision: before.id as string, block: [keys[1], keys[3]] }
}

const { id, page, revision, block } = await setUp()

test('blocks of a large page that the batch changes before are refused, with what to do', async () => {
  const changes = [
    { operation: 'update_page', page, document: { markdown: `${text('new')}\n\nMore` } },
    { operation: 'revert_page', page, revision, block },
  ]
  const { status, body } = await ada(`POST /v1/spaces/${id}/content`, { changes })
  assert.equal(status, 400)
  assert.match(body.error.message, /in two batches/)
})

test('blocks of a large page are reverted in a thread, before the transaction', async () => {
  const revert = { operation: 'revert_page', page, revision, block }
  const { ms, value } = await longestHold(() => ada(`POST /v1/spaces/${id}/content`, { changes: [revert] }))
  assert.equal(value.status, 200, value.text)
  assert(ms <= LONGEST_HOLD_MS, `the event loop was held for ${ms} ms`)
  const { body } = await ada(`GET /v1/spaces/${id}/content/page/${page}?format=markdown`)
  assert.equal(body.markdown.match(/\*\*old\*\*/g).length, 2)
})
