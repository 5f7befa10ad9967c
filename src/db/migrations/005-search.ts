import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** The index of search. Existing content is indexed in the background after the next start of a server. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const number = isPostgres ? 'serial' : 'integer'
  const numbered = (column: ColumnDefinitionBuilder) =>
    isPostgres ? column.primaryKey() : column.primaryKey().autoIncrement()

  await schema
    .createTable('searchIndex')
    .addColumn('number', number, numbered)
    .addColumn('spaceId', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('isReady', 'integer', required)
    .addColumn('pages', 'text')
    .addColumn('lastEntry', 'integer', required)
    .execute()
  await schema.createIndex('searchIndex_of').on('searchIndex').column('spaceId').execute()

  await schema
    .createTable('searchEntry')
    .addColumn('id', number, numbered)
    .addColumn('number', 'integer', required)
    .addColumn('pageId', 'text', required)
    .addColumn('conditions', 'text')
    .addColumn('content', 'text')
    .addColumn('sections', 'text')
    .execute()
  await schema.createIndex('searchEntry_of').on('searchEntry').columns(['number', 'id']).execute()
  await schema.createIndex('searchEntry_page').on('searchEntry').columns(['number', 'pageId']).execute()

  await schema
    .createTable('searchWord')
    .addColumn('number', 'integer', required)
    .addColumn('word', 'text', required)
    .addPrimaryKeyConstraint('searchWord_key', ['number', 'word'])
    .execute()

  await schema
    .createTable('searchTask')
    .addColumn('spaceId', 'text', key)
    .addColumn('revisionId', 'text', required)
    .execute()

  if (isPostgres) {
    await sql`create table "searchTokens" ("id" integer primary key, "tokens" tsvector not null)`.execute(db)
    // A pending list would be read as a whole by each query.
    await sql`create index "searchTokens_tokens" on "searchTokens" using gin ("tokens") with (fastupdate = off)`.execute(
      db,
    )
    // Words are compared by their code points, as on SQLite, so that a range of words is the same.
    await sql`alter table "searchWord" alter column "word" type text collate "C"`.execute(db)
    return
  }
  await sql`create virtual table "searchTokens" using fts5(
    "tokens", content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '._'"
  )`.execute(db)
}
