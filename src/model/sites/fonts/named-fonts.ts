/** The sites whose look names a font of their organization. */
import { isRecord } from '../../../core/data/is-record.ts'
import type { Reader, Tx } from '../../../db/schema.ts'
import type { FontDefinition } from '../customization/customization-settings.ts'
import { touchSite } from '../site.ts'

const FONTS = ['font', 'headingFont', 'monospaceFont']

/** The settings of the sites of an organization that name a font, each with its site. */
async function settingsWith(db: Reader, { id, organizationId }: { id: string; organizationId: string }) {
  const rows = await db
    .selectFrom('siteCustomization')
    .innerJoin('site', 'site.id', 'siteCustomization.siteId')
    .select(['site.id', 'site.title', 'siteCustomization.siteSpaceId', 'siteCustomization.settings'])
    .where('site.organizationId', '=', organizationId)
    .where('siteCustomization.settings', 'like', `%"id":"${id}"%`)
    .orderBy('site.id')
    .execute()
  return rows.flatMap(({ settings, ...row }) => {
    const { styling, ...others } = JSON.parse(settings) as Record<string, unknown>
    if (!isRecord(styling)) return []
    const named = FONTS.filter((name) => isRecord(styling[name]) && styling[name].id === id)
    return named.length === 0 ? [] : [{ ...row, styling, others, named }]
  })
}

/** The first site whose look names a font; undefined if no site has it. */
export async function siteWithFont(
  db: Reader,
  font: { id: string; organizationId: string },
): Promise<{ id: string; title: string } | undefined> {
  const [first] = await settingsWith(db, font)
  return first && { id: first.id, title: first.title }
}

/** Gives the sites that name a font its new definition, so that readers see the font as it is now. */
export async function renewFont(
  tx: Tx,
  organizationId: string,
  font: FontDefinition,
  now: Date,
): Promise<void> {
  const found = await settingsWith(tx, { id: font.id, organizationId })
  for (const { id, siteSpaceId, styling, others, named } of found) {
    const renewed = { ...styling, ...Object.fromEntries(named.map((name) => [name, font])) }
    await tx
      .updateTable('siteCustomization')
      .set({ settings: JSON.stringify({ ...others, styling: renewed }), updatedAt: now.toISOString() })
      .where('siteId', '=', id)
      .where('siteSpaceId', '=', siteSpaceId)
      .execute()
  }
  for (const id of new Set(found.map((row) => row.id))) await touchSite(tx, { id }, now)
}
