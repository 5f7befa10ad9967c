import { sql } from 'kysely'

/**
 * SQL for whether a row of `siteSpace` is the default of its site, which has no path segment in addresses: 1 or 0. While
 * the default space is in the trash, the first of the other spaces is the default.
 */
export const isDefaultSiteSpace = sql<0 | 1>`case when "siteSpace"."id" = (
  select one."id" from "siteSpace" as one join "space" on "space"."id" = one."spaceId"
  where one."siteId" = "siteSpace"."siteId" and "space"."deletedAt" is null
  order by one."isDefault" desc, one."position", one."id" limit 1
) then 1 else 0 end`
