import { Type, type Static } from 'typebox'
import { omitNullish, oneOf, Uri } from '../../common.ts'
import { Draft } from './draft.ts'
import type { LinkRow, StructureItem } from './reading-order.ts'

export const SiteExternalLink = Type.Object(
  {
    object: oneOf(['site-external-link']),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    url: Uri,
    sectionGroup: Type.Optional(Type.String({ description: 'The id of the group that contains it' })),
    draft: Draft,
    condition: Type.Optional(Type.String()),
  },
  { title: 'SiteExternalLink' },
)
export type SiteExternalLink = Static<typeof SiteExternalLink>

/** A link of a site as a caller sees it. @param showsConditions whether the caller may know its condition */
export function toExternalLink(row: LinkRow, showsConditions: boolean): SiteExternalLink {
  return {
    object: 'site-external-link',
    id: row.id,
    title: row.title,
    url: row.url,
    draft: row.draft === 1,
    ...omitNullish({
      description: row.description,
      icon: row.icon,
      sectionGroup: row.groupId,
      condition: showsConditions ? row.condition : undefined,
    }),
  }
}

/** The links in the items of a structure and below. */
export function externalLinksIn<L>(items: readonly StructureItem<unknown, unknown, L>[]): L[] {
  return items.flatMap((item) => {
    if (item.kind === 'site-external-link') return [item.row]
    return item.kind === 'site-section-group' ? externalLinksIn(item.children) : []
  })
}
