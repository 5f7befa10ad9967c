import { Link } from 'wouter'
import { useApi } from '../api.ts'
import { Failure, Loaded, Loading, Trail } from '../parts.tsx'
import { PageTree } from '../page-tree.tsx'
import { isMissing } from '../pages/outline.ts'
import type { Space } from '../types.ts'
import { TreeFrame } from '../tree-frame.tsx'
import { t } from '../words.ts'
import { ReadPage, useShownPage } from './space.tsx'

/** A space as it was at a revision. */
export function RevisionScreen({ params }: { params: Record<string, string> }) {
  const { spaceId = '', revisionId = '', '*': path = '' } = params
  const content = `/spaces/${spaceId}/revisions/${revisionId}` as const
  const space = useApi<Space>(`/spaces/${spaceId}`)
  const { page, isEmpty } = useShownPage(content, path)
  return (
    <Loaded query={space} title={t('This space cannot be shown')}>
      {({ title }) => (
        <div className="beside-tree">
          <Trail
            items={[
              { title: title || t('Untitled'), to: `/s/${spaceId}` },
              { title: t('History'), to: `/s/${spaceId}/~/history` },
              { title: t('Revision') },
            ]}
          />
          <aside>
            <TreeFrame>
              <PageTree
                content={content}
                current={page.data?.id}
                currentPath={page.data?.path}
                addressOf={(one) => `/s/${spaceId}/~/revisions/${revisionId}/${one.path ?? ''}`}
              />
            </TreeFrame>
          </aside>
          <article className="page">
            <p className="message note">
              {t('This is how the space was at an earlier revision.')}{' '}
              <Link href={`/s/${spaceId}`}>{t('Show the space as it is now')}</Link>
            </p>
            {page.data ? (
              <ReadPage content={content} page={page.data} />
            ) : isEmpty ? (
              <p className="hint">{t('This revision has no pages.')}</p>
            ) : page.error ? (
              <Failure title={t('There is no page here')} error={isMissing(page.error) ? null : page.error} />
            ) : (
              <Loading />
            )}
          </article>
        </div>
      )}
    </Loaded>
  )
}
