import { scopeOf } from '../../../../access/visitors/visitors.ts'
import type { Variables } from '../../../../core/content/revision.ts'
import { evaluator, isTrue } from '../../../../core/expression/expression.ts'
import type { OpenSite } from '../open-site.ts'

/** Whether the reader sees an entry of the header of a site, by its condition. */
export function headerFilter(content: {
  open: Pick<OpenSite, 'visit'>
  variables: Variables
}): (item: { condition?: string | undefined }) => boolean {
  const evaluateIt = evaluator(scopeOf(content.open.visit.visitor, content.variables))
  return ({ condition }) => !condition?.trim() || isTrue(condition, evaluateIt)
}
