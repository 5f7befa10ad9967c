import type { Kysely } from 'kysely'

/** How often in a row the process that ran a job ended without recording how the job ended. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .alterTable('job')
    .addColumn('lostLeases', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
