import type { Kysely } from 'kysely'

/** The language of each page in an index: the stems of its words depend on it, so those of a query do, too. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('searchEntry').addColumn('language', 'text').execute()
}
