/** How a response says that a request is wrong: in words, once for each fault. */
import { Ajv } from 'ajv'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../cpu.ts'
import { loadRoutes, loadScimRoutes } from '../../src/server/routes.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const { body: space } = await ada(`POST ${org}/spaces`, { title: 'Space' })

test('each message names the field, what it must be, and what it was', async () => {
  const cases: [string, unknown, string][] = [
    ['POST /v1/user/tokens', {}, 'body.label is required'],
    ['POST /v1/user/tokens', { label: 7 }, 'body.label must be a string, but was a number'],
    ['POST /v1/user/tokens', [], 'body must be an object, but was an array'],
    ['POST /v1/user/tokens', { label: '' }, 'body.label must have at least 1 character, but has 0'],
    ['POST /v1/user/tokens', { label: ' ' }, 'body.label must not be blank, but was " "'],
    [
      `PATCH /v1/spaces/${space.id}`,
      { editMode: 'open' },
      'body.editMode must be one of "live", "locked", but was "open"',
    ],
    [
      `POST /v1/spaces/${space.id}/permissions`,
      { role: 'read', users: [] },
      'body.users must have at least 1 item, but has 0',
    ],
    [`GET ${org}/spaces?limit=5000`, undefined, 'query.limit must be between 0 and 1000, but was 5000'],
    [`PATCH ${org}`, { mergeRules: { type: 'all' } }, 'body.mergeRules.type must be one of "none", "rules"'],
  ]
  for (const [request, sent, message] of cases) {
    const { status, body } = await ada(request, sent)
    assert.deepEqual([status, body.error.message], [400, message], request)
  }
})

test('a password is never repeated in a message', async () => {
  const { status, text } = await world.nobody('POST /v1/account/password', { token: 'x', password: 'secret' })
  assert.equal(status, 400)
  assert.doesNotMatch(text, /secret/)
})

test('a fault of a union is one sentence about the variant that was meant', async () => {
  const address = `POST ${org}/invites`
  const cases: [unknown, string][] = [
    ['nobody', 'body.emails.0 must be an e-mail address, but was "nobody"'],
    [{ email: 'a@b.c', role: 'chief' }, 'body.emails.0.role must be one of'],
    [{ role: 'read' }, 'body.emails.0.email is required'],
    [7, 'body.emails.0 must be a string, or an object with "email" and "role"'],
  ]
  for (const [one, message] of cases) {
    const { status, body } = await ada(address, { emails: [one] })
    assert.equal(status, 400)
    assert.equal(body.error.details.length, 1, body.error.message)
    assert(body.error.message.startsWith(message), body.error.message)
  }

  const move = `POST /v1/spaces/${space.id}/move`
  const pointed = await ada(move, { position: { before: { type: 'space', space: '' } } })
  assert.deepEqual(
    pointed.body.error.details.map(({ path }: { path: string }) => path),
    ['body.position.before.space'],
  )
  const neither = await ada(move, { position: { before: { type: 'page' } } })
  assert.equal(
    neither.body.error.message,
    'body.position.before.type must be one of "space", "collection", but was "page"',
  )
})

test('many faults of unions are found at once', async () => {
  const emails = Array.from({ length: 100 }, () => ({ email: 'x', role: 'x' }))
  const before = cpuTime()
  const { status, body } = await ada(`POST ${org}/invites`, { emails })
  assert.equal(status, 400)
  assert.equal(body.error.details.length, 20)
  assert(cpuTime() - before < 1_000)
})

test('every pattern is explained in words, and none is shown', async () => {
  const bare: string[] = []
  const visit = (schema: unknown, at: string): void => {
    if (schema === null || typeof schema !== 'object') return
    const { pattern } = schema as { pattern?: unknown }
    if (typeof pattern === 'string' && !('x-pattern' in schema) && !('x-reason' in schema)) bare.push(at)
    for (const [key, inner] of Object.entries(schema)) visit(inner, `${at}.${key}`)
  }
  for (const { name, route } of await loadRoutes()) {
    for (const part of ['params', 'query', 'body'] as const) visit(route[part], `${name} ${part}`)
  }
  assert.deepEqual(bare, [])

  const named = await ada(`PATCH ${org}`, { hostname: 'No Spaces' })
  assert.equal(
    named.body.error.message,
    'body.hostname must have only the letters a to z, digits and "-", and begin and end with a letter or digit, but was "No Spaces"',
  )
  const { body: site } = await ada(`POST ${org}/sites`, { title: 'Site' })
  const proxied = await ada(`PATCH ${org}/sites/${site.id}`, { proxy: 'https://example.com' })
  assert.equal(
    proxied.body.error.message,
    'body.proxy must be a host and a path, such as "example.com/docs", but was "https://example.com"',
  )
  const { body: team } = await ada(`PUT ${org}/teams`, { title: 'Team' })
  const keyed = await ada(`PUT ${org}/teams/${team.id}/members`, { memberships: { 'a b': {} } })
  assert.equal(
    keyed.body.error.message,
    'body.memberships.a b must be an id: 1 to 64 letters, digits, "_" or "-", but was "a b"',
  )
})

test('the schemas of requests are valid', async () => {
  const ajv = new Ajv({ strict: false })
  const routes = [...(await loadRoutes()), ...(await loadScimRoutes())]
  const invalid = routes.flatMap(({ name, route }) =>
    [route.params, route.query, route.body].some((schema) => schema && !ajv.validateSchema(schema))
      ? [`${name}: ${ajv.errorsText()}`]
      : [],
  )
  assert.deepEqual(invalid, [])
})

test('a body of another media type is 415', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
    const sent = Buffer.from('{"label":"x"}')
    const { status, body } = await ada('POST /v1/user/tokens', sent, { 'content-type': type })
    assert.equal(status, 415, type)
    assert.match(body.error.message, /Content-Type: application\/json/)
  }
})

test('a 401 says how to authenticate, and whether the token that was sent is the reason', async () => {
  const challenge = async (headers?: Record<string, string>) =>
    (await world.nobody('GET /v1/user', undefined, headers)).headers.get('www-authenticate')
  assert.equal(await challenge(), 'Bearer realm="Lectern"')
  assert.equal(
    await challenge({ authorization: 'Bearer lec_wrong' }),
    'Bearer realm="Lectern", error="invalid_token"',
  )
  const wrong = await ada('POST /v1/account/sessions', { email: 'a@example.com', password: 'wrong-password' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.body.error.message, /password is wrong/)
  assert.equal(wrong.headers.get('www-authenticate'), 'Bearer realm="Lectern"')
})
