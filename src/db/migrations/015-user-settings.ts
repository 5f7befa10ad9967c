import type { Kysely } from 'kysely'

/** The personal settings of users, which only they see, and the pictures that they uploaded. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('userSettings')
    .addColumn('userId', 'text', (column) => column.notNull().primaryKey().references('user.id'))
    .addColumn('language', 'text')
    .addColumn('timeZone', 'text')
    .execute()
  // The sweep of unused bytes looks up pictures by their hash.
  await schema.createIndex('user_photoUrl').on('user').column('photoUrl').execute()
}
