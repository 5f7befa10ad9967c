import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { openServer } from '../../src/server/connections.ts'

const UNREAD_MS = 300
/** More than the system takes of an answer that nobody reads. */
const LARGE = Buffer.alloc(32 * 1024 * 1024)

async function serve(handler: RequestListener, unreadMs = UNREAD_MS): Promise<Socket> {
  const server = openServer(handler, unreadMs).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  after(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  socket.on('error', () => undefined)
  return socket
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

test('the connection of a client that does not read its answer is closed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<boolean>()
  const socket = await serve((_request, response) => {
    response.on('close', () => resolve(response.writableFinished))
    response.end(LARGE)
  })
  socket.pause()
  socket.write(GET)
  assert.equal(await closed, false)
})

test('a client that reads slowly gets its whole answer', async () => {
  // Its pauses take longer together than an answer may be left unread, and each far shorter, even on a slow machine.
  const unreadMs = 1_500
  const socket = await serve((_request, response) => {
    response.setHeader('connection', 'close')
    response.end(LARGE)
  }, unreadMs)
  const began = performance.now()
  let received = 0
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length
    if (received % (4 * 1024 * 1024) > bytes.length) return
    socket.pause()
    setTimeout(() => socket.resume(), unreadMs / 5)
  })
  socket.write(GET)
  await once(socket, 'close')
  assert(received > LARGE.length, `${received} bytes`)
  assert(performance.now() - began > unreadMs)
})

test('a client may wait for its answer longer than it may leave it unread', async () => {
  const socket = await serve((_request, response) => {
    setTimeout(() => response.end('done'), 3 * UNREAD_MS)
  })
  socket.write(GET)
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  assert.match(bytes.toString(), /^HTTP\/1\.1 200/)
})
