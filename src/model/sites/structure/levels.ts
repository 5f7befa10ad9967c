import type { Ordered } from '../../../core/content/tree/arrange.ts'
import { between } from '../../../core/content/tree/order.ts'
import type { Tx } from '../../../db/schema.ts'
import { readSections } from './structure.ts'

/** The tables of what stands at the top level of a site or in a group. */
export const LEVEL_TABLES = {
  'site-section': 'siteSection',
  'site-section-group': 'siteSectionGroup',
  'site-external-link': 'siteExternalLink',
} as const

/** A section, a group or a link of a site. */
export interface LevelItem {
  type: keyof typeof LEVEL_TABLES
  id: string
}

/** An item with its place: the group that contains it, or null, and its fractional index there. */
export type PlacedItem = LevelItem & Ordered & { parent: string | null }

/** All sections, groups and links of a site, in no order. */
export async function levelItems(tx: Tx, siteId: string): Promise<PlacedItem[]> {
  const { sections, groups, links } = await readSections(tx, siteId)
  const placed =
    (type: LevelItem['type']) =>
    ({
      id,
      position,
      ...row
    }: { id: string; position: string } & ({ groupId: string | null } | { parent: string | null })) => ({
      type,
      id,
      position,
      parent: 'parent' in row ? row.parent : row.groupId,
    })
  return [
    ...sections.map(placed('site-section')),
    ...groups.map(placed('site-section-group')),
    ...links.map(placed('site-external-link')),
  ]
}

/** The order key after the last item of a level. @param parent a group; null for the top of the site */
export async function endOfLevel(tx: Tx, siteId: string, parent: string | null): Promise<string> {
  const level = (await levelItems(tx, siteId)).filter((one) => one.parent === parent)
  return between(
    level
      .map(({ position }) => position)
      .toSorted()
      .at(-1) ?? null,
    null,
  )
}

/** Moves an item to a level. @param parent the group; null for the top of the site */
export async function placeOnLevel(
  tx: Tx,
  { type, id }: LevelItem,
  { parent, position }: { parent: string | null; position: string },
): Promise<void> {
  if (type === 'site-section-group')
    await tx.updateTable('siteSectionGroup').set({ parent, position }).where('id', '=', id).execute()
  else
    await tx.updateTable(LEVEL_TABLES[type]).set({ groupId: parent, position }).where('id', '=', id).execute()
}

/** Moves an item to the end of a level. @param parent a group; null for the top of the site */
export async function moveToEnd(
  tx: Tx,
  siteId: string,
  item: LevelItem,
  parent: string | null,
): Promise<void> {
  await placeOnLevel(tx, item, { parent, position: await endOfLevel(tx, siteId, parent) })
}
