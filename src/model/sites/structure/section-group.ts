import { Type } from 'typebox'
import { omitNullish, oneOf, recursive, titleSchema } from '../../common.ts'
import { Draft } from './draft.ts'
import type { Reader } from '../../../db/schema.ts'
import { SiteExternalLink, toExternalLink } from './external-link.ts'
import { SiteSection, toSections } from './section.ts'
import type { GroupRow, StructureItem } from './reading-order.ts'
import type { SiteStructure } from './structure.ts'

export const GroupTitle = titleSchema(100)

type GroupItem = Extract<StructureItem, { kind: 'site-section-group' }>

export interface SiteSectionGroup {
  object: 'site-section-group'
  id: string
  title: string
  draft: boolean
  icon?: string
  sectionGroup?: string
  sections: SiteSection[]
  children: (SiteSection | SiteSectionGroup | SiteExternalLink)[]
}

const itself = recursive<SiteSectionGroup>('SiteSectionGroup')

export const SiteSectionGroup = Type.Object(
  {
    object: oneOf(['site-section-group']),
    id: Type.String(),
    title: Type.String(),
    draft: Draft,
    icon: Type.Optional(Type.String()),
    sectionGroup: Type.Optional(Type.String({ description: 'The id of the group that contains it' })),
    sections: Type.Array(SiteSection, { description: 'The sections directly in it' }),
    children: Type.Array(Type.Union([SiteSection, itself, SiteExternalLink]), {
      description: 'The sections, groups and links directly in it, in their order',
    }),
  },
  { title: 'SiteSectionGroup' },
)
/** Section groups of a site as a caller sees them. @param rows a part of the groups of the structure */
export async function toGroups(
  db: Reader,
  structure: SiteStructure,
  rows: GroupRow[],
): Promise<SiteSectionGroup[]> {
  const items = rows.flatMap(({ id }) => findGroup(structure, id) ?? [])
  const wanted = new Set(sectionsIn(items.flatMap(({ children }) => children)))
  const inside = structure.sections.filter(({ id }) => wanted.has(id))
  const sections = await toSections(db, structure, inside)
  const byId = new Map(sections.map((section) => [section.id, section]))
  return items.map(({ row, children }) => toGroup(row, children, byId, structure))
}

/** A group with its content. @param sections the sections of the site, as resources by id */
export function toGroup(
  row: GroupRow,
  children: StructureItem[],
  sections: ReadonlyMap<string, SiteSection>,
  { showsConditions }: Pick<SiteStructure, 'showsConditions'>,
): SiteSectionGroup {
  const inside = children.flatMap((item): SiteSectionGroup['children'] => {
    if (item.kind === 'site-section-group')
      return [toGroup(item.row, item.children, sections, { showsConditions })]
    if (item.kind === 'site-external-link') return [toExternalLink(item.row, showsConditions)]
    const section = sections.get(item.row.id)
    return section ? [section] : []
  })
  return {
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    draft: row.draft === 1,
    ...omitNullish({ icon: row.icon, sectionGroup: row.parent }),
    sections: inside.filter((one): one is SiteSection => one.object === 'site-section'),
    children: inside,
  }
}

/** The item of a group in a structure, with its children. */
function findGroup({ items }: SiteStructure, id: string): GroupItem | undefined {
  const find = (some: StructureItem[]): GroupItem | undefined => {
    for (const item of some) {
      if (item.kind !== 'site-section-group') continue
      const found = item.row.id === id ? item : find(item.children)
      if (found) return found
    }
    return undefined
  }
  return find(items)
}

/** The sections in an item of a structure and below. */
function sectionsIn(items: StructureItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'site-section') return [item.row.id]
    return item.kind === 'site-section-group' ? sectionsIn(item.children) : []
  })
}
