import assert from 'node:assert/strict'
import { test } from 'node:test'
import { voidBlock } from '../../document/build.ts'
import type { Document } from '../../document/model.ts'
import { printDocument } from '../../document/print.ts'
import { apiDescriber } from './describe.ts'
import { wantedIn } from '../described.ts'

const documentOf = (path: string, method = 'get'): Document => ({
  object: 'document',
  data: {},
  nodes: [voidBlock('openapi-operation', { ref: { kind: 'openapi', spec: 'api' }, path, method })],
})
const describe = (operation: object, schemas: Record<string, object> = {}, onRead?: () => void) => {
  const named = Object.entries(schemas).map(([name, schema]) => [`/components/schemas/${name}`, schema])
  const given: Record<string, unknown> = { '/paths/~1a/get': operation, ...Object.fromEntries(named) }
  const get = (_: object, name: string) => {
    onRead?.()
    return given[name]
  }
  const parts = onRead ? new Proxy<Record<string, unknown>>(given, { get }) : given
  return printDocument(apiDescriber(new Map([['api', parts]]))(documentOf('/a')))
}
const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('schemas that double with each level take a bounded number of steps', () => {
  const names = Array.from({ length: 40 }, (_, i) => `S${i}`)
  const doubling = (of: (next: object) => object) =>
    Object.fromEntries(names.map((name, i) => [name, of(i < 39 ? ref(`S${i + 1}`) : { type: 'string' })]))
  for (const of of [
    (next: object) => ({ properties: { a: next, b: next, c: next } }),
    (next: object) => ({ allOf: Array.from({ length: 50 }, () => next) }),
    (next: object) => ({ oneOf: Array.from({ length: 50 }, () => next) }),
    (next: object) => ({ type: 'array', items: next }),
    (next: object) => ({ additionalProperties: next, properties: { a: next } }),
    (next: object) => ({ prefixItems: [next, next, next] }),
    (next: object) => ({ anyOf: [next, { type: 'null' }, next] }),
    (next: object) => ({ patternProperties: { a: next, b: next }, if: next, else: next }),
  ]) {
    let read = 0
    const text = describe(body(ref('S0')), doubling(of), () => (read += 1))
    assert.ok(read < 1_000_000, `${read} schemas are read`)
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

/** The line of a field of this schema, as readers see it. */
const fieldLine = (schema: object, schemas: Record<string, object> = {}) => {
  const text = describe(body({ type: 'object', properties: { field: schema } }), {
    Folder: { type: 'object', properties: { name: { type: 'string' } } },
    ...schemas,
  })
  return /`field` ([^\n]*)/.exec(text)?.[1] ?? /<summary>field ([^\n]*)<\/summary>/.exec(text)?.[1] ?? text
}

const NULL = { type: 'null' }
const TYPES: readonly [name: string, schema: object, shown: string][] = [
  ['null beside one type', { anyOf: [{ type: 'string' }, NULL], title: 'Note' }, 'string | null'],
  ['null first', { oneOf: [NULL, { type: 'integer', format: 'int64' }] }, 'integer (int64) | null'],
  [
    'null beside a list of values',
    { anyOf: [{ type: 'string', enum: ['open', 'done'] }, NULL], default: null },
    'string | null, default: `null`, allowed values: `open`, `done`, `null`',
  ],
  ['null beside a constant', { anyOf: [{ const: 'a' }, NULL] }, 'string | null, allowed values: `a`, `null`'],
  [
    'null as a list beside constants',
    { oneOf: [{ const: 'a' }, { const: 'b' }, { enum: [null] }] },
    'string | null, allowed values: `a`, `b`, `null`',
  ],
  ['null as the only allowed value', { oneOf: [ref('Folder'), { enum: [null] }] }, 'Folder | null'],
  ['null beside a reference', { anyOf: [ref('Folder'), NULL] }, 'Folder | null'],
  ['null before a reference', { oneOf: [NULL, ref('Folder')] }, 'Folder | null'],
  [
    'null beside several',
    { oneOf: [{ type: 'string' }, { type: 'integer' }, NULL] },
    'string | integer | null',
  ],
  [
    'null inside a choice in a choice',
    { anyOf: [{ oneOf: [{ type: 'string' }, NULL] }, { type: 'boolean' }] },
    'string | boolean | null',
  ],
  ['null as a type of a list', { type: ['string', 'null'], format: 'date' }, 'string (date) | null'],
  ['nullable beside allOf', { allOf: [ref('Folder')], nullable: true }, 'Folder | null'],
  ['nullable in a named schema', ref('Maybe'), 'Maybe | null'],
  [
    'null that all combined schemas allow',
    { allOf: [{ type: ['string', 'null'] }, { type: ['string', 'null'] }] },
    'object | null',
  ],
  [
    'items that may be null',
    { type: 'array', items: { anyOf: [{ type: 'string' }, NULL] } },
    '(string | null)[]',
  ],
  ['one schema in allOf, with remarks', { allOf: [ref('Folder')], description: 'The owner' }, 'Folder'],
  [
    'items with places',
    { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false },
    '[number, string]',
  ],
  [
    'items with places, and more',
    { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'string' } },
    '[number, ...string[]]',
  ],
  ['items with places, and any', { prefixItems: [{ type: 'number' }] }, '[number, …]'],
  ['as many items as places', { prefixItems: [{ type: 'number' }], maxItems: 1 }, '[number], items ≤ 1'],
  ['a constant', { const: 5 }, 'integer, allowed values: `5`'],
  [
    'constants to choose from',
    {
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    },
    'string, allowed values: `a`, `b`',
  ],
  [
    'values of several types',
    { enum: ['a', 1, true] },
    'string | integer | boolean, allowed values: `a`, `1`, `true`',
  ],
  ['bytes in 3.0', { type: 'string', format: 'binary' }, 'file'],
  ['bytes in 3.1', { contentMediaType: 'image/png' }, 'file (image/png)'],
  ['coded bytes', { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }, 'string'],
  [
    'exclusive bounds of 3.0',
    { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false },
    'number, > 0, ≤ 1',
  ],
  ['other rules', { type: 'number', multipleOf: 0.5, exclusiveMaximum: 9 }, 'number, < 9, multiple of 0.5'],
  [
    'rules of a list',
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    'string[], unique items',
  ],
  [
    'rules of an object',
    { type: 'object', minProperties: 1, maxProperties: 3, propertyNames: { pattern: '^a' } },
    'object, fields ≥ 1, fields ≤ 3, names /^a/',
  ],
  ['anything', {}, 'any'],
]

for (const [name, schema, shown] of TYPES)
  test(`a type is named: ${name}`, () => {
    const maybe = { Maybe: { anyOf: [ref('Folder'), NULL] } }
    assert.equal(fieldLine(schema, maybe).replaceAll('\\', ''), shown)
  })

/** The example that is made up for a body of this schema. */
const madeUp = (schema: object) =>
  JSON.parse(/```json[^\n]*\n(.*?)\n```/s.exec(describe(body(schema)))?.[1] ?? 'null') as unknown

test('an example matches its schema', () => {
  for (const [schema, example] of [
    [{ prefixItems: [{ type: 'number' }, { type: 'string' }], items: false }, [1, 'text']],
    [{ anyOf: [NULL, { type: 'integer' }] }, 1],
    [{ type: ['null', 'boolean'] }, true],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'a'],
    [
      { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { const: 2 } } }] },
      { a: 'text', b: 2 },
    ],
  ] as const)
    assert.deepEqual(madeUp(schema), example)
})

test('fields are shown in the direction in which they are sent', () => {
  const schema = {
    properties: {
      id: { type: 'string', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string' },
    },
  }
  const content = { 'application/json': { schema } }
  const [sent = '', received = ''] = describe({
    requestBody: { content },
    responses: { 200: { description: 'ok', content } },
  }).split('**Responses**')
  const names = (text: string) => [...text.matchAll(/"(id|secret|name)":/g)].map(([, name]) => name)
  assert.deepEqual(
    [sent.includes('`id`'), sent.includes('`secret`'), names(sent)],
    [false, true, ['secret', 'name']],
  )
  const response = received.split('**Code samples**')[0] ?? ''
  assert.deepEqual(
    [response.includes('`id`'), response.includes('`secret`'), names(response)],
    [true, false, ['id', 'name']],
  )
})

test('fields that depend on others, on patterns and on conditions are shown', () => {
  const text = describe(
    body({
      properties: { kind: { type: 'string' }, card: { type: 'string' }, address: { type: 'string' } },
      dependentRequired: { card: ['address'] },
      patternProperties: { '^x-': { type: 'string' } },
      unevaluatedProperties: { type: 'integer' },
      ...JSON.parse(
        '{"if": {"properties": {"kind": {"const": "cat"}}}, "then": {"properties": {"lives": {"type": "integer"}}}}',
      ),
      else: { properties: { legs: { type: 'integer' } } },
    }),
  ).replaceAll('\\', '')
  for (const part of [
    '`address` string, required with `card`',
    '`other fields /^x-/` string',
    '`other fields` integer',
    'kind = cat',
    '`lives` integer',
    '¬ (kind = cat)',
    '`legs` integer',
  ])
    assert.ok(text.includes(part), `${part} is not in ${text}`)
})

test('a variant names the value that tells it from the others', () => {
  const pets = {
    Cat: { type: 'object', properties: { a: {} } },
    Dog: { type: 'object', properties: { b: {} } },
  }
  const mapping = { cat: '#/components/schemas/Cat', tom: '#/components/schemas/Cat' }
  const choice = (discriminator: object) =>
    describe(body({ oneOf: [ref('Cat'), ref('Dog')], discriminator }), pets)
  assert.match(choice({ propertyName: 'type', mapping }), /Cat \(type = cat \| tom\)/)
  assert.match(choice({ propertyName: 'type' }), /Dog \(type = Dog\)/)
})

test('all named examples are shown, each under its name', () => {
  const media = {
    schema: {},
    examples: {
      one: { summary: 'First', value: { a: 1 } },
      two: { value: { a: 2 } },
      none: { externalValue: 'x' },
    },
  }
  const text = describe({ requestBody: { content: { 'application/json': media } } })
  assert.match(text, /title="First"[^]*"a": 1[^]*title="two"[^]*"a": 2/)
  assert.doesNotMatch(text, /title="none"/)
})

test('a form shows which files it takes, and its samples send them', () => {
  const schema = {
    type: 'object',
    required: ['cover'],
    properties: {
      cover: { type: 'string', format: 'binary' },
      pages: { type: 'array', items: { type: 'string', format: 'binary' } },
      note: { type: 'string', example: 'Hello' },
      id: { type: 'string', readOnly: true },
      meta: { type: 'object', properties: { a: { type: 'integer' } } },
    },
  }
  const encoding = {
    cover: { contentType: 'image/png, image/jpeg' },
    pages: { contentType: 'application/pdf' },
  }
  const text = describe({
    requestBody: { content: { 'multipart/form-data': { schema, encoding } } },
  }).replaceAll('\\', '')
  for (const part of [
    '`cover` file (image/png, image/jpeg), **required**',
    '`pages` (file (application/pdf))[]',
    "--form 'cover=@file'",
    "--form 'pages=@file;type=application/pdf'",
    "--form 'note=Hello'",
    `--form 'meta={"a":1}'`,
  ])
    assert.ok(text.includes(part), `${part} is not in ${text}`)
  assert.ok(!text.includes('id='))
  const encoded = describe({
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema, example: { note: 'a b' } } } },
  })
  assert.match(encoded, /--data-urlencode 'note=a b'/)
})

test('a sample names no server that the specification does not name', () => {
  assert.match(describe({}), /curl --request GET 'https:\/\/YOUR_SERVER\/a'/)
  assert.match(describe({ servers: [{ url: '/v1' }] }), /'https:\/\/YOUR_SERVER\/v1\/a'/)
})

test('the body of an operation that takes a file is the file', () => {
  const text = describe({ requestBody: { content: { 'image/*': { schema: {} } } } })
  assert.match(text, /--header 'Content-Type: application\/octet-stream' \\\\?\n {2}--data-binary '@file'/)
})

test('a page with many operations has samples in fewer languages', () => {
  const operation = documentOf('/a').nodes
  const titles = (count: number) => {
    const nodes = Array.from({ length: count }, () => operation).flat()
    const parts = new Map([['api', { '/paths/~1a/get': { responses: {} } }]])
    const text = printDocument(apiDescriber(parts)({ object: 'document', data: {}, nodes }))
    return text.split('tab title="').length - 1
  }
  assert.deepEqual([titles(1), titles(5), titles(6)], [10, 50, 30])
})
