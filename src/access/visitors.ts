import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { evaluator, isTrue } from '../core/expression/expression.ts'
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

/** The most steps that the conditions of a space's pages take together: about a third of a second, in pieces. */
const STEPS_OF_SPACE = 10_000_000
/** After this many milliseconds, other requests have their turn. */
const TURN_MS = 4

/**
 * The pages that a visitor may not see, by id: those whose condition, or that of an ancestor, is not true. Lets other
 * requests have their turn meanwhile.
 */
export async function hiddenPages(
  tree: PageTree,
  visitor: Visitor,
  spaceVariables: Variables,
): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>()
  const steps = { left: STEPS_OF_SPACE }
  const evaluateIt = evaluator(scopeOf(visitor, spaceVariables), steps)
  let turn = performance.now()
  // Parents come before the pages below them.
  for (const page of tree.pages()) {
    const parent = tree.parent(page.id)
    if (parent !== null && hidden.has(parent)) hidden.add(page.id)
    else if (page.condition !== undefined) {
      const evaluateHere = page.variables
        ? evaluator(scopeOf(visitor, spaceVariables, page), steps)
        : evaluateIt
      if (!isTrue(page.condition, evaluateHere)) hidden.add(page.id)
      if (performance.now() - turn > TURN_MS) {
        await setImmediate()
        turn = performance.now()
      }
    }
  }
  return hidden
}
