/** Comments and suggestions where they belong: below the block that they are about. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block } from '../../../core/document/model.ts'
import { useChange } from '../api.ts'
import { nameOfType } from '../editor/names.ts'
import { Refusal } from '../parts.tsx'
import { t } from '../words.ts'
import { Compose, sendByKey, Thread } from './comments.tsx'
import type { ReviewDraft } from './draft.ts'
import { isClosed, type Proposed } from './proposal.tsx'
import { suggestionFor } from './suggest.ts'
import { DraftedSuggestion } from './suggestion.tsx'
import type { NewRemark, Remark } from './types.ts'

/** What is said about a page, and by whom more can be. */
export interface Remarking {
  proposed: Proposed
  pageId: string
  remarks: readonly Remark[]
  draft: ReviewDraft
}

const TEXTS: readonly Block['type'][] = ['paragraph', 'heading-1', 'heading-2', 'heading-3']

/** The comments on a block or, without one, on the page; and the way to write one. */
export function Remarks({
  remarking,
  block,
  isPart = false,
}: {
  remarking: Remarking
  block?: Block
  /** The block is not shown alone, so the comments say what they are about. */
  isPart?: boolean
}) {
  const { proposed, pageId, remarks, draft } = remarking
  const [open, setOpen] = useState<'comment' | 'suggestion'>()
  // The focus returns to the button.
  const [left, setLeft] = useState<'comment' | 'suggestion'>()
  const isHere = ({ page, node }: { page?: string | undefined; node?: string | undefined }) =>
    page === pageId && node === block?.key
  const here = remarks.filter(({ target: { page, node } }) =>
    // What is about a text that is gone is about the page.
    isHere({ page: page?.id, node: page?.outdated ? undefined : node?.id }),
  )
  const drafted = draft.comments.flatMap((one, index) => (isHere(one) ? [{ one, index }] : []))
  const mayComment = proposed.space.permissions?.comment
  const maySuggest = block && TEXTS.includes(block.type) && !isClosed(proposed.proposal)
  // A block without a text, such as an image, has the name of its kind.
  const name = block ? leafText(block).trim().slice(0, 40) || t(nameOfType(block.type)) : t('the page')
  return (
    <div className={block ? 'remarks' : 'remarks of-page'}>
      {isPart && block && <PartName block={block} />}
      {mayComment && !isPart && open === undefined && (
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
          remarking={remarking}
          block={block}
          suggests={open === 'suggestion'}
          close={() => {
            setLeft(open)
            setOpen(undefined)
          }}
        />
      )}
    </div>
  )
}

/** What a comment is about, if the block is not shown alone. */
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

function NewRemarkForm({
  remarking: { proposed, pageId, draft },
  block,
  suggests,
  close,
}: {
  remarking: Remarking
  block: Block | undefined
  suggests: boolean
  close: () => void
}) {
  const { base, proposal, space } = proposed
  const now = block ? leafText(block) : ''
  const [text, setText] = useState(now)
  const send = useChange<NewRemark>(`POST ${base}/comments`, [base])
  const place = { page: pageId, ...(block?.key === undefined ? {} : { node: block.key }) }
  const suggested = suggests ? suggestionFor(now, text) : undefined
  const isReady = (markdown: string) => (suggests ? suggested !== undefined : markdown.trim() !== '')
  const remarkOf = (markdown: string): NewRemark => ({ body: { markdown }, ...place, ...suggested })
  return (
    <div className="new-remark" onKeyDown={sendByKey}>
      {suggests && (
        <label className="suggested">
          {t('Your text')}
          <textarea rows={3} value={text} autoFocus onChange={({ target }) => setText(target.value)} />
        </label>
      )}
      <Compose label={suggests ? t('Why? (optional)') : t('Your comment')} autoFocus={!suggests}>
        {(markdown) => (
          <>
            {space.permissions?.review && !isClosed(proposal) && (
              <Button
                className="small main"
                isDisabled={draft.isSaving || !isReady(markdown)}
                onPress={() => draft.add(remarkOf(markdown), close)}
              >
                {t('Add to my review')}
              </Button>
            )}
            <Button
              className="small"
              isDisabled={send.isPending || !isReady(markdown)}
              onPress={() => send.mutate(remarkOf(markdown), { onSuccess: close })}
            >
              {suggests ? t('Suggest now') : t('Comment now')}
            </Button>
            <Button className="small quiet" onPress={close}>
              {t('Cancel')}
            </Button>
          </>
        )}
      </Compose>
      <Refusal error={send.error ?? draft.error} />
    </div>
  )
}
