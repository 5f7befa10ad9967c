import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { ContentRef } from '../../../core/document/model.ts'
import { api } from '../api.ts'
import { refName } from '../editor/atoms.ts'
import { pageFieldsAt } from '../editor/page-requests.ts'
import { ComparedContents, ShownFile } from './shown-picture.tsx'

/** The name of what a reference leads to; as it is written while the name is unknown. */
export function ShownRef({ value }: { value: ContentRef }) {
  if (value.kind === 'file') return <ShownFile file={value.file} />
  return <TitleOf value={value} />
}

/** The page of the content that a reference leads to. */
function pageOfRef(value: ContentRef): string | undefined {
  if ('space' in value && value.space !== undefined) return undefined
  return value.kind === 'page' || value.kind === 'anchor' ? value.page : undefined
}

function TitleOf({ value }: { value: ContentRef }) {
  const contents = useContext(ComparedContents)
  const page = pageOfRef(value)
  const { data } = useQuery({
    queryKey: ['title', ...contents, page],
    queryFn: () => titleIn(contents, page!),
    enabled: page !== undefined && contents.length > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const anchor = value.kind === 'anchor' ? `#${value.anchor}` : ''
  return data === undefined ? refName(value) : `${data}${anchor}`
}

/** The title in the first of the contents that has it. @throws if none has */
async function titleIn([content, ...others]: readonly string[], page: string): Promise<string> {
  try {
    return (await api<{ title: string }>(`GET ${pageFieldsAt(content!, page)}`)).title
  } catch (error) {
    if (others.length === 0) throw error
    return titleIn(others, page)
  }
}
