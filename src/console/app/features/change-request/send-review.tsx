/** Sending a review, with what was written for it. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useChange } from '../../api/api.ts'
import { CancelButton } from '../../ui/forms.tsx'
import { DialogButton, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { keepBegun, nameOfBegun, useBegun, useBegunComments } from '../../discussion/begun.ts'
import { MarkdownArea } from '../../discussion/markdown-area.tsx'
import type { ReviewDraft } from '../../discussion/review-draft.ts'
import type { PageChanges } from '../../diff/page-diff.tsx'
import type { Proposed } from './change-request-frame.tsx'
import { Drafted } from './block-comments.tsx'
import type { ReviewStatus } from '../../api/review-types.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './send-review.css'

interface SendProps {
  proposed: Proposed
  draft: ReviewDraft
  pages: readonly PageChanges[]
}

/** A review that is not sent yet, with what its author has written. */
type UnsentReview = ReturnType<typeof useUnsentReview>

function useUnsentReview({ proposed, draft }: SendProps) {
  const { base, proposal } = proposed
  const [status, setStatus] = useState<ReviewStatus>('approved')
  const [written, setWritten] = useBegun(nameOfBegun(proposed, 'review'))
  const text = written?.markdown ?? ''
  const begun = useBegunComments(proposed)
  // The comments that are begun, and stay out of the review.
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const taken = begun.filter(({ name }) => !kept.has(name))
  const request = useChange(`POST ${base}/reviews`, [base])
  return {
    status,
    setStatus,
    text,
    setText: (markdown: string) => setWritten({ markdown }),
    begun,
    isTaken: (name: string) => !kept.has(name),
    take(name: string, isIn: boolean) {
      const others = [...kept].filter((one) => one !== name)
      setKept(new Set(isIn ? others : [...others, name]))
    },
    error: request.error,
    isPending: request.isPending,
    send(onSent: () => void) {
      const summary = text.trim() === '' ? {} : { comment: { markdown: text } }
      const comments = [...draft.comments, ...taken.map(({ comment }) => comment)]
      request.mutate(
        { status, ...summary, comments, revision: proposal.revision },
        {
          onSuccess: () => {
            setWritten(undefined)
            for (const { name } of taken) keepBegun(name, undefined)
            setStatus('approved')
            onSent()
          },
        },
      )
    },
  }
}

/** Sends the review with all comments that were written for it. */
export function SendReview(props: SendProps) {
  const { draft, pages } = props
  const review = useUnsentReview(props)
  const count = draft.comments.length
  return (
    <DialogButton
      label={count === 0 ? t('change-request.review') : t('change-request.review-count', { count })}
      title={t('change-request.review-these-changes')}
      kind="button main"
    >
      {(close) => (
        <form
          className="review-form"
          onSubmit={(event) => {
            event.preventDefault()
            review.send(close)
          }}
        >
          <StatusChoice review={review} />
          <label>
            {t('change-request.comment-optional')}
            <MarkdownArea
              subject={props.proposed}
              rows={3}
              maxLength={10_000}
              value={review.text}
              onChange={review.setText}
            />
          </label>
          <ReviewComments review={review} draft={draft} pages={pages} />
          <Refusal error={review.error ?? draft.error} query={draft.read} />
          <div className="actions">
            <Button type="submit" className="button main" isDisabled={review.isPending}>
              {t('change-request.send-the-review')}
            </Button>
            <CancelButton close={close} />
          </div>
        </form>
      )}
    </DialogButton>
  )
}

function StatusChoice({ review: { status, setStatus } }: { review: UnsentReview }) {
  const choices = [
    ['approved', t('change-request.approve'), t('change-request.these-changes-can-merged')],
    ['changes-requested', t('change-request.ask-for-changes'), t('change-request.something-change-first')],
  ] as const
  return (
    <fieldset>
      <legend>{t('change-request.do-say')}</legend>
      {choices.map(([value, title, hint]) => (
        <label key={value} className="choice">
          <input
            type="radio"
            name="status"
            value={value}
            checked={status === value}
            onChange={() => setStatus(value)}
          />
          <span>
            <b>{title}</b>
            <br />
            <span className="faint">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The comments of the review, and those that are only begun, which it can take with it. */
function ReviewComments({
  review: { begun, isTaken, take, isPending },
  draft,
  pages,
}: {
  review: UnsentReview
  draft: ReviewDraft
  pages: readonly PageChanges[]
}) {
  const count = draft.comments.length
  const titleOf = (id: string | undefined) => pages.find(({ page }) => page.id === id)?.page.title ?? ''
  return (
    <>
      {count > 0 && (
        <div>
          <p className="faint">{t('change-request.sent-count', { count })}</p>
          {draft.comments.map((one, index) => (
            <div key={index}>
              <b>{titleOf(one.page)}</b>
              <Drafted comment={one} remove={() => draft.remove(index)} isSaving={draft.isSaving} />
            </div>
          ))}
        </div>
      )}
      {begun.map(({ name, comment }) => (
        <div key={name}>
          <b>{titleOf(comment.page)}</b>
          <Drafted comment={comment} remove={() => keepBegun(name, undefined)} isSaving={isPending} />
          <label className="one-line">
            <input
              type="checkbox"
              checked={isTaken(name)}
              onChange={({ target }) => take(name, target.checked)}
            />
            {t('change-request.still-writing-send-review')}
          </label>
        </div>
      ))}
    </>
  )
}
