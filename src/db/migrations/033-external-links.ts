import type { Kysely } from 'kysely'

/** The links to other websites beside the sections of a site. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('siteExternalLink')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('siteId', 'text', (column) => column.notNull().references('site.id').onDelete('cascade'))
    .addColumn('groupId', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('icon', 'text')
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('condition', 'text')
    .addColumn('position', 'text', (column) => column.notNull())
    .addColumn('draft', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('siteExternalLink_of').on('siteExternalLink').column('siteId').execute()
}
