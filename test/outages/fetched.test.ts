/** Faults of servers from which Lectern fetches specifications and what is imported. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { fetchRetried } from '../../src/http/outgoing/retried.ts'
import { ApiError } from '../../src/http/errors.ts'
import { createWorld } from '../world.ts'
import { HTTP_FAULTS, type Fault, faultyServer, RETRY_AFTER } from './faulty-server.ts'
import { isDelay } from './outcomes.ts'

const { app } = await createWorld()

const working = createServer((_request, response) => response.end('a specification '.repeat(20)))
await new Promise<void>((listening) => working.listen(0, '127.0.0.1', listening))
const faulty = await faultyServer(`http://127.0.0.1:${(working.address() as AddressInfo).port}`)
after(async () => {
  await faulty.close()
  working.close()
})

/** Fetches with a limit. @returns the status, or the reason of the refusal */
async function read(timeoutMs: number): Promise<string> {
  const limits = { maxBytes: 10_000, timeoutMs }
  try {
    const bytes = await fetchRetried(app.services.fetch, faulty.url, limits, {}, (found) => found.bytes())
    return `${bytes.length > 0}`
  } catch (error) {
    assert(error instanceof ApiError)
    return `${error.status} ${error.reason}, retry in ${error.retryAfter}`
  }
}

const SOURCE: Record<Fault, RegExp> = {
  refuse: /^503 fetch-failed-with-code, retry in 30/,
  'reset at once': /^503 fetch-failed-with-code, retry in 30/,
  'reset in the body': /^503 fetch-failed-with-code, retry in 30/,
  hang: /^503 response-late, retry in 30/,
  'slow drip': /^503 response-late, retry in 30/,
  '500': /^503 source-failing, retry in 30/,
  '503 with Retry-After': new RegExp(`^503 source-failing, retry in ${RETRY_AFTER}`),
  '429 with Retry-After': new RegExp(`^503 source-failing, retry in ${RETRY_AFTER}`),
  truncated: /^503 fetch-failed-with-code, retry in 30/,
  'another protocol': /^503 fetch-failed(-with-code)?, retry in 30/,
  // Only the code that parses the file can notice.
  'a page of a proxy': /^true/,
}

for (const fault of HTTP_FAULTS) {
  test(`a source, ${fault}: ${SOURCE[fault].source}`, async (t) => {
    t.after(() => faulty.fail(undefined))
    await faulty.fail(fault)
    assert.match(await read(isDelay(fault) ? 300 : 20_000), SOURCE[fault])
    await faulty.fail(undefined)
    assert.equal(await read(20_000), 'true')
  })
}

for (const fault of ['reset at once', 'reset in the body', '500', 'truncated'] as const)
  test(`${fault}, once: not visible`, async (t) => {
    t.after(() => faulty.fail(undefined))
    await faulty.fail(fault, 1)
    assert.equal(await read(20_000), 'true')
  })
