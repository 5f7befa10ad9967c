/** The databases of earlier releases, in `test/releases/<version>`. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'

const FOLDER = join(import.meta.dirname, 'releases')

/** The administrator's token and the secret of every stored database. */
export const STORED = {
  token: 'lec_ofthestoreddatabases0000000000000000000',
  secret: 'the secret of the stored databases of releases',
}

/** The releases whose databases are stored. */
export function storedReleases(): string[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

const stored = (release: string, name: string) =>
  brotliDecompressSync(readFileSync(join(FOLDER, release, name)))

/** Puts the SQLite database of a release into a data folder. */
export async function copyStoredSqlite(release: string, data: string): Promise<void> {
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'lectern.sqlite'), stored(release, 'sqlite.br'))
}

/** Replaces the content of a PostgreSQL database by that of a release. */
export async function loadStoredPostgres(release: string, connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('drop schema public cascade; create schema public')
    await client.query(stored(release, 'postgres.sql.br').toString())
  } finally {
    await client.end()
  }
}
