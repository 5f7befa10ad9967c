/**
 * Kills the server during writes of every kind: what it acknowledged is there, the database is whole, and the audit log
 * is unbroken. By default this is the only test of a crash; `crash.test.ts` and `crash-changes.test.ts` are in the long run.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type CrashingServer, startCrashingServer } from './crashing.ts'
import { timesOf } from './effort.ts'
import { momentsOf } from './property.ts'
import { archiveOf } from './importing.ts'
import { runHere } from './process.ts'

const KILLS = timesOf(200)
const LONGEST_MS = 60
const TICK_MS = 5
/** A minute: on a slow machine, an import was not acknowledged within 20 seconds. */
const TICKS = 12_000
/** The number of writes before a kill: none, so that the kill interrupts the first ones, or some. */
const STAGES = [12, 0, 3, 6]
/** After this many kills, everything that was acknowledged is read again, and the writers use a new space. */
const ROUND = 20

interface Place {
  organization: string
  space: string
}

/** Reads an acknowledged write again, and fails unless it is there. */
type Check = () => Promise<void>

/** A kind of write. @returns how to find it again */
type Write = (server: CrashingServer, place: Place, name: string) => Promise<Check>

const WRITES: Record<string, Write> = {
  async team(server, { organization }, title) {
    const { id } = await server.call<{ id: string }>('PUT', `/orgs/${organization}/teams`, { title })
    return finds(server, `/orgs/${organization}/teams/${id}`, { title })
  },
  async edit(server, { space }, subject) {
    const { base, revision } = await edited(server, space, subject)
    return finds(server, base, { subject, revision })
  },
  async merge(server, { space }, subject) {
    const { base } = await edited(server, space, subject)
    const merge = await server.call<{ revision: string }>('POST', `${base}/merge`)
    return finds(server, base, { status: 'merged', revisionMerged: merge.revision })
  },
  async comment(server, { space }, markdown) {
    const path = `/spaces/${space}/change-requests`
    const { id } = await server.call<{ id: string }>('POST', path, { subject: markdown })
    const comments = `${path}/${id}/comments`
    const comment = await server.call<{ id: string }>('POST', comments, { body: { markdown } })
    return finds(server, `${comments}/${comment.id}`, { id: comment.id })
  },
  async upload(server, { organization }, text) {
    const { url } = await server.call<{ url: string }>('POST', `/orgs/${organization}/storage/upload`, {
      file: { name: 'a.zip', type: 'application/zip', size: text.length },
      kind: 'import_file',
    })
    await put(url, text)
    return async () => assert.equal(await (await fetch(url)).text(), text)
  },
  async import(server, { organization }, title) {
    const bytes = archiveOf({ 'README.md': `# ${title}\n`, 'other.md': '# Other\n' })
    const { url } = await server.call<{ url: string }>('POST', `/orgs/${organization}/storage/upload`, {
      file: { name: 'docs.zip', type: 'application/zip', size: bytes.length },
      kind: 'import_file',
    })
    await put(url, Buffer.from(bytes))
    const { id } = await server.call<{ id: string }>('POST', `/orgs/${organization}/spaces`, { title })
    const path = `/spaces/${id}`
    const sent = { url, source: 'zip' }
    const { revision } = await server.call<{ revision: string }>('POST', `${path}/content/import`, sent)
    return finds(server, path, { title, revision })
  },
  async invite(server, { organization }, name) {
    const email = `${name}@example.com`
    const body = { emails: [email], role: 'read' }
    await server.call('POST', `/orgs/${organization}/invites`, body)
    return async () => {
      const { items } = await server.call<{ items: { user: { email: string } }[] }>(
        'GET',
        `/orgs/${organization}/members?limit=1000&search=${name}`,
      )
      assert(JSON.stringify(items).includes(email), email)
    }
  },
}

test(`SIGKILL during writes of every kind, ${KILLS} times`, { timeout: 900_000 }, async (t) => {
  const server = await startCrashingServer(t, { LECTERN_RATE_LIMIT: '1000000' })
  const counts = new Map<string, number>()
  let place: Place = { organization: '', space: '' }
  let checks: Check[] = []

  const moments = momentsOf(KILLS, LONGEST_MS)
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
    await wait(moments[kill])
    await server.kill()
    for (const writer of await ended) {
      // An error response means that the writer was not interrupted.
      assert(writer.status === 'rejected')
      assert.match(String(writer.reason), /fetch failed|terminated/)
    }

    await server.restart()
    if ((kill + 1) % ROUND > 0 && kill + 1 < KILLS) continue
    for (const check of checks) await check()
    checks = []
  }
  await server.stop()
  t.diagnostic(`acknowledged: ${JSON.stringify(Object.fromEntries(counts))}`)
  for (const kind of Object.keys(WRITES)) assert((counts.get(kind) ?? 0) > 0, `some writes of ${kind}`)

  const audit = await runHere(['audit', 'verify'], server.env)
  assert.equal(audit.code, 0, audit.err)
  assert.match(audit.out, /events are unchanged/)
  if (server.env.DATABASE_URL) return
  const database = new DatabaseSync(join(server.env.LECTERN_DATA ?? '', 'lectern.sqlite'))
  assert.deepEqual(Object.values(database.prepare('pragma integrity_check').get() ?? {}), ['ok'])
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), [])
  database.close()
})

/** Uploads a file. A database that is busy says when to come back, and nothing is acknowledged yet. */
async function put(url: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  for (;;) {
    const sent = await fetch(url, { method: 'PUT', body })
    if (sent.status === 204) return
    assert.equal(sent.status, 503, await sent.text())
    await wait(TICK_MS)
  }
}

async function newPlace(server: CrashingServer): Promise<Place> {
  const { items } = await server.call<{ items: { id: string }[] }>('GET', '/orgs')
  const organization = items[0]?.id ?? ''
  const { id } = await server.call<{ id: string }>('POST', `/orgs/${organization}/spaces`, {})
  return { organization, space: id }
}

async function edited(server: CrashingServer, space: string, subject: string) {
  const path = `/spaces/${space}/change-requests`
  const { id } = await server.call<{ id: string }>('POST', path, { subject })
  const base = `${path}/${id}`
  const changes = [{ operation: 'insert_page', document: { markdown: `# ${subject}\n` } }]
  const { revision } = await server.call<{ revision: string }>('POST', `${base}/content`, { changes })
  return { base, revision }
}

function finds(server: CrashingServer, path: string, fields: Record<string, unknown>): Check {
  return async () => {
    const found = await server.call<Record<string, unknown>>('GET', path)
    for (const [field, value] of Object.entries(fields)) assert.equal(found[field], value, `${path} ${field}`)
  }
}
