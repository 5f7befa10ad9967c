import type { Kysely } from 'kysely'

/** The role that members have on a site without a grant. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .alterTable('site')
    .addColumn('defaultLevel', 'text', (column) => column.defaultTo('inherit'))
    .execute()
}
