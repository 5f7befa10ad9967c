import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { ContentRef } from '../../../../core/document/model.ts'
import { api } from '../../api/api.ts'
import { refName } from '../../content/schema/atoms.ts'
import { pageFieldsAt } from '../../api/page-place.ts'
import { Mention } from './mention.tsx'
import { ComparedContents, ShownFile } from './shown-picture.tsx'

/** The name of what a reference leads to; as it is written while the name is unknown. */
export function ShownRef({ value }: { value: ContentRef }) {
  if (value.kind === 'file') return <ShownFile file={value.file} />
  if (value.kind === 'user') return <Mention user={value.user} />
  return <TitleOf value={value} />
}

/** Where the API has the title of what a reference leads to, for each of the contents. */
function placesOf(value: ContentRef, contents: readonly string[]): `/${string}`[] {
  if (value.kind === 'space') return [`/spaces/${value.space}`]
  if ('space' in value && value.space !== undefined) return []
  if (value.kind === 'reusable-content')
    return contents.map(
      (content): `/${string}` => `${content}/reusable-contents/${value.reusableContent}` as `/${string}`,
    )
  const page = value.kind === 'page' || value.kind === 'anchor' ? value.page : undefined
  return page === undefined ? [] : contents.map((content) => pageFieldsAt(content, page))
}

function TitleOf({ value }: { value: ContentRef }) {
  const places = placesOf(value, useContext(ComparedContents))
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
async function titleAt([place, ...others]: readonly `/${string}`[]): Promise<string> {
  try {
    return (await api<{ title: string }>(`GET ${place!}`)).title
  } catch (error) {
    if (others.length === 0) throw error
    return titleAt(others)
  }
}
