/** The open comments on a page that is being written. */
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useApi, useList } from '../../api/api.ts'
import { leafText } from '../../../../core/document/leaf-text.ts'
import { nameOfNewComment } from '../../discussion/begun.ts'
import { NewCommentForm, shortNameOf } from '../../discussion/new-comment.tsx'
import type { CommentPlace } from '../../editor/commands/comment-place.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { Discussion, commentsPath } from '../../discussion/discussion.tsx'
import { useEvents } from '../../api/use-events.ts'
import type { Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'

/** The page that is being written, and the change request that it is written in. */
interface WritingDiscussionProps {
  space: Space
  /** The number of the change request. */
  number: number
  page: string
}

/** A way from the top of a page that is being written to the open comments on it. */
export function ToComments({ space, number, page }: WritingDiscussionProps) {
  const base = `/spaces/${space.id}/change-requests/${number}` as const
  const { items } = useList(commentsPath(base, 'open', page))
  if (items.length === 0) return null
  const show = () => {
    const heading = document.querySelector<HTMLElement>('#discussion')
    heading?.scrollIntoView({ block: 'start' })
    heading?.focus({ preventScroll: true })
  }
  return (
    <Button className="small quiet" onPress={show}>
      {t('common.open-comments-count', { count: items.length })}
    </Button>
  )
}

/** The open comments on a page that is being written in a change request; nothing as long as there are none. */
export function WritingDiscussion({ space, number, page }: WritingDiscussionProps) {
  const home = `/s/${space.id}/~/changes/${number}`
  const base = `/spaces/${space.id}/change-requests/${number}` as const
  const me = useApi('/user')
  const proposal = useApi(base)
  // The discussion reads the same.
  const { items } = useList(commentsPath(base, 'open', page))
  useEvents(base, [`${base}/comments`])
  // It stays after the last comment is resolved, so that the focus is not lost.
  const [isShown, setShown] = useState(false)
  if (items.length > 0 && !isShown) setShown(true)
  if (!isShown || !me.data || !proposal.data) return null
  const discussed = { base, home, space, me: me.data, proposal: proposal.data, isWriting: true }
  return (
    <div className="review">
      <Discussion proposed={discussed} status="open" page={page} />
    </div>
  )
}

/** A dialog for a comment on a block of the page that is being written, or on words of it. */
export function WritingComment({
  space,
  number,
  page,
  place: { block, range },
  onClose,
}: WritingDiscussionProps & { place: CommentPlace; onClose: () => void }) {
  const base = `/spaces/${space.id}/change-requests/${number}` as const
  const me = useApi('/user')
  const proposal = useApi(base)
  if (!me.data || !proposal.data) return null
  const discussed = {
    base,
    home: `/s/${space.id}/~/changes/${number}`,
    space,
    me: me.data,
    proposal: proposal.data,
    isWriting: true,
  }
  const words = range ? leafText(block).slice(range.start, range.end) : shortNameOf(block)
  return (
    <OpenDialog title={t('common.comment')} onClose={onClose}>
      <blockquote dir="auto">{words}</blockquote>
      <NewCommentForm
        proposed={discussed}
        name={nameOfNewComment(discussed, page, block.key)}
        pageId={page}
        block={block}
        range={range}
        close={onClose}
      />
    </OpenDialog>
  )
}
