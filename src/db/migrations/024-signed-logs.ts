import type { Kysely } from 'kysely'

/** The signature of the end of each audit log. The first start signs the ends of the logs that exist. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .alterTable('auditChain')
    .addColumn('signature', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
