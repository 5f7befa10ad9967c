/**
 * `node tools/release/store-databases.ts <version>`: fills a new database of this version by the seed, on SQLite and on
 * PostgreSQL, and stores both in `test/releases/<version>`. The tests migrate them with every later version. Needs
 * `pg_dump`, and a server (`LECTERN_TEST_POSTGRES`).
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { sealedBy } from '../../src/access/credentials/sealing.ts'
import { openBlobs } from '../../src/blobs/open.ts'
import { idSource } from '../../src/core/data/id.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { Database, Schema } from '../../src/db/schema.ts'
import { readConfig } from '../../src/installation/config.ts'
import { openKeyring } from '../../src/installation/secrets.ts'
import { setUp } from '../../src/installation/setup.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import type { EmailMessage } from '../../src/mail/message.ts'
import { beginSigning } from '../../src/model/audit/chain.ts'
import { buildApp } from '../../src/server/app.ts'
import { createPostgres } from '../../test/postgres.ts'
import { STORED } from '../../test/stored-database.ts'
import { GUIDE } from '../seed/content.ts'
import { seed } from '../seed/seed.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const runFile = promisify(execFile)
/** The seed has no jobs that take longer. */
const JOBS_WITHIN_MS = 60_000

/** Stores the databases of a version. @returns the folder */
async function storeDatabases(version: string): Promise<string> {
  const folder = join(ROOT, 'test/releases', version)
  await mkdir(folder, { recursive: true })
  const data = await mkdtemp(join(tmpdir(), 'lectern-stored-'))
  process.env.LECTERN_TEST_POSTGRES ??= 'postgres://postgres@127.0.0.1:5432/postgres'
  const postgres = await createPostgres()
  try {
    const copy = join(data, 'copy.sqlite')
    await filled({ LECTERN_DATA: join(data, 'sqlite') }, async (db) => {
      await sql`vacuum into ${copy}`.execute(db)
    })
    await writeCompressed(join(folder, 'sqlite.br'), await readFile(copy))
    const { url } = postgres!
    await filled({ LECTERN_DATA: join(data, 'postgres'), DATABASE_URL: url }, async () => {
      await writeCompressed(join(folder, 'postgres.sql.br'), await dumped(url))
    })
  } finally {
    await postgres?.drop()
    await rm(data, { recursive: true })
  }
  return folder
}

/** Runs a server with a new database, fills it, and hands the database over when no job waits. */
async function filled(
  env: Record<string, string>,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  const config = readConfig({
    PORT: '0',
    LECTERN_LOG: 'silent',
    LECTERN_ADMIN_EMAIL: 'ada@example.com',
    LECTERN_ADMIN_TOKEN: STORED.token,
    LECTERN_SECRET: STORED.secret,
    ...env,
  })
  const db = await openDatabase(config)
  const keyring = await openKeyring(db, config)
  const [clock, newId] = [() => new Date(), idSource(() => Date.now())]
  await beginSigning(db, sealedBy(keyring), clock())
  await setUp(db, config, sealedBy(keyring), clock(), newId)
  const letters: EmailMessage[] = []
  const mail = { configured: true, send: async (letter: EmailMessage) => void letters.push(letter) }
  const app = await buildApp({ config, db, blobs: await openBlobs(config), keyring, clock, newId, mail })
  const jobs = jobLoop(db, workers(app.services), clock, app.server.log)
  try {
    await app.listen()
    jobs.start()
    const { port } = app.server.server.address() as { port: number }
    await seed({ url: `http://localhost:${port}`, token: STORED.token, letters, reference: GUIDE })
    await jobsDone(db)
    await work(db.read as Kysely<Schema>)
  } finally {
    await jobs.stop()
    await app.close()
    await db.close()
  }
}

/** Waits until no job is due. */
async function jobsDone(db: Database): Promise<void> {
  const end = Date.now() + JOBS_WITHIN_MS
  for (;;) {
    const due = await db.read
      .selectFrom('job')
      .select('kind')
      .where('state', '=', 'waiting')
      .where('runAt', '<=', new Date().toISOString())
      .executeTakeFirst()
    if (!due) return
    if (Date.now() > end) throw new Error(`The job ${due.kind} does not end`)
    await sleep(100)
  }
}

/** A dump that a driver can run: without the commands of psql. */
async function dumped(url: string): Promise<Buffer> {
  const address = new URL(url)
  address.search = ''
  const { stdout } = await runFile(
    'pg_dump',
    ['--inserts', '--rows-per-insert=200', '--no-owner', '--no-acl', address.href],
    {
      maxBuffer: 100_000_000,
    },
  )
  // Only these lines: a text that is stored can have lines which look like a command or a comment.
  return Buffer.from(stdout.replaceAll(/^\\(?:un)?restrict .*$|^SET transaction_timeout = 0;$/gm, ''))
}

async function writeCompressed(path: string, bytes: Buffer): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  await writeFile(path, brotliCompressSync(bytes, { params }))
}

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2)
  if (!/^\d+\.\d+\.\d+/.test(version)) {
    console.error('Name the version: node tools/release/store-databases.ts 1.2.3')
    process.exit(1)
  }
  console.log(await storeDatabases(version))
}
