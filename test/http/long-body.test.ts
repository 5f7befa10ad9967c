/** A long body is read in steps, so that other requests have their turn between them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { jsonParser } from '../../src/http/request/request-body.ts'

/** Reads a body. @returns how often the event loop turned meanwhile, and the error or the value */
function turnsOf(body: string): Promise<{ turns: number; error: Error | null; value: unknown }> {
  const server = fastify()
  const parse = jsonParser(server)
  return new Promise((resolve) => {
    let turns = 0
    let isOver = false
    const turn = () => {
      if (isOver) return
      turns += 1
      setImmediate(turn)
    }
    setImmediate(turn)
    parse.call(server, {} as never, body, (error, value) => {
      isOver = true
      resolve({ turns, error, value })
    })
  })
}

test('a short body is read at once', async () => {
  assert.deepEqual(await turnsOf('{"a":1}'), { turns: 0, error: null, value: { a: 1 } })
})

test('a long one is scanned, read and passed on in turns of their own', async () => {
  const text = 'x'.repeat(2_000_000)
  const { turns, error, value } = await turnsOf(JSON.stringify({ text }))
  assert.equal(error, null)
  assert.deepEqual(value, { text })
  assert(turns >= 3, `${turns} turns`)
})

test('a long one that is refused has the same message', async () => {
  const { error } = await turnsOf(`["${'x'.repeat(2_000_000)}"`)
  assert.match(error?.message ?? '', /not valid JSON/)
  const many = await turnsOf(`[${'1,'.repeat(1_000_001)}1]`)
  assert.match(many.error?.message ?? '', /more than 1000000 values/)
})
