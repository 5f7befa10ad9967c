/** The templates with which a page can begin. */
import { useList } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { namedTemplate } from '../../words/page-template-names.ts'

export type ListedPageTemplate = Schemas['ListedPageTemplate']

/** The templates of an organization, its own first; with those of Lectern in the language of the interface. */
export function usePageTemplates(organizationId: string) {
  const list = useList(`/orgs/${organizationId}/page-templates?limit=1000`)
  const items = list.items
    .map(namedTemplate)
    .toSorted((a, b) => Number(a.builtIn) - Number(b.builtIn) || a.title.localeCompare(b.title))
  return { ...list, items }
}
