import type { Kysely } from 'kysely'

/** The pages that the members of an organization have kept as templates. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('pageTemplate')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organizationId', 'text', (column) =>
      column.notNull().references('organization.id').onDelete('cascade'),
    )
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('emoji', 'text', (column) => column.notNull())
    .addColumn('markdown', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('pageTemplate_of').on('pageTemplate').columns(['organizationId', 'id']).execute()
}
