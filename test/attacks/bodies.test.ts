/** Bodies that are too large, or sent by callers who may not send them: refused before they are read. */
import { sizeLimit } from '../../src/core/text/byte-size.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { isLongRun } from '../effort.ts'
import { BODY_LIMIT, DOCUMENT_BODY_LIMIT } from '../../src/http/route.ts'
import { SPEC_BODY_LIMIT } from '../../src/model/openapi/spec.ts'
import { loadRoutes } from '../../src/server/routes.ts'
import { createWorld, type Person } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

/** How many comments and replies are more than one response may have. */
const [COMMENTS, REPLIES] = isLongRun() ? [25, 5] : [6, 2]

const world = await createWorld()
const { ada, organizationId } = world
const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Manual' })
const mallory = await world.stranger('mallory')
const reader = await world.person('reader', 'read')

/** Sends the headers of a request with a large body, and no byte of the body. @returns the status */
function announce(line: string, token = '', length = 1_000_000): Promise<number | undefined> {
  const [method = '', path = ''] = line.split(' ')
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const headers = { 'content-type': 'application/json', 'content-length': String(length) }
  const sending = request(world.url + path, {
    method,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
  })
  sending.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject)
  sending.flushHeaders()
  return promise.finally(() => sending.destroy())
}

/** Sends the headers of a body of the largest size that a specification has, and waits until the server asks for it. */
function offer(
  { token }: Pick<Person, 'token'>,
  organization = organizationId,
  length = SPEC_BODY_LIMIT,
): { continued: Promise<unknown>; end: () => void } {
  const sending = request(`${world.url}/v1/orgs/${organization}/openapi/large`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'content-length': length,
      expect: '100-continue',
      authorization: `Bearer ${token}`,
    },
  })
  sending.on('error', () => undefined).flushHeaders()
  const continued = Promise.race([
    once(sending, 'continue'),
    once(sending, 'response').then(([{ statusCode }]) => assert.fail(`${statusCode}`)),
  ])
  return { continued, end: () => void sending.destroy() }
}

test('the bodies of all tokens of a user share one bound in memory, and two users have two', async () => {
  const { body: second } = await ada('POST /v1/user/tokens', { label: 'second' })
  const bob = await world.person('bob', 'admin')
  const order: string[] = []
  const noted = async (name: string, { continued }: { continued: Promise<unknown> }) => {
    await continued
    order.push(name)
  }
  const first = offer(ada)
  await noted('first of Ada', first)
  const other = offer(second)
  const later = noted('second of Ada', other)
  const bobs = offer(bob)
  await noted('first of Bob', bobs)
  order.push('the first ends')
  first.end()
  await later
  assert.deepEqual(order, ['first of Ada', 'first of Bob', 'the first ends', 'second of Ada'])
  for (const { end } of [other, bobs]) end()
})

/** Sends a body several times, from another thread: what the client does must not count as the work of the server. */
const SENDER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const keys = Array.from({ length: workerData.keys }, (_, i) => '"key' + i + '":1').join(',')
  const body = Buffer.from('{' + keys + '}')
  parentPort.once('message', async () => {
    const answers = []
    for (let i = 0; i < workerData.times; i++) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(workerData.url, { method: 'POST', headers, body })
      answers.push({ status: answer.status, text: await answer.text() })
    }
    parentPort.postMessage(answers)
  })
  parentPort.postMessage(body)
`

test('7.3 MB of keys to sign in with are refused at once, and the sender sees the answer', async () => {
  const url = `${world.url}/v1/account/sessions`
  const sender = new Worker(SENDER, { eval: true, workerData: { url, keys: 560_000, times: 5 } })
  const [made] = (await once(sender, 'message')) as [Uint8Array]
  const body = Buffer.from(made)
  assert(body.length > 7_000_000)
  const send = (bytes: string | ReadableStream) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bytes,
      duplex: 'half',
    })
  await send('{}')

  const { ms, value } = await longestHold(async () => {
    sender.postMessage('begin')
    const [answers] = (await once(sender, 'message')) as [{ status: number; text: string }[]]
    return answers
  })
  await sender.terminate()
  assert.equal(value.length, 5)
  assert(value.every(({ status }) => status === 413))
  assert.match(value[0]!.text, new RegExp(`at most ${sizeLimit(BODY_LIMIT)}`))
  // Before the limit, each request took more than a second.
  assert(ms < LONGEST_HOLD_MS, `${ms} ms`)

  const pieces = async function* () {
    for (let start = 0; start < body.length; start += 65_536) yield body.subarray(start, start + 65_536)
  }
  const chunked = await send(ReadableStream.from(pieces()))
  assert.equal(chunked.status, 413, 'without a length')
})

const MANY = isLongRun() ? 1 : 4
/** Bodies of a batch that are small enough, and cost seconds to parse and to check. */
const COSTLY: Record<string, string> = {
  'many members': `{"changes":[],${Array.from({ length: 560_000 / MANY }, (_, i) => `"k${i}":1`).join(',')}}`,
  'many values': `{"changes":[${'1,'.repeat(2_900_000 / MANY)}1,${'1,'.repeat(900_000)}1]}`,
  'many levels': `{"changes":${'['.repeat(2_000_000 / MANY)}${']'.repeat(2_000_000 / MANY)}}`,
}

for (const [name, body] of Object.entries(COSTLY))
  test(`a batch with ${name} is refused before it is parsed`, async () => {
    const url = `${world.url}/v1/spaces/${space.id}/content`
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` }
    const { ms, value } = await longestHold(async () => {
      const answer = await fetch(url, { method: 'POST', headers, body })
      return { status: answer.status, text: await answer.text() }
    })
    assert.equal(value.status, 400, value.text)
    assert.match(value.text, /more than \d+ (members|values|levels)/)
    assert(ms < LONGEST_HOLD_MS, `${ms} ms`)
  })

test('the right of the caller is checked before the body is read', async () => {
  const content = `/v1/spaces/${space.id}/content`
  assert.equal(await announce(`POST ${content}`), 401)
  assert.equal(await announce(`POST ${content}`, mallory.token), 404)
  assert.equal(await announce(`POST ${content}`, reader.token), 403)
  const { token } = (await ada('POST /v1/user/tokens', { label: 'reader', readOnly: true })).body
  assert.equal(await announce(`POST ${content}`, token), 403)
  assert.equal(await announce(`POST /v1/spaces/%20%00/content`, ada.token), 400)
  assert.equal(await announce(`PATCH /v1/spaces/${space.id}`, ada.token), 413)
  assert.equal(await announce(`POST ${content}`, ada.token, 8_388_609), 413)
})

test('a client that waits to be asked for its body is answered before, unless it may send it', async () => {
  const content = `/v1/spaces/${space.id}/content`
  const firstLine = (path: string, token: string, length: number) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
    socket.once('data', (bytes) => resolve(bytes.toString().split('\r\n', 1)[0]!))
    socket.on('error', () => undefined)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    return promise.finally(() => socket.destroy())
  }
  assert.match(await firstLine(content, 'nobody', 1000), / 401 /)
  assert.match(await firstLine(content, mallory.token, 1000), / 404 /)
  assert.match(await firstLine(content, reader.token, 1000), / 403 /)
  assert.match(await firstLine(content, ada.token, 8_388_609), / 413 /)
  assert.match(await firstLine('/v1/nothing', ada.token, 1000), / 404 /)
  assert.match(await firstLine(content, ada.token, 1000), / 100 Continue$/)
})

test('a route with a document or a file in its body takes more than others, and says so', async () => {
  const routes = (await loadRoutes()).map(({ route }) => route)
  const withDocument = routes.filter(({ body }) =>
    /"title":"Document"|"base64"|x-recursive/.test(JSON.stringify(body) ?? ''),
  )
  assert(withDocument.length >= 8)
  for (const { bodyLimit = BODY_LIMIT, path } of withDocument) assert(bodyLimit >= DOCUMENT_BODY_LIMIT, path)
  for (const { bodyLimit = BODY_LIMIT, access, path } of routes)
    assert(!access.open || bodyLimit === BODY_LIMIT, `${path} needs no token`)

  const long = 'x'.repeat(500_000)
  const saved = await ada(`POST /v1/spaces/${space.id}/content`, {
    changes: [{ operation: 'insert_page', document: { markdown: `# Long\n\n${long}\n` } }],
  })
  assert.notEqual(saved.status, 413, saved.text)
})

test('a client that keeps sending after its answer is cut off', async () => {
  const { port } = new URL(world.url)
  const socket = connect(Number(port), '127.0.0.1')
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  socket.on('close', () => resolve()).on('error', () => undefined)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes.toString()))
  socket.write('POST /v1/account/sessions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n')
  socket.write('Content-Length: 100000000000\r\n\r\n')
  const piece = Buffer.alloc(1024 * 1024)
  let received = 0
  const sending = setInterval(() => socket.write(piece, (error) => (received += error ? 0 : piece.length)), 5)
  await closed
  clearInterval(sending)
  assert(received > 1024 * 1024, 'the server reads on for a while, so that the client sees the answer')
  assert.match(answer, /^HTTP\/1\.1 413 /)
})

test('users who announce large bodies and send nothing do not keep others from sending theirs', async () => {
  const crowd = await Promise.all(Array.from({ length: 5 }, (_, i) => world.stranger(`slow ${i}`)))
  const { body: live } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { editMode: 'live' })
  // All of the 128 MB but 100 kB.
  const lengths = [...Array.from({ length: 4 }, () => SPEC_BODY_LIMIT), 8 * 1024 * 1024 - 100_000]
  const offers = crowd.map((one, i) => offer(one, one.organizationId, lengths[i]))
  await Promise.all(offers.map(({ continued }) => continued))
  try {
    const { status, text } = await ada(`POST /v1/spaces/${live.id}/content`, {
      changes: [{ operation: 'insert_page', document: { markdown: 'word '.repeat(40_000) } }],
    })
    assert.equal(status, 200, text)
  } finally {
    for (const { end } of offers) end()
  }
})

test('a list of long comments is bounded, whatever its format', async () => {
  const commentIn = (one: Person, markdown: string) =>
    one(`POST /v1/spaces/${space.id}/comments`, { body: { markdown } })
  const long = '- *a* **b** `c`\n'.repeat(620)
  for (let i = 0; i < COMMENTS; i++) assert((await commentIn(ada, long)).status < 300)
  const comment = (await commentIn(ada, 'short')).body
  for (let i = 0; i < REPLIES; i++) {
    const replied = await ada(`POST /v1/spaces/${space.id}/comments/${comment.id}/replies`, {
      body: { markdown: long },
    })
    assert(replied.status < 300, replied.text)
  }
  for (const list of ['comments', `comments/${comment.id}/replies`]) {
    const seen = new Set<string>()
    let next = ''
    do {
      const { body, text } = await ada(`GET /v1/spaces/${space.id}/${list}?limit=1000${next}`)
      assert(text.length < 2_000_000, `${list}: ${text.length}`)
      for (const { id } of body.items as { id: string }[]) seen.add(id)
      next = body.next ? `&page=${body.next.page}` : ''
    } while (next)
    assert.equal(seen.size, list === 'comments' ? COMMENTS + 1 : REPLIES)
  }
})
