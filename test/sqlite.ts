import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/db/open.ts'

/** The name of the database in a data folder. */
const FILE = 'lectern.sqlite'

/** Migrates a SQLite database once, which `copyTemplate` copies in the processes of this test run. */
export async function createSqliteTemplate(): Promise<{ drop(): Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'lectern-template-'))
  const database = await openDatabase({ data, durable: false })
  await database.close()
  process.env.LECTERN_TEST_SQLITE = join(data, FILE)
  return { drop: () => rm(data, { recursive: true, force: true }) }
}

/** Puts a migrated database into a data folder. Without a template, opening the database migrates it. */
export async function copyTemplate(data: string): Promise<void> {
  const { LECTERN_TEST_SQLITE } = process.env
  if (LECTERN_TEST_SQLITE) await copyFile(LECTERN_TEST_SQLITE, join(data, FILE))
}
