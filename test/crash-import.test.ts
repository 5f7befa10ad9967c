import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../src/installation/config.ts'
import { openDatabase } from '../src/db/open.ts'
import type { Database } from '../src/db/schema.ts'
import { endImports } from '../src/jobs/end-import.ts'
import { jobLoop } from '../src/jobs/queue.ts'
import { startCrashingServer } from './crashing.ts'
import { inLongRun } from './effort.ts'
import { archiveOf } from './importing.ts'

const PAGES = 3000
const TICK_MS = 5
const FOUR_HOURS_MS = 4 * 3_600_000

const count = async (db: Database, table: 'document' | 'importedDocument' | 'contentImport') => {
  const row = await db.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

test(
  'an import that a SIGKILL interrupts leaves nothing behind, hours later',
  { skip: inLongRun },
  async (t) => {
    const server = await startCrashingServer(t)
    const files = Array.from({ length: PAGES }, (_, i) => [`page-${i}.md`, `# Page ${i}\n\nText ${i}\n`])
    const bytes = archiveOf(Object.fromEntries(files))
    const { items } = await server.call<{ items: { id: string }[] }>('GET', '/orgs')
    const organization = items[0]!.id
    const { id } = await server.call<{ id: string }>('POST', `/orgs/${organization}/spaces`, {})
    const { url } = await server.call<{ url: string }>('POST', `/orgs/${organization}/storage/upload`, {
      file: { name: 'docs.zip', type: 'application/zip', size: bytes.length },
      kind: 'import_file',
    })
    await fetch(url, { method: 'PUT', body: Buffer.from(bytes) })

    const db = await openDatabase(readConfig(server.env))
    try {
      const before = await count(db, 'document')
      const path = `/spaces/${id}/content/import`
      const importing = server.call('POST', path, { url, source: 'zip' }).catch((error: unknown) => error)
      while ((await count(db, 'document')) < before + PAGES / 10) await wait(TICK_MS)
      await server.kill()
      assert(!('revision' in ((await importing) as object)), 'the import was interrupted')
      const left = (await count(db, 'document')) - before
      assert(left > 0 && left <= PAGES)

      // There is no worker for the other kinds of jobs here.
      const fail = (fact: object) =>
        assert('kind' in fact && fact.kind !== 'end-import', JSON.stringify(fact))
      const runAt = (time: number) =>
        jobLoop(db, { 'end-import': endImports({ db }) }, () => new Date(time), {
          warn: fail,
          error: fail,
        }).runDue()
      await runAt(Date.now())
      assert.equal(await count(db, 'document'), before + left)
      await runAt(Date.now() + FOUR_HOURS_MS)
      assert.equal(await count(db, 'document'), before)
      assert.deepEqual([await count(db, 'importedDocument'), await count(db, 'contentImport')], [0, 0])
    } finally {
      await db.close()
    }
  },
)
