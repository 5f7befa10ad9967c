/** Long comments and documents: showing and refusing them held up every other request. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { sourceOfBody, toBodies } from '../../src/model/discussion/comment-body.ts'
import { threads } from '../../src/threads/threads.ts'
import { isLongRun } from '../effort.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
const COMMENTS = isLongRun() ? 10 : 3

async function newSpace(): Promise<{ id: string }> {
  const { body } = await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Guide' })
  return body
}

/** The CPU time of this thread, in milliseconds. */
const used = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

test('long comments that are read one by one do not hold the event loop', async () => {
  const space = await newSpace()
  const row = { body: '- a\n'.repeat(2400) }
  const { ms, value } = await longestHold(() =>
    Promise.all(
      Array.from({ length: COMMENTS }, () => toBodies(world.db.read, { space, format: 'document' }, [row])),
    ),
  )
  assert.equal(value.length, COMMENTS)
  assert(ms < LONGEST_HOLD_MS, `${ms} ms`)
})

test('a thread reads a long comment or reply that is created or edited, before the transaction', async () => {
  const comments = `/v1/spaces/${(await newSpace()).id}/comments`
  const markdown = '- *a*\n'.repeat(1600)
  const ways: ((body: object) => Promise<{ status: number; text: string }>)[] = []
  const { body: first } = await world.ada(`POST ${comments}`, { body: { markdown: 'Short.' } })
  const { body: reply } = await world.ada(`POST ${comments}/${first.id}/replies`, {
    body: { markdown: 'Short.' },
  })
  ways.push(
    (body) => world.ada(`POST ${comments}`, { body }),
    (body) => world.ada(`PUT ${comments}/${first.id}`, { body }),
    (body) => world.ada(`POST ${comments}/${first.id}/replies`, { body }),
    (body) => world.ada(`PUT ${comments}/${first.id}/replies/${reply.id}`, { body }),
  )
  const run = mock.method(threads, 'run')
  for (const send of ways) {
    const before = run.mock.callCount()
    const sent = await send({ markdown })
    assert(sent.status < 300, sent.text)
    assert.equal(run.mock.callCount(), before + 1)
  }
  run.mock.restore()
})

test('a document whose text is too long is refused before it is printed', () => {
  const leaf = { object: 'leaf', text: '*a_ '.repeat(240_000), marks: [] }
  const text = { object: 'text', leaves: [leaf] }
  const paragraph = { object: 'block', type: 'paragraph', data: {}, nodes: [text] }
  const document = { object: 'document', data: { schemaVersion: 1 }, nodes: [paragraph] }
  const start = used()
  assert.throws(
    () => sourceOfBody({ document: document as never }),
    /must not be longer than 10000 characters/,
  )
  assert(used() - start < LONGEST_HOLD_MS, `${used() - start} ms`)
})
