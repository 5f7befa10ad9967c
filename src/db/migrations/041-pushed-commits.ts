import type { Kysely } from 'kysely'

/** The commits that users have pushed to spaces, whose objects are blobs. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('pushedCommit')
    .addColumn('revisionId', 'text', (column) => column.primaryKey())
    .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id').onDelete('cascade'))
    .addColumn('branch', 'text')
    .addColumn('changeRequestId', 'text', (column) =>
      column.references('changeRequest.id').onDelete('cascade'),
    )
    .addColumn('base', 'text', (column) => column.notNull())
    .addColumn('oid', 'text', (column) => column.notNull())
    .addColumn('pack', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('pushedCommit_branch')
    .on('pushedCommit')
    .columns(['spaceId', 'branch'])
    .unique()
    .execute()
  await schema
    .createIndex('pushedCommit_changeRequestId')
    .on('pushedCommit')
    .column('changeRequestId')
    .execute()
  await schema.createIndex('pushedCommit_pack').on('pushedCommit').column('pack').execute()
}
