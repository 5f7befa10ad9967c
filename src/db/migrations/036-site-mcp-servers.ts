import type { Kysely } from 'kysely'

/** The MCP servers of others that a site names to its readers. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('siteMcpServer')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('siteId', 'text', (column) => column.notNull().references('site.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('transport', 'text', (column) => column.notNull())
    .addColumn('headerNames', 'text', (column) => column.notNull())
    .addColumn('sealedHeaders', 'text')
    .addColumn('condition', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('siteMcpServer_of').on('siteMcpServer').column('siteId').execute()
}
