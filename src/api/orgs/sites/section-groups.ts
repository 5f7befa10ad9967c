import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import type { Reader, Tx } from '../../../db/schema.ts'
import { invalid, invalidField, notFound, unknownId } from '../../../http/errors.ts'
import { listItems, listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { Id, InSite, nullable, pathOfSite, ShareKeyQuery } from '../../../model/common.ts'
import {
  changeStructure,
  moveInStructure,
  needPart,
  removeFromStructure,
} from '../../../model/sites/structure/change-structure.ts'
import { Draft, withDraft } from '../../../model/sites/structure/draft.ts'
import { onReadableSite } from '../../../model/sites/published/on-reader.ts'
import { GroupPosition, positionOf } from '../../../model/sites/structure/position.ts'
import { endOfLevel, moveToEnd } from '../../../model/sites/structure/levels.ts'
import { StructureIcon } from '../../../model/sites/structure/section.ts'
import { GroupTitle, SiteSectionGroup, toGroups } from '../../../model/sites/structure/section-group.ts'
import { touchSite } from '../../../model/sites/site.ts'
import { liftChildren } from '../../../model/sites/structure/sorting.ts'
import {
  loadStructure,
  type SiteStructure,
  STRUCTURE_LIMITS,
} from '../../../model/sites/structure/structure.ts'
import { because } from '../../../core/languages/reasons.ts'

const InGroup = Type.Object({ ...InSite.properties, siteSectionGroupId: Id })

export const listSiteSectionGroups = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups',
  summary: 'List the section groups of a site, in reading order',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: ListQuery,
  returns: listOf(SiteSectionGroup),
  async handler({ db, site, page, ...seen }) {
    const structure = await loadStructure(db, site, seen)
    const list = await listItems(structure.groups, page, {
      key: structure.orderKey,
      sizes: (size) => size % 2 === 0,
    })
    return { ...list, items: await toGroups(db, structure, list.items) }
  },
})

export const getSiteSectionGroupById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
  summary: 'Get a section group of a site',
  access: onReadableSite(),
  readers: true,
  params: InGroup,
  query: Type.Object(ShareKeyQuery),
  returns: SiteSectionGroup,
  handler: async ({ db, site, params, ...seen }) =>
    groupOf(db, await loadStructure(db, site, seen), params.siteSectionGroupId),
})

export const addSectionGroupToSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups',
  summary: 'Add a section group to a site',
  description:
    'The group is placed at the end. `sections` moves these sections into it, in this order. A group without sections is not shown on the site.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    title: GroupTitle,
    icon: Type.Optional(nullable(StructureIcon)),
    sections: Type.Optional(Type.Array(Id, { maxItems: STRUCTURE_LIMITS.sections, uniqueItems: true })),
    parent: Type.Optional(nullable(Id, { description: 'The id of the group that contains it' })),
    draft: Type.Optional(Draft),
  }),
  returns: SiteSectionGroup,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/section-groups/${id}`),
  async handler({ tx, site, body, now, newId, ...seen }) {
    const structure = await loadStructure(tx, site, seen)
    const { title, icon = null, sections = [], parent = null, draft = false } = body
    if (structure.groups.length >= STRUCTURE_LIMITS.groups)
      throw invalid(
        because('too-many-section-groups', {
          count: structure.groups.length,
          limit: STRUCTURE_LIMITS.groups,
        }),
      )
    if (parent !== null) checkParent(structure, parent)
    const position = await endOfLevel(tx, site.id, parent)
    const id = newId()
    await tx
      .insertInto('siteSectionGroup')
      .values({
        id,
        siteId: site.id,
        parent,
        title,
        icon,
        position,
        draft: draft ? 1 : 0,
        createdAt: now.toISOString(),
      })
      .execute()
    for (const [i, section] of sections.entries())
      await moveIntoGroup(tx, structure, { field: `body.sections.${i}`, section }, id)
    await touchSite(tx, site, now)
    return groupOf(tx, await loadStructure(tx, site, seen), id)
  },
})

export const updateSiteSectionGroupById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
  summary: 'Update a section group',
  description: 'Fields that are not sent keep their values, and null removes the icon.',
  access: onSite('create'),
  params: InGroup,
  body: Type.Object({
    title: Type.Optional(GroupTitle),
    icon: Type.Optional(nullable(StructureIcon)),
    draft: Type.Optional(Draft),
  }),
  returns: SiteSectionGroup,
  async handler({ tx, site, params, body, now, ...seen }) {
    const { groups } = await loadStructure(tx, site, seen)
    const { id } = needPart(groups, params.siteSectionGroupId, 'site section group')
    if (Object.keys(body).length > 0) {
      await tx.updateTable('siteSectionGroup').set(withDraft(body)).where('id', '=', id).execute()
      await touchSite(tx, site, now)
    }
    return groupOf(tx, await loadStructure(tx, site, seen), id)
  },
})

export const deleteSiteSectionGroupById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
  summary: 'Delete a section group',
  description: 'Its sections, groups and links remain: they take its place, in their order.',
  access: onSite('create'),
  params: InGroup,
  status: 205,
  async handler({ tx, params, ...changing }) {
    const find = ({ groups }: SiteStructure) => groups.find(({ id }) => id === params.siteSectionGroupId)
    return removeFromStructure(tx, changing, find, async (group, { site }) => {
      await liftChildren(tx, site.id, group)
      await tx.deleteFrom('siteSectionGroup').where('id', '=', group.id).execute()
    })
  },
})

export const addSectionToGroup = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/sections',
  summary: 'Move a section into a group',
  description: 'The section is placed at the end of the group.',
  access: onSite('create'),
  params: InGroup,
  body: Type.Object({ sectionId: Id }),
  returns: SiteSectionGroup,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/section-groups/${id}`),
  async handler({ tx, params: { siteSectionGroupId: id }, body, ...changing }) {
    const structure = await changeStructure(tx, changing, async (before) => {
      needPart(before.groups, id, 'site section group')
      await moveIntoGroup(tx, before, { field: 'body.sectionId', section: body.sectionId }, id)
    })
    return groupOf(tx, structure, id)
  },
})

export const removeSectionFromGroup = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/sections/:siteSectionId',
  summary: 'Move a section out of a group',
  description: 'The section stays in the site, at the end of its top level.',
  access: onSite('create'),
  params: Type.Object({ ...InGroup.properties, siteSectionId: Id }),
  status: 205,
  async handler({ tx, params, ...changing }) {
    const find = ({ groups, sections }: SiteStructure) => {
      const { id } = needPart(groups, params.siteSectionGroupId, 'site section group')
      return sections.find((one) => one.id === params.siteSectionId && one.groupId === id)
    }
    return removeFromStructure(tx, changing, find, ({ id }, { site }) =>
      moveToEnd(tx, site.id, { type: 'site-section', id }, null),
    )
  },
})

export const moveSiteSectionGroup = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/move',
  summary: 'Move a section group among the sections and groups of its level',
  description: 'Without a position, it is placed at the end.',
  access: onSite('create'),
  params: InGroup,
  body: Type.Object({ position: GroupPosition }),
  returns: SiteSectionGroup,
  async handler({ tx, params: { siteSectionGroupId: id }, body, ...changing }) {
    const item = { type: 'site-section-group', id } as const
    return groupOf(tx, await moveInStructure(tx, changing, item, positionOf(body.position)), id)
  },
})

function checkParent({ groups }: SiteStructure, parent: string): void {
  const above = new Map(groups.map((group) => [group.id, group.parent]))
  if (!above.has(parent)) throw unknownId('body.parent', parent, 'a section group of this site')
  let depth = 1
  for (let one: string | null = parent; one !== null; one = above.get(one) ?? null) depth++
  if (depth > STRUCTURE_LIMITS.groupDepth)
    throw invalidField(
      'body.parent',
      because('section-group-too-deep', {
        level: STRUCTURE_LIMITS.groupDepth - 1,
        limit: STRUCTURE_LIMITS.groupDepth,
      }),
    )
}

async function moveIntoGroup(
  tx: Tx,
  structure: SiteStructure,
  { field, section }: { field: string; section: string },
  groupId: string,
): Promise<void> {
  if (!structure.sections.some(({ id }) => id === section))
    throw unknownId(field, section, 'a section of this site')
  await moveToEnd(tx, structure.site.id, { type: 'site-section', id: section }, groupId)
}

async function groupOf(db: Reader, structure: SiteStructure, id: string): Promise<SiteSectionGroup> {
  const [group] = await toGroups(db, structure, [needPart(structure.groups, id, 'site section group')])
  if (!group) throw notFound('site section group')
  return group
}
