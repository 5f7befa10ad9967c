import type { Kysely } from 'kysely'

/** The fonts of an organization, and their files: one for each weight. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('font')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organizationId', 'text', (column) =>
      column.notNull().references('organization.id').onDelete('cascade'),
    )
    .addColumn('family', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('font_of').on('font').column('organizationId').execute()

  await schema
    .createTable('fontFile')
    .addColumn('fontId', 'text', (column) => column.notNull().references('font.id').onDelete('cascade'))
    .addColumn('weight', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('fontFile_key', ['fontId', 'weight'])
    .execute()
  await schema.createIndex('fontFile_hash').on('fontFile').column('hash').execute()
}
