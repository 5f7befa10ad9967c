import { type Static, Type } from 'typebox'
import { sectionShownIf, shownIf } from '../../places/default-site-space.ts'
import { loadReach, type Membership } from '../../../access/roles/reach.ts'
import { between } from '../../../core/content/tree/order.ts'
import { uniqueSlug } from '../../../core/content/tree/rules.ts'
import { shorten } from '../../../core/text/shorten.ts'
import { slugify } from '../../../core/text/slug.ts'
import type { Reader, Row, Tx } from '../../../db/schema.ts'
import { conflict, invalid } from '../../../http/errors.ts'
import { omitNullish, oneOf, Uri } from '../../common.ts'
import { Draft } from './draft.ts'
import { asVisitor, Space, toSpaces } from '../../places/space.ts'
import { type SiteSpaceRow } from './reading-order.ts'
import {
  ownRight,
  shownSiteSpaces,
  type SiteStructure,
  STRUCTURE_LIMITS,
  visibleSiteSpaces,
} from './structure.ts'
import { because } from '../../../core/languages/reasons.ts'

const LONGEST_PATH = 80

export const SiteSpace = Type.Object(
  {
    object: oneOf(['site-space']),
    id: Type.String(),
    path: Type.String({ description: 'The segment of the URL, which the default space does not have' }),
    title: Type.String(),
    section: Type.Optional(Type.String({ description: 'The id of its section' })),
    space: Space,
    default: Type.Boolean({ description: 'Whether it is the default of its section, or of the site' }),
    condition: Type.Optional(Type.String()),
    draft: Draft,
    hasAdvancedCustomizationFeature: Type.Boolean(),
    urls: Type.Object({ published: Type.Optional(Uri) }),
  },
  { title: 'SiteSpace' },
)
export type SiteSpace = Static<typeof SiteSpace>

/** The number of spaces that a member sees in each of these sites. */
export async function countSiteSpaces(
  db: Reader,
  sites: Row<'site'>[],
  member: Membership,
): Promise<Map<string, number>> {
  if (sites.length === 0) return new Map()
  const ids = sites.map(({ id }) => id)
  const reach = await loadReach(db, member)
  const rows = await visibleSiteSpaces(db, reach)
    .select(['siteSpace.siteId', shownIf.as('shownIf'), sectionShownIf.as('sectionShownIf')])
    .select([ownRight(reach), (eb) => eb.fn.countAll().as('count')])
    .where('siteSpace.siteId', 'in', ids)
    .groupBy(['siteSpace.siteId', 'shownIf', 'sectionShownIf', 'isOwn'])
    .execute()
  const counts = new Map<string, number>()
  for (const { siteId, count } of shownSiteSpaces(rows))
    counts.set(siteId, (counts.get(siteId) ?? 0) + Number(count))
  return counts
}

/** Spaces of a site as a caller sees them. @param rows a part of the site spaces of the structure */
export async function toSiteSpaces(
  db: Reader,
  structure: SiteStructure,
  rows: SiteSpaceRow[],
): Promise<SiteSpace[]> {
  const spaces = await loadSpaces(db, structure, rows)
  return rows.flatMap((row): SiteSpace[] => {
    const space = spaces.get(row.spaceId)
    if (!space) return []
    return [
      {
        object: 'site-space',
        id: row.id,
        path: row.path,
        title: space.title,
        ...omitNullish({
          section: row.sectionId,
          condition: structure.showsConditions ? row.condition : undefined,
        }),
        space,
        default: row.isDefault === 1,
        draft: row.draft === 1,
        hasAdvancedCustomizationFeature: true,
        urls: omitNullish({ published: structure.addressOf(row) }),
      },
    ]
  })
}

async function loadSpaces(db: Reader, structure: SiteStructure, siteSpaces: { spaceId: string }[]) {
  const { urls, reach, key, site } = structure
  if (siteSpaces.length === 0) return new Map<string, Space>()
  const ids = siteSpaces.map(({ spaceId }) => spaceId)
  const rows = await db.selectFrom('space').selectAll().where('id', 'in', ids).execute()
  const roleOf = await reach.onSpaces(db, rows)
  const opened = key === undefined ? undefined : { siteId: site.id, key }
  const spaces = await toSpaces(urls, db, rows, roleOf, opened)
  return new Map(spaces.map((space) => [space.id, roleOf(space) === null ? asVisitor(space) : space]))
}

/**
 * Adds a space at the end of a section, or of a site without sections. The first space of a section is its default.
 * @throws 409 if the site contains the space already, 400 over the limit
 */
export async function addSiteSpace(
  tx: Tx,
  site: Row<'site'>,
  space: Row<'space'>,
  {
    sectionId = null,
    condition = null,
    draft = false,
    now,
    newId,
  }: {
    sectionId?: string | null
    condition?: string | null
    draft?: boolean | undefined
    now: Date
    newId: () => string
  },
): Promise<string> {
  const all = await tx
    .selectFrom('siteSpace')
    .select(['spaceId', 'sectionId', 'path', 'position'])
    .where('siteId', '=', site.id)
    .orderBy('position')
    .execute()
  if (all.some(({ spaceId }) => spaceId === space.id)) throw alreadyOnSite(space)
  if (all.length >= STRUCTURE_LIMITS.siteSpaces)
    throw invalid(because('too-many-site-spaces', { count: all.length, limit: STRUCTURE_LIMITS.siteSpaces }))
  const others = all.filter((one) => one.sectionId === sectionId)
  const id = newId()
  await tx
    .insertInto('siteSpace')
    .values({
      id,
      siteId: site.id,
      spaceId: space.id,
      sectionId,
      condition,
      draft: draft ? 1 : 0,
      path: pathFor(space.title, new Set(others.map(({ path }) => path))),
      isDefault: others.length === 0 ? 1 : 0,
      position: between(others.at(-1)?.position ?? null, null),
      createdAt: now.toISOString(),
    })
    .execute()
  return id
}

/** 409: a site contains each space at most once. */
export const alreadyOnSite = ({ id, title }: Row<'space'>) =>
  conflict(because('space-on-site', { title, id }))

/** A path made from a title that is not taken among its siblings. */
export function pathFor(title: string, taken: ReadonlySet<string>): string {
  return uniqueSlug(shorten(slugify(title), LONGEST_PATH) || 'docs', taken)
}

/** After spaces left a section or a site, makes the first of those that remain the default where there is none. */
export async function keepDefaultSpace(tx: Tx, siteId: string, sectionId: string | null): Promise<void> {
  const level = tx
    .selectFrom('siteSpace')
    .select(['id', 'isDefault'])
    .where('siteId', '=', siteId)
    .where('sectionId', sectionId === null ? 'is' : '=', sectionId)
    .orderBy('isDefault', 'desc')
    .orderBy('position')
    .orderBy('id')
  const first = await level.limit(1).executeTakeFirst()
  if (first && first.isDefault === 0)
    await tx.updateTable('siteSpace').set({ isDefault: 1 }).where('id', '=', first.id).execute()
}
