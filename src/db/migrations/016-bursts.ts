import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const key = (column: Column) => column.notNull().primaryKey()

/** Bursts of saves, and the revisions that later saves of a burst have replaced. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.alterTable('revision').addColumn('burst', 'text').execute()
  await schema.alterTable('revision').addColumn('burstBy', 'text').execute()
  await sql`create index "revision_burst" on "revision" ("burst") where "burst" is not null`.execute(db)
  await schema.createIndex('comment_on_revision').on('comment').column('revisionId').execute()

  await schema
    .createTable('replacedRevision')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', required)
    .addColumn('burst', 'text', required)
    .addColumn('parent', 'text', required)
    .addColumn('content', 'text')
    .addColumn('replacedAt', 'text', required)
    .execute()
  await schema
    .createIndex('replacedRevision_of')
    .on('replacedRevision')
    .columns(['burst', 'replacedAt'])
    .execute()
  await schema.createIndex('replacedRevision_in').on('replacedRevision').column('spaceId').execute()

  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await schema
    .createTable('replacedPage')
    .addColumn('revisionId', 'text', required)
    .addColumn('pageId', 'text', required)
    .addColumn('data', isPostgres ? 'bytea' : 'blob', required)
    .addPrimaryKeyConstraint('replacedPage_key', ['revisionId', 'pageId'])
    .execute()

  await schema
    .createTable('burstContent')
    .addColumn('spaceId', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('burst', 'text', required)
    .addPrimaryKeyConstraint('burstContent_key', ['spaceId', 'kind', 'hash'])
    .execute()
  await schema.createIndex('burstContent_of').on('burstContent').column('burst').execute()
}
