import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { hashSecret } from '../src/access/credentials/tokens.ts'
import { end, freePort, median, memoryOf, pinned, type Running, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const CLIENTS = 1_000
/** Fewer than a user may have. */
const CLIENTS_OF_USER = 20
const RUNS = 5
const AT_ONCE = 50

/** The streams of many clients: the memory of each, and how soon all of them hear of a comment; a bare server beside it. */
export async function events(): Promise<Result[]> {
  const ours = await ofLectern()
  const bare = await ofReference()
  return [
    {
      scenario: `memory of a stream of events, kB, ${CLIENTS} of them / node:http`,
      ours: ours.kilobytes.toFixed(1),
      reference: bare.kilobytes.toFixed(1),
      ratio: ours.kilobytes / bare.kilobytes,
      spread: '',
      goal: '≤ 60 kB',
    },
    {
      scenario: `from a comment until ${CLIENTS} clients hear it, ms / node:http`,
      ours: median(ours.times).toFixed(0),
      reference: median(bare.times).toFixed(0),
      ratio: median(ours.times) / median(bare.times),
      spread: spread(ours.times),
      goal: '≤ 250 ms',
    },
  ]
}

async function ofLectern() {
  await using lectern = await startLectern()
  const { items } = await lectern.call('GET', '/v1/orgs')
  const organizationId = (items as { id: string }[])[0]!.id
  const space = await lectern.call('POST', `/v1/orgs/${organizationId}/spaces`, { title: 'Heard' })
  const tokens = addReaders(lectern, organizationId)
  const base = `/v1/spaces/${String(space.id)}`
  const address = (i: number) => ({
    url: `${lectern.url}${base}/events`,
    token: tokens[Math.floor(i / CLIENTS_OF_USER)],
  })
  const comment = () => lectern.call('POST', `${base}/comments`, { body: { markdown: 'Listen!' } })
  return await listenAndMeasure(lectern, address, comment)
}

async function ofReference() {
  const port = await freePort()
  const process = pinned('0', ['bench/reference-events.ts', String(port)])
  const url = `http://127.0.0.1:${port}`
  await wait(500)
  const result = await listenAndMeasure(
    { process },
    () => ({ url, token: '' }),
    () => fetch(url, { method: 'POST' }),
  )
  await end(process)
  return result
}

async function listenAndMeasure(
  server: Pick<Running, 'process'>,
  address: (i: number) => { url: string; token: string | undefined },
  tell: () => Promise<unknown>,
) {
  const heard = { count: 0 }
  const streams: IncomingMessage[] = []
  const before = memoryOf(server as Running)
  for (let i = 0; i < CLIENTS; i += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => open(address(i + j))))
  await wait(1_000)
  const kilobytes = ((memoryOf(server as Running) - before) * 1024) / CLIENTS

  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    heard.count = 0
    const started = performance.now()
    await tell()
    while (heard.count < CLIENTS) await wait(1)
    if (run > 0) times.push(performance.now() - started)
    await wait(300)
  }
  for (const stream of streams) stream.destroy()
  return { kilobytes, times }

  async function open({ url, token = '' }: { url: string; token: string | undefined }): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    get(url, { agent: false, headers: token ? { authorization: `Bearer ${token}` } : {} }, resolve).on(
      'error',
      reject,
    )
    const stream = await promise
    if (stream.statusCode !== 200) throw new Error(`A stream was answered with ${stream.statusCode}`)
    stream.on('error', () => undefined)
    stream.on('data', (bytes: Buffer) => {
      if (bytes.includes('event: comment')) heard.count += 1
    })
    streams.push(stream)
  }
}

/** Writes users to the database, because the API invites each by e-mail. @returns their tokens */
function addReaders({ data }: Running, organizationId: string): string[] {
  const database = new DatabaseSync(join(data, 'lectern.sqlite'), { timeout: 5_000 })
  const at = new Date().toISOString()
  const tokens = Array.from({ length: CLIENTS / CLIENTS_OF_USER }, (_, i) => `lec_benchmark_reader_${i}`)
  for (const [i, token] of tokens.entries()) {
    const id = `benchmarkreader${String(i).padStart(5, '0')}`
    database
      .prepare(
        'insert into "user" ("id", "displayName", "email", "createdAt", "updatedAt") values (?, ?, ?, ?, ?)',
      )
      .run(id, id, `${id}@example.com`, at, at)
    database
      .prepare(
        'insert into "member" ("organizationId", "userId", "role", "disabled", "sso", "joinedAt") values (?, ?, ?, 0, 0, ?)',
      )
      .run(organizationId, id, 'read', at)
    database
      .prepare(
        'insert into "token" ("id", "userId", "label", "hash", "readOnly", "session", "createdAt") values (?, ?, ?, ?, 0, 0, ?)',
      )
      .run(id, id, 'benchmark', hashSecret(token), at)
  }
  database.close()
  return tokens
}
