import { sql } from 'kysely'
import { isTrue } from '../core/expression/expression.ts'
import type { PageTree } from '../core/content/tree/tree.ts'
import type { PageRecord, Variables } from '../core/content/revision.ts'
import type { Row } from '../db/schema.ts'

/** The claims that a visitor of a site has proved. Visitors cannot sign in yet, so there are none. */
export interface Visitor {
  claims: { unsigned: Record<string, unknown>; [name: string]: unknown }
}

export const ANONYMOUS: Visitor = { claims: { unsigned: {} } }

// Share links and visitor sign-in do not exist yet, so sites that need them are closed to everyone.
const OPEN_VISIBILITIES = ['public', 'unlisted']

/** Whether visitors may see a site. Every surface calls this function: pages, Markdown, site maps, files. */
export function maySeeSite({
  published,
  visibility,
}: Pick<Row<'site'>, 'published' | 'visibility'>): boolean {
  return published === 1 && OPEN_VISIBILITIES.includes(visibility)
}

/** `maySeeSite` as SQL, for rows of `site`. */
export const isOpenSite = sql<boolean>`("site"."published" = 1
  and "site"."visibility" in (${sql.join(OPEN_VISIBILITIES)}))`

/** The values that the conditions and expressions of a page can read. */
export function scopeOf(
  visitor: Visitor,
  spaceVariables: Variables,
  page?: PageRecord,
): Record<string, unknown> {
  return { visitor, space: { vars: spaceVariables }, page: { vars: page?.variables ?? {} } }
}

/** Whether a visitor may see a page: its condition and the conditions of its ancestors are all true. */
export function maySeePage(
  tree: PageTree,
  page: PageRecord,
  visitor: Visitor,
  spaceVariables: Variables,
): boolean {
  return [page, ...tree.ancestors(page.id)].every(
    (one) => one.condition === undefined || isTrue(one.condition, scopeOf(visitor, spaceVariables, one)),
  )
}
