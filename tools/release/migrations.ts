/**
 * `npm run migrations`: records what the migrations are and make. Run it after you add one. It writes
 *
 * - the SHA-256 of each migration to `test/releases/migrations.json`. Those of a release are frozen: it refuses changed ones.
 * - the catalogues that the server compares its database with, to `src/db/catalogue`. That of PostgreSQL needs a server
 *   (`LECTERN_TEST_POSTGRES`).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createPostgres } from '../../test/postgres.ts'
import { type Catalogue, readCatalogue } from '../../src/db/catalogue/catalogue.ts'
import { type DatabaseOptions, openUnchecked } from '../../src/db/open.ts'
import { recordDigests, writeJson } from './digests.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The catalogue of an empty database after all migrations. */
async function migratedCatalogue(options: DatabaseOptions): Promise<Catalogue> {
  const db = await openUnchecked(options)
  try {
    return await readCatalogue(db.writer as never, db.dialect)
  } finally {
    await db.close()
  }
}

async function writeCatalogues(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'lectern-catalogue-'))
  try {
    writeJson(join(ROOT, 'src/db/catalogue/sqlite.json'), await migratedCatalogue({ data, durable: false }))
  } finally {
    rmSync(data, { recursive: true })
  }
  process.env.LECTERN_TEST_POSTGRES ??= 'postgres://postgres@127.0.0.1:5432/postgres'
  const postgres = await createPostgres()
  try {
    const catalogue = await migratedCatalogue({ databaseUrl: postgres!.url, data: '' })
    writeJson(join(ROOT, 'src/db/catalogue/postgres.json'), catalogue)
  } finally {
    await postgres?.drop()
  }
}

if (import.meta.main) {
  try {
    recordDigests(ROOT)
    await writeCatalogues()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
