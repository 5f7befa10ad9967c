import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Frame } from '../../ui/fields.tsx'
import { useApi } from '../../api/api.ts'
import { Loaded } from '../../ui/parts.tsx'
import type { PageEntry, Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import type { DiscussedPath, WritablePath } from '../../api/paths.ts'

/** A page of a space or a change request, for the screens about it. */
export interface PageOfContent {
  space: Space
  page: PageEntry
  /** The path of the content below `/v1`. */
  content: WritablePath
  /** The address of a page of the same content below `/app`. */
  addressOf: (page: { path?: string }) => string
}

/** A screen about a page: the way back to it, and to the other screens about it. */
export function PageFrame({
  params: { spaceId = '', number, pageId = '' },
  title,
  children,
}: {
  params: Record<string, string>
  title: string
  children: (shown: PageOfContent) => ReactNode
}) {
  const line: DiscussedPath =
    number === undefined ? `/spaces/${spaceId}` : `/spaces/${spaceId}/change-requests/${number}`
  const home = number === undefined ? `/s/${spaceId}` : `/s/${spaceId}/~/changes/${number}`
  const content: WritablePath = `${line}/content`
  const space = useApi(`/spaces/${spaceId}`)
  const page = useApi(`${content}/page/${pageId}?descendants=false&format=none`)
  const addressOf = ({ path = '' }: { path?: string }) =>
    number === undefined ? `${home}/${path}` : `${home}/edit/${path}`
  const about = number === undefined ? `${home}/~/pages/${pageId}` : `${home}/pages/${pageId}`
  return (
    <Loaded query={space} title={t('common.space-cannot-shown')}>
      {(inside) => (
        <Loaded query={page} title={t('common.page-cannot-shown')}>
          {(shown: PageEntry) => (
            <Frame
              trail={[
                { title: inside.title || t('common.untitled'), to: `/s/${spaceId}` },
                ...(number === undefined
                  ? []
                  : [{ title: t('space.change-request-number', { number }), to: home }]),
                { title: shown.title || t('common.untitled'), to: addressOf(shown) },
              ]}
              title={title}
              label={t('common.page')}
              links={[
                [`${about}/history`, t('common.history')],
                [`${about}/links`, t('common.links')],
              ]}
              actions={
                <Link className="button" href={addressOf(shown)}>
                  {t('space.back-page')}
                </Link>
              }
            >
              {children({ space: inside, page: shown, content, addressOf })}
            </Frame>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
