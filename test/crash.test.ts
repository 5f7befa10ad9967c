/** Repeatedly kills the server during imports: acknowledged imports survive, and none is partial. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { corpusArchive, withoutCorpora } from './corpus.ts'
import { type CrashingServer, startCrashingServer } from './crashing.ts'
import { inLongRun, timesOf } from './effort.ts'
import { momentsOf } from './property.ts'

const KILLS = timesOf(20)
const AT_ONCE = 3

type Json = { [key: string]: unknown }

const OPTIONS = { skip: withoutCorpora || inLongRun, timeout: 900_000 }

test(`SIGKILL during imports, ${KILLS} times`, OPTIONS, async (t) => {
  const server = await startCrashingServer(t)
  const bytes = corpusArchive('tidb-docs-zh')
  const acknowledged = new Map<string, { revision: string; pages: number }>()
  const started = new Set<string>()
  let unfinished = 0

  const moments = momentsOf(KILLS, 60)
  for (let kill = 0; kill < KILLS; kill++) {
    const { organization, url } = await prepare(server, bytes)
    const imports = Array.from({ length: AT_ONCE }, async () => {
      const space = await server.call<Json>('POST', `/orgs/${organization}/spaces`, {
        title: `Space ${kill}`,
      })
      started.add(String(space.id))
      const result = await server.call<Json>('POST', `/spaces/${String(space.id)}/content/import`, {
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
    await wait(moments[kill])
    await server.kill()
    unfinished += (await Promise.allSettled(imports)).filter(({ status }) => status === 'rejected').length
    await server.restart()
  }

  const whole = await wholeImport(server, bytes)
  for (const id of started) {
    const space = await server.call<Json>('GET', `/spaces/${id}`)
    const content = await server.call<Json>('GET', `/spaces/${id}/content`)
    const pages = documentsIn(content.pages as Json[])
    const known = acknowledged.get(id)
    if (known) assert.equal(space.revision, known.revision, 'an acknowledged import is there')
    if (pages.length === 0) assert.equal(known, undefined, 'an acknowledged import is not empty')
    else assert.equal(pages.length, whole, 'an import is there whole or not at all')
    for (const page of pages) {
      const { markdown } = await server.call<Json>(
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

async function prepare(server: CrashingServer, bytes: Uint8Array) {
  const { items } = await server.call<Json>('GET', '/orgs')
  const organization = (items as { id: string }[])[0]?.id ?? ''
  const { url } = await server.call<Json>('POST', `/orgs/${organization}/storage/upload`, {
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

async function wholeImport(server: CrashingServer, bytes: Uint8Array): Promise<number> {
  const { organization, url } = await prepare(server, bytes)
  const space = await server.call<Json>('POST', `/orgs/${organization}/spaces`, {})
  await server.call<Json>('POST', `/spaces/${String(space.id)}/content/import`, { url, source: 'zip' })
  const { pages } = await server.call<Json>('GET', `/spaces/${String(space.id)}/content/pages`)
  return documentsIn(pages as Json[]).length
}

function documentsIn(pages: Json[]): Json[] {
  return pages.flatMap((page) => [
    ...(page.type === 'document' ? [page] : []),
    ...documentsIn((page.pages as Json[] | undefined) ?? []),
  ])
}
