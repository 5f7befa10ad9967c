import type { Kysely } from 'kysely'

/** What administrators of the installation see of it: since when jobs fail, which copies run, and failed sign-ins. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  for (const name of ['firstTriedAt', 'lastTriedAt'])
    await schema.alterTable('job').addColumn(name, 'text').execute()

  await schema
    .createTable('runningCopy')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('nodeVersion', 'text', (column) => column.notNull())
    .addColumn('startedAt', 'text', (column) => column.notNull())
    .addColumn('seenAt', 'text', (column) => column.notNull())
    .addColumn('slowRequests', 'text', (column) => column.notNull())
    .execute()

  await schema
    .createTable('failedSignIn')
    .addColumn('hour', 'text', (column) => column.notNull())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('failedSignIn_key', ['hour', 'network'])
    .execute()
}
