/** Commits that do not wait for the disk, and those after them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/db/open.ts'
import type { Database, Tx } from '../../src/db/schema.ts'
import { createPostgres } from '../postgres.ts'
import { temporaryFolder } from '../process.ts'

/** Whether the commit of a transaction waits for the disk, as its database says. */
async function isSynced(db: Database, tx: Tx): Promise<boolean> {
  const setting = db.dialect === 'sqlite' ? sql`pragma synchronous` : sql`show synchronous_commit`
  const { rows } = await setting.execute(tx)
  const [value] = Object.values(rows[0] as object)
  // SQLite has 1 for `normal` and 2 for `full`.
  return value === 2 || value === 'on'
}

test('only a transaction that says so does not wait, also if others wait for it or it fails', async (t) => {
  const folder = temporaryFolder()
  const postgres = await createPostgres()
  const url = postgres && new URL(postgres.url)
  // Whatever the server does by default: commits of other tests need not wait.
  url?.searchParams.set('options', '-c synchronous_commit=on')
  const db = await openDatabase({ data: folder.path, databaseUrl: url?.href })
  t.after(async () => {
    await db.close()
    await postgres?.drop()
    folder.remove()
  })

  const unsynced = (work: (tx: Tx) => Promise<unknown>) => db.write(work, { isSynced: false })
  const seen = await Promise.all([
    db.write((tx) => isSynced(db, tx)),
    unsynced((tx) => isSynced(db, tx)),
    db.write((tx) => isSynced(db, tx)),
    unsynced((tx) => isSynced(db, tx)),
    unsynced((tx) => isSynced(db, tx)),
  ])
  assert.deepEqual(seen, [true, false, true, false, false])

  const failing = unsynced(async () => {
    throw new Error('Refused')
  })
  await assert.rejects(failing, /Refused/)
  assert.equal(await db.write((tx) => isSynced(db, tx)), true)
})
