import type { Kysely } from 'kysely'

/** Which specifications the computed pages of an index are made of. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('searchSpec')
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('searchSpec_key', ['number', 'slug'])
    .execute()
  await schema.createIndex('searchSpec_slug').on('searchSpec').column('slug').execute()
}
