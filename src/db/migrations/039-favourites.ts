import type { Kysely } from 'kysely'

/** The spaces, collections and sites that users keep at hand. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('favourite')
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('placeId', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('favourite_key', ['userId', 'placeId'])
    .execute()
}
