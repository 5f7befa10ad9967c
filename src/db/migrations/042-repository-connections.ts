import type { Kysely } from 'kysely'

/** The repositories that the server keeps spaces in step with, and the last syncs of each. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('repositoryConnection')
    .addColumn('spaceId', 'text', (column) => column.primaryKey().references('space.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('branch', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('sealedAuthorization', 'text')
    .addColumn('intervalMinutes', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('fault', 'text')
    .addColumn('importedOid', 'text')
    .addColumn('exportedOid', 'text')
    .addColumn('sameRevisionId', 'text')
    .addColumn('connectedBy', 'text', (column) => column.notNull())
    .addColumn('connectedAt', 'text', (column) => column.notNull())
    .addColumn('syncedAt', 'text')
    .addColumn('nextSyncAt', 'text')
    .addColumn('syncStartedAt', 'text')
    .execute()
  await schema
    .createIndex('repositoryConnection_due')
    .on('repositoryConnection')
    .column('nextSyncAt')
    .execute()
  await schema
    .createTable('repositorySync')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id').onDelete('cascade'))
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('fault', 'text')
    .addColumn('importedOid', 'text')
    .addColumn('exportedOid', 'text')
    .addColumn('changeRequest', 'integer')
    .addColumn('startedAt', 'text', (column) => column.notNull())
    .addColumn('endedAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('repositorySync_of').on('repositorySync').columns(['spaceId', 'id']).execute()
}
