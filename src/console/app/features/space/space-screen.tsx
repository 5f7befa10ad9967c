import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { ImportButton } from '../../import-export/import-dialog.tsx'
import { useApi } from '../../api/api.ts'
import { Failure, LinkRow, Loaded, Loading, Trail } from '../../ui/parts.tsx'
import { PageTree } from '../../content/tree/page-tree.tsx'
import { FirstPage } from '../../pages/first-page.tsx'
import { isMissing } from '../../content/tree/page-tree.ts'
import type { Discussed } from '../../discussion/discussion.tsx'
import { Margin } from '../../discussion/margin.ts'
import { isOfSpace, useEvents } from '../../api/use-events.ts'
import { PageActions } from './page-actions.tsx'
import { StartEditing } from './start-editing.tsx'
import { PublishSpace } from './publish-space.tsx'
import { Here } from '../../editor/together/here.tsx'
import type { Space } from '../../api/types.ts'
import { useSidebarBeside } from '../../ui/sidebar-state.ts'
import { TreeFrame } from '../../ui/tree-frame.tsx'
import { t } from '../../words/words.ts'
import { SpaceDiscussion, useDiscussed } from './space-discussion.tsx'
import { type ReadablePage, useShownPage, ReadPage } from './read-page.tsx'
import { spaceScreens } from '../../places/space-screens.ts'
import { forgetRecentPage, noteRecentPage } from '../../places/recent.ts'
import type { ContentPath } from '../../api/paths.ts'

/** A space as its members read it: the page tree and one page. */
export function SpaceScreen({ params }: { params: Record<string, string> }) {
  const { spaceId = '', '*': path = '' } = params
  const content = `/spaces/${spaceId}/content` as const
  const space = useApi(`/spaces/${spaceId}`)
  const { page, error, isEmpty } = useShownPage(content, path)
  useEvents(`/spaces/${spaceId}`, [content, `/spaces/${spaceId}/comments`], isOfSpace)
  // An import begins on an empty screen, which stays until the dialog of the import is closed.
  const [importing, setImporting] = useState<string>()
  const isBegun = !isEmpty && importing !== spaceId
  const organization = useApi(space.data && `/orgs/${space.data.organization}`)
  const discussed = useDiscussed(space.data)
  const isBeside = useSidebarBeside()
  useRecentPage(space.data, page.data, isMissing(error) ? path : undefined)
  return (
    <Loaded query={space} title={t('common.space-cannot-shown')}>
      {({ title, organization: organizationId, permissions }) => (
        <div className="beside-tree">
          <Trail
            items={[
              { title: organization.data?.title ?? '…', to: `/o/${organizationId}` },
              { title: title || t('common.untitled') },
            ]}
          />
          <aside>
            {!isBeside && <SpaceLinks space={space.data!} />}
            <TreeFrame>
              <PageTree
                content={content}
                current={page.data?.id}
                currentPath={page.data?.path}
                addressOf={(one) => `/s/${spaceId}/${one.path ?? ''}`}
              />
            </TreeFrame>
          </aside>
          <article className="page with-margin">
            <div className="page-tools">
              <Here base={`/spaces/${spaceId}`} page={page.data?.id} />
              {permissions.edit && isBegun && (
                <StartEditing space={space.data!} path={page.data?.path ?? ''} />
              )}
              {isBegun && <PublishSpace space={space.data!} />}
              {page.data && <PageActions space={space.data!} page={page.data} />}
            </div>
            {page.data && isBegun ? (
              <DiscussedPage
                key={page.data.id}
                content={content}
                page={page.data}
                discussed={discussed}
                space={space.data!}
              />
            ) : isEmpty && !permissions.edit ? (
              <p className="hint">{t('common.space-no-pages-yet')}</p>
            ) : !isBegun ? (
              <FirstPage spaceId={spaceId}>
                <ImportButton
                  organizationId={organizationId}
                  into={{ spaceId }}
                  onOpenChange={(isOpen) => setImporting(isOpen ? spaceId : undefined)}
                />
              </FirstPage>
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

/** Notes the page that is shown. @param missing the path of a page that is not there any more */
function useRecentPage(
  space: Space | undefined,
  page: ReadablePage | undefined,
  missing: string | undefined,
) {
  const { data: me } = useApi('/user')
  const [userId, spaceId, spaceTitle] = [me?.id, space?.id, space?.title || t('common.untitled')]
  const { path, title, emoji } = page ?? {}
  useEffect(() => {
    if (userId === undefined || spaceId === undefined) return
    if (missing !== undefined) forgetRecentPage(userId, `/s/${spaceId}/${missing}`)
    if (path === undefined || title === undefined) return
    const to = `/s/${spaceId}/${path}`
    noteRecentPage(userId, { to, title, space: spaceTitle, at: Date.now(), ...(emoji && { emoji }) })
  }, [userId, spaceId, spaceTitle, path, title, emoji, missing])
}

/** A page of a space, with the comments on it. @param content the path of the content below `/v1` */
function DiscussedPage({
  content,
  page,
  discussed,
  space,
}: {
  content: ContentPath
  page: ReadablePage
  discussed: Discussed | undefined
  space: Space
}) {
  const [margin] = useState(() => new Margin())
  return (
    <>
      <ReadPage content={content} page={page} commented={discussed && { discussed, margin }} />
      {page.type === 'document' && <SpaceDiscussion space={space} page={page.id} margin={margin} />}
    </>
  )
}

/** The ways to the screens about the whole of a space, which the sidebar has where it is shown. */
function SpaceLinks({ space }: { space: Space }) {
  return (
    <LinkRow label={t('common.space')} kind="links">
      <Link href={`/s/${space.id}/~/changes`}>{t('common.change-requests')}</Link>
      {spaceScreens(space).map(([path, title]) => (
        <Link key={path} href={`/s/${space.id}/~/${path}`}>
          {title}
        </Link>
      ))}
    </LinkRow>
  )
}
