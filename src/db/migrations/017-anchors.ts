import type { Kysely } from 'kysely'

/** Comments on a range of text, comments that suggest a text, and the author of an applied suggestion. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  for (const column of ['range', 'suggestion', 'applied'])
    await schema.alterTable('comment').addColumn(column, 'text').execute()
  await schema
    .alterTable('revision')
    .addColumn('coAuthorId', 'text', (column) => column.references('user.id'))
    .execute()
}
