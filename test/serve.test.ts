/** The program as its operator sees it: start, restart, invalid configuration, stop. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type ConfigError, readConfig } from '../src/installation/config.ts'
import { run, runHere, type Server, startServer, temporaryFolder } from './process.ts'
import { until } from './waiting.ts'

/** A line of the log. */
type Entry = Record<string, unknown>

/** An installation that the following tests start, ask, stop and start again, one after the other. */
describe('an installation', () => {
  const folder = temporaryFolder()
  const compiled = join(folder.path, 'compiled')
  const env = {
    LECTERN_DATA: folder.path,
    PORT: '0',
    LECTERN_ADMIN_EMAIL: 'Ada@Example.com',
    NODE_COMPILE_CACHE: compiled,
  }
  const local = () => JSON.parse(readFileSync(join(folder.path, 'local.json'), 'utf8')) as { token: string }
  let server: Server
  let token: string
  let localToken: string
  let invites: string
  let siteAnswer: Response
  after(async () => {
    await server.stop('SIGKILL')
    folder.remove()
  })

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
  /** The entries of the log about a path. */
  const entriesOf = (path: string) =>
    server
      .out()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes(path))
      .map((line) => JSON.parse(line) as Entry)
      .filter((entry) => entry.path === path)
  const countOf = async (path: string) => ((await (await ask(path)).json()) as { count: number }).count

  test('the first start prints the address, the organization and a working token', async () => {
    server = await startServer(env)
    token = /lec_[0-9a-z]{40}/.exec(server.out())?.[0] ?? ''
    assert(token, server.out())
    assert.match(server.out(), /Documentation \([0-9a-z]{22}\)/)
    const user = (await (await ask('/v1/user')).json()) as { email: string }
    assert.equal(user.email, 'ada@example.com')
    localToken = local().token
    assert.equal(statSync(join(folder.path, 'local.json')).mode & 0o777, 0o600)
    assert.equal(statSync(join(folder.path, 'secret')).mode & 0o777, 0o600)
  })

  test('the first start prints a link, which sets a password and signs in, once', async () => {
    const [link = ''] = /http\S+\/app\/welcome#\w+/.exec(server.out()) ?? []
    const { origin, pathname, hash } = new URL(link)
    assert.equal(origin, server.url)
    const send = () =>
      fetch(origin + pathname, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ token: hash.slice(1), displayName: 'Ada', password: 'a long password' }),
      })
    const account = () =>
      fetch(`${origin}/app/invitation/account`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        body: JSON.stringify({ token: hash.slice(1) }),
      })
    assert.deepEqual(await (await account()).json(), { email: 'ada@example.com' })
    const answer = await send()
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/app'])
    assert.equal((await account()).status, 404)
    const cookie = answer.headers.getSetCookie().join('; ')
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const user = (await (await fetch(`${origin}/v1/user`, { headers })).json()) as { displayName: string }
    assert.equal(user.displayName, 'Ada')
    assert.equal((await send()).status, 404)
  })

  test('the server reports its health and describes its API', async () => {
    for (const path of ['/livez', '/readyz', '/docs/', '/openapi.json'])
      assert.equal((await fetch(server.url + path)).status, 200, path)
  })

  test('the compiled code is stored while the server runs, because a server that is killed stores nothing', () =>
    until(() => globSync(join(compiled, '*/*')).length > 500, 'the compiled code was not stored'))

  test('a second start prints no token and changes nothing', async () => {
    assert.equal(await server.stop(), 0)
    server = await startServer(env)
    assert.doesNotMatch(server.out(), /lec_|Organization|#/)
    assert.equal(await countOf('/v1/orgs'), 1)
    assert.equal(await countOf('/v1/user/tokens'), 2)
    assert.equal(local().token, localToken)
  })

  test('requests with secrets in their paths and queries are answered', async () => {
    const { items } = (await (await ask('/v1/orgs')).json()) as { items: { id: string }[] }
    invites = `/v1/orgs/${items[0]!.id}/invites`
    const send = (method: string, path: string) =>
      new Promise<void>((resolve, reject) => {
        const { hostname: host, port } = new URL(server.url)
        const headers = { authorization: `Bearer ${token}` }
        request({ host, port, method, path, headers }, (answer) => answer.resume().on('end', resolve))
          .on('error', reject)
          .end()
      })
    await send('POST', `${invites}/S3CRET`)
    await send('GET', `${invites}/S3CRET`)
    await send('GET', '/v1/storage/unknown?secret=S3CRET')
    await send('GET', '/v1/spaces/s/files/h/n?signature=S3CRET')
    await send('GET', '/sites/docs/x?key=S3CRET')
    await send('GET', '/sites/docs/x/share_S3CRET/page')
    await send('GET', '/v1/%zz?secret=S3CRET')
  })

  test('SIGTERM completes the requests in flight', async () => {
    const requests = Array.from({ length: 20 }, () =>
      fetch(`${server.url}/v1/orgs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'In flight' }),
      }).then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    const logged = await ask('/v1/user?shareKey=hidden', { 'x-request-id': 'my-id' })
    assert.equal(logged.headers.get('x-request-id'), 'my-id')
    siteAnswer = await fetch(`${server.url}/sites/docs/nothing/?key=hidden`)
    assert.equal(siteAnswer.status, 404)
    await Promise.race(requests)
    assert.equal(await server.stop(), 0)
    const answers = await Promise.all(requests)
    assert(
      answers.every((answer) => answer === 201 || answer === 503 || answer === 'refused'),
      answers.join(),
    )
    assert(answers.includes(201))
  })

  test('the log has one line of JSON for each request, with its id and without secrets', () => {
    const [{ id, method, path, status } = {}, ...more] = entriesOf('/v1/user')
    assert.deepEqual([id, method, path, status], ['my-id', 'GET', '/v1/user', 200])
    assert.deepEqual(more, [])
    assert(!server.out().includes(token))
    assert.doesNotMatch(server.out(), /hidden/)
  })

  test('the log has neither codes in paths nor secrets in queries', () => {
    assert.doesNotMatch(server.out(), /S3CRET/)
    assert(server.out().includes(`${invites}/[secret]`))
  })

  test('the log has one line for each request to a site, with its host and without its query', () => {
    const [{ id, method, host, path, status, msg } = {}, ...more] = entriesOf('/sites/docs/nothing/')
    assert.deepEqual(
      [id, method, host, path, status, msg],
      [
        siteAnswer.headers.get('x-request-id'),
        'GET',
        new URL(server.url).host,
        '/sites/docs/nothing/',
        404,
        'request',
      ],
    )
    assert.deepEqual(more, [])
  })

  test('a start with another secret fails, instead of breaking every signed URL', async () => {
    const { code, err } = await runHere([], { ...env, LECTERN_SECRET: 'x'.repeat(40) })
    assert.equal(code, 1)
    assert.match(err, /LECTERN_SECRET differs/)
  })
})

test('invalid values prevent the start, and all of them are listed', async () => {
  const { code, err } = await runHere([], {
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

test('the OpenAPI document is printed without a server', async () => {
  const { code, out } = await runHere(['openapi'])
  assert.equal(code, 0)
  assert.equal((JSON.parse(out) as { openapi: string }).openapi, '3.1.0')
})

test('an unknown command or option prints an explanation', async () => {
  assert.match((await runHere(['frobnicate'])).err, /Unknown command "frobnicate"/)
  assert.match((await runHere(['--frobnicate'])).err, /frobnicate/)
  assert.match((await run(['help'])).out, /lectern import/)
})
