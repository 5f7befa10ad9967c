/** Calls of the API of another server wait for as long as that asks for, and send nothing twice that it may have done. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { listed, patientCalls } from '../src/commands/copy/patient-calls.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server that gives these answers one after the other, the last of them again and again. */
async function answering(...answers: Answer[]) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    answers[Math.min(requests.length, answers.length) - 1]!(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const waits: number[] = []
  const call = patientCalls(
    { url: `http://127.0.0.1:${port}`, token: 'secret' },
    { name: 'The source', wait: async (ms) => waits.push(Math.round(ms / 1000)) },
  )
  return { call, requests, waits }
}

const send =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const breakOff: Answer = (request) => request.socket.destroy()
const limited = { error: { code: 429, message: 'Slow down' } }

test('waits for the time of Retry-After, in seconds or as a date, or until X-RateLimit-Reset', async () => {
  const date = new Date(Date.now() + 90_000).toUTCString()
  const reset = String(Math.floor(Date.now() / 1000) + 40)
  const { call, waits, requests } = await answering(
    send(429, limited, { 'retry-after': '7' }),
    send(503, limited, { 'retry-after': date }),
    send(429, limited, { 'x-ratelimit-reset': reset }),
    send(429, limited),
    send(200, { id: 'x' }),
  )
  assert.deepEqual(await call('POST', '/things', { a: 1 }), { id: 'x' })
  assert.equal(requests.length, 5)
  const [seconds, until = 0, atReset = 0, growing] = waits
  assert.deepEqual([seconds, growing], [7, 8])
  assert(until > 60 && until <= 90, `${until}`)
  assert(atReset > 20 && atReset <= 40, `${atReset}`)
})

test('gives up when one request would wait for more than twenty minutes', async () => {
  const { call, waits } = await answering(send(429, limited, { 'retry-after': '500' }))
  await assert.rejects(call('GET', '/things'), { message: 'Slow down', status: 429 })
  assert.deepEqual(waits, [500, 500])
})

test('repeats a request that changes nothing after a fault, and no other one', async () => {
  const read = await answering(breakOff, send(500, {}), send(502, {}), send(200, { items: [] }))
  assert.deepEqual(await read.call('GET', '/things'), { items: [] })
  assert.deepEqual(read.waits, [1, 2, 4])

  const lost = await answering(breakOff)
  await assert.rejects(lost.call('POST', '/things'), /The source at http:\S+ cannot be reached/)
  const failed = await answering(send(500, {}))
  await assert.rejects(failed.call('POST', '/things'), {
    message: 'POST /v1/things returned 500',
    status: 500,
  })
  const missing = await answering(send(501, {}))
  await assert.rejects(missing.call('GET', '/things'), { status: 501 })
  assert.deepEqual([lost.requests.length, failed.requests.length, missing.requests.length], [1, 1, 1])
})

test('sends the token to no other address, and takes only JSON for an answer', async () => {
  const other = await answering(send(200, {}))
  const moved = await answering(send(302, {}, { location: 'http://localhost/v1/elsewhere' }))
  await assert.rejects(moved.call('GET', '/things'), { message: 'GET /v1/things returned 302', status: 302 })
  assert.deepEqual(other.requests, [])
  const page = await answering((_request, response) => response.end('<html>'))
  await assert.rejects(page.call('GET', '/things'), /returned no JSON, so http:\S+ is not the API/)
  const refused = await answering(send(401, { error: { code: 401, message: 'No' } }))
  await assert.rejects(refused.call('GET', '/things'), /The source refuses the token: No/)
})

test('reads a list page by page, and refuses one that has no end', async () => {
  const item = (id: number) => ({ id })
  const list = await answering(
    send(200, { items: [item(1), 'no object', item(2)], next: { page: 'a b' } }),
    send(200, { items: [], next: { page: 'c' } }),
    send(200, { items: [item(3)], count: 7 }),
  )
  assert.deepEqual(await listed(list.call, '/things', { status: 'open' }), [item(1), item(2), item(3)])
  assert.match(list.requests[1]!, /^GET \/v1\/things\?status=open&limit=100&page=a\+b Bearer secret$/)
  const endless = await answering(send(200, { items: [item(1)], next: { page: 'same' } }))
  await assert.rejects(listed(endless.call, '/things'), /repeats its pages/)
})
