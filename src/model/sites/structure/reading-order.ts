import { byPosition } from '../../../core/content/tree/arrange.ts'
import type { Row } from '../../../db/schema.ts'
import { compareKeys } from '../../../http/pagination.ts'

export type SectionRow = Row<'siteSection'>
export type GroupRow = Row<'siteSectionGroup'>
export type SiteSpaceRow = Row<'siteSpace'>

/** A section or a group at one level of a site. */
export type StructureItem<S = SectionRow, G = GroupRow> =
  | { kind: 'site-section'; row: S }
  | { kind: 'site-section-group'; row: G; children: StructureItem<S, G>[] }

type Placed = { id: string; position: string }
type AnySection = Placed & Pick<SectionRow, 'groupId'>
type AnyGroup = Placed & Pick<GroupRow, 'parent'>
type AnySpace = Placed & Pick<SiteSpaceRow, 'sectionId'>

/** The parts of a site, each list in reading order. */
export interface StructureOrder<S, G, P> {
  items: StructureItem<S, G>[]
  sections: S[]
  groups: G[]
  siteSpaces: P[]
  /** Where a part comes in the reading order, for the cursors of lists. */
  orderKey(part: { id: string }): string[]
}

/**
 * Puts the parts of a site in the order in which readers meet them. A section whose group is missing is left out.
 * @param keepEmptyGroups whether groups without a section are kept
 */
export function inReadingOrder<S extends AnySection, G extends AnyGroup, P extends AnySpace>(
  found: { sections: readonly S[]; groups: readonly G[]; siteSpaces: readonly P[] },
  { keepEmptyGroups }: { keepEmptyGroups: boolean },
): StructureOrder<S, G, P> {
  const keys = new Map<string, string[]>()
  const sections: S[] = []
  const groups: G[] = []
  const below = Map.groupBy<string | null, StructureItem<S, G>>(
    [
      ...found.sections.map((row) => ({ kind: 'site-section' as const, row })),
      ...found.groups.map((row) => ({ kind: 'site-section-group' as const, row, children: [] })),
    ],
    (item) => (item.kind === 'site-section' ? item.row.groupId : item.row.parent),
  )

  const itemsBelow = (parent: string | null, prefix: string[]): StructureItem<S, G>[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => byPosition(a.row, b.row))
      .flatMap((item): StructureItem<S, G>[] => {
        const key = [...prefix, item.row.position, item.row.id]
        keys.set(item.row.id, key)
        if (item.kind === 'site-section') {
          sections.push(item.row)
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
    siteSpaces: found.siteSpaces.toSorted((a, b) => compareKeys(orderKey(a), orderKey(b))),
    orderKey,
  }
}
