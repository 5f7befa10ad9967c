/** The content of spaces that callers see when they search. */
import { scopeOf, type Visitor } from '../../access/visitors/visitors.ts'
import { type Evaluation, evaluator, isTrue, type SharedSteps } from '../../core/expression/expression.ts'
import type { PageRecord, Variables } from '../../core/content/revision.ts'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { expandedPagesIn } from '../openapi/computed-pages.ts'
import type { SearchedSpace } from './searched-space.ts'

/** The newest content of a space, by the id of its revision. */
interface NewestContent {
  id: string
  revisionId: string
}

/** The pages of a revision. A search of an organization asks for those of many spaces. */
const contentOf = prepare<Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables'>>(
  (db, argument) =>
    db
      .selectFrom('revision')
      .select(['spaceId', 'pages', 'files', 'reusables'])
      .where('spaceId', '=', argument(0))
      .where('id', '=', argument(1)),
)

/**
 * A space as its members search it: all pages but those that search is to leave out. `isComputed` is whether its pages also
 * depend on specifications, and not only on its revision.
 */
export async function searchedByMember(
  db: Reader,
  { id, revisionId }: NewestContent,
): Promise<SearchedSpace & { isComputed: boolean }> {
  const [content] = await contentOf(db, id, revisionId)
  if (!content) throw notFound('space')
  const { shown: tree, version } = await expandedPagesIn(db, content)
  return { tree, sees: (page) => !tree.noIndex(page.id), meets: () => true, isComputed: version !== '' }
}

/** To parse a condition takes about as long as these steps for each of its characters. */
const STEPS_PER_CHARACTER = 2

/**
 * Whether a visitor meets all conditions of a part of a page. Each condition is evaluated once for all pages without
 * variables of their own, and once for each page that has some.
 * @param steps what the search has left for conditions; those that it cannot pay for are not met
 */
export function meetsAs(visitor: Visitor, variables: Variables, steps: SharedSteps): SearchedSpace['meets'] {
  const parsed = new Set<string>()
  const evaluators = new Map<PageRecord | undefined, (expression: string) => Evaluation>()
  return (page, when) => {
    if (when.length === 0) return true
    const own = page.variables ? page : undefined
    let evaluateIt = evaluators.get(own)
    if (!evaluateIt) evaluators.set(own, (evaluateIt = evaluator(scopeOf(visitor, variables, own), steps)))
    return when.every((condition) => {
      if (!parsed.has(condition)) {
        parsed.add(condition)
        steps.left = Math.max(0, steps.left - STEPS_PER_CHARACTER * condition.length)
      }
      return isTrue(condition, evaluateIt)
    })
  }
}
