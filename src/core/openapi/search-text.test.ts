import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCost } from '../../../test/cpu.ts'
import { type PartText, searchTextOfPart, sharedTextOfPart, withSharedText } from './search-text.ts'

const part = (pointer: string, value: object) => ({ pointer, json: JSON.stringify(value) })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('an operation has its words, and names what it refers to', () => {
  const { text, references } = searchTextOfPart(
    part('/paths/~1pets~1{id}/get', {
      operationId: 'getPet',
      parameters: [{ name: 'id', example: 'secret' }, { $ref: '#/components/parameters/Page' }],
      responses: { 200: { content: { 'application/json': { schema: ref('Pet') } } } },
    }),
  )
  assert.equal(text, 'GET /pets/{id}\ngetPet\nid\nPage\nPet')
  assert.deepEqual(references, ['/components/parameters/Page', '/components/schemas/Pet'])
})

test('a shared schema gives its names alone, and a parameter its description too', () => {
  const schema = {
    description: 'About',
    properties: { name: { description: 'Long', properties: { deep: {} } } },
  }
  assert.equal(sharedTextOfPart(part('/components/schemas/Pet', schema)).text, 'name')
  const parameter = { name: 'page', description: 'Which page' }
  assert.equal(sharedTextOfPart(part('/components/parameters/Page', parameter)).text, 'page\nWhich page')
})

test('cycles end, the nearest parts come first, and many references leave none of the first ones out', () => {
  const shared = new Map<string, PartText>([
    ['a', { text: 'A', markdown: [], references: ['b'] }],
    ['b', { text: 'B', markdown: [], references: ['a'] }],
    ['c', { text: 'C', markdown: [], references: [] }],
  ])
  assert.equal(
    withSharedText({ text: 'own', markdown: [], references: ['a', 'c'] }, shared).text,
    'own\nA\nC\nB',
  )
  const names = Array.from({ length: 100 }, (_, nth) => `n${nth}`)
  const wide = new Map(
    names.map((name): [string, PartText] => [
      name,
      { text: name, markdown: [], references: ['far', 'farther'] },
    ]),
  )
  const found = withSharedText({ text: 'own', markdown: [], references: names }, wide).text
  for (const name of names) assert(found.split('\n').includes(name), name)
})

test('the text is bounded, and a large part costs in proportion to its size', async () => {
  const shared = new Map([['a', { text: 'x'.repeat(2_000), markdown: [], references: [] }]])
  assert(
    withSharedText({ text: 'y'.repeat(19_500), markdown: [], references: ['a'] }, shared).text.length <=
      20_001,
  )
  const wide = (count: number) =>
    part('/components/schemas/Wide', {
      properties: Object.fromEntries(Array.from({ length: count }, (_, nth) => [`p${nth}`, ref(`S${nth}`)])),
    })
  const [small, large] = [wide(5_000), wide(20_000)]
  const cost = async (one: typeof small) => leastCost(0, () => sharedTextOfPart(one))
  assert((await cost(large)) < 16 * (await cost(small)) + 5)
})

test('titles have no text of conditions, and descriptions with conditions or links are apart', () => {
  const { text, markdown } = searchTextOfPart(
    part('/paths/~1pets/get', {
      summary: 'A {% if a %} SECRET {% endif %} B',
      tags: ['C {% if a %} SECRET', 5],
      description: 'D {% if a %} E {% endif %}',
      parameters: [{ name: '{% if a %} F', description: '[G](/h)' }, { description: 'I' }],
    }),
  )
  assert.equal(text, 'GET /pets\nA B\nC\n{% if a %} F\nI')
  assert.deepEqual(markdown, ['D {% if a %} E {% endif %}', '[G](/h)'])
})
