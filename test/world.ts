import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { createPostgres } from './postgres.ts'
import { type App, buildApp } from '../src/app.ts'
import { openBlobs } from '../src/blobs/open.ts'
import { type Config, readConfig } from '../src/config.ts'
import { idSource, randomText } from '../src/core/id.ts'
import { openDatabase } from '../src/db/open.ts'
import type { Database, Role } from '../src/db/schema.ts'
import type { Route } from '../src/http/route.ts'
import type { Mail } from '../src/mail/mail.ts'
import { Page } from '../src/model/content/page.ts'
import { insertToken } from '../src/model/people/token.ts'
import { setUp } from '../src/setup.ts'

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

/** A fresh database, a folder and a running server, closed after the tests of the file. */
export async function createWorld(
  env: Record<string, string> = {},
  parts: { mail?: Mail } = {},
): Promise<World> {
  const data = await mkdtemp(join(tmpdir(), 'lectern-'))
  const postgres = await createPostgres()
  const clock: World['clock'] = { now: undefined }
  const now = () => clock.now ?? new Date()
  const newId = idSource(() => now().getTime())
  const config = readConfig({
    PORT: '0',
    LECTERN_DATA: data,
    LECTERN_LOG: 'silent',
    LECTERN_FETCH_ALLOW: '127.0.0.0/8',
    LECTERN_RATE_LIMIT: '1000000',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...env,
  })

  const db = await openDatabase({ ...config, durable: false })
  const first = await setUp(db, config, now(), newId)
  assert(first, 'the database was empty')
  const blobs = await openBlobs(config)
  const app = await buildApp({
    config,
    db,
    blobs,
    secret: randomText(48),
    clock: now,
    newId,
    inspect: checkAnswer,
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
      await db.close()
      await postgres?.drop()
      await rm(data, { recursive: true, force: true })
    },
  }
  after(() => world.close())
  return world
}

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
  const response = await fetch(address.startsWith('http') ? address : url + address, {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined
        ? {}
        : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: bytes ? Buffer.from(body) : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json && text ? JSON.parse(text) : undefined,
  }
}

const strict = new Ajv({ strict: false, allErrors: true })
addFormats.default(strict)
strict.addSchema(closed(Page) as object, 'Page')
const compiled = new Map<TSchema, ReturnType<Ajv['compile']>>()

/** Checks that a response has exactly the declared fields: no column leaks and no field is missing. */
function checkAnswer(route: Route, answer: unknown): void {
  if (route.returns === undefined || route.returns === 'download') return
  const known = compiled.get(route.returns) ?? strict.compile(closed(route.returns) as object)
  compiled.set(route.returns, known)
  assert(
    known(answer),
    `${route.method} ${route.path} answered what it does not declare: ${strict.errorsText(known.errors)}`,
  )
}

/** The schema with additional properties forbidden in its objects. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  if ('x-recursive' in schema) return { $ref: schema['x-recursive'] }
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const plain =
    copy.properties !== undefined && copy.additionalProperties === undefined && !copy.patternProperties
  return plain ? { ...copy, additionalProperties: false } : copy
}
