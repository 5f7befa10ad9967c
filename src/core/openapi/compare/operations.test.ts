import assert from 'node:assert/strict'
import test from 'node:test'
import type { ChangeEffect } from './change.ts'
import { compareSpecifications } from './operations.ts'

type Fields = Record<string, unknown>

const withOperation = (operation: Fields, more: Fields = {}) => ({
  paths: { '/pets/{id}': { get: operation } },
  ...more,
})
const withParameter = (parameter: Fields) => withOperation({ parameters: [parameter] })
const limit = (more: Fields) => withParameter({ name: 'limit', in: 'query', ...more })
const withRequestBody = (schema: unknown, components: Fields = {}) =>
  withOperation(
    { requestBody: { content: { 'application/json': { schema } } } },
    { components: { schemas: components } },
  )
const withResponseBody = (schema: unknown, components: Fields = {}) =>
  withOperation(
    { responses: { 200: { content: { 'application/json': { schema } } } } },
    { components: { schemas: components } },
  )
const object = (properties: Fields, more: Fields = {}) => ({ type: 'object', properties, ...more })
const pet = { $ref: '#/components/schemas/Pet' }
const text = { type: 'string' }

/** Pairs of specifications, and the changes from the first to the second. */
const CHANGES: Record<string, [Fields, Fields, ...[ChangeEffect, RegExp][]]> = {
  'nothing changes': [limit({ schema: text }), limit({ schema: text })],
  'an operation is removed': [
    withOperation({}),
    { paths: {} },
    ['breaks', /^GET \/pets\/{id}: was removed$/],
  ],
  'a deprecated operation is removed': [
    withOperation({ deprecated: true }),
    {},
    ['breaks', /deprecated before/],
  ],
  'an operation is added': [{}, withOperation({}), ['safe', /was added/]],
  'an operation is deprecated': [
    withOperation({}),
    withOperation({ deprecated: true }),
    ['safe', /is deprecated/],
  ],
  'a parameter of the path has another name': [
    { paths: { '/a/{x}': { get: { parameters: [{ name: 'x', in: 'path', required: true }] } } } },
    { paths: { '/a/{y}': { get: { parameters: [{ name: 'y', in: 'path', required: true }] } } } },
  ],
  'the operationId changes': [
    withOperation({ operationId: 'a' }),
    withOperation({ operationId: 'b' }),
    ['may-break', /"a" to "b"/],
  ],
  'a parameter is removed': [
    limit({}),
    withOperation({}),
    ['may-break', /query parameter "limit" was removed/],
  ],
  'an optional parameter is added': [withOperation({}), limit({}), ['safe', /"limit" was added$/]],
  'a required parameter is added': [
    withOperation({}),
    limit({ required: true }),
    ['breaks', /and is required/],
  ],
  'a parameter becomes required': [limit({}), limit({ required: true }), ['breaks', /is required now/]],
  'a parameter becomes optional': [limit({ required: true }), limit({}), ['safe', /no longer required/]],
  'the case of a header changes': [
    withParameter({ name: 'X-A', in: 'header' }),
    withParameter({ name: 'x-a', in: 'header' }),
  ],
  'a parameter takes fewer values': [
    limit({ schema: { enum: ['a', 'b'] } }),
    limit({ schema: { enum: ['a', 'c'] } }),
    ['breaks', /the query parameter "limit": can no longer be "b"/],
    ['safe', /can be "c" now/],
  ],
  'a largest value becomes smaller': [
    limit({ schema: { maximum: 100 } }),
    limit({ schema: { maximum: 50 } }),
    ['breaks', /"maximum" changed from 100 to 50/],
  ],
  'a smallest length goes': [
    limit({ schema: { minLength: 1 } }),
    limit({ schema: {} }),
    ['safe', /"minLength" changed from 1 to none/],
  ],
  'a request must have another type': [
    withRequestBody(text),
    withRequestBody({ type: 'integer' }),
    ['breaks', /from string to integer/],
  ],
  'a request may be a number': [
    withRequestBody({ type: 'integer' }),
    withRequestBody({ type: 'number' }),
    ['safe', /from integer to number/],
  ],
  'a response may be null': [
    withResponseBody(text),
    withResponseBody({ type: ['string', 'null'] }),
    ['breaks', /to string or null/],
  ],
  'a response is never null': [
    withResponseBody({ type: ['string', 'null'] }),
    withResponseBody(text),
    ['safe', /null to string/],
  ],
  'a request needs a new property': [
    withRequestBody(object({})),
    withRequestBody(object({ a: text }, { required: ['a'] })),
    ['breaks', /the request body: "a" was added, and is required/],
  ],
  'a request ignores a property': [
    withRequestBody(object({ a: text })),
    withRequestBody(object({})),
    ['may-break', /"a" was removed/],
  ],
  'a request refuses a property': [
    withRequestBody(object({ a: text }, { additionalProperties: false })),
    withRequestBody(object({}, { additionalProperties: false })),
    ['breaks', /"a" was removed/],
  ],
  'a response loses a property': [
    withResponseBody(object({ a: text, b: text }, { required: ['a'] })),
    withResponseBody(object({})),
    ['breaks', /"a" was removed/],
    ['may-break', /"b" was removed/],
  ],
  'a property of a response is optional now': [
    withResponseBody(object({ a: text }, { required: ['a'] })),
    withResponseBody(object({ a: text })),
    ['breaks', /"a" is no longer required/],
  ],
  'a property of a request that is only read becomes required': [
    withRequestBody(object({ id: { ...text, readOnly: true } })),
    withRequestBody(object({ id: { ...text, readOnly: true } }, { required: ['id'] })),
  ],
  'a nested property of a shared schema changes': [
    withResponseBody(pet, { Pet: object({ tags: { type: 'array', items: object({ name: text }) } }) }),
    withResponseBody(pet, {
      Pet: object({ tags: { type: 'array', items: object({ name: { type: 'integer' } }) } }),
    }),
    ['breaks', /^Pet in responses: tags\[\]\.name: the type changed/],
  ],
  'a property moves into a part': [
    withResponseBody({ allOf: [object({ a: text })] }),
    withResponseBody(pet, { Pet: object({ a: text }) }),
  ],
  'an alternative of a response is added': [
    withResponseBody({ oneOf: [pet] }, { Pet: text }),
    withResponseBody({ oneOf: [pet, { title: 'Cat' }] }, { Pet: text }),
    ['may-break', /the alternative Cat was added/],
  ],
  'an alternative of a request is removed': [
    withRequestBody({ oneOf: [pet, { title: 'Cat' }] }, { Pet: text }),
    withRequestBody({ oneOf: [pet] }, { Pet: text }),
    ['breaks', /the alternative Cat was removed/],
  ],
  'additional properties are refused': [
    withRequestBody(object({})),
    withRequestBody(object({}, { additionalProperties: false })),
    ['breaks', /\.?\*: is refused now/],
  ],
  'a body becomes required': [
    withOperation({ requestBody: { content: {} } }),
    withOperation({ requestBody: { content: {}, required: true } }),
    ['breaks', /the request body is required now/],
  ],
  'a media type goes': [
    withRequestBody(text),
    withOperation({ requestBody: { content: {} } }),
    ['breaks', /can no longer be application\/json/],
  ],
  'a success is removed': [
    withOperation({ responses: { 200: {} } }),
    withOperation({}),
    ['breaks', /response 200 was removed/],
  ],
  'an error is removed': [
    withOperation({ responses: { 404: {} } }),
    withOperation({}),
    ['may-break', /response 404/],
  ],
  'a header of a response goes': [
    withOperation({ responses: { 200: { headers: { Link: {} } } } }),
    withOperation({ responses: { 200: {} } }),
    ['may-break', /the header "Link" of the response 200/],
  ],
  'a token becomes necessary': [
    withOperation({}),
    withOperation({ security: [{ token: [] }] }),
    ['breaks', /needs authentication now: token/],
  ],
  'a token needs more scopes': [
    withOperation({ security: [{ token: ['read'] }] }),
    withOperation({ security: [{ token: ['write', 'read'] }] }),
    ['breaks', /token \(read\)/],
    ['safe', /token \(read, write\)/],
  ],
  'a token is no longer necessary': [
    withOperation({}, { security: [{ token: [] }] }),
    withOperation({ security: [] }, { security: [{ token: [] }] }),
    ['safe', /no authentication/],
  ],
  'a server moves': [
    { servers: [{ url: 'https://a.example' }] },
    { servers: [{ url: 'https://b.example' }] },
    ['may-break', /^API: the server https:\/\/a\.example was removed/],
    ['safe', /b\.example was added/],
  ],
}

for (const [what, [before, after, ...expected]] of Object.entries(CHANGES)) {
  test(what, () => {
    const changes = compareSpecifications(before, after)
    const lines = changes.map(({ effect, place, what: words }) => `${effect} ${place}: ${words}`)
    assert.equal(changes.length, expected.length, lines.join('\n'))
    for (const [effect, words] of expected)
      assert(
        changes.some((change) => change.effect === effect && words.test(`${change.place}: ${change.what}`)),
        `${effect} ${String(words)} in\n${lines.join('\n')}`,
      )
  })
}

test('a specification is the same as itself, whatever it holds', () => {
  for (const [before] of Object.values(CHANGES))
    assert.deepEqual(compareSpecifications(before, structuredClone(before)), [])
})

test('schemas that hold themselves end, and parts that hold parts cost what they are long', () => {
  const tree = object({ children: { type: 'array', items: pet } })
  assert.deepEqual(
    compareSpecifications(
      withResponseBody(pet, { Pet: tree }),
      withResponseBody(pet, { Pet: structuredClone(tree) }),
    ),
    [],
  )
  const loop = { allOf: [pet] }
  assert.deepEqual(
    compareSpecifications(withResponseBody(pet, { Pet: loop }), withResponseBody(pet, { Pet: loop })),
    [],
  )
  const doubled: Fields = {}
  for (let i = 0; i < 2000; i++) {
    const next = { $ref: `#/components/schemas/S${i + 1}` }
    doubled[`S${i}`] = { allOf: [next, next], properties: { a: next, b: next, [`p${i}`]: text } }
  }
  doubled['S2000'] = text
  const specification = withResponseBody({ $ref: '#/components/schemas/S0' }, doubled)
  const started = process.cpuUsage()
  assert.deepEqual(compareSpecifications(specification, structuredClone(specification)), [])
  const { user } = process.cpuUsage(started)
  assert(user < 2_000_000, `${user} µs`)
})
