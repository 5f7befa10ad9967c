import type { Kysely } from 'kysely'

/** For whom jobs are done, so that users take turns, and then their organizations. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  for (const name of ['askedBy', 'organizationId'])
    await schema
      .alterTable('job')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await schema
    .createIndex('job_turn')
    .on('job')
    .columns(['kind', 'state', 'askedBy', 'organizationId', 'runAt'])
    .execute()
}
