/** What happens to a book whose process is killed, or takes too much. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { limitBooks } from '../../src/books/limits.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { makers, withoutProcesses as skip } from './makers.ts'
import { SAMPLE } from './sample.ts'

const world = await createWorld()
const { ada } = world
const { spaceId } = await spaceWith(world, archiveOf(SAMPLE), 'Sample')
const path = `GET /v1/spaces/${spaceId}/pdf`
after(() => limitBooks({}))

test('a book whose process is killed is made by another', { skip }, async () => {
  const pending = ada(path)
  let [first] = makers()
  for (; !first; [first] = makers()) await wait(5)
  process.kill(first.pid, 'SIGKILL')
  const answer = await pending
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.problems, [])
})

test('a book that takes too much is refused with the limit, and its process ends', { skip }, async () => {
  const large = await spaceWith(world, archiveOf(SAMPLE), 'Large')
  const ask = () => ada(`GET /v1/spaces/${large.spaceId}/pdf`)
  limitBooks({ totalMs: 150 })
  const late = await ask()
  assert.equal(late.status, 503)
  assert.match(late.body.error.message, /more than 0\.15 seconds .*LECTERN_BOOK_SECONDS.*`page`/)
  limitBooks({ memoryMb: 20 })
  const heavy = await ask()
  assert.equal(heavy.status, 503)
  assert.match(heavy.body.error.message, /more than 20 MB .*LECTERN_BOOK_MEMORY/)
  while (makers().length > 0) await wait(20)
  limitBooks({})
  assert.equal((await ask()).status, 200)
})
