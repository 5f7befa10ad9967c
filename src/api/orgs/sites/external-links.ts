import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { because } from '../../../core/languages/reasons.ts'
import { conflict, invalid, unknownId } from '../../../http/errors.ts'
import { listItems, listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import {
  Id,
  InSite,
  nullable,
  pathOfSite,
  ShareKeyQuery,
  titleSchema,
  UNCONDITIONAL,
  WebUri,
} from '../../../model/common.ts'
import { checkCondition, Condition } from '../../../model/sites/condition.ts'
import { onReadableSite } from '../../../model/sites/published/on-reader.ts'
import { touchSite } from '../../../model/sites/site.ts'
import { needPart, removeFromStructure } from '../../../model/sites/structure/change-structure.ts'
import { Draft, withDraft } from '../../../model/sites/structure/draft.ts'
import { SiteExternalLink, toExternalLink } from '../../../model/sites/structure/external-link.ts'
import { endOfLevel, moveToEnd } from '../../../model/sites/structure/levels.ts'
import { LONGEST_SECTION_TITLE, StructureIcon } from '../../../model/sites/structure/section.ts'
import {
  loadStructure,
  type SiteStructure,
  STRUCTURE_LIMITS,
} from '../../../model/sites/structure/structure.ts'

const InLink = Type.Object({ ...InSite.properties, siteExternalLinkId: Id })
const Title = titleSchema(LONGEST_SECTION_TITLE)
const fields = {
  description: Type.Optional(nullable(Type.String({ maxLength: 256, ...UNCONDITIONAL }))),
  icon: Type.Optional(nullable(StructureIcon)),
  draft: Type.Optional(Draft),
  condition: Type.Optional(nullable(Condition)),
}

export const listSiteExternalLinks = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/external-links',
  summary: 'List the external links of a site, in reading order',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: Type.Object({ ...ListQuery.properties, ...ShareKeyQuery }),
  returns: listOf(SiteExternalLink),
  async handler({ db, site, page, query: _query, ...seen }) {
    const { links, orderKey, showsConditions } = await loadStructure(db, site, seen)
    const list = await listItems(links, page, { key: orderKey, sizes: (size) => size % 2 === 0 })
    return { ...list, items: list.items.map((row) => toExternalLink(row, showsConditions)) }
  },
})

export const getSiteExternalLinkById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId',
  summary: 'Get an external link of a site',
  access: onReadableSite(),
  readers: true,
  params: InLink,
  query: Type.Object(ShareKeyQuery),
  returns: SiteExternalLink,
  handler: async ({ db, site, params, query: _query, ...seen }) =>
    externalLinkOf(await loadStructure(db, site, seen), params.siteExternalLinkId),
})

export const addExternalLinkToSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/external-links',
  summary: 'Add a link to another website beside the sections of a site',
  description:
    'The link is placed at the end of the group that `parent` names; without `parent`, at the end of the top level. The request fails with 409 if the site has no section. Readers see the link if they meet its `condition`, and no draft.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({ title: Title, url: WebUri, parent: Type.Optional(Id), ...fields }),
  returns: SiteExternalLink,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/external-links/${id}`),
  async handler({ tx, site, body, now, newId, ...seen }) {
    const structure = await loadStructure(tx, site, seen)
    const { title, url, parent, description = null, icon = null, draft = false, condition = null } = body
    if (structure.sections.length === 0) throw conflict(because('external-link-without-section'))
    const count = structure.links.length
    if (count >= STRUCTURE_LIMITS.links)
      throw invalid(because('too-many-external-links', { count, limit: STRUCTURE_LIMITS.links }))
    if (parent !== undefined) checkGroup(structure, parent)
    if (condition !== null) checkCondition('body.condition', condition)
    const groupId = parent ?? null
    const id = newId()
    const position = await endOfLevel(tx, site.id, groupId)
    await tx
      .insertInto('siteExternalLink')
      .values({
        id,
        siteId: site.id,
        groupId,
        title,
        description,
        icon,
        url,
        condition,
        position,
        draft: draft ? 1 : 0,
        createdAt: now.toISOString(),
      })
      .execute()
    await touchSite(tx, site, now)
    return externalLinkOf(await loadStructure(tx, site, seen), id)
  },
})

export const updateSiteExternalLinkById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId',
  summary: 'Update an external link of a site',
  description:
    'Fields that are not sent keep their values, and null removes one. `parent` moves the link to the end of a group, or with null to the end of the top level.',
  access: onSite('create'),
  params: InLink,
  body: Type.Object({
    title: Type.Optional(Title),
    url: Type.Optional(WebUri),
    parent: Type.Optional(nullable(Id)),
    ...fields,
  }),
  returns: SiteExternalLink,
  async handler({ tx, site, params, body, now, ...seen }) {
    const structure = await loadStructure(tx, site, seen)
    const { id, groupId } = needPart(structure.links, params.siteExternalLinkId, 'external link')
    const { parent, ...changes } = body
    if (parent) checkGroup(structure, parent)
    if (changes.condition) checkCondition('body.condition', changes.condition)
    if (Object.keys(changes).length > 0)
      await tx.updateTable('siteExternalLink').set(withDraft(changes)).where('id', '=', id).execute()
    if (parent !== undefined && parent !== groupId)
      await moveToEnd(tx, site.id, { type: 'site-external-link', id }, parent)
    if (Object.keys(body).length > 0) await touchSite(tx, site, now)
    return externalLinkOf(await loadStructure(tx, site, seen), id)
  },
})

export const deleteSiteExternalLinkById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId',
  summary: 'Remove an external link from a site',
  access: onSite('create'),
  params: InLink,
  status: 205,
  async handler({ tx, params, ...changing }) {
    const find = ({ links }: SiteStructure) => links.find(({ id }) => id === params.siteExternalLinkId)
    return removeFromStructure(tx, changing, find, async ({ id }) => {
      await tx.deleteFrom('siteExternalLink').where('id', '=', id).execute()
    })
  },
})

function checkGroup({ groups }: SiteStructure, parent: string): void {
  if (!groups.some(({ id }) => id === parent))
    throw unknownId('body.parent', parent, 'a section group of this site')
}

function externalLinkOf({ links, showsConditions }: SiteStructure, id: string) {
  return toExternalLink(needPart(links, id, 'external link'), showsConditions)
}
