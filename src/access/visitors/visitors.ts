import { hash } from 'node:crypto'
import { sql } from 'kysely'
import {
  evaluate,
  evaluator,
  isConditionMet,
  isTrue,
  type SharedSteps,
} from '../../core/expression/expression.ts'
import { Budget } from '../../core/expression/values.ts'
import { lru } from '../../core/data/lru.ts'
import { eachInTurns, giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { hidingTagInAddress } from '../../core/document/markdown/hiding-tags.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { PageRecord, Variables } from '../../core/content/revision.ts'
import type { Row } from '../../db/schema.ts'

/** The claims of a visitor of a site that its schema declares. Those in `unsigned` are only what the visitor said. */
export interface Visitor {
  claims: { unsigned: Record<string, unknown>; [name: string]: unknown }
}

export const ANONYMOUS: Visitor = { claims: { unsigned: {} } }

/** The visibilities of sites that strangers may see. The others need the key of a share link, or a visitor's token. */
const OPEN_VISIBILITIES = ['public', 'unlisted']

/** Whether strangers may see a site. */
export function isOpenToAll({
  published,
  visibility,
}: Pick<Row<'site'>, 'published' | 'visibility'>): boolean {
  return published === 1 && OPEN_VISIBILITIES.includes(visibility)
}

/** `isOpenToAll` as SQL, for rows of `site`. */
export const isOpenSite = sql<boolean>`("site"."published" = 1
  and "site"."visibility" in (${sql.join(OPEN_VISIBILITIES)}))`

/** The most steps that the conditions of the sections and spaces of a site take together: about 25 ms. */
const STEPS_OF_STRUCTURE = 300_000

/** The outcomes of conditions for visitors, and the steps that they took. */
const decided = lru<{ isMet: boolean; steps: number }>(4 * 1024 * 1024, 'visitor-conditions')

/**
 * Returns a function that decides whether a visitor may see what has a condition: a section or a space of a site. Without a
 * condition, or with a blank one, everyone may. All conditions share a number of steps; those that are not decided by then
 * hide what has them. An outcome that is known from before counts its steps again, so that a cache changes no answer.
 */
export function conditionsFor(visitor: Visitor): (condition: string | null | undefined) => boolean {
  const outcomes = new Map<string, boolean>()
  const scope = scopeOf(visitor, {})
  let left = STEPS_OF_STRUCTURE
  let claims: string | undefined

  function isMet(condition: string): boolean {
    if (left <= 0) return false
    claims ??= hash('sha256', JSON.stringify(visitor.claims), 'base64url')
    const key = `${claims} ${condition}`
    const known = decided.get(key)
    const outcome = known ?? decide(condition, scope)
    if (!known) decided.set(key, outcome, 0)
    left -= outcome.steps
    return outcome.isMet
  }

  return (condition) => {
    if (condition === null || condition === undefined || condition.trim() === '') return true
    const before = outcomes.get(condition)
    if (before !== undefined) return before
    const outcome = isMet(condition)
    outcomes.set(condition, outcome)
    return outcome
  }
}

function decide(condition: string, scope: Readonly<Record<string, unknown>>) {
  const budget = new Budget()
  const given = budget.left
  const outcome = evaluate(condition, scope, budget)
  // To parse a character costs about as much as a step.
  const steps = condition.length + given - Math.max(0, budget.left)
  return { isMet: outcome.ok && isConditionMet(condition, outcome.value), steps }
}

/** The values that the conditions and expressions of a page can read. */
export function scopeOf(
  visitor: Visitor,
  spaceVariables: Variables,
  page?: PageRecord,
): Record<string, unknown> {
  return { visitor, space: { vars: spaceVariables }, page: { vars: page?.variables ?? {} } }
}

/** The most steps that the conditions of a space's pages take together: about a third of a second, in pieces. */
export const stepsOfSpace = (): SharedSteps => ({ left: 10_000_000 })

/**
 * The pages that a visitor may not see, by id: those whose condition, or that of an ancestor, is not true. Lets other
 * requests have their turn meanwhile.
 */
export async function hiddenPages(
  tree: PageTree,
  visitor: Visitor,
  spaceVariables: Variables,
): Promise<ReadonlySet<string>> {
  const { hidden, sees } = seeing(tree, visitor, spaceVariables, stepsOfSpace())
  await eachInTurns(tree.pages(), sees)
  return hidden
}

/**
 * Whether a visitor may see a document of a tree. Stops at the first.
 * @param steps what the conditions of this and other trees take together; a page whose condition they do not reach for
 *   is not seen
 */
export async function seesSomePage(
  tree: PageTree,
  visitor: Visitor,
  spaceVariables: Variables,
  steps: SharedSteps,
): Promise<boolean> {
  const { sees } = seeing(tree, visitor, spaceVariables, steps)
  for (const page of tree.pages()) {
    if (sees(page) && page.type === 'document') return true
    if (isTurnOver()) await giveTurn()
  }
  return false
}

/** Decides for the pages of a tree, each after those above it, whether a visitor sees them. */
function seeing(tree: PageTree, visitor: Visitor, spaceVariables: Variables, steps: SharedSteps) {
  const hidden = new Set<string>()
  const evaluateIt = evaluator(scopeOf(visitor, spaceVariables), steps)
  const evaluatorOf = (page: PageRecord) =>
    page.variables ? evaluator(scopeOf(visitor, spaceVariables, page), steps) : evaluateIt

  function sees(page: PageRecord): boolean {
    const parent = tree.parent(page.id)
    const isSeen =
      (parent === null || !hidden.has(parent)) &&
      (page.condition === undefined || isTrue(page.condition, evaluatorOf(page))) &&
      // Nothing evaluates a condition in the address of a link, which was stored before such addresses were refused.
      !(page.target?.kind === 'url' && hidingTagInAddress(page.target.url) !== undefined)
    if (!isSeen) hidden.add(page.id)
    return isSeen
  }
  return { hidden, sees }
}
