import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { admitBody } from '../../src/http/request/request-body.ts'
import { openServer } from '../../src/server/connections.ts'
import { ApiError } from '../../src/http/errors.ts'

const MB = 1024 * 1024
const LIMIT = 30 * MB
const SILENT_MS = 300

const server = fastify({ serverFactory: (handler) => openServer(handler, SILENT_MS), bodyLimit: LIMIT })
server.setErrorHandler((error, _request, reply) =>
  error instanceof ApiError ? reply.code(error.status).send(error.message) : reply.code(400).send('broken'),
)
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
server.route({
  method: 'POST',
  url: '/',
  preParsing: async (request, reply) => {
    await admitBody(request, reply, { limit: LIMIT, caller: () => String(request.headers['x-caller']) })
    return undefined
  },
  handler: async (request) => `${(request.body as Buffer).length} bytes`,
})
const url = await server.listen({ port: 0, host: '127.0.0.1' })
after(() => server.close())

/** Sends the headers of a body. */
function announce(caller: string, length: number, more = ''): { socket: Socket; text: () => string } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nX-Caller: ${caller}\r\nContent-Type: a/b\r\nContent-Length: ${length}\r\n${more}\r\n`,
  )
  after(() => socket.destroy())
  return { socket, text: () => text }
}

const EXPECT = 'Expect: 100-continue\r\n'

test('a client that waits to be asked for its body is asked, but not for one that is too large', async () => {
  const small = announce('a', 5, EXPECT)
  await once(small.socket, 'data')
  assert.equal(small.text(), 'HTTP/1.1 100 Continue\r\n\r\n')
  small.socket.write('hello')
  await once(small.socket, 'data')
  assert.match(small.text(), /HTTP\/1\.1 200 OK[^]*5 bytes/)

  const large = announce('a', LIMIT + 1, EXPECT)
  await once(large.socket, 'close')
  assert.match(large.text(), /^HTTP\/1\.1 413 /)

  const other = announce('a', 5, 'Expect: tea\r\n')
  await once(other.socket, 'data')
  assert.match(other.text(), /^HTTP\/1\.1 417 /)
})

test('a body whose client sends nothing more is given up', async () => {
  const { socket, text } = announce('a', 5)
  socket.write('he')
  await once(socket, 'close')
  assert.doesNotMatch(text(), /200/)
})

test('bodies that are on their way use up the share of their caller, and others can send', async () => {
  const first = announce('greedy', LIMIT, EXPECT)
  await once(first.socket, 'data')
  const sending = setInterval(() => first.socket.write('x'), SILENT_MS / 3)
  const second = announce('greedy', 3 * MB, EXPECT)
  const other = announce('other', 3 * MB, EXPECT)
  await once(other.socket, 'data')
  assert.match(other.text(), /^HTTP\/1\.1 100 /)
  await once(second.socket, 'data')
  assert.match(second.text(), /^HTTP\/1\.1 503 /)

  clearInterval(sending)
  first.socket.destroy()
  const again = announce('greedy', 3 * MB, EXPECT)
  await once(again.socket, 'data')
  assert.match(again.text(), /^HTTP\/1\.1 100 /)
})

test('bodies of many callers that fill the room give way to a body of another', async () => {
  const crowd = Array.from({ length: 5 }, (_, i) => announce(`crowd ${i}`, 25 * MB, EXPECT))
  const sending = setInterval(() => crowd.forEach(({ socket }) => socket.write('x')), SILENT_MS / 10)
  try {
    await Promise.all(crowd.map(({ socket }) => once(socket, 'data')))
    const other = announce('other', 10 * MB, EXPECT)
    await once(other.socket, 'data')
    assert.match(other.text(), /^HTTP\/1\.1 100 /)
    const refused = crowd.filter(({ text }) => text().includes('HTTP/1.1 503 '))
    assert.equal(refused.length, 1, 'the newest of one of the crowd was refused')
    other.socket.write(Buffer.alloc(10 * MB))
    await once(other.socket, 'data')
    assert.match(other.text(), /200 OK/)
  } finally {
    clearInterval(sending)
    for (const { socket } of crowd) socket.destroy()
  }
})
