import assert from 'node:assert/strict'
import { test } from 'node:test'
import { voidBlock } from '../document/build.ts'
import type { Document } from '../document/model.ts'
import { printDocument } from '../document/print.ts'
import { apiDescriber } from './describe.ts'
import { wantedIn } from './described.ts'
import { samplesOf } from './samples.ts'

const documentOf = (path: string, method = 'get'): Document => ({
  object: 'document',
  data: {},
  nodes: [voidBlock('openapi-operation', { ref: { kind: 'openapi', spec: 'api' }, path, method })],
})
const describe = (operation: object, schemas: Record<string, object> = {}) => {
  const named = Object.entries(schemas).map(([name, schema]) => [`/components/schemas/${name}`, schema])
  const parts = { '/paths/~1a/get': operation, ...Object.fromEntries(named) }
  return printDocument(apiDescriber(new Map([['api', parts]]))(documentOf('/a')))
}
const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('schemas that double with each level cost a bounded time', () => {
  const names = Array.from({ length: 40 }, (_, i) => `S${i}`)
  const doubling = (of: (next: object) => object) =>
    Object.fromEntries(names.map((name, i) => [name, of(i < 39 ? ref(`S${i + 1}`) : { type: 'string' })]))
  for (const of of [
    (next: object) => ({ properties: { a: next, b: next, c: next } }),
    (next: object) => ({ allOf: Array.from({ length: 50 }, () => next) }),
    (next: object) => ({ oneOf: Array.from({ length: 50 }, () => next) }),
    (next: object) => ({ type: 'array', items: next }),
    (next: object) => ({ additionalProperties: next, properties: { a: next } }),
  ]) {
    const start = performance.now()
    const text = describe(body(ref('S0')), doubling(of))
    assert.ok(performance.now() - start < 3_000)
    assert.ok(text.length < 1_000_000, `${text.length}`)
  }
})

test('what is no specification is described as far as it is one', () => {
  for (const strange of [
    { parameters: 'x', responses: [], requestBody: 5, security: 'x', servers: {}, deprecated: 'yes' },
    { parameters: [null, 5, {}, { in: 'path' }, { in: 'query', name: 5, required: true, schema: 'x' }] },
    { responses: { 200: null, x: { description: 5, content: { 'a/b': null }, headers: 7 } } },
    body({ type: 5, properties: { a: null, b: 5 }, required: 'a', oneOf: 'x', enum: 'y', items: null }),
    body({ $ref: '#/nowhere' }),
    body({ $ref: '../other.json' }),
    { requestBody: { $ref: '#/components/schemas/A' } },
  ])
    assert.match(describe(strange, { A: { $ref: '#/components/schemas/A' } }), /openapi-operation/)
})

test('the callbacks of an operation are described, without their own callbacks', () => {
  const received = { '{$request.body#/url}': { post: { summary: 'Received', ...body(ref('Pet')) } } }
  const text = describe(
    { callbacks: { adopted: received, listed: { $ref: '#/components/callbacks/Listed' }, 'x-note': 5 } },
    { Pet: { properties: { name: { type: 'string' } } } },
  )
  for (const part of ['**Callbacks**', 'adopted: POST', '**Received**', '`name` string'])
    assert.ok(text.includes(part), `${part} is not in ${text}`)
  const loop: Record<string, unknown> = { summary: 'Again' }
  loop['callbacks'] = { more: { '/x': { post: loop } } }
  assert.equal(describe(loop).split('Again').length, 3, 'a callback of a callback is not shown')
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`/${i}`, { post: body(ref('Pet')) }]),
  )
  assert.ok(describe({ callbacks: { many } }, { Pet: { type: 'string' } }).split('many: POST').length <= 21)
  for (const strange of [
    5,
    [],
    null,
    { a: null },
    { a: { b: 5 } },
    { a: { b: { post: 7 } } },
    { $ref: '#/a' },
  ])
    assert.doesNotMatch(describe({ callbacks: strange }), /Callbacks/)
})

test('an operation that is not there is only named', () => {
  const document = documentOf('/none')
  assert.deepEqual(apiDescriber(new Map([['api', {}]]))(document), document)
  assert.deepEqual(apiDescriber(new Map())(document), document)
})

test('the blocks of a source are found', () => {
  const source = `{% openapi-operation spec="a" path="/b" method="get" %}
x
{% endopenapi-operation %}
{% openapi-schemas spec="a" schemas="B, C" %}
{% openapi-webhook spec="a" name="n" method="post" %}`
  assert.deepEqual(wantedIn([source]), [
    { kind: 'operation', spec: 'a', path: '/b', method: 'get' },
    { kind: 'schemas', spec: 'a', schemas: ['B', 'C'] },
    { kind: 'webhook', spec: 'a', name: 'n', method: 'post' },
  ])
})

test('code samples quote what ends their texts', () => {
  const hostile = `it's "quoted" \\ $(rm -rf ~) \`x\` \n end`
  const [shell, ...others] = samplesOf({
    method: 'POST',
    url: 'https://example.com/a',
    headers: [['X-A', hostile]],
    body: hostile,
  })
  assert.ok(shell!.code.includes(String.raw`--data 'it'\''s "quoted"`))
  for (const { code, title } of others) assert.ok(code.includes(JSON.stringify(hostile)), title)
})
