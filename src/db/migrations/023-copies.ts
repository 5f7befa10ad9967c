import type { Kysely } from 'kysely'

/** What the copies of the server on one database tell each other: what they have counted, and the imports that they run. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('sharedCount')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addColumn('endsAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('sharedCount_end').on('sharedCount').columns(['endsAt']).execute()

  await schema
    .createTable('runningImport')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('spaceId', 'text', (column) => column.notNull())
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('done', 'integer')
    .addColumn('total', 'integer')
    .addColumn('startedAt', 'text', (column) => column.notNull())
    .addColumn('leasedUntil', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('runningImport_space').on('runningImport').columns(['spaceId']).execute()
}
