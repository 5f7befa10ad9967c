import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()

/** The source that a space is kept equal to, with its content at the last sync. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('spaceSource')
    .addColumn('spaceId', 'text', (column) => column.notNull().primaryKey().references('space.id'))
    .addColumn('key', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('url', 'text')
    .addColumn('branch', 'text')
    .addColumn('path', 'text')
    .addColumn('oid', 'text')
    .addColumn('content', 'text', required)
    .addColumn('revisionId', 'text', required)
    .addColumn('proposal', 'text')
    .addColumn('syncedBy', 'text', required)
    .addColumn('syncedAt', 'text', required)
    .execute()
  await schema.createIndex('spaceSource_key').on('spaceSource').column('key').execute()
}
