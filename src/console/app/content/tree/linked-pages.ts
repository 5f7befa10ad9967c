/** The pages that the links of a text lead to: a text shows their titles and addresses, and no other page is read. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { outlineAt } from './levels.ts'
import { linkedPagesAt, partsOf } from './links.ts'
import type { ContentPath } from '../../api/paths.ts'

/** The pages with these ids, as far as they exist. */
export function useLinkedPages(content: ContentPath | undefined, ids: readonly string[]) {
  return useQuery({
    queryKey: ['api', `${outlineAt(content!)}?ids`, ids],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        partsOf(ids).map((part) => api(`GET ${linkedPagesAt(content!, part)}`, undefined, signal)),
      )
      return found.flatMap(({ items }) => items)
    },
    enabled: content !== undefined,
  })
}
