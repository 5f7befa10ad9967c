/** Comments and suggestions where they belong: below the block that they are about. */
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { TextRange } from '../../../core/content/edit/block-diff.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block } from '../../../core/document/model.ts'
import { useChange } from '../api/api.ts'
import { nameOfType } from '../content/schema/names.ts'
import { Refusal } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import { nameOfRemark, useBegun } from './begun.ts'
import { type Discussed, Thread } from './comments.tsx'
import { ComposeField, sendByKey } from './compose.tsx'
import type { ReviewDraft } from './draft.ts'
import { isClosed } from './closed.ts'
import type { Proposed } from './proposal.tsx'
import { suggestionFor } from './suggest.ts'
import { DraftedSuggestion } from './suggestion.tsx'
import type { NewRemark, Remark } from '../api/review-types.ts'

/** The comments on a page, and the context in which the user can write more. */
export interface Remarking {
  proposed: Proposed
  pageId: string
  remarks: readonly Remark[]
  draft: ReviewDraft
}

const TEXTS: readonly Block['type'][] = ['paragraph', 'heading-1', 'heading-2', 'heading-3']

/** The beginning of the text of a block. A block without a text, such as an image, has the name of its kind. */
export const shortNameOf = (block: Block): string =>
  leafText(block).trim().slice(0, 40).toWellFormed() || t(nameOfType(block.type))

/** The comments on a block or, without one, on the page; and the way to write one. */
export function Remarks({
  remarking,
  block,
  place = 'below',
}: {
  remarking: Remarking
  block?: Block
  /**
   * A part of a block is not shown alone, so the comments say what they are about, as do those on the whole of a block
   * whose parts are shown one by one.
   */
  place?: 'below' | 'part' | 'whole'
}) {
  const { proposed, pageId, remarks, draft } = remarking
  const begunName = nameOfRemark(proposed, pageId, block?.key)
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
  const here = remarks.filter(({ target: { page, node } }) =>
    // A comment on a text that is gone counts as a comment on the page.
    isHere({ page: page?.id, node: page?.outdated ? undefined : node?.id }),
  )
  const drafted = draft.comments.flatMap((one, index) => (isHere(one) ? [{ one, index }] : []))
  const mayComment = proposed.space.permissions?.comment
  const maySuggest = block && TEXTS.includes(block.type) && !isClosed(proposed.proposal)
  const name = !block ? t('the page') : place === 'whole' ? t(nameOfType(block.type)) : shortNameOf(block)
  return (
    <div className={block ? 'remarks' : 'remarks of-page'}>
      {place !== 'below' && block && here.length + drafted.length > 0 && <PartName block={block} />}
      {mayComment && place !== 'part' && open === undefined && (
        <div className="unit-tools">
          <button
            type="button"
            aria-label={t('Comment on “{name}”', { name })}
            autoFocus={left === 'comment'}
            onClick={() => setOpen('comment')}
          >
            {t('Comment')}
          </button>
          {maySuggest && (
            <button
              type="button"
              aria-label={t('Suggest another text for “{name}”', { name })}
              autoFocus={left === 'suggestion'}
              onClick={() => setOpen('suggestion')}
            >
              {t('Suggest')}
            </button>
          )}
        </div>
      )}
      {here.map((remark) => (
        <Thread
          key={remark.id}
          proposed={proposed}
          remark={remark}
          isPlaced={!remark.target.page?.outdated}
        />
      ))}
      {drafted.map(({ one, index }) => (
        <Drafted
          key={index}
          remark={one}
          block={block}
          remove={() => draft.remove(index)}
          isSaving={draft.isSaving}
        />
      ))}
      {open && (
        <NewRemarkForm
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
      <span className="faint">{t('On “{name}”', { name: t(nameOfType(block.type)) })}</span>
      <blockquote>{leafText(block).slice(0, 100)}</blockquote>
    </div>
  )
}

/** A comment that will be sent with the review. */
export function Drafted({
  remark,
  block,
  remove,
  isSaving,
}: {
  remark: NewRemark
  block?: Block | undefined
  remove: () => void
  isSaving: boolean
}) {
  return (
    <article className="thread drafted">
      <span className="status draft">{t('Not sent yet')}</span>
      {remark.body.markdown && <p>{remark.body.markdown}</p>}
      <DraftedSuggestion remark={remark} block={block} />
      <Button className="small quiet" isDisabled={isSaving} onPress={remove}>
        {t('Remove')}
      </Button>
    </article>
  )
}

/** A form for a comment on a page, a block or a part of its text. The browser keeps what is written in it. */
export function NewRemarkForm({
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
  /** Under which the text is kept, by `nameOfRemark`. */
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
  const send = useChange<NewRemark>(`POST ${base}/comments`, [base])
  const place = {
    page: pageId,
    ...(block?.key === undefined ? {} : { node: block.key, ...(range && { range }) }),
  }
  const reviewed = space.permissions?.review && proposal && !isClosed(proposal) ? draft : undefined
  const remarkOf = (words: string, other: string): NewRemark | undefined => {
    const suggested = suggests ? suggestionFor(now, other) : undefined
    const isReady = suggests ? suggested !== undefined : words.trim() !== ''
    return isReady ? { body: { markdown: words }, ...place, ...suggested } : undefined
  }
  const write = (words: string, other: string) =>
    keep({ markdown: words, ...(suggests && { text: other }), remark: remarkOf(words, other) })
  const remark = remarkOf(markdown, text)
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
    <div className="new-remark" onKeyDown={sendByKey}>
      {suggests && (
        <label className="suggested">
          {t('Your text')}
          <textarea
            rows={3}
            value={text}
            autoFocus={autoFocus}
            onChange={({ target }) => write(markdown, target.value)}
          />
        </label>
      )}
      <ComposeField
        label={suggests ? t('Why? (optional)') : t('Your comment')}
        text={markdown}
        onChange={(words) => write(words, text)}
        autoFocus={autoFocus && !suggests}
      >
        {reviewed && (
          <Button
            className="small main"
            isDisabled={reviewed.isSaving || !remark}
            onPress={() => remark && reviewed.add(remark, forget(close))}
          >
            {t('Add to my review')}
          </Button>
        )}
        <Button
          className={reviewed ? 'small' : 'small main'}
          isDisabled={send.isPending || !remark}
          onPress={() => remark && send.mutate(remark, { onSuccess: forget(sent), onError: refused })}
        >
          {suggests ? t('Suggest now') : draft ? t('Comment now') : t('Comment')}
        </Button>
        <Button className="small quiet" onPress={forget(close)}>
          {t('Cancel')}
        </Button>
      </ComposeField>
      <Refusal error={send.error ?? draft?.error ?? null} query={draft?.read} />
    </div>
  )
}

/** Whether there was something, and it is gone. */
function useGone(now: unknown): boolean {
  const [before, setBefore] = useState(now)
  if (now !== undefined && before === undefined) setBefore(now)
  return now === undefined && before !== undefined
}
