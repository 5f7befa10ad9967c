import pg from 'pg'
import { randomText } from '../src/core/data/id.ts'
import { openDatabase } from '../src/db/open.ts'

/** A PostgreSQL database for tests. */
interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A fresh PostgreSQL database if the suite runs on PostgreSQL; undefined on SQLite. */
export async function createPostgres(): Promise<TestDatabase | undefined> {
  const server = process.env.LECTERN_TEST_POSTGRES
  if (!server) return undefined

  const name = `lectern_test_${randomText(12)}`
  const template = process.env.LECTERN_TEST_TEMPLATE
  await query(server, `create database ${name} ${template ? `template ${template}` : ''}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  // No test that ends the server of PostgreSQL uses these databases, so no write has to wait for the disk.
  url.searchParams.set('options', '-c synchronous_commit=off')
  return { url: url.href, drop: () => query(server, `drop database if exists ${name} with (force)`) }
}

/** Creates the migrated database that `createPostgres` copies in the processes of this test run. */
export async function createPostgresTemplate(): Promise<TestDatabase | undefined> {
  const template = await createPostgres()
  if (!template) return undefined
  const database = await openDatabase({ databaseUrl: template.url, data: '' })
  await database.close()
  process.env.LECTERN_TEST_TEMPLATE = new URL(template.url).pathname.slice(1)
  return template
}

async function query(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sql)
  await client.end()
}
