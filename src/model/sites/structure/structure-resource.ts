import { type Static, Type } from 'typebox'
import type { Reader } from '../../../db/schema.ts'
import { oneOf } from '../../common.ts'
import { SiteExternalLink, toExternalLink } from './external-link.ts'
import { SiteSection, toSections } from './section.ts'
import { SiteSectionGroup, toGroup } from './section-group.ts'
import { SiteSpace, toSiteSpaces } from './site-space.ts'
import type { SiteStructure } from './structure.ts'

export const Structure = Type.Union(
  [
    Type.Object({
      type: oneOf(['sections']),
      structure: Type.Array(Type.Union([SiteSection, SiteSectionGroup, SiteExternalLink])),
    }),
    Type.Object({ type: oneOf(['siteSpaces']), structure: Type.Array(SiteSpace) }),
  ],
  { title: 'SiteStructure' },
)

type Part = SiteSection | SiteSectionGroup | SiteExternalLink

/** The structure of a site as a caller sees it: sections with their groups and links or, without any section, spaces. */
export async function toStructure(db: Reader, structure: SiteStructure): Promise<Static<typeof Structure>> {
  if (structure.sections.length === 0)
    return { type: 'siteSpaces', structure: await toSiteSpaces(db, structure, structure.siteSpaces) }
  const sections = await toSections(db, structure, structure.sections)
  const byId = new Map(sections.map((section) => [section.id, section]))
  return {
    type: 'sections',
    structure: structure.items.flatMap((item): Part[] => {
      if (item.kind === 'site-section-group') return [toGroup(item.row, item.children, byId, structure)]
      if (item.kind === 'site-external-link') return [toExternalLink(item.row, structure.showsConditions)]
      const section = byId.get(item.row.id)
      return section ? [section] : []
    }),
  }
}
