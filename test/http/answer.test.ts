import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyRequest } from 'fastify'
import { sendJson, whenRoom } from '../../src/http/response/answer.ts'
import { ApiError } from '../../src/http/errors.ts'
import {
  answerJson,
  divideJson,
  fromJson,
  JsonPart,
  jsonLength,
  keptJson,
  lazyArray,
  piecesOf,
} from '../../src/http/response/json-parts.ts'

test('JSON stands for a value anywhere in an answer', () => {
  const text = '{"a":"$&","b":[1]}'
  assert.equal(answerJson(fromJson(text)), text)
  assert.equal(
    answerJson({ first: fromJson(text), items: [{ body: fromJson('null') }], plain: 'x' }),
    `{"first":${text},"items":[{"body":null}],"plain":"x"}`,
  )
  assert.equal(answerJson({ plain: 1 }), '{"plain":1}')
})

test('an answer that is kept has its text in the codings in which it was sent', () => {
  const text = JSON.stringify({ body: 'текст 🙂'.repeat(100) })
  const sizes: number[] = []
  const answer = keptJson<object>(text, (bytes) => sizes.push(bytes))
  assert(answer instanceof JsonPart && answer.kept)
  assert.equal(answerJson(answer), text)
  const [zipped, shorter] = [gzipSync(text), brotliCompressSync(text)]
  answer.kept.codings.set('gzip', zipped)
  answer.kept.codings.set('br', shorter)
  assert.equal(answer.kept.codings.get('gzip'), zipped)
  assert.equal(answer.kept.codings.get('zstd'), undefined)
  assert.deepEqual(sizes, [zipped.length, zipped.length + shorter.length])
  assert.equal(answerJson(answer), text)
  assert.equal(answer.kept.text(), text)
})

test('an array is made while it is sent, at any depth', () => {
  let made = 0
  const items = (depth: number): unknown[] =>
    lazyArray(
      [1, 2],
      (n) => {
        made += 1
        return { n, below: depth > 0 ? items(depth - 1) : [], json: fromJson('[0]') }
      },
      () => '',
    )
  const answer = { items: items(2), after: true }
  const pieces = piecesOf(divideJson(answer))
  for (let i = 0; i < 3; i++) pieces.next()
  assert(made <= 2, 'only the items so far')
  const whole = JSON.parse(answerJson(answer))
  assert.equal(whole.items[1].below[0].below[1].json[0], 0)
  assert.equal(whole.after, true)
  JSON.stringify(answer)
  assert.deepEqual(JSON.parse(answerJson(answer)), whole, 'whatever was made of its parts before')
  assert.equal(jsonLength(answer, 1e6), answerJson(answer).length)
  made = 0
  assert(jsonLength(answer, 10) > 10 && made <= 2, 'no more is made than needed')
  assert.deepEqual(
    lazyArray(
      [],
      () => 1,
      () => '',
    ),
    [],
  )
})

test('no piece of a long text ends within a character', () => {
  for (const start of ['', 'x']) {
    const text = JSON.stringify(start + '🙂'.repeat(100_000))
    const pieces = [...piecesOf(divideJson(fromJson(text)))]
    assert(pieces.length > 3)
    assert(Buffer.concat(pieces.map((piece) => Buffer.from(piece))).equals(Buffer.from(text)))
  }
})

const server = fastify()
const LARGE = Buffer.alloc(20 * 1024 * 1024)
const callerOf = (request: FastifyRequest) => String(request.headers['x-caller'])
server.setErrorHandler((error, _request, reply) =>
  error instanceof ApiError
    ? reply.code(error.status).send(error.message)
    : reply.code(500).send('unexpected'),
)
server.get('/large', async (request, reply) =>
  whenRoom(
    reply,
    () => callerOf(request),
    LARGE.length,
    () => reply.header('etag', '"1"').send(LARGE),
  ),
)
server.get('/medium', async (request, reply) =>
  whenRoom(
    reply,
    () => callerOf(request),
    LARGE.length - 1,
    () => reply.send(LARGE.subarray(1)),
  ),
)
server.get('/small', async (request, reply) =>
  sendJson(request, reply, { small: true }, { immutable: false, caller: () => callerOf(request) }),
)
const url = await server.listen({ port: 0, host: '127.0.0.1' })
after(() => server.close())

test('a caller whose unread answers use up its share gets 503, and others are served', async () => {
  const get = (path: string, caller: string) => fetch(url + path, { headers: { 'x-caller': caller } })
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\nX-Caller: greedy\r\n\r\n')
  await once(socket, 'readable')

  const refused = await get('/large', 'greedy')
  assert.deepEqual([refused.status, refused.headers.get('etag')], [503, null])
  assert.match(await refused.text(), /retry/)
  assert.equal((await get('/small', 'greedy')).status, 200, 'a small answer has room')
  const other = await get('/large', 'other')
  assert.equal((await other.arrayBuffer()).byteLength, LARGE.length)

  socket.destroy()
  const again = await get('/large', 'greedy')
  assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [200, LARGE.length])
})

test('unread answers of many callers that fill the room give way to an answer for another', async () => {
  const crowd = Array.from({ length: 4 }, (_, i) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
    socket.on('error', () => undefined)
    socket.write(`GET /large HTTP/1.1\r\nHost: a\r\nX-Caller: crowd ${i}\r\n\r\n`)
    return socket
  })
  await Promise.all(crowd.map((socket) => once(socket, 'readable')))
  try {
    const other = await fetch(`${url}/medium`, { headers: { 'x-caller': 'other' } })
    assert.deepEqual([other.status, (await other.arrayBuffer()).byteLength], [200, LARGE.length - 1])
  } finally {
    for (const socket of crowd) socket.destroy()
  }
})
