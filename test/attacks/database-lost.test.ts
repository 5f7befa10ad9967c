/** PostgreSQL breaks its connections, or hangs: the server lives, says so, recovers, and keeps what it acknowledged. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { databaseFault } from '../../src/db/errors.ts'
import { openDatabase } from '../../src/db/open.ts'
import { checkAuditChains } from '../../src/model/audit/chain.ts'
import { timesOf } from '../effort.ts'
import { createPostgres } from '../postgres.ts'
import { createWorld, type World } from '../world.ts'
import { ownPostgres } from './own-postgres.ts'
import { type TcpProxy, tcpProxy } from './tcp-proxy.ts'

const skip = process.env.LECTERN_TEST_POSTGRES ? false : 'it needs PostgreSQL'
const TIMES = timesOf(20)
/** Of each kind of write. */
const WRITERS = 3
const RECOVERS_IN_MS = 10_000

interface Lost {
  world: World
  proxy: TcpProxy
  /** Ends every connection of the database, as an administrator does. */
  terminate(): Promise<void>
}

/** A server whose connections to the database go through a proxy. */
async function worldBehindProxy(t: TestContext, env: Record<string, string> = {}): Promise<Lost> {
  const postgres = await createPostgres()
  assert(postgres)
  const url = new URL(postgres.url)
  const proxy = await tcpProxy(Number(url.port || 5432), url.hostname)
  const through = new URL(url)
  through.host = `127.0.0.1:${proxy.port}`
  const direct = await openDatabase({ databaseUrl: url.href, data: '' })
  const world = await createWorld({ DATABASE_URL: through.href, ...env })
  // After the world has closed, which needs the proxy.
  t.after(async () => {
    await direct.close()
    await proxy.close()
    await postgres.drop()
  })
  return {
    world,
    proxy,
    async terminate() {
      await direct.write((tx) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
          tx,
        ),
      )
    },
  }
}

/** A kind of write of one writer. Each step responds with 503 if it meets a fault. */
type Write = (step: Step, title: string) => Promise<void>
type Step = (request: string, body?: unknown) => Promise<{ id: string }>

/** The database failed a step, which may or may not have been done. */
class Failed extends Error {}

/** Writes of every kind in several loops while `faults` runs. Checks every response, and that nothing acknowledged is lost. */
async function writeDuring({ ada, organizationId }: World, faults: () => Promise<void>): Promise<void> {
  const spaces = `/v1/orgs/${organizationId}/spaces`
  const { body: live } = await ada(`POST ${spaces}`, { title: 'Live', editMode: 'live' })
  const insertion = (title: string) => ({
    changes: [{ operation: 'insert_page', document: { markdown: `# ${title}\n` } }],
  })
  const writes: Record<string, Write> = {
    async space(step, title) {
      await step(`POST ${spaces}`, { title })
    },
    async page(step, title) {
      await step(`POST /v1/spaces/${live.id}/content`, insertion(title))
    },
    async merge(step, title) {
      const { id } = await step(`POST /v1/spaces/${live.id}/change-requests`, { subject: title })
      const base = `/v1/spaces/${live.id}/change-requests/${id}`
      await step(`POST ${base}/content`, insertion(title))
      await step(`POST ${base}/merge`)
    },
  }

  const acknowledged = new Set<string>()
  let refused = 0
  const step: Step = async (request, sent) => {
    const { status, headers, text, body } = await ada(request, sent)
    if (status < 300) return body
    assert.equal(status, 503, text)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    throw new Failed(text)
  }
  const writing = new AbortController()
  const writers = Object.entries(writes).flatMap(([kind, write]) =>
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0; !writing.signal.aborted; i++) {
        const title = `${kind} ${writer} ${i}`
        try {
          await write(step, title)
          acknowledged.add(title)
        } catch (error) {
          if (!(error instanceof Failed)) throw error
          refused += 1
          await wait(10)
        }
      }
    }),
  )
  await faults().finally(() => writing.abort())
  await Promise.all(writers)

  const { body: content } = await ada(`GET /v1/spaces/${live.id}/content/pages`)
  const titles = new Set<string>((content.pages as { title: string }[]).map(({ title }) => title))
  for (let next: string | undefined, first = true; first || next; first = false) {
    const page: string = next ? `&page=${next}` : ''
    const { body } = await ada(`GET ${spaces}?limit=1000${page}`)
    for (const { title } of body.items as { title: string }[]) titles.add(title)
    next = body.next?.page
  }
  for (const title of acknowledged) assert(titles.has(title), `"${title}" is there`)
  for (const kind of Object.keys(writes))
    assert(
      acknowledged.values().some((title) => title.startsWith(kind)),
      `some writes of a ${kind} were acknowledged`,
    )
  assert(refused > 0, 'some writes met the fault')
}

/** Fails unless the server can write again within ten seconds, also on a busy machine. */
async function recovers({ ada, url, organizationId }: World): Promise<void> {
  const start = performance.now()
  for (;;) {
    const { status } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'After' })
    if (status === 201) break
    assert(performance.now() - start < RECOVERS_IN_MS, `${status} after ${RECOVERS_IN_MS} ms`)
    await wait(20)
  }
  while ((await fetch(`${url}/readyz`)).status !== 200) {
    assert(performance.now() - start < RECOVERS_IN_MS, `not ready after ${RECOVERS_IN_MS} ms`)
    await wait(50)
  }
}

test(`connections that PostgreSQL ends under load, ${TIMES} times`, { skip }, async (t) => {
  const { world, terminate } = await worldBehindProxy(t)
  await writeDuring(world, async () => {
    for (let i = 0; i < TIMES; i++) {
      await wait(150)
      await terminate()
      await recovers(world)
    }
  })
  assert.deepEqual(await brokenChains(world), [], 'the audit log is unbroken')
})

test(`a PostgreSQL that crashes and restarts under load, ${TIMES} times`, { skip }, async (t) => {
  const postgres = await ownPostgres()
  if (!postgres)
    return t.skip('it needs the programs of PostgreSQL and the right to run them as another user')
  const world = await createWorld({ DATABASE_URL: postgres.url })
  t.after(postgres.stop)
  await writeDuring(world, async () => {
    for (let i = 0; i < TIMES; i++) {
      await wait(150)
      await postgres.restart()
      await recovers(world)
    }
  })
  assert.deepEqual(await brokenChains(world), [], 'the audit log is unbroken')
  postgres.verify()
  return undefined
})

async function brokenChains({ app, db }: World) {
  const broken: unknown[] = []
  for await (const chain of checkAuditChains(db.read, app.services.sealing))
    if (chain.broken) broken.push(chain)
  return broken
}

test(`a connection to the database that is cut under load, ${TIMES} times`, { skip }, async (t) => {
  const { world, proxy } = await worldBehindProxy(t)
  await writeDuring(world, async () => {
    for (let i = 0; i < TIMES; i++) {
      await wait(150)
      proxy.cut()
      // A result of the check is kept for half a second.
      await wait(600)
      assert.equal((await fetch(`${world.url}/livez`)).status, 200)
      const ready = await fetch(`${world.url}/readyz`)
      assert.equal(ready.status, 503)
      assert.match(await ready.text(), /database cannot be reached/)
      proxy.restore()
      await recovers(world)
    }
  })
})

test('a database that hangs', { skip, timeout: 60_000 }, async (t) => {
  const timeouts = { LECTERN_DATABASE_CONNECT_TIMEOUT: '1', LECTERN_DATABASE_STATEMENT_TIMEOUT: '1' }
  const { world, proxy } = await worldBehindProxy(t, timeouts)
  await world.ada('GET /v1/user')
  proxy.pause()

  const read = world.ada('GET /v1/orgs')
  for (let i = 0; i < 3; i++) {
    const start = performance.now()
    const ready = await fetch(`${world.url}/readyz`)
    assert.equal(ready.status, 503)
    assert.match(await ready.text(), /database/)
    assert(performance.now() - start < 2_000, 'the check has a bound')
    await wait(600)
  }
  const { status, headers } = await read
  assert.equal(status, 503, 'a statement without a response ends')
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)

  proxy.restore()
  await recovers(world)
})

test('a statement that takes too long is ended by the server', { skip }, async (t) => {
  const { world } = await worldBehindProxy(t, { LECTERN_DATABASE_STATEMENT_TIMEOUT: '1' })
  await assert.rejects(
    world.db.write((tx) => sql`select pg_sleep(20)`.execute(tx)),
    (error) => databaseFault(error) === 'slow',
  )
  assert.equal((await world.ada('GET /v1/user')).status, 200)
})
