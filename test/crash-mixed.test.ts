/**
 * Repeatedly kills the server during writes of every kind: what it acknowledged is there, the database is whole, and the
 * audit log is unbroken.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { killsOf } from './effort.ts'
import { createPostgres } from './postgres.ts'
import { freePort, run, type Server, startServer, temporaryFolder } from './process.ts'

const KILLS = killsOf(200)
const LONGEST_MS = 60
const TICK_MS = 5
const TICKS = 2_000
/** The number of writes before a kill: none, so that the kill interrupts the first ones, or some. */
const STAGES = [12, 0, 3, 6]
/** After this many kills, everything that was acknowledged is read again, and the writers use a new space. */
const ROUND = 20
const TOKEN = 'a-secret-of-the-test'

interface Place {
  organization: string
  space: string
}

/** Reads an acknowledged write again, and fails unless it is there. */
type Check = (server: Server) => Promise<void>

/** A kind of write. @returns how to find it again */
type Write = (server: Server, place: Place, name: string) => Promise<Check>

const WRITES: Record<string, Write> = {
  async team(server, { organization }, title) {
    const { id } = await call<{ id: string }>(server, 'PUT', `/orgs/${organization}/teams`, { title })
    return finds(`/orgs/${organization}/teams/${id}`, { title })
  },
  async edit(server, { space }, subject) {
    const { base, revision } = await edited(server, space, subject)
    return finds(base, { subject, revision })
  },
  async merge(server, { space }, subject) {
    const { base } = await edited(server, space, subject)
    const merge = await call<{ revision: string }>(server, 'POST', `${base}/merge`)
    return finds(base, { status: 'merged', revisionMerged: merge.revision })
  },
  async comment(server, { space }, markdown) {
    const path = `/spaces/${space}/change-requests`
    const { id } = await call<{ id: string }>(server, 'POST', path, { subject: markdown })
    const comments = `${path}/${id}/comments`
    const comment = await call<{ id: string }>(server, 'POST', comments, { body: { markdown } })
    return finds(`${comments}/${comment.id}`, { id: comment.id })
  },
  async upload(server, { organization }, text) {
    const { url } = await call<{ url: string }>(server, 'POST', `/orgs/${organization}/storage/upload`, {
      file: { name: 'a.zip', type: 'application/zip', size: text.length },
      kind: 'import_file',
    })
    const { status } = await fetch(url, { method: 'PUT', body: text })
    assert.equal(status, 204)
    return async () => assert.equal(await (await fetch(url)).text(), text)
  },
  async invite(server, { organization }, name) {
    const email = `${name}@example.com`
    const body = { emails: [email], role: 'read' }
    await call(server, 'POST', `/orgs/${organization}/invites`, body)
    return async (later) => {
      const { items } = await call<{ items: { user: { email: string } }[] }>(
        later,
        'GET',
        `/orgs/${organization}/members?limit=1000&search=${name}`,
      )
      assert(JSON.stringify(items).includes(email), email)
    }
  },
}

test(`SIGKILL during writes of every kind, ${KILLS} times`, { timeout: 900_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const postgres = await createPostgres()
  if (postgres) t.after(postgres.drop)
  const env = {
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    LECTERN_DATA: folder.path,
    PORT: String(await freePort()),
    LECTERN_ADMIN_TOKEN: TOKEN,
    LECTERN_LOG: 'error',
    LECTERN_RATE_LIMIT: '1000000',
  }
  let server = await startServer(env)
  t.after(() => server.stop('SIGKILL'))
  const counts = new Map<string, number>()
  let place: Place = { organization: '', space: '' }
  let checks: Check[] = []

  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % ROUND === 0) place = await newPlace(server)
    const writers = Object.entries(WRITES).map(async ([kind, write]): Promise<never> => {
      for (let i = 0; ; i++) {
        checks.push(await write(server, place, `${kind}-${kill}-${i}`))
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }
    })
    const ended = Promise.allSettled(writers)
    const enough = checks.length + STAGES[kill % STAGES.length]!
    // The first time, every kind of write is acknowledged at least once.
    const isEnough = () => checks.length >= enough && (kill > 0 || counts.size === writers.length)
    for (let tick = 0; !isEnough() && tick < TICKS; tick++) await wait(TICK_MS)
    await wait(Math.random() * LONGEST_MS)
    await server.stop('SIGKILL')
    for (const writer of await ended) {
      // An error response means that the writer was not interrupted.
      assert(writer.status === 'rejected')
      assert.match(String(writer.reason), /fetch failed|terminated/)
    }

    server = await startServer(env)
    if ((kill + 1) % ROUND > 0 && kill + 1 < KILLS) continue
    for (const check of checks) await check(server)
    checks = []
  }
  await server.stop()
  t.diagnostic(`acknowledged: ${JSON.stringify(Object.fromEntries(counts))}`)
  for (const kind of Object.keys(WRITES)) assert((counts.get(kind) ?? 0) > 0, `some writes of ${kind}`)

  const audit = await run(['audit', 'verify'], env)
  assert.equal(audit.code, 0, audit.err)
  assert.match(audit.out, /events are unchanged/)
  if (postgres) return
  const database = new DatabaseSync(join(folder.path, 'lectern.sqlite'))
  assert.deepEqual(Object.values(database.prepare('pragma integrity_check').get() ?? {}), ['ok'])
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), [])
  database.close()
})

async function newPlace(server: Server): Promise<Place> {
  const { items } = await call<{ items: { id: string }[] }>(server, 'GET', '/orgs')
  const organization = items[0]?.id ?? ''
  const { id } = await call<{ id: string }>(server, 'POST', `/orgs/${organization}/spaces`, {})
  return { organization, space: id }
}

async function edited(server: Server, space: string, subject: string) {
  const path = `/spaces/${space}/change-requests`
  const { id } = await call<{ id: string }>(server, 'POST', path, { subject })
  const base = `${path}/${id}`
  const changes = [{ operation: 'insert_page', document: { markdown: `# ${subject}\n` } }]
  const { revision } = await call<{ revision: string }>(server, 'POST', `${base}/content`, { changes })
  return { base, revision }
}

function finds(path: string, fields: Record<string, unknown>): Check {
  return async (server) => {
    const found = await call<Record<string, unknown>>(server, 'GET', path)
    for (const [field, value] of Object.entries(fields)) assert.equal(found[field], value, `${path} ${field}`)
  }
}

async function call<T>({ url }: Server, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}
