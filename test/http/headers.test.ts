/** What every answer carries, whatever it is an answer to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upload } from '../importing.ts'
import { inSession } from '../signed-in.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld({
  LECTERN_RATE_LIMIT: '12',
  LECTERN_CORS_ORIGINS: 'https://console.example.com',
})
const open = await createWorld()

test('the allowance of a user is on every answer, and over it is 429 until the minute is over', async () => {
  world.clock.now = new Date('2026-11-20T12:00:30.000Z')
  const first = await world.ada('GET /v1/user')
  assert.equal(first.headers.get('x-ratelimit-limit'), '12')
  assert.equal(first.headers.get('x-ratelimit-remaining'), '11')
  assert.equal(first.headers.get('x-ratelimit-reset'), String(Date.parse('2026-11-20T12:01:00Z') / 1000))
  assert.equal((await world.ada('GET /v1/spaces/nothing')).headers.get('x-ratelimit-remaining'), '10')

  for (let i = 0; i < 10; i++) await world.ada('GET /v1/user')
  const over = await world.ada('GET /v1/user')
  assert.deepEqual([over.status, over.body.error.code, over.headers.get('retry-after')], [429, 429, '30'])
  const eve = await world.person('eve', 'read')
  assert.equal((await eve('GET /v1/user')).status, 200, 'another user has their own')

  world.clock.now = new Date('2026-11-20T12:01:00.000Z')
  assert.equal((await world.ada('GET /v1/user')).status, 200)
  world.clock.now = undefined
})

test('all tokens and sessions of a user share one allowance, and so do the SCIM tokens of an organization', async () => {
  world.clock.now = new Date('2026-11-20T12:30:00.000Z')
  const { ada, nobody, organizationId } = world
  const bob = await world.person('bob', 'admin')
  const tokenOf = async (who: Person, path: string): Promise<string> =>
    (await who(`POST ${path}`, { label: 'another' })).body.token
  const withToken = (token: string) => (path: string) =>
    nobody(`GET ${path}`, undefined, { authorization: `Bearer ${token}` })
  const session = await inSession(world, ada)
  const senders = {
    'a token of Ada': withToken(ada.token),
    'another token of Ada': withToken(await tokenOf(ada, '/v1/user/tokens')),
    'a session of Ada': (path: string) => session(`GET ${path}`),
    'a token of Bob': withToken(bob.token),
    'a SCIM token': withToken(await tokenOf(ada, `/v1/orgs/${organizationId}/scim-tokens`)),
    'another SCIM token': withToken(await tokenOf(ada, `/v1/orgs/${organizationId}/scim-tokens`)),
  }
  world.clock.now = new Date('2026-11-20T12:31:00.000Z')
  for (const [sender, left] of [
    ['a token of Ada', 11],
    ['another token of Ada', 10],
    ['a session of Ada', 9],
    ['a token of Ada', 8],
    ['a token of Bob', 11],
    ['a SCIM token', 11],
    ['another SCIM token', 10],
  ] as const) {
    const path = sender.includes('SCIM') ? '/scim/v2/Users?count=0' : '/v1/user'
    const { status, headers } = await senders[sender](path)
    assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [200, String(left)], sender)
  }
  world.clock.now = undefined
})

test('wrong tokens are counted by where they come from', async () => {
  world.clock.now = new Date('2026-11-20T13:00:00.000Z')
  const answers: number[] = []
  for (let i = 0; i < 14; i++) {
    const headers = { authorization: `Bearer guess-${i}` }
    answers.push((await world.nobody('GET /v1/user', undefined, headers)).status)
  }
  assert.deepEqual(answers.slice(-2), [429, 429])
  assert.equal(answers[0], 401)
  world.clock.now = undefined
})

test('browsers may call from the configured origins only, and read the headers', async () => {
  const ask = (origin: string) =>
    fetch(`${world.url}/v1`, { headers: { origin } }).then(({ headers }) => headers)
  const allowed = await ask('https://console.example.com')
  assert.equal(allowed.get('access-control-allow-origin'), 'https://console.example.com')
  for (const name of ['x-request-id', 'retry-after', 'etag', 'allow'])
    assert(allowed.get('access-control-expose-headers')?.split(', ').includes(name), name)
  assert.equal((await ask('https://elsewhere.example.com')).get('access-control-allow-origin'), null)

  const preflight = await fetch(`${open.url}/v1/user/tokens`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://any.example.com',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization',
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /DELETE/)
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
})

test('OPTIONS that is no preflight lists the methods of a path, and is counted', async () => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(open.url + path, { method: 'OPTIONS', headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const origin = 'https://any.example.com'
  const partly: Record<string, string>[] = [{}, { origin }, { 'access-control-request-method': 'DELETE' }]
  for (const headers of partly) {
    const known = await ask('/v1/user/tokens?x=1', headers)
    assert.deepEqual([known.status, known.text], [204, ''])
    assert.equal(known.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
    assert.match(known.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
    const unknown = await ask('/v1/nothing', headers)
    assert.equal(unknown.status, 404)
    assert.equal(JSON.parse(unknown.text).error.code, 404)
  }
})

test('pages of other origins can read the refusal of a path or method that does not exist', async () => {
  for (const [path, method, status] of [
    ['/v1/nothing', 'GET', 404],
    ['/v1/user/tokens', 'PUT', 405],
  ] as const) {
    const answer = await fetch(open.url + path, { method, headers: { origin: 'https://any.example.com' } })
    assert.equal(answer.headers.get('allow'), status === 405 ? 'GET, HEAD, POST, OPTIONS' : null)
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [status, '*'])
  }
})

test('an error has the one shape, wherever it comes from', async () => {
  const cases: [string, RequestInit, number][] = [
    ['/v1/nothing', {}, 404],
    ['/nothing', { method: 'POST' }, 404],
    ['/v1/user', {}, 401],
    ['/v1/user/tokens', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }, 401],
    [`/v1/spaces/${'x'.repeat(5000)}`, {}, 414],
  ]
  for (const [path, init, status] of cases) {
    const answer = await fetch(open.url + path, init)
    const body = (await answer.json()) as { error: { code: number; message: string } }
    assert.equal(answer.status, status, path)
    assert.equal(body.error.code, status)
    assert.match(answer.headers.get('x-request-id') ?? '', /^\w+$/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
  const plain = await open.ada('POST /v1/user/tokens', Buffer.from('label=x'), {
    'content-type': 'application/xml',
  })
  assert.equal(plain.status, 415)
})

test('a request id that could break a log is not taken over', async () => {
  const ask = (id: string) => open.nobody('GET /v1', undefined, { 'x-request-id': id })
  assert.equal((await ask('trace-1.2_3')).headers.get('x-request-id'), 'trace-1.2_3')
  assert.notEqual((await ask('a "quoted" one')).headers.get('x-request-id'), 'a "quoted" one')
  assert.notEqual((await ask('x'.repeat(100))).headers.get('x-request-id'), 'x'.repeat(100))
})

test('whatever is asked of the API is counted, before its body is read', async () => {
  const cases: [string, RequestInit, number][] = [
    ['/v1/nothing', { method: 'POST', body: 'x'.repeat(10_000) }, 404],
    ['/v1/user/tokens', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }, 401],
    ['/v1/user/tokens', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }, 401],
    ['/v1/spaces/%zz', {}, 400],
  ]
  for (const [path, init, status] of cases) {
    const answer = await fetch(open.url + path, init)
    assert.equal(answer.status, status, path)
    assert.match(answer.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/, path)
    assert.equal(((await answer.json()) as { error: { code: number } }).error.code, status)
  }
  const malformed = await open.ada('POST /v1/user/tokens', Buffer.from('{'), {
    'content-type': 'application/json',
  })
  assert.equal(malformed.status, 400)
  assert.match(malformed.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
})

test('HEAD has the headers of GET, and is not changed when GET is not', async () => {
  const get = await open.ada('GET /v1/user')
  const head = await open.ada('HEAD /v1/user')
  assert.deepEqual([head.status, head.text], [200, ''])
  for (const name of ['etag', 'content-type', 'content-length', 'cache-control']) {
    assert.equal(head.headers.get(name), get.headers.get(name), name)
  }
  const etag = get.headers.get('etag') ?? ''
  assert.equal((await open.ada('HEAD /v1/user', undefined, { 'if-none-match': etag })).status, 304)
  assert.equal((await open.nobody('HEAD /v1/user')).status, 401)
})

test('the address that the start prints leads to the account; the reference groups operations and shows no foreign logo', async () => {
  const home = await open.nobody('GET /')
  assert.deepEqual([home.status, home.headers.get('location')], [302, '/app'])
  assert.match((await open.nobody('GET /docs/')).text, /own\.css/)
  assert.match((await open.nobody('GET /docs/static/theme/own.css')).text, /topbar/)
  const { body } = await open.nobody('GET /openapi.json')
  assert.deepEqual(body.paths['/v1/orgs/{organizationId}/teams'].get.tags, ['teams'])
  assert.deepEqual(body.paths['/v1/spaces/{spaceId}'].get.tags, ['spaces'])
})

test('an upload has an ETag', async () => {
  const address = await upload(open.ada, open.organizationId, Buffer.from('bytes'))
  const sent = await open.nobody(`GET ${address}`)
  const etag = sent.headers.get('etag') ?? ''
  assert.equal(sent.text, 'bytes')
  assert.equal((await open.nobody(`GET ${address}`, undefined, { 'if-none-match': etag })).status, 304)
  const head = await open.nobody(`HEAD ${address}`)
  assert.deepEqual([head.status, head.headers.get('etag'), head.text], [200, etag, ''])
})

test('a read-only token does not learn what is not visible to it', async () => {
  const { body: space } = await open.ada(`POST /v1/orgs/${open.organizationId}/spaces`, { title: 'Mine' })
  const eve = await open.stranger('eve')
  const { body } = await eve('POST /v1/user/tokens', { label: 'reader', readOnly: true })
  const authorization = `Bearer ${body.token as string}`
  const foreign = await open.nobody(`PATCH /v1/spaces/${space.id}`, {}, { authorization })
  const unknown = await open.nobody('PATCH /v1/spaces/nothing', {}, { authorization })
  assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
})
