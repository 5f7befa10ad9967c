import { Link } from 'wouter'
import type { Space } from '../../api/types.ts'
import { go, useApi } from '../../api/api.ts'
import { Failure, Loaded, Loading, Refusal, Trail } from '../../ui/parts.tsx'
import { PageTree } from '../../content/tree/page-tree.tsx'
import { isMissing } from '../../content/tree/outline.ts'
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
            <div className="message note">
              {space.data && <ShownRevision space={space.data} id={revisionId} />}
              <Link href={`/s/${spaceId}`}>{t('Show the space as it is now')}</Link>
            </div>
            {page.data ? (
              <ReadPage content={content} page={page.data} />
            ) : isEmpty ? (
              <p className="hint">{t('This revision has no pages.')}</p>
            ) : error ? (
              <Failure title={t('There is no page here')} error={isMissing(error) ? null : error} />
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
            ? t('This is how the space is now.')
            : revision.changeRequest === undefined
              ? t('This is how the space was at an earlier revision.')
              : t('This is how a change request was at an earlier revision.')}
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
