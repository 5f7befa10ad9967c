import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { Agent, type Dispatcher } from 'undici'
import { shareConsole } from './built-console.ts'
import { copyTemplate } from './sqlite.ts'
import { checkAnswer } from './declared.ts'
import { createPostgres } from './postgres.ts'
import { sealedBy } from '../src/access/credentials/sealing.ts'
import { type App, buildApp } from '../src/server/app.ts'
import { openTelemetry, type Telemetry } from '../src/server/telemetry.ts'
import type { Parts } from '../src/server/parts.ts'
import { openBlobs } from '../src/blobs/open.ts'
import { type Config, readConfig } from '../src/installation/config.ts'
import { idSource } from '../src/core/data/id.ts'
import { openDatabase } from '../src/db/open.ts'
import type { Database, Role } from '../src/db/schema.ts'
import { insertToken } from '../src/model/people/token.ts'
import { beginSigning } from '../src/model/audit/chain.ts'
import { openKeyring } from '../src/installation/secrets.ts'
import { setUp } from '../src/installation/setup.ts'
import { REASONS } from '../src/core/languages/reasons.ts'
import { type Reasoned, withFaultText } from '../src/core/languages/reasoned.ts'
import { fillIn } from '../src/core/languages/wording.ts'

/** The parts of a response that a client sees. */
export interface Answer {
  status: number
  headers: Headers
  // Tests read responses of any shape. Their assertions check what they expect.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  text: string
}

/** A user with a token who sends requests: `await ada('POST /v1/orgs', { title: 'Acme' })`. */
export interface Person {
  (request: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  id: string
  token: string
}

export interface World {
  app: App
  /** What the server reports of itself. */
  telemetry: Telemetry
  db: Database
  config: Config
  url: string
  /** The administrator of `organizationId`. */
  ada: Person
  organizationId: string
  /** A caller without a token. */
  nobody: Person
  /** Creates a user, and with a role, or null for a guest, adds them to the organization. */
  person(name: string, role?: Role | null): Promise<Person>
  /** Creates a user of another organization, which they administer. */
  stranger(name: string): Promise<Person & { organizationId: string }>
  /** The clock of the server. Set it to change the time. */
  clock: { now: Date | undefined }
  close(): Promise<void>
}

/**
 * Stops the clock of the server until the test ends, for a test that uses up a limit: otherwise the window in which the
 * limit counts may end between two of its attempts.
 */
export function stopClock(test: TestContext, { clock }: Pick<World, 'clock'>): void {
  clock.now = new Date()
  test.after(() => (clock.now = undefined))
}

/** A fresh database, a folder and a running server, closed after the tests of the file. */
export async function createWorld(
  env: Record<string, string> = {},
  parts: Partial<
    Pick<Parts, 'mail' | 'inspect' | 'listening' | 'resolveTxt' | 'lookup' | 'console' | 'blobs' | 'logTo'>
  > = {},
): Promise<World> {
  const data = await mkdtemp(join(tmpdir(), 'lectern-'))
  const postgres = await createPostgres()
  if (!postgres) await copyTemplate(data)
  shareConsole(data)
  const clock: World['clock'] = { now: undefined }
  const now = () => clock.now ?? new Date()
  const newId = idSource(() => now().getTime())
  const config = readConfig({
    PORT: '0',
    LECTERN_DATA: data,
    LECTERN_LOG: 'warn',
    LECTERN_FETCH_ALLOW: '127.0.0.0/8',
    LECTERN_RATE_LIMIT: '1000000',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...env,
  })

  let answeredTwice: string | undefined
  const telemetry = openTelemetry(config)
  const db = await openDatabase({ ...config, durable: false, observer: telemetry.observer })
  const keyring = await openKeyring(db, config)
  await beginSigning(db, sealedBy(keyring), now())
  const first = await setUp(db, config, sealedBy(keyring), now(), newId)
  assert(first, 'the database was empty')
  const blobs = telemetry.blobs(await openBlobs(config))
  const app = await buildApp({
    config,
    db,
    blobs,
    keyring,
    clock: now,
    newId,
    inspect: checkAnswer,
    logTo: {
      write(line) {
        printFailure(line)
        if (tellsOfTwo(line)) answeredTwice = line
      },
    },
    resolveTxt: async () => [],
    telemetry,
    ...parts,
  })
  // On a busy machine, the server could otherwise close a connection just when the next request uses it.
  app.server.server.keepAliveTimeout = 600_000
  const url = await app.listen()

  const speak = (id: string, token: string): Person =>
    Object.assign(
      (request: string, body?: unknown, headers?: Record<string, string>) =>
        send(url, token, request, body, headers),
      { id, token },
    )

  async function tokenFor(userId: string): Promise<Person> {
    const { token } = await db.write((tx) =>
      insertToken(tx, { id: newId(), userId, label: 'test', now: now() }),
    )
    return speak(userId, token)
  }

  async function person(name: string, role?: Role | null): Promise<Person> {
    const at = now().toISOString()
    const id = newId()
    const email = `${name}@example.com`.toLowerCase()
    await db.write(async (tx) => {
      await tx
        .insertInto('user')
        .values({ id, displayName: name, email, photoUrl: null, createdAt: at, updatedAt: at })
        .execute()
      if (role === undefined) return
      await tx
        .insertInto('member')
        .values({
          organizationId: first!.organization.id,
          userId: id,
          role,
          disabled: 0,
          sso: 0,
          joinedAt: at,
          lastSeenAt: null,
        })
        .execute()
    })
    return tokenFor(id)
  }

  const administrator = await db.read.selectFrom('user').select('id').executeTakeFirstOrThrow()
  const world: World = {
    app,
    telemetry,
    db,
    config,
    url,
    ada: await tokenFor(administrator.id),
    organizationId: first.organization.id,
    nobody: speak('', ''),
    person,
    async stranger(name) {
      const one = await person(name)
      const { body } = await one('POST /v1/orgs', { title: `${name}'s organization` })
      return Object.assign(one, { organizationId: body.id as string })
    },
    clock,
    async close() {
      await app.close()
      await telemetry.close()
      await db.close()
      await postgres?.drop()
      await rm(data, { recursive: true, force: true })
      assert.equal(answeredTwice, undefined, 'a request was answered twice')
    },
  }
  after(() => world.close())
  return world
}

/** Prints why a request of a test got 500. */
function printFailure(line: string): void {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { stack: string } }
  if (msg === 'unexpected error') process.stderr.write(`A request got 500: ${err?.stack}\n`)
}

/** Whether a line of the log says that a request had a response already when it got another. */
const tellsOfTwo = (line: string) =>
  line.includes('FST_ERR_REP_ALREADY_SENT') || line.includes('reply.sent = true')

/** Sends a request such as `GET /v1/user`. A body other than bytes is sent as JSON. */
async function send(
  url: string,
  token: string,
  request: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const [method = '', address = ''] = request.split(' ')
  const bytes = body instanceof Uint8Array
  const response = await client.request({
    ...targetOf(address.startsWith('http') ? address : url + address),
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined
        ? {}
        : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: bytes ? Buffer.from(body) : JSON.stringify(body) }),
  })
  const answered = headersOf(response.headers)
  const text = await textOf(response.body, answered)
  const json = answered.get('content-type')?.startsWith('application/json')
  const parsed = json && text ? JSON.parse(text) : undefined
  if (parsed?.error) checkError(parsed.error)
  // Only the problems of imports have kinds.
  for (const { kind, ...problem } of Array.isArray(parsed?.problems) ? parsed.problems : []) {
    if (kind === undefined) continue
    assert.notEqual(problem.reason, undefined, problem.message)
    checkError(problem)
  }
  return { status: response.statusCode, headers: answered, text, body: parsed }
}

const TEXTS = new Map<string, string>(Object.entries(REASONS))

/** An error has the message of its reason, which is declared. One that joins the faults of values has those of each. */
function checkError({
  details = [],
  ...error
}: Reasoned & { details?: (Reasoned & { path: string })[] }): void {
  for (const { message, reason, parameters = {} } of [error, ...details]) {
    if (reason === undefined) continue
    const text = TEXTS.get(reason)
    assert(text !== undefined, reason)
    if (reason === 'invalid-values') assert(details.length > 0)
    else assert.equal(message, fillIn(text, parameters))
    const read = withFaultText(parameters, (inner, values) => fillIn(TEXTS.get(inner)!, values))
    assert.equal(parameters.fault, read.fault)
  }
}

/** The body; none of a stream of events, which would not end. `test/listening.ts` reads these. */
async function textOf(body: Dispatcher.ResponseData['body'], headers: Headers): Promise<string> {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return body.text()
  body.on('error', () => undefined).destroy()
  return ''
}

// `fetch` takes three times as long for a request.
const client = new Agent()

function targetOf(address: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(address)
  return { origin, path: pathname + search }
}

function headersOf(fields: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(fields))
    for (const value of [values].flat()) headers.append(name, value)
  return headers
}
