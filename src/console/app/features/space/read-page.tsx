/** A page as it is read. */
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { emojiText } from '../../ui/emoji-code.ts'
import { type ApiFault, useApi } from '../../api/api.ts'
import { Loaded, Loading } from '../../ui/parts.tsx'
import { CoverImage } from '../../pages/cover-image.tsx'
import { PageIcon } from '../../ui/icons.tsx'
import { useWayTo } from '../../content/tree/page-tree.ts'
import type { PageCover } from '../../content/tree/page-fields.ts'
import type { Discussed } from '../../discussion/discussion.tsx'
import type { Margin } from '../../discussion/margin.ts'
import type { Document } from '../../../../core/document/model.ts'
import type { AnyPage, PageEntry } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import type { ContentPath } from '../../api/paths.ts'

const PageView = lazy(async () => ({ default: (await import('../../content/views/page-view.tsx')).PageView }))
const CommentedPage = lazy(async () => ({
  default: (await import('./commented-page/commented-page.tsx')).CommentedPage,
}))

/** A page as it is read, with its text if the response had it. */
export type ReadablePage = PageEntry & { cover?: PageCover; document?: Document }

/**
 * The page of a content with the path in an address, or its first page without a path.
 * @param content the path of the content below `/v1`
 */
export function useShownPage(content: ContentPath, path: string) {
  const first = useWayTo(path === '' ? content : undefined, '')
  const shownPath = path === '' ? first.data?.items.at(-1)?.path : decodeURI(path)
  const page: UseQueryResult<AnyPage, ApiFault> = useApi(
    shownPath && `${content}/path/${encodeURIComponent(shownPath)}?descendants=false`,
  )
  return { page, error: first.error ?? page.error, isEmpty: first.data?.items.length === 0 }
}

/**
 * A page as it stands.
 * @param content the path of the content below `/v1`
 * @param commented the space and the margin, if the page is shown with the comments on it
 */
export function ReadPage({
  content,
  page,
  commented,
}: {
  content: ContentPath
  page: ReadablePage
  commented?: { discussed: Discussed; margin: Margin } | undefined
}) {
  const { id, type, title, emoji, icon, description, cover, document: known } = page
  const isRead = known === undefined && type === 'document'
  const read = useApi(isRead ? `${content}/page/${id}/document` : undefined)
  return (
    <>
      {cover && <CoverImage content={content} cover={cover} />}
      <h1>
        {emoji ? <span aria-hidden="true">{emojiText(emoji)} </span> : icon && <PageIcon name={icon} />}
        <bdi>{title}</bdi>
      </h1>
      {description && (
        <p className="lead" dir="auto">
          {description}
        </p>
      )}
      {type === 'document' && (
        <Loaded query={known ? { ...read, data: known } : read} title={t('common.page-cannot-shown')}>
          {(shown) => (
            <Suspense fallback={<Loading />}>
              {commented ? (
                <CommentedPage key={id} document={shown} content={content} page={id} {...commented} />
              ) : (
                <PageView key={id} document={shown} content={content} />
              )}
            </Suspense>
          )}
        </Loaded>
      )}
    </>
  )
}
