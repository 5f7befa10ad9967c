/** What is refused before any handler sees it, and that refusing costs little. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { compileCheck } from '../../src/http/validation/validate.ts'
import { createWorld } from '../world.ts'
import { cpuTime } from '../cpu.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const { body: space } = await ada(`POST ${org}/spaces`, { title: 'Space' })

test('each fault of a body is named by its path', async () => {
  const { status, body } = await ada('POST /v1/user/tokens', { label: '', readOnly: 'x', expiresAt: 1 })
  assert.equal(status, 400)
  const paths = body.error.details.map(({ path }: { path: string }) => path)
  assert.deepEqual(new Set(paths), new Set(['body.label', 'body.readOnly', 'body.expiresAt']))
})

test('a million faults are answered at once and in few words', async () => {
  const started = cpuTime()
  const wrong = { changes: Array.from({ length: 1_000_000 }, () => 1) }
  const { status, text } = await ada(`POST /v1/spaces/${space.id}/content`, wrong)
  assert.equal(status, 400)
  assert(text.length < 2_000, `${text.length} characters`)
  assert(cpuTime() - started < 3_000)

  const some = { add: Array.from({ length: 99 }, () => ({})), role: 'read', users: Array(99).fill(1) }
  const few = await ada(`POST /v1/spaces/${space.id}/permissions`, some)
  assert.equal(few.body.error.details.length, 20)
})

test('text that a database cannot keep is refused wherever it stands, by its path', async () => {
  const cases: [string, object | undefined, string][] = [
    ['POST /v1/user/tokens', { label: 'a\0b' }, 'body.label'],
    ['POST /v1/user/tokens', { label: 'half \ud83d' }, 'body.label'],
    [`PATCH /v1/spaces/${space.id}/custom-fields`, { values: { 'a\0': 'x' } }, 'body.values.a\ufffd'],
    [`PATCH /v1/spaces/${space.id}/custom-fields`, { values: { a: ['x', '\0'] } }, 'body.values.a.1'],
    [`GET ${org}/members?search=a%00b`, undefined, 'query.search'],
    ['GET /v1/spaces/a%00b', undefined, 'params.spaceId'],
  ]
  for (const [request, sent, path] of cases) {
    const { status, body } = await ada(request, sent)
    assert.deepEqual([status, body.error.details?.[0].path], [400, path], request)
  }
  const nested = `{"changes":${'['.repeat(1_000_000)}"\\u0000"${']'.repeat(1_000_000)}}`
  const deep = await ada(`POST /v1/spaces/${space.id}/content`, Buffer.from(nested), {
    'content-type': 'application/json',
  })
  assert.equal(deep.status, 400)
})

test('a number that is too large to be one is refused wherever it stands, by its path', async () => {
  const cases: [string, string, string][] = [
    [`PATCH /v1/spaces/${space.id}/custom-fields`, '{"values":{"size":1e999}}', 'body.values.size'],
    [
      `PATCH /v1/spaces/${space.id}/custom-fields`,
      '{"values":{"size":{"value":-1e999}}}',
      'body.values.size.value',
    ],
    [`POST /v1/spaces/${space.id}/content`, '{"changes":[{"yPos":[1e999]}]}', 'body.changes.0.yPos.0'],
    [`POST ${org}/spaces`, '1e999', 'body'],
  ]
  for (const [request, sent, path] of cases) {
    const answer = await ada(request, Buffer.from(sent), { 'content-type': 'application/json' })
    assert.deepEqual([answer.status, answer.body.error.details?.[0].path], [400, path], request)
  }
  const { status } = await ada(`GET ${org}/spaces?limit=1e999`)
  assert.equal(status, 400)
})

test('a title is not blank', async () => {
  for (const request of [
    `POST ${org}/spaces`,
    `POST ${org}/collections`,
    `PUT ${org}/teams`,
    `POST ${org}/sites`,
  ]) {
    const { status, body } = await ada(request, { title: '   ' })
    assert.deepEqual([status, body.error.details[0].path], [400, 'body.title'], request)
  }
  assert.equal((await ada('POST /v1/orgs', { title: ' \t ' })).status, 400)
})

test('a text of a site has no condition', async () => {
  const site = (await ada(`POST ${org}/sites`, { title: 'The {% if a %}' })).body
  assert.equal(site.title, 'The {% if a %}')
  const page = `${org}/sites/${site.id}`
  const title = 'A {% if visitor.claims.a %}b{% endif %}'
  const cases: [request: string, body: object, path: string][] = [
    [`POST ${org}/spaces`, { title }, 'body.title'],
    [`POST ${org}/sites`, { title }, 'body.title'],
    [`PATCH ${page}`, { title: 'A {%- if a -%}b' }, 'body.title'],
    [`POST ${page}/sections`, { spaceId: 'a', title }, 'body.title'],
    [`POST ${page}/sections`, { spaceId: 'a', description: title }, 'body.description'],
    [`POST ${page}/section-groups`, { title }, 'body.title'],
    [
      `PUT ${page}/customization`,
      { announcement: { enabled: true, style: 'info', message: title } },
      'body.announcement.message',
    ],
  ]
  for (const [request, sent, path] of cases) {
    const { status, body } = await ada(request, sent)
    assert.equal(status, 400, request)
    const [detail] = body.error.details
    assert.equal(detail.path, path, request)
    assert.match(detail.message, /cannot have a condition, but has ".*put the condition around a whole block/)
  }
})

test('a time is one that there is', async () => {
  for (const expiresAt of ['2030-12-31T23:59:60Z', '2030-02-30T00:00:00Z', '2030-01-01', 'tomorrow']) {
    const { status, body } = await ada('POST /v1/user/tokens', { label: 'x', expiresAt })
    assert.deepEqual([status, body.error.details?.[0].path], [400, 'body.expiresAt'], expiresAt)
  }
  const { status } = await ada('POST /v1/user/tokens', { label: 'x', expiresAt: '2130-12-31T23:59:59+01:00' })
  assert.equal(status, 201)
  assert.equal((await ada(`GET ${org}/audit-events?to=2030-12-31T23:59:60Z`)).status, 400)
})

test('an address that browsers are sent to is of the web', async () => {
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'ftp://example.com/a']) {
    assert.equal((await ada(`PATCH /v1/spaces/${space.id}`, { icon: address })).status, 400, address)
    assert.equal((await ada(`PATCH ${org}`, { logo: address })).status, 400, address)
    assert.equal((await ada(`PATCH /v1/users/${ada.id}`, { photoURL: address })).status, 400, address)
  }
  assert.equal((await ada(`PATCH ${org}`, { logo: 'HTTPS://example.com/logo.svg' })).status, 200)
})

test('lengths are counted in characters', () => {
  const check = compileCheck(Type.String({ minLength: 2, maxLength: 4 }), 'body')
  const turtle = '🐢'
  for (const fits of ['ab', 'abcd', turtle.repeat(2), turtle.repeat(4), `abc${turtle}`])
    assert.deepEqual(check(fits), [], fits)
  for (const short of ['', 'a', turtle]) assert.match(check(short)[0]!.message, /2/, short)
  for (const long of ['abcde', turtle.repeat(5), `abcd${turtle}`, 'x'.repeat(100)])
    assert.match(check(long)[0]!.message, /4/, long)
})

test('to check a long text costs less than to read its JSON', () => {
  const line = '  "description": "Text with “quotes” and { braces }",\n'
  const text = line.repeat(Math.ceil(13_000_000 / line.length))
  const json = JSON.stringify({ text })
  const Body = Type.Object({ text: Type.String({ minLength: 1, maxLength: 20 * 1024 * 1024 }) })
  const check = compileCheck(Body, 'body')
  assert.deepEqual(check({ text: 'x' }), [])
  let [least, cost] = [Infinity, Infinity]
  for (let i = 0; i < 3; i++) {
    const start = cpuTime()
    const body: unknown = JSON.parse(json)
    const read = cpuTime()
    assert.deepEqual(check(body), [])
    least = Math.min(least, read - start)
    cost = Math.min(cost, cpuTime() - read)
  }
  assert.ok(cost < least, `${cost} ms to check, ${least} ms to read`)
})
