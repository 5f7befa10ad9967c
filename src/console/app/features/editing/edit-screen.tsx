import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense, use, useEffect, useMemo, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { api, go, useApi } from '../../api/api.ts'
import { contentOf } from '../../api/page-place.ts'
import { EditTree } from './edit-tree.tsx'
import type { CommentPlace } from '../../editor/commands/comment-place.ts'
import { beginAtText } from '../../editor/saving/opening.ts'
import { FirstPage } from '../../pages/first-page.tsx'
import type { OutlinePage } from '../../content/tree/levels.ts'
import { isMissing, readTreeAgain, usePageTree, useWayTo } from '../../content/tree/page-tree.ts'
import { useDiscardUntouched, useLeaving } from './leaving.ts'
import { PageDescription, PageHead } from './page-head.tsx'
import { NewPages } from './new-pages.tsx'
import { PageOptions } from './page-options.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { Failure, Loaded, Loading, Trail } from '../../ui/parts.tsx'
import { isClosed } from '../../proposals/change-request.ts'
import { TreeFrame } from '../../ui/tree-frame.tsx'
import type { AnyPage, ChangeRequest, Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'

// The browser loads the editor while the server finds the page.
const editor = import('../../editor/page-editor.tsx')

/** By `use` it is shown at once if it is there already. What was `lazy` shows its fallback for 300 ms at least. */
function Editor(props: ComponentProps<Awaited<typeof editor>['PageEditor']>) {
  const { PageEditor } = use(editor)
  return <PageEditor {...props} />
}

const comments = () => import('./writing-discussion.tsx')
const ToComments = lazy(async () => ({ default: (await comments()).ToComments }))
const WritingComment = lazy(async () => ({ default: (await comments()).WritingComment }))
const WritingDiscussion = lazy(async () => ({ default: (await comments()).WritingDiscussion }))

/** A page of a change request that is being written, beside the page tree. */
export function EditScreen({ params }: { params: Record<string, string> }) {
  const { spaceId = '', number = '', '*': path = '' } = params
  useDiscardUntouched(spaceId, number)
  const space = useApi(`/spaces/${spaceId}`)
  const change = useApi(`/spaces/${spaceId}/change-requests/${number}`, { live: true })
  // The page is found while the space is read.
  const way = useWayTo(contentOf({ spaceId, number }), decodeURI(path), 'writing')
  return (
    <Loaded query={space} title={t('common.space-cannot-shown')}>
      {(shown) => (
        <Loaded query={change} title={t('common.change-request-cannot-shown')}>
          {(request) => <Editing space={shown} change={request} path={decodeURI(path)} way={way} />}
        </Loaded>
      )}
    </Loaded>
  )
}

interface EditingProps {
  space: Space
  change: ChangeRequest
  path: string
  way: ReturnType<typeof useWayTo>
}

/** The state of the screen, which its parts show and change. */
type EditScreenState = ReturnType<typeof useEditScreen>

/** The page that is being written, its tree, and where both are. */
function useEditScreen({ space, change, path, way }: EditingProps) {
  const number = String(change.number)
  const address = `/s/${space.id}/~/changes/${number}`
  const content = contentOf({ spaceId: space.id, number })
  const { page, forget } = useFoundPage(way, path, address)
  // To show a tree takes longer than to show a text, so the text comes first.
  const [isShown, setShown] = useState(false)
  const isTextDue = !isShown && !way.error && (page === undefined ? way.isPending : page.type === 'document')
  const tree = usePageTree(content, page?.path, 'writing')
  const [options, showOptions] = useState<OutlinePage>()
  return {
    space,
    change,
    number,
    address,
    content,
    page,
    error: way.error,
    tree,
    isTextDue,
    isShown,
    setShown,
    options,
    showOptions,
    open(one: OutlinePage) {
      if (one.type === 'document') go(`${address}/edit/${one.path ?? ''}`)
      else showOptions(one)
    },
    /** Shows the page at the address that it has now. */
    async follow(id: string) {
      const { path: now }: AnyPage = await api(
        `GET ${content}/page/${id}?descendants=false&format=none&computed=false`,
      )
      if (now !== undefined && now !== path) go(`${address}/edit/${now}`)
    },
    /** Goes to the first page if the one that is open was deleted, or is below a deleted one. */
    leave({ id, path: at = '' }: OutlinePage) {
      if (!page || (page.id !== id && !`${page.path}/`.startsWith(`${at}/`))) return
      forget()
      go(`${address}/edit/`)
    },
  }
}

/** The page at a path. It keeps open while its path changes. */
function useFoundPage(way: EditingProps['way'], path: string, address: string) {
  const [open, setOpen] = useState<OutlinePage>()
  const found = way.data?.items.at(-1)
  if (found && found !== open) setOpen(found)
  // The address names the page. Without a path, it would be that of another page once this one is no longer the first.
  const first = path === '' ? found?.path : undefined
  useEffect(() => {
    if (first !== undefined) history.replaceState(null, '', `/app${address}/edit/${first}${location.hash}`)
  }, [address, first])
  return { page: found ?? open, forget: () => setOpen(undefined) }
}

function Editing(props: EditingProps) {
  const { space, change, path } = props
  const screen = useEditScreen(props)
  const { number, address, content, page, options, showOptions } = screen
  if (isClosed(change)) return <ClosedChange address={address} reading={`/s/${space.id}/${path}`} />
  return (
    <div className="beside-tree">
      <Trail
        items={[
          { title: space.title || t('common.untitled'), to: `/s/${space.id}` },
          { title: `${change.subject || t('common.untitled-change')} #${number}`, to: address },
          { title: t('common.edit') },
        ]}
      />
      <aside>
        <EditedTree screen={screen} />
      </aside>
      <article className="page">
        <h1 className="unseen">{t('common.edit-title', { title: page?.title ?? '' })}</h1>
        {page?.type !== 'document' && <WithoutEditor screen={screen} />}
        {page?.type === 'document' ? (
          <EditedText screen={screen} page={page} />
        ) : (
          <WithoutText screen={screen} page={page} />
        )}
      </article>
      {options && (
        <PageOptions
          content={content}
          id={options.id}
          onSaved={() => page && void screen.follow(page.id)}
          onClose={() => showOptions(undefined)}
        />
      )}
      <Toasts />
    </div>
  )
}

/** The buttons that an editor has, above what has none. */
function WithoutEditor({ screen }: { screen: EditScreenState }) {
  const { done, discard } = useLeaving(screen, {})
  return (
    <div className="actions">
      <Button className="button" onPress={() => void done()}>
        {t('common.done')}
      </Button>
      {discard && (
        <Button className="button quiet" onPress={() => void discard()}>
          {t('editor.discard-draft')}
        </Button>
      )}
    </div>
  )
}

/** The screen of a change request that is merged or archived. @param reading the address of the page in its space */
function ClosedChange({ address, reading }: { address: string; reading: string }) {
  return (
    <>
      <Failure title={t('editing.change-request-closed-so')} />
      <p className="actions">
        <Link href={`${reading}${location.hash}`} className="button">
          {t('editing.read-the-page')}
        </Link>
        <Link href={address} className="button">
          {t('common.back-change-request')}
        </Link>
      </p>
    </>
  )
}

function EditedTree({ screen }: { screen: EditScreenState }) {
  const { address, content, page, tree, isTextDue, open, showOptions, follow, leave, space } = screen
  const [below, addBelow] = useState<OutlinePage>()
  return (
    <TreeFrame>
      <NewPages
        organizationId={space.organization}
        content={content}
        below={below}
        onClose={() => addBelow(undefined)}
        onAdded={(id) => {
          beginAtText(id)
          void follow(id)
        }}
      />
      {!isTextDue && (
        <EditTree
          content={content}
          tree={tree}
          current={page}
          actions={{
            open,
            showOptions,
            addBelow,
            showAbout: ({ id }, what) => go(`${address}/pages/${id}/${what}`),
            deleted: leave,
          }}
        />
      )}
    </TreeFrame>
  )
}

/** The editor of a page with a text, and the comments on it. */
function EditedText({ screen, page: shown }: { screen: EditScreenState; page: OutlinePage }) {
  const client = useQueryClient()
  const { space, change, number, content, tree, isShown, setShown, showOptions } = screen
  const { isDirect, done, discard } = useLeaving(screen, shown)
  const { id: page } = shown
  const edited = useMemo(() => ({ spaceId: space.id, number, page }), [space.id, number, page])
  const written = isShown ? { space, number: change.number, page } : undefined
  const [commented, setCommented] = useState<CommentPlace>()
  return (
    <Suspense fallback={<Loading />}>
      <Editor
        key={page}
        place={edited}
        pages={tree.known()}
        organizationId={space.organization}
        mayEdit={space.permissions.edit}
        head={
          <PageHead
            content={content}
            organizationId={space.organization}
            page={page}
            onOptions={() => showOptions(shown)}
          >
            {written && (
              <Suspense>
                <ToComments {...written} />
              </Suspense>
            )}
            {isDirect && <span className="hint">{t('editing.done-changes-space')}</span>}
          </PageHead>
        }
        description={<PageDescription content={content} page={page} />}
        onShown={() => setShown(true)}
        onSaved={() => void readTreeAgain(client, content)}
        onDone={() => void done()}
        onDiscard={discard && (() => void discard())}
        {...(space.permissions.comment && { onComment: setCommented })}
      />
      {written && commented && (
        <Suspense>
          <WritingComment {...written} place={commented} onClose={() => setCommented(undefined)} />
        </Suspense>
      )}
      {written && (
        <Suspense>
          <WritingDiscussion key={page} {...written} />
        </Suspense>
      )}
    </Suspense>
  )
}

/** What is in the place of a text: a page of another kind, the first steps in an empty space, or why there is no page. */
function WithoutText({
  screen: { space, number, tree, error, showOptions },
  page,
}: {
  screen: EditScreenState
  page: OutlinePage | undefined
}) {
  if (page)
    return (
      <div className="hint">
        <p>{t('editing.title-no-text-choose', { title: page.title })}</p>
        <Button className="button" onPress={() => showOptions(page)}>
          {t('common.options')}
        </Button>
      </div>
    )
  if (tree.level(null)?.count === 0) return <FirstPage spaceId={space.id} number={number} />
  if (error) return <Failure title={t('common.there-no-page-here')} error={isMissing(error) ? null : error} />
  return <Loading />
}
