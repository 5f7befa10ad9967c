import type { Kysely } from 'kysely'

/** Whether a user has closed the list of first steps. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('userSettings').addColumn('firstSteps', 'text').execute()
}
