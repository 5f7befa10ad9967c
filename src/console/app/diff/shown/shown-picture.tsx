import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { type ContentFile, fileOf } from '../../content/views/page-context.ts'
import type { ContentPath } from '../../api/paths.ts'

/** The paths of the contents that are compared, below `/v1`; the files of a document are in one of them. */
export const ComparedContents = createContext<readonly ContentPath[]>([])

/** A picture of a space, small. Nothing while it is unknown. */
export function ShownPicture({ file, alt }: { file: string; alt: string }) {
  const data = useFile(file)
  return data ? <img className="doc-picture" src={data.downloadURL} alt={alt} loading="lazy" /> : null
}

/** The name of a file of a space, and the picture if it is one. */
export function ShownFile({ file }: { file: string }) {
  const data = useFile(file)
  return (
    <>
      {data?.contentType.startsWith('image/') && <ShownPicture file={file} alt="" />}
      {data?.name ?? file}
    </>
  )
}

function useFile(file: string): ContentFile | undefined {
  const contents = useContext(ComparedContents)
  const { data } = useQuery({
    queryKey: ['picture', ...contents, file],
    queryFn: () => firstOf(contents, file),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** The file as the first of the contents that has it. @throws if none has */
async function firstOf([content, ...others]: readonly ContentPath[], file: string): Promise<ContentFile> {
  try {
    return await fileOf({ content, pages: [] }, file)
  } catch (error) {
    if (others.length === 0) throw error
    return firstOf(others, file)
  }
}
