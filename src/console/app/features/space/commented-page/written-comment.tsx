/** The form of the comment that is being written, below the block that it is about. */
import { createPortal } from 'react-dom'
import { leafText } from '../../../../../core/document/leaf-text.ts'
import { nameOfNewComment } from '../../../discussion/begun.ts'
import type { Discussed } from '../../../discussion/discussion.tsx'
import { NewCommentForm } from '../../../discussion/new-comment.tsx'
import { t } from '../../../words/words.ts'
import { type SelectedPlace, shownBlocks } from './leaf-runs.ts'
import type { MarkedView } from './marked-view.ts'

/** @param written the place that the comment is about */
export function WrittenComment({
  marked: { view, form },
  written,
  discussed,
  page,
  ...rest
}: {
  marked: MarkedView
  written: SelectedPlace
  discussed: Discussed
  page: string
  autoFocus: boolean
  close(): void
  sent(): void
  refused(): void
}) {
  const { key, range, goesOn } = written
  const block = view && shownBlocks(view.state.doc).find((one) => one.key === key)?.block
  return createPortal(
    <>
      {block ? (
        range && <blockquote dir="auto">{leafText(block).slice(range.start, range.end)}</blockquote>
      ) : (
        <p className="refusal">{t('space.text-changed-since-opened')}</p>
      )}
      {block && goesOn && <p className="hint">{t('space.comment-about-one-block')}</p>}
      <NewCommentForm
        proposed={discussed}
        name={nameOfNewComment(discussed, page, key)}
        pageId={page}
        block={block}
        range={range}
        {...rest}
      />
    </>,
    form,
  )
}
