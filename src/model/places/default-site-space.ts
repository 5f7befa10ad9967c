import { sql } from 'kysely'

/** A space of a site at the top level, or of the same section, that is not in the trash. */
const live = sql`from "siteSpace" as one join "space" on "space"."id" = one."spaceId"
  where one."siteId" = "siteSpace"."siteId" and one."sectionId" is not distinct from "siteSpace"."sectionId"
  and "space"."deletedAt" is null`

/**
 * SQL for whether a row of `siteSpace` is the default of its section, or of a site without sections: 1 or 0. The default
 * has no path segment in addresses. While it is in the trash, the first of the other spaces is the default.
 */
export const isDefaultSiteSpace = sql<0 | 1>`case when "siteSpace"."id" = (
  select one."id" ${live} order by one."isDefault" desc, one."position", one."id" limit 1
) then 1 else 0 end`

/**
 * SQL for whether a row of `siteSection` is the default of its site: 1 or 0; null without a section. While the default
 * has no space outside the trash, the first section that has one is the default.
 */
export const isDefaultSection = sql<0 | 1 | null>`case when "siteSection"."id" is null then null
  when "siteSection"."id" = (
    select one."id" from "siteSection" as one where one."siteId" = "siteSection"."siteId"
    order by case when exists (
      select 1 from "siteSpace" as inside join "space" on "space"."id" = inside."spaceId"
      where inside."sectionId" = one."id" and "space"."deletedAt" is null
    ) then 0 else 1 end, one."isDefault" desc, one."position", one."id" limit 1
  ) then 1 else 0 end`

/** A condition that nobody meets. */
const NEVER = sql.lit('false')

/** SQL for the condition under which readers see a row of `siteSpace`: that which it has, but a draft is for nobody. */
export const shownIf = sql<string | null>`case when "siteSpace"."draft" = 1 then ${NEVER}
  else "siteSpace"."condition" end`

/** SQL for the same of a row of `siteSection`, which is also a draft if a group that contains it is one. */
export const sectionShownIf = sql<string | null>`case when "siteSection"."draft" = 1 or exists (
  select 1 from "siteSectionGroup" as one
  left join "siteSectionGroup" as two on two."id" = one."parent"
  left join "siteSectionGroup" as three on three."id" = two."parent"
  where one."id" = "siteSection"."groupId" and (one."draft" = 1 or two."draft" = 1 or three."draft" = 1)
) then ${NEVER} else "siteSection"."condition" end`

/** The place of a space in a site, which determines its address. */
export interface SitePlace {
  path: string
  isDefault: 0 | 1
  /** Null or absent in a site without sections. */
  sectionPath?: string | null
  sectionIsDefault?: 0 | 1 | null
}

/** The address of a space below that of its site: a segment for its section and one for itself, unless it is the default. */
export function pathInSite({ path, isDefault, sectionPath, sectionIsDefault }: SitePlace): string {
  const segments = [
    ...(sectionPath && sectionIsDefault !== 1 ? [sectionPath] : []),
    ...(isDefault === 1 ? [] : [path]),
  ]
  return segments.map((segment) => `${encodeURIComponent(segment)}/`).join('')
}
