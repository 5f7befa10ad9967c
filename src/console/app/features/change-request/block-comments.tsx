/** Comments and suggestions where they belong: below the block that they are about. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { leafText } from '../../../../core/document/leaf-text.ts'
import type { Block } from '../../../../core/document/model.ts'
import { nameOfType } from '../../content/schema/names.ts'
import { t } from '../../words/words.ts'
import { nameOfNewComment, useBegun } from '../../discussion/begun.ts'
import { Thread } from '../../discussion/discussion.tsx'
import type { ReviewDraft } from '../../discussion/review-draft.ts'
import { isClosed } from '../../proposals/change-request.ts'
import type { Proposed } from './change-request-frame.tsx'
import { DraftedSuggestion } from '../../discussion/suggestion.tsx'
import type { NewComment, Comment } from '../../api/review-types.ts'
import { shortNameOf, NewCommentForm } from '../../discussion/new-comment.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './block-comments.css'

/** The comments on a page, and the context in which the user can write more. */
export interface Commenting {
  proposed: Proposed
  pageId: string
  comments: readonly Comment[]
  draft: ReviewDraft
}

const TEXTS: readonly Block['type'][] = ['paragraph', 'heading-1', 'heading-2', 'heading-3']

/** The comments on a block or, without one, on the page; and the way to write one. */
export function BlockComments({
  commenting,
  block,
  place = 'below',
}: {
  commenting: Commenting
  block?: Block
  /**
   * A part of a block is not shown alone, so the comments say what they are about, as do those on the whole of a block
   * whose parts are shown one by one.
   */
  place?: 'below' | 'part' | 'whole'
}) {
  const { proposed, pageId, comments, draft } = commenting
  const begunName = nameOfNewComment(proposed, pageId, block?.key)
  const [begun] = useBegun(begunName)
  // A comment or suggestion that was begun before is shown again.
  const [open, setOpen] = useState<'comment' | 'suggestion' | undefined>(
    begun && place !== 'part' ? (begun.text === undefined ? 'comment' : 'suggestion') : undefined,
  )
  const [isBegunBefore] = useState(open !== undefined)
  // The focus returns to the button.
  const [left, setLeft] = useState<'comment' | 'suggestion'>()
  const isHere = ({ page, node }: { page?: string | undefined; node?: string | undefined }) =>
    page === pageId && node === block?.key
  const here = comments.filter(({ target: { page, node } }) =>
    // A comment on a text that is gone counts as a comment on the page.
    isHere({ page: page?.id, node: page?.outdated ? undefined : node?.id }),
  )
  const drafted = draft.comments.flatMap((one, index) => (isHere(one) ? [{ one, index }] : []))
  const mayComment = proposed.space.permissions.comment
  const maySuggest = block && TEXTS.includes(block.type) && !isClosed(proposed.proposal)
  const name = !block
    ? t('change-request.the-page')
    : place === 'whole'
      ? t(nameOfType(block.type))
      : shortNameOf(block)
  return (
    <div className={block ? 'block-comments' : 'block-comments of-page'}>
      {place !== 'below' && block && here.length + drafted.length > 0 && <PartName block={block} />}
      {mayComment && place !== 'part' && open === undefined && (
        <div className="unit-tools">
          <button
            type="button"
            aria-label={t('common.comment-on-name', { name })}
            autoFocus={left === 'comment'}
            onClick={() => setOpen('comment')}
          >
            {t('common.comment')}
          </button>
          {maySuggest && (
            <button
              type="button"
              aria-label={t('change-request.suggest-another-text-name', { name })}
              autoFocus={left === 'suggestion'}
              onClick={() => setOpen('suggestion')}
            >
              {t('change-request.suggest')}
            </button>
          )}
        </div>
      )}
      {here.map((comment) => (
        <Thread
          key={comment.id}
          proposed={proposed}
          comment={comment}
          isPlaced={!comment.target.page?.outdated}
        />
      ))}
      {drafted.map(({ one, index }) => (
        <Drafted
          key={index}
          comment={one}
          block={block}
          remove={() => draft.remove(index)}
          isSaving={draft.isSaving}
        />
      ))}
      {open && (
        <NewCommentForm
          proposed={proposed}
          name={begunName}
          pageId={pageId}
          draft={draft}
          block={block}
          suggests={open === 'suggestion'}
          autoFocus={!isBegunBefore || left !== undefined}
          close={() => {
            setLeft(open)
            setOpen(undefined)
          }}
        />
      )}
    </div>
  )
}

/** The block that a comment is about, if the block is not shown alone. */
function PartName({ block }: { block: Block }) {
  return (
    <div className="quote">
      <span className="faint">{t('change-request.on-name', { name: t(nameOfType(block.type)) })}</span>
      <blockquote>{leafText(block).slice(0, 100)}</blockquote>
    </div>
  )
}

/** A comment that will be sent with the review. */
export function Drafted({
  comment,
  block,
  remove,
  isSaving,
}: {
  comment: NewComment
  block?: Block | undefined
  remove: () => void
  isSaving: boolean
}) {
  return (
    <article className="thread drafted">
      <span className="status draft">{t('change-request.not-sent-yet')}</span>
      {comment.body.markdown && <p>{comment.body.markdown}</p>}
      <DraftedSuggestion comment={comment} block={block} />
      <Button className="small quiet" isDisabled={isSaving} onPress={remove}>
        {t('common.remove')}
      </Button>
    </article>
  )
}
