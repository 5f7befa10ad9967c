import pg from 'pg'
import { randomText } from '../src/core/id.ts'

/** A fresh PostgreSQL database where the suite runs on one; undefined where it runs on SQLite. */
export async function createPostgres(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const server = process.env.LECTERN_TEST_POSTGRES
  if (!server) return undefined

  const name = `lectern_test_${randomText(12)}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) }
}
