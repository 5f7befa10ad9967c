import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { ContentRef } from '../../../../core/document/model.ts'
import { api } from '../../api/api.ts'
import { refName } from '../../content/schema/atoms.ts'
import { pageFieldsAt } from '../../api/page-place.ts'
import { Mention } from './mention.tsx'
import { ComparedContents, ShownFile } from './shown-picture.tsx'
import type { ContentPath, SpacePath } from '../../api/paths.ts'

/** The name of what a reference leads to; as it is written while the name is unknown. */
export function ShownRef({ value }: { value: ContentRef }) {
  if (value.kind === 'file') return <ShownFile file={value.file} />
  if (value.kind === 'user') return <Mention user={value.user} />
  return <TitleOf value={value} />
}

type TitlePath = SpacePath | `${ContentPath}/reusable-contents/${string}` | ReturnType<typeof pageFieldsAt>

/** Where the API has the title of what a reference leads to, for each of the contents. */
function titlePaths(value: ContentRef, contents: readonly ContentPath[]): TitlePath[] {
  if (value.kind === 'space') return [`/spaces/${value.space}`]
  if ('space' in value && value.space !== undefined) return []
  if (value.kind === 'reusable-content')
    return contents.map((content) => `${content}/reusable-contents/${value.reusableContent}` as const)
  const page = value.kind === 'page' || value.kind === 'anchor' ? value.page : undefined
  return page === undefined ? [] : contents.map((content) => pageFieldsAt(content, page))
}

function TitleOf({ value }: { value: ContentRef }) {
  const places = titlePaths(value, useContext(ComparedContents))
  const { data } = useQuery({
    queryKey: ['title', ...places],
    queryFn: () => titleAt(places),
    enabled: places.length > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const anchor = value.kind === 'anchor' ? `#${value.anchor}` : ''
  return data === undefined ? refName(value) : `${data}${anchor}`
}

/** The title at the first of the places that has it. @throws if none has */
async function titleAt([place, ...others]: readonly TitlePath[]): Promise<string> {
  try {
    return (await api(`GET ${place!}`)).title
  } catch (error) {
    if (others.length === 0) throw error
    return titleAt(others)
  }
}
