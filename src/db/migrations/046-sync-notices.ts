import type { Kysely } from 'kysely'

/** Which users hear when the syncs of a space with its repository stop, and whether they have heard. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  for (const column of ['notifiedUsers', 'failedSince', 'stopNotifiedAt'])
    await schema.alterTable('repositoryConnection').addColumn(column, 'text').execute()
}
