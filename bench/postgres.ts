/** Databases for benchmarks on PostgreSQL. */
import pg from 'pg'
import { randomText } from '../src/core/data/id.ts'

/** An empty database, and a connection to it. */
export interface FreshDatabase extends AsyncDisposable {
  url: string
  query(text: string, values?: unknown[]): Promise<unknown>
}

/** Creates a database that is dropped when it is disposed. @param server the address of a server in which one can be created */
export async function freshDatabase(server: string): Promise<FreshDatabase> {
  const name = `lectern_bench_${randomText(12)}`
  const atServer = async (text: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  await atServer(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return {
    url: url.href,
    query: (text, values) => client.query(text, values),
    async [Symbol.asyncDispose]() {
      await client.end()
      await atServer(`drop database if exists ${name} with (force)`)
    },
  }
}
