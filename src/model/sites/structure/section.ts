import { type Static, Type } from 'typebox'
import type { Reader, Row, Tx } from '../../../db/schema.ts'
import { invalid } from '../../../http/errors.ts'
import { omitNullish, oneOf, titleSchema, Uri } from '../../common.ts'
import { Draft } from './draft.ts'
import { endOfLevel } from './levels.ts'
import { pathFor, SiteSpace, toSiteSpaces } from './site-space.ts'
import { type SectionRow } from './reading-order.ts'
import { type SiteStructure, STRUCTURE_LIMITS } from './structure.ts'
import { because } from '../../../core/languages/reasons.ts'

/** The most characters of the title of a section. */
export const LONGEST_SECTION_TITLE = 128
export const SectionTitle = titleSchema(LONGEST_SECTION_TITLE, 2)
export const StructureIcon = Type.String({ minLength: 1, maxLength: 50, description: 'The name of an icon' })

export const SiteSection = Type.Object(
  {
    object: oneOf(['site-section']),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    default: Type.Boolean({ description: 'Whether it is the default section, which has no segment in URLs' }),
    path: Type.String(),
    draft: Draft,
    condition: Type.Optional(Type.String()),
    sectionGroup: Type.Optional(Type.String({ description: 'The id of the group that contains it' })),
    icon: Type.Optional(Type.String()),
    siteSpaces: Type.Array(SiteSpace),
    urls: Type.Object({ published: Type.Optional(Uri) }),
  },
  { title: 'SiteSection' },
)
export type SiteSection = Static<typeof SiteSection>

/** Sections of a site as a caller sees them. @param rows a part of the sections of the structure */
export async function toSections(
  db: Reader,
  structure: SiteStructure,
  rows: SectionRow[],
): Promise<SiteSection[]> {
  const ids = new Set<string | null>(rows.map(({ id }) => id))
  const inside = structure.siteSpaces.filter(({ sectionId }) => ids.has(sectionId))
  const siteSpaces = await toSiteSpaces(db, structure, inside)
  return rows.map((row) => {
    const own = siteSpaces.filter(({ section }) => section === row.id)
    return {
      object: 'site-section',
      id: row.id,
      title: row.title,
      ...omitNullish({ description: row.description }),
      default: row.isDefault === 1,
      path: row.path,
      draft: row.draft === 1,
      ...omitNullish({
        condition: structure.showsConditions ? row.condition : undefined,
        sectionGroup: row.groupId,
        icon: row.icon,
      }),
      siteSpaces: own,
      urls: omitNullish({ published: (own.find((one) => one.default) ?? own[0])?.urls.published }),
    }
  })
}

/** Adds an empty section at the end of the site, or of a group. The first section of a site is its default. @throws 400 over the limit */
export async function insertSection(
  tx: Tx,
  site: Row<'site'>,
  fields: {
    title: string
    icon?: string | null
    description?: string | null
    groupId?: string | null
    condition?: string | null
    draft?: boolean | undefined
    now: Date
    newId: () => string
  },
): Promise<string> {
  const { title, icon = null, description = null, groupId = null, condition = null, draft = false } = fields
  const { now, newId } = fields
  const others = await tx.selectFrom('siteSection').select('path').where('siteId', '=', site.id).execute()
  if (others.length >= STRUCTURE_LIMITS.sections)
    throw invalid(because('too-many-sections', { count: others.length, limit: STRUCTURE_LIMITS.sections }))
  // The open-source renderer uses the id as a CSS selector, in which a digit cannot come first.
  const id = `s${newId()}`
  await tx
    .insertInto('siteSection')
    .values({
      id,
      siteId: site.id,
      groupId,
      title,
      description,
      path: pathFor(title, new Set(others.map(({ path }) => path))),
      isDefault: others.length === 0 ? 1 : 0,
      condition,
      draft: draft ? 1 : 0,
      icon,
      position: await endOfLevel(tx, site.id, groupId),
      createdAt: now.toISOString(),
    })
    .execute()
  return id
}

/** After a section left a site, makes the first of those that remain the default if there is none. */
export async function keepDefaultSection(tx: Tx, siteId: string, inOrder: { id: string }[]): Promise<void> {
  const chosen = await tx
    .selectFrom('siteSection')
    .select('id')
    .where('siteId', '=', siteId)
    .where('isDefault', '=', 1)
    .executeTakeFirst()
  const [first] = inOrder
  if (!chosen && first)
    await tx.updateTable('siteSection').set({ isDefault: 1 }).where('id', '=', first.id).execute()
}
