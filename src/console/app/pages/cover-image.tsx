/** The cover of a page as readers see it. */
import { useEffect, useState } from 'react'
import type { ContentRef } from '../../../core/document/model.ts'
import { fileOf } from '../content/views/page-context.ts'
import type { PageCover } from '../content/tree/page-fields.ts'
import type { ContentPath } from '../api/paths.ts'

/** The address of an image of a content; undefined until it is known, or if there is none. */
function useImage(content: ContentPath, ref: ContentRef | undefined): string | undefined {
  const [found, setFound] = useState<{ file: string; url: string }>()
  const file = ref?.kind === 'file' ? ref.file : undefined
  useEffect(() => {
    if (file === undefined) return undefined
    let isShown = true
    fileOf({ content, pages: [] }, file).then(
      ({ downloadURL }) => isShown && setFound({ file, url: downloadURL }),
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [content, file])
  if (ref?.kind === 'url') return /^https?:/i.test(ref.url) ? ref.url : undefined
  return found?.file === file ? found?.url : undefined
}

/** A cover as readers see it. @param position a value of `yPos` that is not saved yet */
export function CoverImage({
  content,
  cover,
  position,
}: {
  content: ContentPath
  cover: PageCover
  position?: number
}) {
  const light = useImage(content, cover.ref ?? cover.refDark)
  const dark = useImage(content, cover.refDark)
  const [picture, setPicture] = useState<HTMLElement | null>(null)
  const { yPos, height } = cover
  useEffect(() => {
    picture?.style.setProperty('--cover-y', `${50 + (position ?? yPos) / 10}%`)
    picture?.style.setProperty('--cover-height', height === undefined ? '12rem' : `${height}px`)
  }, [picture, position, yPos, height])
  if (light === undefined) return null
  return (
    <picture ref={setPicture} className="cover">
      {dark !== undefined && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
      <img src={light} alt="" />
    </picture>
  )
}
