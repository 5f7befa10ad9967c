import type { Kysely } from 'kysely'

/** The terms of an organization in its languages. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('glossaryEntry')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organizationId', 'text', (column) =>
      column.notNull().references('organization.id').onDelete('cascade'),
    )
    .addColumn('translations', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('glossaryEntry_of').on('glossaryEntry').columns(['organizationId', 'id']).execute()
}
