import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import type { Reader, Row, Tx } from '../../../db/schema.ts'
import { notFound, unknownId } from '../../../http/errors.ts'
import { listItems, listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { shorten } from '../../../core/text/shorten.ts'
import {
  Id,
  InSite,
  nullable,
  pathOfSite,
  ShareKeyQuery,
  titleSchema,
  UNCONDITIONAL,
} from '../../../model/common.ts'
import {
  moveInStructure,
  needPart,
  removeFromStructure,
} from '../../../model/sites/structure/change-structure.ts'
import { Draft, withDraft } from '../../../model/sites/structure/draft.ts'
import { onReadableSite } from '../../../model/sites/published/on-reader.ts'
import { chooseSpace } from '../../../model/sites/structure/choose-space.ts'
import { checkCondition, Condition } from '../../../model/sites/condition.ts'
import {
  changePath,
  checkSegment,
  chooseDefault,
  forgetSiteSpaces,
} from '../../../model/sites/redirects/path-segments.ts'
import { positionOf, SectionPosition } from '../../../model/sites/structure/position.ts'
import {
  insertSection,
  keepDefaultSection,
  SectionTitle,
  SiteSection,
  StructureIcon,
  toSections,
} from '../../../model/sites/structure/section.ts'
import { touchSite } from '../../../model/sites/site.ts'
import { addSiteSpace } from '../../../model/sites/structure/site-space.ts'
import { loadStructure, type SiteStructure } from '../../../model/sites/structure/structure.ts'

const InSection = Type.Object({ ...InSite.properties, siteSectionId: Id })
const Description = Type.String({ maxLength: 256, ...UNCONDITIONAL })
const LONGEST_TITLE = 64

export const listSiteSections = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/sections',
  summary: 'List the sections of a site, in reading order',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: Type.Object({
    ...ListQuery.properties,
    ...ShareKeyQuery,
  }),
  returns: listOf(SiteSection),
  async handler({ db, site, page, ...seen }) {
    const structure = await loadStructure(db, site, seen)
    const list = await listItems(structure.sections, page, {
      key: structure.orderKey,
      sizes: (size) => size % 2 === 0,
    })
    return { ...list, items: await toSections(db, structure, list.items) }
  },
})

export const getSiteSectionById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
  summary: 'Get a section of a site',
  access: onReadableSite(),
  readers: true,
  params: InSection,
  query: Type.Object(ShareKeyQuery),
  returns: SiteSection,
  handler: async ({ db, site, params, ...seen }) =>
    sectionOf(db, await loadStructure(db, site, seen), params.siteSectionId),
})

export const addSectionToSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/sections',
  summary: 'Add a section with a space to a site',
  description:
    'Without `title`, the section has that of the space. If the site has spaces but no sections, they are first moved into a section with the title of the site, which is the default. The request fails with 409 if the site contains the space already.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    spaceId: Id,
    title: Type.Optional(nullable(titleSchema(LONGEST_TITLE))),
    description: Type.Optional(nullable(Description)),
    icon: Type.Optional(nullable(StructureIcon)),
    draft: Type.Optional(Draft),
  }),
  returns: SiteSection,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/sections/${id}`),
  async handler({ tx, site, body, now, newId, ...seen }) {
    const space = await chooseSpace(tx, seen.me, seen.organization, {
      field: 'body.spaceId',
      id: body.spaceId,
    })
    await wrapSpaces(tx, site, { now, newId })
    const { title, description, icon, draft } = body
    const id = await insertSection(tx, site, {
      title: title ?? space.title,
      description: description ?? null,
      icon: icon ?? null,
      draft,
      now,
      newId,
    })
    await addSiteSpace(tx, site, space, { sectionId: id, now, newId })
    await touchSite(tx, site, now)
    const structure = await loadStructure(tx, site, seen)
    return sectionOf(tx, structure, id)
  },
})

export const updateSiteSectionById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
  summary: 'Update a section of a site',
  description:
    'Fields that are not sent keep their values, and null removes one. The old path redirects to the new one.',
  access: onSite('create'),
  params: InSection,
  body: Type.Object({
    title: Type.Optional(SectionTitle),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    defaultSiteSpace: Type.Optional(Id),
    condition: Type.Optional(nullable(Condition)),
    icon: Type.Optional(nullable(StructureIcon)),
    description: Type.Optional(nullable(Description)),
    draft: Type.Optional(Draft),
  }),
  returns: SiteSection,
  async handler({ tx, site, params, body, now, ...seen }) {
    const structure = await loadStructure(tx, site, seen)
    const section = needPart(structure.sections, params.siteSectionId, 'site section')
    const { path, defaultSiteSpace, ...fields } = body
    if (fields.condition) checkCondition('body.condition', fields.condition)
    if (path !== undefined) {
      checkSegment('body.path', path)
      await changePath(tx, { ...section, kind: 'site-section', sectionId: null }, path)
    }
    if (defaultSiteSpace !== undefined) {
      const inside = structure.siteSpaces.filter(({ sectionId }) => sectionId === section.id)
      const chosen = inside.find(({ id }) => id === defaultSiteSpace)
      if (!chosen) throw unknownId('body.defaultSiteSpace', defaultSiteSpace, 'a site space of this section')
      await chooseDefault(tx, { ...chosen, kind: 'site-space' })
    }
    if (Object.keys(fields).length > 0)
      await tx.updateTable('siteSection').set(withDraft(fields)).where('id', '=', section.id).execute()
    if (Object.keys(body).length > 0) await touchSite(tx, site, now)
    return sectionOf(tx, await loadStructure(tx, site, seen), section.id)
  },
})

export const deleteSiteSectionById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
  summary: 'Remove a section from a site, with its spaces',
  description:
    'The spaces themselves remain. If it was the default, the first of the other sections becomes the default.',
  access: onSite('create'),
  params: InSection,
  status: 205,
  async handler({ tx, params, ...changing }) {
    const siteId = changing.site.id
    const find = ({ sections }: SiteStructure) => sections.find(({ id }) => id === params.siteSectionId)
    return removeFromStructure(tx, changing, find, async (section, { sections }) => {
      const left = await tx
        .deleteFrom('siteSpace')
        .where('siteId', '=', siteId)
        .where('sectionId', '=', section.id)
        .returning('id')
        .execute()
      await tx.deleteFrom('siteSection').where('id', '=', section.id).execute()
      const spaces = left.map(({ id }) => id)
      await forgetSiteSpaces(tx, siteId, spaces, section.id)
      const others = sections.filter(({ id }) => id !== section.id)
      await keepDefaultSection(tx, siteId, others)
    })
  },
})

export const moveSiteSection = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/sections/:siteSectionId/move',
  summary: 'Move a section among those of its level',
  description: 'Without a position, it is placed at the end.',
  access: onSite('create'),
  params: InSection,
  body: Type.Object({ position: SectionPosition }),
  returns: SiteSection,
  async handler({ tx, params: { siteSectionId: id }, body, ...changing }) {
    const item = { type: 'site-section', id } as const
    return sectionOf(tx, await moveInStructure(tx, changing, item, positionOf(body.position)), id)
  },
})

/** Moves the spaces of a site without sections into one with the title of the site. Their addresses stay the same. */
async function wrapSpaces(
  tx: Tx,
  site: Row<'site'>,
  { now, newId }: { now: Date; newId: () => string },
): Promise<void> {
  const loose = await tx
    .selectFrom('siteSpace')
    .select('id')
    .where('siteId', '=', site.id)
    .where('sectionId', 'is', null)
    .executeTakeFirst()
  if (!loose) return
  const sectionId = await insertSection(tx, site, { title: shorten(site.title, LONGEST_TITLE), now, newId })
  await tx
    .updateTable('siteSpace')
    .set({ sectionId })
    .where('siteId', '=', site.id)
    .where('sectionId', 'is', null)
    .execute()
  await tx
    .updateTable('siteOldPath')
    .set({ sectionId })
    .where('siteId', '=', site.id)
    .where('kind', '=', 'site-space')
    .where('sectionId', '=', '')
    .execute()
}

async function sectionOf(db: Reader, structure: SiteStructure, id: string) {
  const [section] = await toSections(db, structure, [needPart(structure.sections, id, 'site section')])
  if (!section) throw notFound('site section')
  return section
}
