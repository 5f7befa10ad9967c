/** The form for a new comment or suggestion. */
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { TextRange } from '../../../core/content/edit/block-diff.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block } from '../../../core/document/model.ts'
import { useChange } from '../api/api.ts'
import { nameOfType } from '../content/schema/names.ts'
import { Refusal } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import { useBegun } from './begun.ts'
import type { Discussed } from './discussion.tsx'
import { ComposeField, sendByKey } from './compose.tsx'
import type { ReviewDraft } from './review-draft.ts'
import { isClosed } from '../proposals/change-request.ts'
import { suggestionFor } from './suggest.ts'
import { DraftedSuggestion } from './suggestion.tsx'
import type { NewComment } from '../api/review-types.ts'

/** The beginning of the text of a block. A block without a text, such as an image, has the name of its kind. */
export const shortNameOf = (block: Block): string =>
  leafText(block).trim().slice(0, 40).toWellFormed() || t(nameOfType(block.type))

/** A form for a comment on a page, a block or a part of its text. The browser keeps what is written in it. */
export function NewCommentForm({
  proposed,
  name,
  pageId,
  draft,
  block,
  range,
  suggests = false,
  autoFocus = true,
  close,
  sent = close,
  refused,
}: {
  proposed: Discussed
  /** Under which the text is kept, by `nameOfNewComment`. */
  name: string
  pageId: string
  /** The review that the comment can be a part of. */
  draft?: ReviewDraft
  block?: Block | undefined
  range?: TextRange | undefined
  suggests?: boolean
  autoFocus?: boolean
  close: () => void
  sent?: () => void
  refused?: () => void
}) {
  const { base, proposal, space } = proposed
  const now = block ? leafText(block) : ''
  const [begun, keep] = useBegun(name)
  const { markdown = '', text = now } = begun ?? {}
  const send = useChange(`POST ${base}/comments`, [base])
  const place = {
    page: pageId,
    ...(block?.key === undefined ? {} : { node: block.key, ...(range && { range }) }),
  }
  const reviewed = space.permissions.review && proposal && !isClosed(proposal) ? draft : undefined
  const commentOf = (words: string, other: string): NewComment | undefined => {
    const suggested = suggests ? suggestionFor(now, other) : undefined
    const isReady = suggests ? suggested !== undefined : words.trim() !== ''
    return isReady ? { body: { markdown: words }, ...place, ...suggested } : undefined
  }
  const write = (words: string, other: string) =>
    keep({ markdown: words, ...(suggests && { text: other }), remark: commentOf(words, other) })
  const comment = commentOf(markdown, text)
  const forget = (then: () => void) => () => {
    keep(undefined)
    then()
  }
  // A review can take what is written here with it.
  const isGone = useGone(begun)
  useEffect(() => {
    if (isGone) close()
  })
  return (
    <div className="new-comment" onKeyDown={sendByKey}>
      {suggests && (
        <SuggestedText text={text} autoFocus={autoFocus} onChange={(next) => write(markdown, next)} />
      )}
      {suggests && comment && (
        <div className="suggestion">
          <DraftedSuggestion comment={comment} block={block} />
        </div>
      )}
      <ComposeField
        subject={proposed}
        label={suggests ? t('common.why-optional') : t('discussion.your-comment')}
        text={markdown}
        onChange={(words) => write(words, text)}
        autoFocus={autoFocus && !suggests}
      >
        {reviewed && (
          <Button
            className="small main"
            isDisabled={reviewed.isSaving || !comment}
            onPress={() => comment && reviewed.add(comment, forget(close))}
          >
            {t('discussion.add-my-review')}
          </Button>
        )}
        <Button
          className={reviewed ? 'small' : 'small main'}
          isDisabled={send.isPending || !comment}
          onPress={() => comment && send.mutate(comment, { onSuccess: forget(sent), onError: refused })}
        >
          {suggests ? t('discussion.suggest-now') : draft ? t('discussion.comment-now') : t('common.comment')}
        </Button>
        <Button className="small quiet" onPress={forget(close)}>
          {t('common.cancel')}
        </Button>
      </ComposeField>
      <Refusal error={send.error ?? draft?.error ?? null} query={draft?.read} />
    </div>
  )
}

/** The text of a block, as somebody suggests it. The caret begins at its end. */
function SuggestedText({
  text,
  autoFocus,
  onChange,
}: {
  text: string
  autoFocus: boolean
  onChange: (text: string) => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { length } = field.current?.value ?? ''
    field.current?.setSelectionRange(length, length)
  }, [])
  return (
    <label className="suggested">
      {t('common.your-text')}
      <textarea
        ref={field}
        rows={2}
        dir="auto"
        value={text}
        autoFocus={autoFocus}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}

/** Whether there was something, and it is gone. */
function useGone(now: unknown): boolean {
  const [before, setBefore] = useState(now)
  if (now !== undefined && before === undefined) setBefore(now)
  return now === undefined && before !== undefined
}
