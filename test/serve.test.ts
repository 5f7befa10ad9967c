/** The program as its operator sees it: start, restart, invalid configuration, stop. */
import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ConfigError, readConfig } from '../src/config.ts'
import { run, startServer, temporaryFolder } from './process.ts'

test('the first start prints the address, the organization and a working token, once; a second start changes nothing', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const env = { LECTERN_DATA: folder.path, PORT: '0', LECTERN_ADMIN_EMAIL: 'Ada@Example.com' }

  const first = await startServer(env)
  const token = /lec_[0-9a-z]{40}/.exec(first.out())?.[0]
  assert(token, first.out())
  assert.match(first.out(), /Documentation \([0-9a-z]{22}\)/)
  const user = await fetch(`${first.url}/v1/user`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(((await user.json()) as { email: string }).email, 'ada@example.com')
  const local = readFileSync(join(folder.path, 'local.json'), 'utf8')
  assert.equal(statSync(join(folder.path, 'local.json')).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder.path, 'secret')).mode & 0o777, 0o600)
  assert.equal(await first.stop(), 0)

  const second = await startServer(env)
  assert.doesNotMatch(second.out(), /lec_|Organization/)
  const again = await fetch(`${second.url}/v1/orgs`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(((await again.json()) as { count: number }).count, 1)
  const tokens = await fetch(`${second.url}/v1/user/tokens`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(((await tokens.json()) as { count: number }).count, 2)
  assert.equal(
    JSON.parse(readFileSync(join(folder.path, 'local.json'), 'utf8')).token,
    JSON.parse(local).token,
  )
  assert.equal(await second.stop(), 0)
})

test('the log has one line of JSON for each request, with its id and without secrets', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const server = await startServer({
    LECTERN_DATA: folder.path,
    PORT: '0',
    LECTERN_ADMIN_TOKEN: 'a-secret-of-the-test',
  })
  const answer = await fetch(`${server.url}/v1/user?shareKey=hidden`, {
    headers: { authorization: 'Bearer a-secret-of-the-test', 'x-request-id': 'my-id' },
  })
  assert.equal(answer.headers.get('x-request-id'), 'my-id')
  await server.stop()

  const lines = server
    .out()
    .split('\n')
    .filter((line) => line.includes('/v1/user'))
  assert.equal(lines.length, 2, 'one line of the announcement, one of the request')
  const { id, method, path, status } = JSON.parse(lines.find((line) => line.startsWith('{')) ?? '') as Record<
    string,
    unknown
  >
  assert.deepEqual([id, method, path, status], ['my-id', 'GET', '/v1/user', 200])
  assert.doesNotMatch(server.out(), /a-secret-of-the-test|hidden/)
})

test('SIGTERM completes the requests in flight', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const server = await startServer({
    LECTERN_DATA: folder.path,
    PORT: '0',
    LECTERN_ADMIN_TOKEN: 'a-secret-of-the-test',
  })
  const requests = Array.from({ length: 20 }, () =>
    fetch(`${server.url}/v1/orgs`, {
      method: 'POST',
      headers: { authorization: 'Bearer a-secret-of-the-test', 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'In flight' }),
    }).then(
      ({ status }) => status,
      () => 'refused',
    ),
  )
  await Promise.race(requests)
  const code = await server.stop()
  assert.equal(code, 0)
  const answers = await Promise.all(requests)
  assert(
    answers.every((answer) => answer === 201 || answer === 503 || answer === 'refused'),
    answers.join(),
  )
  assert(answers.includes(201))
})

test('invalid values prevent the start, and all of them are listed', async () => {
  const { code, err } = await run([], {
    PORT: 'http',
    LECTERN_LOG: 'loud',
    LECTERN_FETCH_ALLOW: 'everything',
    DATABASE_URL: 'mysql://x',
  })
  assert.equal(code, 1)
  for (const name of ['PORT', 'LECTERN_LOG', 'LECTERN_FETCH_ALLOW', 'DATABASE_URL'])
    assert.match(err, new RegExp(`  ${name}`))
  assert.doesNotMatch(err, /at .*\.ts:/)
})

test('a secret can come from a file', (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const file = join(folder.path, 'token')
  writeFileSync(file, 'from-the-file-0123456789\n')
  assert.equal(readConfig({ LECTERN_ADMIN_TOKEN_FILE: file }).adminToken, 'from-the-file-0123456789')
  assert.throws(
    () => readConfig({ LECTERN_ADMIN_TOKEN_FILE: '/nowhere', LECTERN_S3_BUCKET: 'x' }),
    (error: ConfigError) => {
      assert.equal(error.faults.length, 2)
      return true
    },
  )
})

test('a start with another secret fails, instead of breaking every signed URL', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const server = await startServer({ LECTERN_DATA: folder.path, PORT: '0' })
  await server.stop()
  const { code, err } = await run([], {
    LECTERN_DATA: folder.path,
    PORT: '0',
    LECTERN_SECRET: 'x'.repeat(40),
  })
  assert.equal(code, 1)
  assert.match(err, /LECTERN_SECRET differs/)
})

test('the server reports its health, and the OpenAPI document is printed without a server', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const server = await startServer({ LECTERN_DATA: folder.path, PORT: '0', LECTERN_LOG: 'silent' })
  for (const path of ['/livez', '/readyz', '/docs/', '/openapi.json']) {
    assert.equal((await fetch(server.url + path)).status, 200, path)
  }
  await server.stop()
  const { code, out } = await run(['openapi'])
  assert.equal(code, 0)
  assert.equal((JSON.parse(out) as { openapi: string }).openapi, '3.1.0')
})

test('an unknown command or option prints an explanation', async () => {
  assert.match((await run(['frobnicate'])).err, /Unknown command "frobnicate"/)
  assert.match((await run(['--frobnicate'])).err, /frobnicate/)
  assert.match((await run(['help'])).out, /lectern import/)
})
