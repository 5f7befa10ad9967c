import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonInSteps } from './json-steps.ts'

async function written(document: Record<string, unknown>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of jsonInSteps(document)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('the pieces are together what JSON.stringify writes', async () => {
  const operation = { summary: 'Straße "ä" \u2028', responses: { 200: { description: null } }, tags: [] }
  const document = {
    openapi: '3.1.0',
    info: {},
    paths: { '/a~1b': { get: operation, put: { deprecated: false } }, '/none': {} },
    components: { schemas: { A: { enum: [1, 'x', true] } }, empty: {} },
    nothing: undefined,
    tags: [{ name: 'one' }],
  }
  assert.equal(await written(document), JSON.stringify(document))
  assert.equal(await written({}), '{}')
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`/p${i}`, { get: operation }]))
  assert.equal(await written({ paths: many }), JSON.stringify({ paths: many }))
})

test('a key that objects have anyway is kept', async () => {
  const document = JSON.parse('{"paths":{"__proto__":{"get":{"__proto__":1}}}}') as Record<string, unknown>
  assert.equal(await written(document), JSON.stringify(document))
})
