/** The OpenAPI document of the API says of every operation what it takes and sends, in its media types, also when it fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { loadRoutes } from '../src/server/routes.ts'
import { errorExamples } from '../tools/examples/errors.ts'
import { isDeclared } from './declared.ts'
import { createWorld } from './world.ts'

interface Described {
  operationId: string
  tags: string[]
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, unknown> }>
}

interface Union {
  discriminator: { propertyName: string; mapping: Record<string, string> }
  oneOf: { $ref: string }[]
  anyOf: { $ref: string }[]
}

const world = await createWorld()
const { nobody } = world
const routes = await loadRoutes()
const document = (await nobody('GET /openapi.json')).body as {
  info: { contact: { url: string } }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Described>>
  components: {
    responses: Record<string, { content: { 'application/json': { example?: unknown } } }>
    schemas: Record<string, { properties: Record<string, { enum: string[] }> }>
  }
}
const operations = new Map(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation]),
  ),
)

test('/openapi.yaml is the same document', async () => {
  const { headers, text } = await nobody('GET /openapi.yaml')
  assert.equal(headers.get('content-type'), 'application/yaml; charset=utf-8')
  assert.deepEqual(parse(text), document)
})

test('every group of operations is described, and has operations', () => {
  const used = new Set([...operations.values()].flatMap(({ tags }) => tags))
  assert.deepEqual(document.tags.map(({ name }) => name).toSorted(), [...used].toSorted())
  for (const { name, description } of document.tags) assert.match(description, /\.$/, name)
  assert.equal(document.info.contact.url, new URL(world.url).origin)
})

test('bytes and streams have their media types, and uploads have a body', () => {
  for (const { name, route } of routes) {
    const { requestBody, responses } = operations.get(name)!
    const types = Object.keys(responses[route.status ?? 200]?.content ?? {})
    const bodies = Object.keys(requestBody?.content ?? {})
    if (route.returns === 'events') assert.deepEqual(types, ['text/event-stream'], name)
    else if (route.returns === 'download') assert.deepEqual(types, route.media ?? ['*/*'], name)
    else assert.deepEqual(types, route.returns ? ['application/json'] : [], name)
    if (route.takes) assert.deepEqual(bodies, route.takes.contentTypes, name)
    else assert.deepEqual(bodies, route.body ? ['application/json'] : [], name)
  }
})

/** The longest example, in characters of JSON: long ones are shortened as far as their schema allows. */
const LONGEST_EXAMPLE = 5000

test('every operation that returns JSON has a short example that it can return, of no installation', () => {
  let size = 0
  for (const { name, route } of routes) {
    const { responses } = operations.get(name)!
    const content = responses[route.status ?? 200]?.content?.['application/json'] as { example?: unknown }
    if (route.returns === undefined || route.returns === 'download' || route.returns === 'events') continue
    assert(content.example !== undefined, `${name}: run npm run examples`)
    assert(isDeclared(route, content.example), `${name}: run npm run examples`)
    const text = JSON.stringify(content.example)
    assert(text.length <= LONGEST_EXAMPLE, name)
    assert.doesNotMatch(text, /127\.0\.0\.1|localhost|\/tmp\/|lec_(?:scim_)?[0-9a-z]{20}|PRIVATE KEY/, name)
    size += text.length
  }
  assert(size < 200_000, String(size))
})

test('every operation has the errors that it can have, each with the one schema of errors', () => {
  const schema = { $ref: '#/components/schemas/Error' }
  for (const response of Object.values(document.components.responses)) {
    const { example: _, ...content } = response.content['application/json']
    assert.deepEqual(content, { schema })
  }
  for (const { name, route } of routes) {
    const { responses, parameters = [] } = operations.get(name)!
    for (const [status, { $ref, description }] of Object.entries(responses)) {
      if (status === 'default') assert.equal($ref, '#/components/responses/Error', name)
      else if (Number(status) >= 400) assert.equal($ref, `#/components/responses/Error${status}`, name)
      else assert.notEqual(description, 'Default Response', name)
    }
    const has = (status: number) => Object.hasOwn(responses, status)
    const writes = route.method !== 'GET' && !route.reads
    assert.equal(has(401), route.access.open !== true, name)
    assert.equal(has(404), (route.params ?? route.query) !== undefined, name)
    assert.equal(has(415), route.body !== undefined || route.takes !== undefined, name)
    assert(has(429) && has(500) && has(503), name)
    const headers = parameters.filter((one) => one.in === 'header').map((one) => one.name)
    if (route.method === 'POST' && writes)
      assert.deepEqual([headers, has(422)], [['Idempotency-Key'], true], name)
    else if (writes && !route.takes) assert.deepEqual([headers, has(412)], [['If-Match'], true], name)
    else assert.deepEqual(headers, [], name)
  }
})

test('every error that is a mistake of the caller has an example, as the server sends it', async () => {
  const { responses } = document.components
  const sent = await errorExamples(await createWorld())
  for (const [status, example] of Object.entries(sent))
    assert.deepEqual(
      responses[`Error${status}`]?.content['application/json'].example,
      example,
      `${status}: run npm run examples`,
    )
  const mistakes = Object.keys(responses).filter((name) => name.startsWith('Error4'))
  assert.deepEqual(
    mistakes,
    Object.keys(sent).map((status) => `Error${status}`),
  )
})

test('every variant of a discriminated union is a named schema, which its value of the discriminator names', () => {
  const { schemas } = document.components
  let count = 0
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    for (const part of Object.values(value)) visit(part)
    const { discriminator, oneOf, anyOf } = value as Partial<Union>
    if (!discriminator) return
    count += 1
    const variants = (oneOf ?? anyOf ?? []).map(({ $ref }) => $ref)
    const { propertyName, mapping } = discriminator
    assert.deepEqual([...new Set(Object.values(mapping))], variants)
    for (const [word, $ref] of Object.entries(mapping)) {
      const schema = schemas[$ref.replace('#/components/schemas/', '')]
      assert(schema?.properties[propertyName]?.enum.includes(word), `${$ref}: ${word}`)
    }
  }
  visit(document)
  assert(count > 5, String(count))
})
