import { isTrue } from '../core/expression.ts'
import type { PageTree } from '../core/tree.ts'
import type { PageRecord, Variables } from '../core/revision.ts'
import type { Row } from '../db/schema.ts'

/** What is known of whoever visits a site. Nobody can prove anything yet, so nothing is claimed. */
export interface Visitor {
  claims: { unsigned: Record<string, unknown>; [name: string]: unknown }
}

export const ANONYMOUS: Visitor = { claims: { unsigned: {} } }

/**
 * Whether a visitor may see a site at all. Share links and visitor sign-in do not exist yet, so sites that need them
 * are closed. Every surface asks this function: pages, Markdown, maps, files.
 */
export function maySeeSite(site: Pick<Row<'site'>, 'published' | 'visibility'>): boolean {
  return site.published === 1 && (site.visibility === 'public' || site.visibility === 'unlisted')
}

/** What conditions and expressions in a page may refer to (api-facts 7.1). */
export function scopeOf(
  visitor: Visitor,
  spaceVariables: Variables,
  page?: PageRecord,
): Record<string, unknown> {
  return { visitor, space: { vars: spaceVariables }, page: { vars: page?.variables ?? {} } }
}

/** Whether a visitor may see a page: its condition and those of the pages above it hold. */
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
