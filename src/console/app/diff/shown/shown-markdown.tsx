import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Block } from '../../../../core/document/model.ts'
import { api } from '../../api/api.ts'
import { useSettled } from '../../ui/settled.ts'
import { ComparedBlocks } from '../block-diff.tsx'
import { ShownBlocks } from './blocks.tsx'

/**
 * A part of a page as readers see it; as it was written until the server has read it.
 * @param before an earlier version, whose differences are marked
 */
export function ShownMarkdown({
  spaceId,
  markdown,
  before,
}: {
  spaceId: string
  markdown: string
  before?: string | undefined
}) {
  const text = useSettled(markdown)
  const blocks = useMarkdown(spaceId, text)
  const earlier = useMarkdown(spaceId, before)
  if (!blocks) return <pre tabIndex={0}>{markdown}</pre>
  return earlier ? <ComparedBlocks before={earlier} after={blocks} /> : <ShownBlocks blocks={blocks} />
}

/** The blocks of a part of a page, as the server reads it. @param markdown undefined for none */
function useMarkdown(spaceId: string, markdown: string | undefined): readonly Block[] | undefined {
  const { data } = useQuery({
    queryKey: ['markdown', spaceId, markdown],
    queryFn: ({ signal }) => api(`POST /spaces/${spaceId}/content/markdown`, { markdown: markdown! }, signal),
    enabled: markdown !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  return data?.nodes
}
