import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { unknownId } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { Id, InSite, oneOf, ShareKeyQuery } from '../../../model/common.ts'
import { changeStructure, structureParts } from '../../../model/sites/structure/change-structure.ts'
import { onReadableSite } from '../../../model/sites/published/on-reader.ts'
import { AnyPosition, positionOf } from '../../../model/sites/structure/position.ts'
import { SiteExternalLink, toExternalLink } from '../../../model/sites/structure/external-link.ts'
import { SiteSection, toSections } from '../../../model/sites/structure/section.ts'
import { SiteSectionGroup, toGroups } from '../../../model/sites/structure/section-group.ts'
import { SiteSpace, toSiteSpaces } from '../../../model/sites/structure/site-space.ts'
import { ITEM_NAMES, sortItem } from '../../../model/sites/structure/sorting.ts'
import { loadStructure } from '../../../model/sites/structure/structure.ts'
import { Structure, toStructure } from '../../../model/sites/structure/structure-resource.ts'

export const getSiteStructure = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/structure',
  summary: 'Get the structure of a site: its sections, groups and links or, without any section, its spaces',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: Type.Object(ShareKeyQuery),
  returns: Structure,
  async handler({ db, site, ...seen }) {
    return toStructure(db, await loadStructure(db, site, seen))
  },
})

export const sortSiteStructure = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/structure/sort',
  summary: 'Move a section, a section group, an external link or a space of a site among its siblings',
  description: 'Without a neighbour in the position, it is placed at the end. The response is the item.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    item: Type.Object({
      type: oneOf(['site-space', 'site-section', 'site-section-group', 'site-external-link']),
      id: Id,
    }),
    position: AnyPosition,
  }),
  returns: Type.Union([SiteSpace, SiteSection, SiteSectionGroup, SiteExternalLink]),
  async handler({ tx, body, ...changing }) {
    const { type, id } = body.item
    const structure = await changeStructure(tx, changing, async (before) => {
      if (!structureParts(before, type).some((one) => one.id === id))
        throw unknownId('body.item.id', id, ITEM_NAMES[type])
      await sortItem(tx, before, body.item, positionOf(body.position))
    })
    const its = ({ id: other }: { id: string }) => other === id
    if (type === 'site-space')
      return need((await toSiteSpaces(tx, structure, structure.siteSpaces.filter(its)))[0])
    if (type === 'site-section')
      return need((await toSections(tx, structure, structure.sections.filter(its)))[0])
    if (type === 'site-external-link')
      return need(structure.links.filter(its).map((row) => toExternalLink(row, structure.showsConditions))[0])
    return need((await toGroups(tx, structure, structure.groups.filter(its)))[0])
  },
})

function need<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the item that moved is in the structure')
  return found
}
