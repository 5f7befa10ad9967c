/** The content of the spaces of a site that its readers see when they search. */
import type { SharedSteps } from '../../../../core/expression/expression.ts'
import type { SearchedSpace } from '../../../search/searched-space.ts'
import { meetsAs } from '../../../search/searched.ts'
import type { SiteContent } from './site-content.ts'

/**
 * A space of a site as its reader searches it: without the pages and the text whose conditions the reader does not meet,
 * hidden pages, and pages with `noIndex`.
 * @param steps what the search has left for conditions
 */
export function searchedOnSite(
  { open, tree, navigation, variables }: SiteContent,
  steps: SharedSteps,
): SearchedSpace {
  const { listed, placeInOrder } = navigation
  return {
    tree,
    sees: (page) => listed[placeInOrder(page.id)]?.id === page.id && !tree.noIndex(page.id),
    meets: meetsAs(open.visit.visitor, variables, steps),
  }
}
