/** The server compares the schema of its database with what its migrations make. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { expectedCatalogue } from '../../src/db/catalogue/compare.ts'
import { readCatalogue } from '../../src/db/catalogue/catalogue.ts'
import { type DatabaseOptions, openDatabase, openUnchecked } from '../../src/db/open.ts'
import type { Schema } from '../../src/db/schema.ts'
import {
  digestsFile,
  digestsOf,
  type MigrationDigests,
  recordedDigests,
} from '../../tools/release/digests.ts'
import { createPostgres } from '../postgres.ts'
import { runHere, temporaryFolder } from '../process.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A migrated database that statements have changed, as another version or an operator might. */
async function changed(...statements: string[]): Promise<DatabaseOptions> {
  const folder = temporaryFolder()
  const postgres = await createPostgres()
  after(async () => {
    await postgres?.drop()
    folder.remove()
  })
  const options = { data: folder.path, databaseUrl: postgres?.url, durable: false }
  const database = await openUnchecked(options)
  for (const statement of statements) await sql.raw(statement).execute(database.writer)
  await database.close()
  return options
}

async function refusal(options: DatabaseOptions): Promise<string> {
  const opened = await openDatabase(options).catch((error: Error) => error)
  if (!(opened instanceof Error)) await opened.close()
  return opened instanceof Error ? opened.message : ''
}

async function withDatabase<T>(
  options: DatabaseOptions,
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const database = await openUnchecked(options)
  try {
    return await work(database.writer)
  } finally {
    await database.close()
  }
}

const fresh = await changed()

test('the migrations make the schema that is recorded', async () => {
  const dialect = fresh.databaseUrl ? 'postgres' : 'sqlite'
  const catalogue = await withDatabase(fresh, (db) => readCatalogue(db as never, dialect))
  assert.deepEqual(catalogue, expectedCatalogue(dialect), 'Run "npm run migrations"')
  assert.ok(Object.keys(catalogue).length > 80)
})

test('names what is missing or different, and refuses the database', async () => {
  const { databaseUrl } = fresh
  const cases: [string[], RegExp][] = [
    [['drop table "searchTask"'], /the table "searchTask" is missing/],
    [['alter table "space" drop column "emoji"'], /the column "emoji" of the table "space" is missing/],
    [['drop index "member_of"'], /the index "member_of" of the table "member" is missing/],
    [
      ['drop index "member_of"', 'create unique index "member_of" on "member" ("userId")'],
      /the index "member_of" of the table "member" is "unique .*" instead of /,
    ],
    [
      ['alter table "space" drop column "emoji"', 'alter table "space" add column "emoji" integer'],
      /the column "emoji" of the table "space" is "integer" instead of "text"/,
    ],
    [
      ['alter table "space" rename column "emoji" to "sign"'],
      /the column "emoji" of the table "space" is missing/,
    ],
    [
      ['create unique index "own" on "user" ("displayName")'],
      /the unique index "own" of the table "user" is not Lectern's, and can reject rows/,
    ],
  ]
  if (databaseUrl)
    cases.push(
      [
        ['alter table "user" alter column "photoUrl" set not null'],
        /the column "photoUrl" of the table "user" is "text not null" instead of "text"/,
      ],
      [
        ['alter table "member" drop constraint "member_userId_fkey"'],
        /the constraint "FOREIGN KEY \("userId"\) REFERENCES "user"\(id\)" of the table "member" is missing/,
      ],
    )
  for (const [statements, words] of cases) {
    const message = await refusal(await changed(...statements))
    assert.match(message, words, statements.join('; '))
    assert.match(message, /^The schema of the database is not that of Lectern .*\n/)
  }
})

test('what an operator has added is a warning', async () => {
  const options = await changed(
    'create table "ours" ("id" integer)',
    'create index "our_index" on "user" ("displayName")',
    'alter table "user" add column "our_note" text',
  )
  const warnings: string[] = []
  const database = await openDatabase({ ...options, warn: (message) => warnings.push(message) })
  await database.close()
  assert.deepEqual(warnings.toSorted(), [
    `the column "our_note" of the table "user" is not Lectern's`,
    `the index "our_index" of the table "user" is not Lectern's`,
    `the table "ours" is not Lectern's`,
  ])
})

test('a command prints the difference once, and ends with 1', async () => {
  const { data, databaseUrl } = await changed('drop index "member_of"')
  const env = { LECTERN_DATA: data, PORT: '0', ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const { code, out, err } = await runHere([], env)
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /The schema of the database[^]*"member_of"[^]*Restore a backup/)
  assert.doesNotMatch(err, /\n\s+at /)
})

test('a newer database is refused in one sentence that names its version', async () => {
  const later = `insert into "kysely_migration" values ('999-later', '2030-01-01T00:00:00.000Z')`
  const options = await changed(later, `update "instance" set "value" = '7.1.0' where "name" = 'migratedBy'`)
  const { data, databaseUrl } = options
  const env = { LECTERN_DATA: data, PORT: '0', ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const { code, err } = await runHere(['migrate'], env)
  assert.equal(code, 1)
  assert.match(err, /^The database was migrated by Lectern 7\.1\.0: it has the migration "999-later", which/)
  assert.equal(err.trim().split('\n').length, 1)
  const unnamed = await changed(later, `delete from "instance" where "name" = 'migratedBy'`)
  assert.match(await refusal(unnamed), /^The database was migrated by another version of Lectern: /)
})

test('a database that skipped a migration is refused', async () => {
  const message = await refusal(await changed(`delete from "kysely_migration" where "name" = '003-change'`))
  assert.match(message, /has the migration "\d+-[\w-]+" but not the earlier "003-change"/)
})

test('the migrations of a release are frozen', () => {
  const recorded = JSON.parse(readFileSync(digestsFile(ROOT), 'utf8')) as MigrationDigests
  assert.deepEqual(recordedDigests(recorded, digestsOf(ROOT)), recorded, 'Run "npm run migrations"')

  const change = { ...recorded.released, '001-foundation.ts': 'another' }
  assert.throws(
    () => recordedDigests(recorded, change),
    /001-foundation\.ts is part of a release, and was changed.*write a new migration/,
  )
  const { '001-foundation.ts': gone, ...without } = recorded.released
  assert.throws(() => recordedDigests(recorded, without), /was deleted/)
  const added = { ...recorded.released, '999-later.ts': 'new' }
  const unreleased = recordedDigests({ released: recorded.released, unreleased: {} }, added)
  assert.deepEqual(unreleased.unreleased, { '999-later.ts': 'new' })
  assert.deepEqual(recordedDigests(unreleased, added, true), { released: added, unreleased: {} })
  assert.ok(gone)
})
