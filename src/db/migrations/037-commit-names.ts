import type { Kysely } from 'kysely'

/** The names in the commits of spaces, which stay as they were when the commits were made. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('commitNames')
    .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id').onDelete('cascade'))
    .addColumn('subjectId', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('committer', 'text', (column) => column.notNull())
    .addColumn('coAuthor', 'text')
    .addPrimaryKeyConstraint('commitNames_key', ['spaceId', 'subjectId'])
    .execute()
}
