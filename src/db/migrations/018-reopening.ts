import type { Kysely } from 'kysely'

/** The primary content that a change request was based on when a user resolved one of its conflicts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('mergeConflict').addColumn('resolvedOn', 'text').execute()
}
