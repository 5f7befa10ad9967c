/** Revisions, with their changes. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useList } from '../api/api.ts'
import { Failure, Loaded, Loading, More } from '../ui/parts.tsx'
import { PageSection, pagesOf } from '../diff/page-diff.tsx'
import { nameOf, Sign, whatHappened } from '../diff/change-list.tsx'
import type { RevisionEntry } from '../api/review-types.ts'
import type { Space } from '../api/types.ts'
import { t } from '../words/words.ts'
import { revisionTitle, RevisedBy } from './revision-title.tsx'
import { Restore } from './restore.tsx'
import type { DiscussedPath, WritablePath } from '../api/paths.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './revisions.css'

/** A list of revisions with their changes. @param pageId shows only the changes of this page */
export function Revisions({
  path,
  space,
  pageId,
  isOfSpace = false,
  mayRestore = false,
}: {
  path: `${DiscussedPath}/revisions` | `${WritablePath}/page/${string}/revisions`
  space: Space
  pageId?: string
  /** Whether the first is the content of the space now. */
  isOfSpace?: boolean
  mayRestore?: boolean
}) {
  const list = useList(path)
  if (list.error) return <Failure title={t('history.history-cannot-shown')} error={list.error} />
  if (list.isPending) return <Loading />
  return (
    <>
      {list.items.length === 0 && <p className="hint">{t('common.nothing-changed-yet')}</p>}
      <ol className="plain revisions">
        {list.items.map((one, index) => (
          <Revision
            key={one.id}
            revision={one}
            title={revisionTitle(one, list.items)}
            space={space}
            pageId={pageId}
            isNow={isOfSpace && index === 0}
            mayRestore={mayRestore && index > 0}
          />
        ))}
      </ol>
      <More list={list} />
    </>
  )
}

function Revision({
  revision,
  title,
  space,
  pageId,
  isNow,
  mayRestore,
}: {
  revision: RevisionEntry
  title: string
  space: Space
  pageId: string | undefined
  isNow: boolean
  mayRestore: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const { id, mergedFrom } = revision
  return (
    <li>
      <div className="heading">
        <div>
          <b>{title}</b>{' '}
          {mergedFrom && (
            <Link href={`/s/${space.id}/~/changes/${mergedFrom.number}`}>#{mergedFrom.number}</Link>
          )}{' '}
          {isNow && <span className="status open">{t('history.now')}</span>}
          <br />
          <RevisedBy revision={revision} />
        </div>
        <div className="actions">
          <Button className="small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? t('history.hide-the-changes') : t('history.show-the-changes')}
          </Button>
          {mayRestore && <Restore spaceId={space.id} revision={revision} title={title} />}
        </div>
      </div>
      {isOpen && <RevisionChanges spaceId={space.id} id={id} parent={revision.parents[0]} pageId={pageId} />}
    </li>
  )
}

function RevisionChanges({
  spaceId,
  id,
  parent,
  pageId,
}: {
  spaceId: string
  id: string
  parent: string | undefined
  pageId: string | undefined
}) {
  const path = `/spaces/${spaceId}/revisions/${id}/changes` as const
  const query = useApi(pageId === undefined ? `${path}?limit=50` : `${path}?limit=50&pageId=${pageId}`)
  return (
    <Loaded query={query} title={t('common.changes-cannot-shown')}>
      {({ changes, more = 0 }) => (
        <div className="revision-changes">
          {changes.length === 0 && <p className="hint">{t('history.no-page-changed')}</p>}
          {pagesOf(changes).map((changed) => (
            <PageSection
              key={changed.page.id}
              compared={{ spaceId, changes: path, before: parent, after: id }}
              changed={changed}
              view="inline"
              head={
                changed.page.path !== undefined && (
                  <PageThen
                    spaceId={spaceId}
                    path={changed.page.path}
                    {...(changed.changes.some(({ type }) => type === 'page_deleted')
                      ? { at: parent, label: t('history.the-page-before') }
                      : { at: id, label: t('history.page-at-time') })}
                  />
                )
              }
            />
          ))}
          {changes
            .filter((one) => !('page' in one))
            .map((one, i) => (
              <p key={i}>
                <Sign change={one} /> {nameOf(one)} <span className="faint">{whatHappened(one)}</span>
              </p>
            ))}
          {more > 0 && <p className="hint">{t('common.count-more-changes', { count: more })}</p>}
        </div>
      )}
    </Loaded>
  )
}

/** A link to a page as it was. */
function PageThen({
  spaceId,
  path,
  at,
  label,
}: {
  spaceId: string
  path: string
  at: string | undefined
  label: string
}) {
  return at === undefined ? null : <Link href={`/s/${spaceId}/~/revisions/${at}/${path}`}>{label}</Link>
}
