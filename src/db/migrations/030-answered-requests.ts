import type { Kysely } from 'kysely'

/** The responses to requests with an `Idempotency-Key`. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('answeredRequest')
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('keyHash', 'text', (column) => column.notNull())
    .addColumn('sealedAnswer', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('answeredRequest_key', ['userId', 'keyHash'])
    .execute()
  await schema.createIndex('answeredRequest_age').on('answeredRequest').column('createdAt').execute()
}
