import { shorten } from '../../../core/text/shorten.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { duplicate } from '../../content/duplicate.ts'
import { copyOverrides } from '../customization/customization.ts'
import { insertSection, LONGEST_SECTION_TITLE } from './section.ts'
import { addSiteSpace } from './site-space.ts'
import { sortItem } from './sorting.ts'
import { loadStructure, type Seen } from './structure.ts'

/**
 * Copies the space in a place of a site, and adds the copy: behind its section, in a section like it, if it is the only
 * space there; otherwise beside it, as a variant. The copy is shown under the same conditions, with the same look.
 * @param draft whether what is added to the site is a draft; a copy of a draft always is
 * @returns the id of the new site space
 * @throws 400 over a limit of the structure
 */
export async function copySiteSpace(
  tx: Tx,
  site: Row<'site'>,
  from: { siteSpace: Row<'siteSpace'>; space: Row<'space'> },
  {
    draft,
    seen,
    now,
    newId,
  }: { draft: boolean; seen: Seen & { me: { userId: string } }; now: Date; newId: () => string },
): Promise<string> {
  const { siteSpace } = from
  const { condition, sectionId } = siteSpace
  const space = await duplicate(tx, from.space, { userId: seen.me.userId, now, newId })
  const section = sectionId === null ? undefined : await sectionWithOnly(tx, sectionId)
  const isDraft = draft || siteSpace.draft === 1
  const copied = section && {
    ...section,
    title: shorten(`Copy of ${section.title}`, LONGEST_SECTION_TITLE),
    draft: draft || section.draft === 1,
  }
  const place = copied ? await insertSection(tx, site, { ...copied, now, newId }) : sectionId
  const id = await addSiteSpace(tx, site, space, { sectionId: place, condition, draft: isDraft, now, newId })
  await copyOverrides(tx, site.id, { from: siteSpace.id, to: id, now })

  const structure = await loadStructure(tx, site, seen)
  const [type, at, original] =
    section && place !== null
      ? (['site-section', place, section.id] as const)
      : (['site-space', id, siteSpace.id] as const)
  await sortItem(tx, structure, { type, id: at }, { after: { type, id: original } })
  return id
}

/** The section, if it has only one space. */
async function sectionWithOnly(tx: Tx, id: string): Promise<Row<'siteSection'> | undefined> {
  const spaces = await tx.selectFrom('siteSpace').select('id').where('sectionId', '=', id).limit(2).execute()
  if (spaces.length > 1) return undefined
  return tx.selectFrom('siteSection').selectAll().where('id', '=', id).executeTakeFirst()
}
