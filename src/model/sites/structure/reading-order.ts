import { byPosition } from '../../../core/content/tree/arrange.ts'
import type { Row } from '../../../db/schema.ts'
import { compareKeys } from '../../../http/pagination.ts'

export type SectionRow = Row<'siteSection'>
export type GroupRow = Row<'siteSectionGroup'>
export type SiteSpaceRow = Row<'siteSpace'>
export type LinkRow = Row<'siteExternalLink'>

/** A section, a link or a group at one level of a site. */
export type StructureItem<S = SectionRow, G = GroupRow, L = LinkRow> =
  | { kind: 'site-section'; row: S }
  | { kind: 'site-external-link'; row: L }
  | { kind: 'site-section-group'; row: G; children: StructureItem<S, G, L>[] }

type Placed = { id: string; position: string }
type AnySection = Placed & Pick<SectionRow, 'groupId'>
type AnyGroup = Placed & Pick<GroupRow, 'parent'>
type AnyLink = Placed & Pick<LinkRow, 'groupId'>
type AnySpace = Placed & Pick<SiteSpaceRow, 'sectionId'>

/** The parts of a site, each list in reading order. */
export interface StructureOrder<S, G, P, L> {
  items: StructureItem<S, G, L>[]
  sections: S[]
  groups: G[]
  links: L[]
  siteSpaces: P[]
  /** Where a part comes in the reading order, for the cursors of lists. */
  orderKey(part: { id: string }): string[]
}

/**
 * Puts the parts of a site in the order in which readers meet them. What is in a missing group is left out.
 * @param keepEmptyGroups whether groups without a section or a link are kept
 */
export function inReadingOrder<
  S extends AnySection,
  G extends AnyGroup,
  P extends AnySpace,
  L extends AnyLink,
>(
  found: { sections: readonly S[]; groups: readonly G[]; siteSpaces: readonly P[]; links: readonly L[] },
  { keepEmptyGroups }: { keepEmptyGroups: boolean },
): StructureOrder<S, G, P, L> {
  type Item = StructureItem<S, G, L>
  const keys = new Map<string, string[]>()
  const sections: S[] = []
  const groups: G[] = []
  const links: L[] = []
  const below = Map.groupBy<string | null, Item>(
    [
      ...found.sections.map((row) => ({ kind: 'site-section' as const, row })),
      ...found.links.map((row) => ({ kind: 'site-external-link' as const, row })),
      ...found.groups.map((row) => ({ kind: 'site-section-group' as const, row, children: [] })),
    ],
    (item) => (item.kind === 'site-section-group' ? item.row.parent : item.row.groupId),
  )

  const itemsBelow = (parent: string | null, prefix: string[]): Item[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => byPosition(a.row, b.row))
      .flatMap((item): Item[] => {
        const key = [...prefix, item.row.position, item.row.id]
        keys.set(item.row.id, key)
        if (item.kind === 'site-section') {
          sections.push(item.row)
          return [item]
        }
        if (item.kind === 'site-external-link') {
          links.push(item.row)
          return [item]
        }
        const place = groups.push(item.row)
        const children = itemsBelow(item.row.id, key)
        if (children.length > 0 || keepEmptyGroups) return [{ ...item, children }]
        groups.splice(place - 1)
        return []
      })
  const items = itemsBelow(null, [])

  for (const { id, sectionId, position } of found.siteSpaces)
    keys.set(id, [...(keys.get(sectionId ?? '') ?? []), position, id])
  const orderKey = ({ id }: { id: string }) => keys.get(id) ?? []
  return {
    items,
    sections,
    groups,
    links,
    siteSpaces: found.siteSpaces.toSorted((a, b) => compareKeys(orderKey(a), orderKey(b))),
    orderKey,
  }
}
