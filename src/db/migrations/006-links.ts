import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** The results of the checks of external links. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('organization')
    .addColumn('checkExternalLinks', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()

  await schema
    .createTable('externalLink')
    .addColumn('spaceId', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('url', 'text', required)
    .addColumn('result', 'text')
    .addColumn('dueAt', 'text', required)
    .addPrimaryKeyConstraint('externalLink_key', ['spaceId', 'hash'])
    .execute()
  await schema.createIndex('externalLink_due').on('externalLink').columns(['spaceId', 'dueAt']).execute()
  await schema.createIndex('externalLink_result').on('externalLink').columns(['spaceId', 'result']).execute()

  await schema
    .createTable('externalLinkScan')
    .addColumn('spaceId', 'text', (column) => column.notNull().primaryKey())
    .addColumn('revisionId', 'text', required)
    .execute()
}
