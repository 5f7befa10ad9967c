import type { Kysely } from 'kysely'

/** Whether a part of a site is a draft, which no reader sees. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  for (const table of ['siteSectionGroup', 'siteSection', 'siteSpace', 'siteRedirect'])
    await schema
      .alterTable(table)
      .addColumn('draft', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
}
