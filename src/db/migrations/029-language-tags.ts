import type { Kysely } from 'kysely'

/** The language of a space as a tag (BCP 47), for languages and varieties that the codes of content do not have. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('space').addColumn('languageTag', 'text').execute()
}
