/** Comments on a change request: threads with replies, and suggestions that one press applies. */
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useChange, useList } from '../api/api.ts'
import { BLOCK_PREFIX } from '../content/views/block-address.ts'
import { Loaded, More, Refusal, EmptyHint } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import { ShownBlocks } from '../diff/shown/blocks.tsx'
import type { ChangeRequest, Space, User } from '../api/types.ts'
import { begunAt, nameOfBegun } from './begun.ts'
import { Compose } from './compose.tsx'
import type { Margin } from './margin.ts'
import { MarginCard } from './margin-card.tsx'
import { isClosed } from '../proposals/change-request.ts'
import { By } from '../ui/by.tsx'
import { Reactions } from './reactions.tsx'
import { SuggestionBox } from './suggestion.tsx'
import type { Posted, Comment } from '../api/review-types.ts'
import { Undo, useUndoable } from './undo.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import '../diff/review.css'
import type { DiscussedPath, PostedPath } from '../api/paths.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './discussion.css'

/** The subject of a discussion: a change request, or a space with its pages. */
export interface Discussed {
  /** Its path below `/v1`. */
  base: DiscussedPath
  /** Its path below `/app`. */
  home: string
  space: Space
  me: User
  proposal?: ChangeRequest
  /** Whether the page that is discussed is being written on the same screen. */
  isWriting?: boolean
}

/** Which comments are listed. */
export type CommentStatus = 'all' | 'open' | 'resolved'

/** The path of a list of comments. @param page only those on this page */
export const commentsPath = (base: DiscussedPath, status: CommentStatus, page?: string) =>
  `${base}/comments?order=asc&status=${status}${page === undefined ? '' : `&targetPage=${page}&limit=100`}` as const

/** A comment with its replies, and what the caller may do with it. */
export function Thread({
  proposed,
  comment,
  isPlaced = false,
}: {
  proposed: Discussed
  comment: Comment
  isPlaced?: boolean
}) {
  const { base, proposal, space, me } = proposed
  const isChangeable = proposal ? !isClosed(proposal) : space.editMode === 'live'
  const own = comment.postedBy.id === me.id
  const mayResolve = own ? space.permissions.comment : space.permissions.review
  const replyName = nameOfBegun(proposed, `reply ${comment.id}`)
  const changeName = nameOfBegun(proposed, `change ${comment.id}`)
  const [isReplying, setReplying] = useState(() => begunAt(replyName) !== undefined)
  const [isEditing, setEditing] = useState(() => begunAt(changeName) !== undefined)
  const change = useChange(`PUT ${base}/comments/${comment.id}`, [base])
  const path = `${base}/comments/${comment.id}` as const
  const remove = useChange(`DELETE ${path}`, [base])
  const removal = useUndoable(() => remove.mutate(undefined))
  const isResolved = comment.status === 'resolved'
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    // A notification leads to its comment.
    if (location.hash === `#comment-${comment.id}`) place.current?.scrollIntoView({ block: 'center' })
  }, [comment.id])
  if (removal.isGoing) return <Undo text={t('discussion.comment-deleted')} undo={removal.undo} />
  return (
    <article
      ref={place}
      className={`thread${isResolved ? ' resolved' : ''}`}
      id={`comment-${comment.id}`}
      tabIndex={-1}
    >
      <header>
        <By user={comment.postedBy} at={comment.postedAt} />
        {isResolved && <span className="status merged">{t('discussion.resolved')}</span>}
      </header>
      {!isPlaced && <Quote proposed={proposed} comment={comment} />}
      {isEditing ? (
        <ChangedBody
          proposed={proposed}
          path={path}
          touched={base}
          name={changeName}
          close={() => setEditing(false)}
        />
      ) : (
        <Body posted={comment} />
      )}
      <SuggestionBox
        base={base}
        comment={comment}
        spaceId={space.id}
        status={proposal?.status}
        mayApply={space.permissions.edit && isChangeable}
      />
      {comment.replies > 0 && <Replies proposed={proposed} comment={comment} />}
      <div className="actions small-actions">
        {comment.permissions.reply && !isReplying && (
          <Button className="small" onPress={() => setReplying(true)}>
            {t('discussion.reply')}
          </Button>
        )}
        {comment.permissions.edit && !isEditing && (
          <Button className="small" onPress={() => setEditing(true)}>
            {t('common.change')}
          </Button>
        )}
        {mayResolve && (
          <Button
            className="small"
            isDisabled={change.isPending}
            onPress={() => change.mutate({ resolved: !isResolved })}
          >
            {isResolved ? t('common.reopen') : t('discussion.resolve')}
          </Button>
        )}
        {comment.permissions.delete && (
          <Button className="small quiet" isDisabled={remove.isPending} onPress={removal.begin}>
            {t('common.delete')}
          </Button>
        )}
        <Reactions path={path} touched={base} posted={comment} me={me.id} />
      </div>
      {isReplying && (
        <Reply proposed={proposed} comment={comment} name={replyName} close={() => setReplying(false)} />
      )}
      <Refusal error={change.error ?? remove.error} />
    </article>
  )
}

/** The page that a comment is about, with a quote of the text. */
function Quote({
  proposed: { home, proposal, isWriting },
  comment: { target, suggestion },
}: {
  proposed: Discussed
  comment: Comment
}) {
  const { page, node } = target
  if (!page) return null
  const quote = node?.preview && !suggestion ? node.preview : undefined
  const screen = proposal ? (isWriting ? `${home}/edit` : undefined) : home
  const place =
    node && screen !== undefined && !page.outdated
      ? `${screen}/${page.path}#${BLOCK_PREFIX}${encodeURIComponent(node.id)}`
      : undefined
  return (
    <div className="quote">
      <span className="faint">
        {node ? t('discussion.text-page') : t('discussion.on-the-page')}{' '}
        <Link href={proposal ? `${home}/diff#page-${page.id}` : `${home}/${page.path}`}>{page.title}</Link>
        {page.outdated && ` · ${t('discussion.text-gone')}`}
      </span>
      {place ? (
        <blockquote dir="auto">
          <Link href={place} onClick={showPlaceAgain} title={t('discussion.show-place-page')}>
            {quote ?? t('discussion.show-place-page')}
          </Link>
        </blockquote>
      ) : (
        quote && <blockquote dir="auto">{quote}</blockquote>
      )}
    </div>
  )
}

/** The page may be on the screen already, and its address may name the place already. */
const showPlaceAgain = () => setTimeout(() => dispatchEvent(new HashChangeEvent('hashchange')))

function Body({ posted: { body } }: { posted: Posted }) {
  const nodes = body.document?.nodes ?? []
  return nodes.length > 0 ? <ShownBlocks blocks={nodes} /> : null
}

/** Changes the text of a comment or reply of the caller, as its author wrote it. */
function ChangedBody({
  proposed,
  path,
  touched,
  name,
  close,
}: {
  proposed: Discussed
  path: PostedPath
  touched: string
  name: string
  close: () => void
}) {
  const written = useApi(`${path}?format=markdown`, { live: true })
  const save = useChange(`PUT ${path}`, [touched])
  return (
    <Loaded query={written} title={t('discussion.comment-cannot-shown')}>
      {({ body }) => (
        <>
          <Compose
            subject={proposed}
            label={t('discussion.your-comment')}
            name={name}
            start={body.markdown ?? ''}
          >
            {(markdown, clear) => (
              <>
                <Button
                  className="small main"
                  isDisabled={save.isPending}
                  onPress={() => save.mutate({ body: { markdown } }, { onSuccess: () => [clear(), close()] })}
                >
                  {t('common.save')}
                </Button>
                <Button className="small" onPress={() => [clear(), close()]}>
                  {t('common.cancel')}
                </Button>
              </>
            )}
          </Compose>
          <Refusal error={save.error} />
        </>
      )}
    </Loaded>
  )
}

function Replies({ proposed, comment }: { proposed: Discussed; comment: Comment }) {
  const { base } = proposed
  const path = `${base}/comments/${comment.id}/replies` as const
  const replies = useList(path)
  return (
    <div className="replies">
      {replies.items.map((reply) => (
        <ReplyShown key={reply.id} proposed={proposed} path={`${path}/${reply.id}`} reply={reply} />
      ))}
      <More list={replies} />
    </div>
  )
}

function ReplyShown({ proposed, path, reply }: { proposed: Discussed; path: PostedPath; reply: Posted }) {
  const { base, me } = proposed
  const name = nameOfBegun(proposed, `change ${reply.id}`)
  const [isEditing, setEditing] = useState(() => begunAt(name) !== undefined)
  const remove = useChange(`DELETE ${path}`, [base])
  const removal = useUndoable(() => remove.mutate(undefined))
  if (removal.isGoing) return <Undo text={t('discussion.reply-deleted')} undo={removal.undo} />
  return (
    <div className="reply">
      <By user={reply.postedBy} at={reply.postedAt} />
      {isEditing ? (
        <ChangedBody
          proposed={proposed}
          path={path}
          touched={base}
          name={name}
          close={() => setEditing(false)}
        />
      ) : (
        <Body posted={reply} />
      )}
      <div className="actions small-actions">
        {reply.permissions.edit && !isEditing && (
          <Button className="small" onPress={() => setEditing(true)}>
            {t('common.change')}
          </Button>
        )}
        {reply.permissions.delete && (
          <Button className="small quiet" isDisabled={remove.isPending} onPress={removal.begin}>
            {t('common.delete')}
          </Button>
        )}
        <Reactions path={path} touched={base} posted={reply} me={me.id} />
      </div>
      <Refusal error={remove.error} />
    </div>
  )
}

function Reply({
  proposed,
  comment,
  name,
  close,
}: {
  proposed: Discussed
  comment: Comment
  name: string
  close: () => void
}) {
  const { base } = proposed
  const send = useChange(`POST ${base}/comments/${comment.id}/replies`, [base])
  return (
    <>
      <Compose subject={proposed} label={t('discussion.your-reply')} name={name}>
        {(markdown, clear) => (
          <>
            <Button
              className="small main"
              isDisabled={send.isPending || markdown.trim() === ''}
              onPress={() => send.mutate({ body: { markdown } }, { onSuccess: () => [clear(), close()] })}
            >
              {t('discussion.send')}
            </Button>
            <Button className="small" onPress={() => [clear(), close()]}>
              {t('common.cancel')}
            </Button>
          </>
        )}
      </Compose>
      <Refusal error={send.error} />
    </>
  )
}

/**
 * The comments of a change request or a space, and a field for a new one.
 * @param page only those on this page
 * @param margin of the page, if the page is shown with it
 */
export function Discussion({
  proposed,
  status = 'all',
  page,
  margin,
}: {
  proposed: Discussed
  status?: CommentStatus
  page?: string
  margin?: Margin | undefined
}) {
  const { base, space } = proposed
  const comments = useList(commentsPath(base, status, page))
  const send = useChange(`POST ${base}/comments`, [base])
  return (
    <section aria-labelledby="discussion">
      <h2 id="discussion" tabIndex={-1}>
        {proposed.proposal ? t('discussion.discussion') : t('common.comments')}
      </h2>
      <EmptyHint list={comments}>
        {status === 'all'
          ? t('discussion.nobody-commented-yet')
          : status === 'open'
            ? t('discussion.there-no-open-comments')
            : t('discussion.there-no-resolved-comments')}
      </EmptyHint>
      {comments.items.map((comment) => {
        const { id, target } = comment
        const isPlaced = page !== undefined && target.node === undefined
        const thread = <Thread key={id} {...{ proposed, comment, isPlaced }} />
        if (!margin) return thread
        return (
          <MarginCard key={id} {...{ margin, id }}>
            {thread}
          </MarginCard>
        )
      })}
      <More list={comments} />
      {space.permissions.comment && (
        <Compose
          subject={proposed}
          label={t('discussion.your-comment')}
          name={nameOfBegun(proposed, `comment ${page ?? ''}`)}
        >
          {(markdown, clear) => (
            <Button
              className="small main"
              isDisabled={send.isPending || markdown.trim() === ''}
              onPress={() =>
                send.mutate(
                  { body: { markdown }, ...(page === undefined ? {} : { page }) },
                  { onSuccess: clear },
                )
              }
            >
              {t('common.comment')}
            </Button>
          )}
        </Compose>
      )}
      <Refusal error={send.error} />
    </section>
  )
}
