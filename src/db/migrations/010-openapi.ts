import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Column = ColumnDefinitionBuilder
const key = (column: Column) => column.notNull().primaryKey()
const required = (column: Column) => column.notNull()
const of = (table: string) => (column: Column) => column.notNull().references(`${table}.id`)

/** OpenAPI specifications and their versions. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('openapiSpec')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('slug', 'text', required)
    .addColumn('sourceUrl', 'text')
    .addColumn('externalReferences', 'integer', required)
    .addColumn('visibility', 'text', required)
    .addColumn('requestProxy', 'integer', required)
    .addColumn('processingState', 'text', required)
    .addColumn('sourceBlob', 'text')
    .addColumn('etag', 'text')
    .addColumn('lastVersion', 'text')
    .addColumn('lastProcessedAt', 'text')
    .addColumn('lastErrorCode', 'text')
    .addColumn('lastErrors', 'text', required)
    .addColumn('requestedAt', 'text', required)
    .addColumn('nextCheckAt', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addUniqueConstraint('openapiSpec_slug', ['organizationId', 'slug'])
    .execute()
  await schema.createIndex('openapiSpec_due').on('openapiSpec').column('nextCheckAt').execute()
  await schema.createIndex('openapiSpec_source').on('openapiSpec').column('sourceBlob').execute()

  await schema
    .createTable('openapiVersion')
    .addColumn('id', 'text', key)
    .addColumn('specId', 'text', of('openapiSpec'))
    .addColumn('blob', 'text', required)
    .addColumn('size', 'integer', required)
    .addColumn('sourceBlob', 'text', required)
    .addColumn('sourceSize', 'integer', required)
    .addColumn('format', 'text', required)
    .addColumn('createdAt', 'text', required)
    .execute()
  await schema
    .createTable('openapiPart')
    .addColumn('specId', 'text', of('openapiSpec'))
    .addColumn('pointer', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('position', 'integer', required)
    .addColumn('tag', 'text')
    .addColumn('title', 'text')
    .addColumn('json', 'text', required)
    .addPrimaryKeyConstraint('openapiPart_key', ['specId', 'pointer'])
    .execute()

  await schema.createIndex('openapiVersion_of').on('openapiVersion').columns(['specId', 'id']).execute()
  await schema.createIndex('openapiVersion_blob').on('openapiVersion').column('blob').execute()
  await schema.createIndex('openapiVersion_source').on('openapiVersion').column('sourceBlob').execute()
}
