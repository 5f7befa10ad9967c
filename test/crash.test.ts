/** Repeatedly kills the server during imports: acknowledged imports survive, and none is partial. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { corpusArchive, withoutCorpora } from './corpus.ts'
import { killsOf } from './effort.ts'
import { createPostgres } from './postgres.ts'
import { freePort, type Server, startServer, temporaryFolder } from './process.ts'

const KILLS = killsOf(20)
const AT_ONCE = 3
const TOKEN = 'a-secret-of-the-test'

type Json = { [key: string]: unknown }

test(`SIGKILL during imports, ${KILLS} times`, { skip: withoutCorpora, timeout: 300_000 }, async (t) => {
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
  }
  const bytes = corpusArchive('tidb-docs-zh')
  const acknowledged = new Map<string, { revision: string; pages: number }>()
  const started = new Set<string>()
  let unfinished = 0

  let server = await startServer(env)
  for (let kill = 0; kill < KILLS; kill++) {
    const { organization, url } = await prepare(server, bytes)
    const imports = Array.from({ length: AT_ONCE }, async () => {
      const space = await call(server, 'POST', `/orgs/${organization}/spaces`, { title: `Space ${kill}` })
      started.add(String(space.id))
      const result = await call(server, 'POST', `/spaces/${String(space.id)}/content/import`, {
        url,
        source: 'zip',
      })
      acknowledged.set(String(space.id), {
        revision: String(result.revision),
        pages: Number(result.importedResources),
      })
    })
    // At every stage: before the archive is read, in the middle, between two responses, after the last one.
    await Promise.race([someOf(imports, kill % (AT_ONCE + 1)), Promise.allSettled(imports)])
    await wait(Math.random() * 60)
    await server.stop('SIGKILL')
    unfinished += (await Promise.allSettled(imports)).filter(({ status }) => status === 'rejected').length
    server = await startServer(env)
  }

  const whole = await wholeImport(server, bytes)
  for (const id of started) {
    const space = await call(server, 'GET', `/spaces/${id}`)
    const content = await call(server, 'GET', `/spaces/${id}/content`)
    const pages = documentsIn(content.pages as Json[])
    const known = acknowledged.get(id)
    if (known) assert.equal(space.revision, known.revision, 'an acknowledged import is there')
    if (pages.length === 0) assert.equal(known, undefined, 'an acknowledged import is not empty')
    else assert.equal(pages.length, whole, 'an import is there whole or not at all')
    for (const page of pages) {
      const { markdown } = await call(
        server,
        'GET',
        `/spaces/${id}/content/page/${String(page.id)}?format=markdown`,
      )
      assert((markdown as string).length > 0)
    }
  }
  await server.stop()
  assert(acknowledged.size > 0, 'some imports were acknowledged')
  assert(unfinished > 0, 'some imports were cut off')
})

async function prepare(server: Server, bytes: Uint8Array) {
  const { items } = await call(server, 'GET', '/orgs')
  const organization = (items as { id: string }[])[0]?.id ?? ''
  const { url } = await call(server, 'POST', `/orgs/${organization}/storage/upload`, {
    file: { name: 'docs.zip', type: 'application/zip', size: bytes.length },
    kind: 'import_file',
  })
  await fetch(url as string, { method: 'PUT', body: Buffer.from(bytes) })
  return { organization, url: url as string }
}

/** Resolves after this many of the promises have resolved. The others continue. */
async function someOf(promises: Promise<void>[], count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let done = 0
  const check = () => (done >= count ? resolve() : undefined)
  for (const one of promises) {
    void one
      .then(
        () => void done++,
        () => undefined,
      )
      .finally(check)
  }
  check()
  return promise
}

async function wholeImport(server: Server, bytes: Uint8Array): Promise<number> {
  const { organization, url } = await prepare(server, bytes)
  const space = await call(server, 'POST', `/orgs/${organization}/spaces`, {})
  await call(server, 'POST', `/spaces/${String(space.id)}/content/import`, { url, source: 'zip' })
  const { pages } = await call(server, 'GET', `/spaces/${String(space.id)}/content/pages`)
  return documentsIn(pages as Json[]).length
}

function documentsIn(pages: Json[]): Json[] {
  return pages.flatMap((page) => [
    ...(page.type === 'document' ? [page] : []),
    ...documentsIn((page.pages as Json[] | undefined) ?? []),
  ])
}

async function call({ url }: Server, method: string, path: string, body?: Json): Promise<Json> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = (await response.json()) as Json
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
