/** The tokens of code, as published pages have them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeToken } from '../../src/core/document/html/renderer.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body
const highlight = (blocks: unknown) => ada(`POST /v1/spaces/${space.id}/content/highlight`, { blocks })

test('every line of a block has its tokens, and other blocks stay plain', async () => {
  const code = 'return "é😀" // why\n\nreturn 1'
  const blocks = [
    { code, syntax: 'js' },
    { code: 'x', syntax: 'no-such-language' },
    { code: 'x', syntax: '' },
    { code: '', syntax: 'js' },
  ]
  let answer = await highlight(blocks)
  // The server may load the grammar for longer than a request takes.
  for (let tries = 0; !answer.body.complete && tries < 200; tries++) {
    await sleep(500)
    answer = await highlight(blocks)
  }
  assert.deepEqual([answer.status, answer.body.complete], [200, true])
  const [first, ...others] = answer.body.blocks as { lines?: CodeToken[][] }[]
  assert.deepEqual(
    first?.lines?.map((line) => line.reduce((sum, { length }) => sum + length, 0)),
    code.split('\n').map(({ length }) => length),
  )
  assert.deepEqual(first?.lines?.[0]?.map(({ kind }) => kind).filter(Boolean), [
    'keyword',
    'string',
    'comment',
  ])
  assert.deepEqual(
    others.slice(0, 2).map(({ lines }) => lines),
    [undefined, undefined],
  )
})

test('a request is bounded', async () => {
  const block = (length: number) => ({ code: 'x'.repeat(length), syntax: 'text' })
  assert.equal((await highlight([block(60_000), block(40_000)])).status, 200)
  const { status, body } = await highlight([block(60_000), block(40_001)])
  assert.deepEqual(
    [status, body.error.message],
    [400, 'The blocks must have at most 100000 characters together'],
  )
  assert.equal((await highlight(Array.from({ length: 51 }, () => block(1)))).status, 400)
  assert.equal((await highlight([{ code: 7, syntax: 'js' }])).status, 400)
})
