import { Link } from 'wouter'
import type { Space } from '../../api/types.ts'
import { go, useApi } from '../../api/api.ts'
import { Failure, Loaded, Loading, Refusal, Trail } from '../../ui/parts.tsx'
import { PageTree } from '../../content/tree/page-tree.tsx'
import { isMissing } from '../../content/tree/page-tree.ts'
import { TreeFrame } from '../../ui/tree-frame.tsx'
import { language, t } from '../../words/words.ts'
import { useMayRestore } from './may-restore.ts'
import { Restore } from '../../history/restore.tsx'
import { RevisedBy, revisionTitle } from '../../history/revision-title.tsx'
import { ReadPage, useShownPage } from './read-page.tsx'

/** A space as it was at a revision. */
export function RevisionScreen({ params }: { params: Record<string, string> }) {
  const { spaceId = '', revisionId = '', '*': path = '' } = params
  const content = `/spaces/${spaceId}/revisions/${revisionId}` as const
  const space = useApi(`/spaces/${spaceId}`)
  const { page, error, isEmpty } = useShownPage(content, path)
  return (
    <Loaded query={space} title={t('common.space-cannot-shown')}>
      {({ title }) => (
        <div className="beside-tree">
          <Trail
            items={[
              { title: title || t('common.untitled'), to: `/s/${spaceId}` },
              { title: t('common.history'), to: `/s/${spaceId}/~/history` },
              { title: t('common.revision') },
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
            <div className="message note">
              {space.data && <ShownRevision space={space.data} id={revisionId} />}
              <Link href={`/s/${spaceId}`}>{t('space.show-space-now')}</Link>
            </div>
            {page.data ? (
              <ReadPage content={content} page={page.data} />
            ) : isEmpty ? (
              <p className="hint">{t('space.revision-no-pages')}</p>
            ) : error ? (
              <Failure title={t('common.there-no-page-here')} error={isMissing(error) ? null : error} />
            ) : (
              <Loading />
            )}
          </article>
        </div>
      )}
    </Loaded>
  )
}

/** The summary of a revision: its time, its author, and the button that restores it. */
function ShownRevision({ space, id }: { space: Space; id: string }) {
  const query = useApi(`/spaces/${space.id}/revisions/${id}/summary`)
  const organization = useApi(`/orgs/${space.organization}`)
  const mayRestore = useMayRestore(space, organization.data)
  const revision = query.data
  if (!revision) return query.error ? <Refusal query={query} /> : <Loading />
  const title = revisionTitle(revision, [])
  const isNow = space.revision === id
  return (
    <div className="heading">
      <div>
        <p>
          {isNow
            ? t('space.how-space-now')
            : revision.changeRequest === undefined
              ? t('space.how-space-at-earlier')
              : t('space.how-change-request-at')}
        </p>
        <b>{title}</b>{' '}
        <span className="faint">
          {new Date(revision.createdAt).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })}
        </span>
        <br />
        <RevisedBy revision={revision} />
      </div>
      {mayRestore && !isNow && revision.changeRequest === undefined && (
        <Restore
          spaceId={space.id}
          revision={revision}
          title={title}
          onDone={() => go(`/s/${space.id}/~/history`)}
        />
      )}
    </div>
  )
}
