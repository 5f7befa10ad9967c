import { type Kysely, sql } from 'kysely'

/**
 * The id of a section begins with a letter, because the open-source renderer uses it as a CSS selector, in which a digit
 * cannot come first.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [table, column] of [
    ['siteSection', 'id'],
    ['siteSpace', 'sectionId'],
    ['siteOldPath', 'sectionId'],
    ['insightEvent', 'siteSection'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = 's' || ${sql.ref(column)}
      where ${sql.ref(column)} like '0%'`.execute(db)
  await sql`update "siteOldPath" set "targetId" = 's' || "targetId"
    where "kind" = 'site-section' and "targetId" like '0%'`.execute(db)
  await sql`update "siteRedirect"
    set "destination" = replace("destination", '"siteSectionId":"0', '"siteSectionId":"s0')`.execute(db)
}
