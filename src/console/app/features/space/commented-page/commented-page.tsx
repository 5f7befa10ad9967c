/** A page of a space with what is said about it: marks in the text, and the ways to say more. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Document } from '../../../../../core/document/model.ts'
import { useList, type ListQuery } from '../../../api/api.ts'
import type { ContentPath } from '../../../api/paths.ts'
import type { Comment } from '../../../api/review-types.ts'
import { readAgain } from '../../../api/use-events.ts'
import { PageView } from '../../../content/views/page-view.tsx'
import { begunComments } from '../../../discussion/begun.ts'
import { type Discussed, commentsPath } from '../../../discussion/discussion.tsx'
import type { Margin } from '../../../discussion/margin.ts'
import { shortNameOf } from '../../../discussion/new-comment.tsx'
import { t } from '../../../words/words.ts'
import { BlockTool, useBlockTool } from './block-tool.tsx'
import { commentMarks } from './comment-marks.ts'
import type { Marker } from './comment-places.ts'
import { CommentSelection, useSelectedWords } from './comment-selection.tsx'
import type { SelectedPlace, TextPlace } from './leaf-runs.ts'
import { type MarkedView, useMarkedView } from './marked-view.ts'
import { WrittenComment } from './written-comment.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './commented-page.css'

const PLUGINS = [commentMarks]

/** How many comments on a page are read without asking. */
const MOST_READ = 500
type CommentList = ListQuery<Comment>

/** A document that readers comment on. @param page its id */
export function CommentedPage({
  document: shown,
  content,
  discussed,
  margin,
  page,
}: {
  document: Document
  content: ContentPath
  discussed: Discussed
  margin: Margin
  page: string
}) {
  const { base, space } = discussed
  const mayComment = space.permissions.comment
  // The list of the threads reads the same.
  const list = useList(commentsPath(base, 'open', page))
  useReadOn(list)
  const comments = list.items.flatMap(({ id, target: { page: on, node } }) =>
    node && !on?.outdated ? [{ id, key: node.id, range: node.range }] : [],
  )
  const frame = useRef<HTMLDivElement>(null)
  // A comment that was begun when the page was shown before is there again.
  const [begun] = useState(() => begunPlace(discussed, page))
  const marked = useMarkedView(comments, { frame, margin, begun })
  const selection = useSelectedWords(marked, frame, mayComment)
  const tool = useBlockTool(marked.view, frame)
  // The text that a screen reader announces: the block that was chosen by keyboard, or that the comment is there.
  const [announced, announce] = useState('')
  const client = useQueryClient()

  const { written, markers } = marked
  const write = (place: SelectedPlace) => {
    marked.write(place)
    selection.forget()
  }
  const close = () => {
    marked.stopWriting()
    tool.returnTo(written?.key)
  }
  const sent = () => {
    close()
    announce(t('space.comment-posted'))
  }
  const point = ({ target }: React.PointerEvent) => mayComment && tool.point(target)
  return (
    <div
      ref={frame}
      className={`commented-page${markers.length > 0 ? ' with-markers' : ''}`}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && tool.leave()}
      onClick={({ target }) => showComment(target as Element, marked, margin)}
    >
      {mayComment && <BlockTool tool={tool} write={write} announce={announce} />}
      <span className="unseen" role="status">
        {announced}
      </span>
      <PageView document={shown} content={content} plugins={PLUGINS} onView={marked.changeView} />
      {selection.selected && !written && <CommentSelection selected={selection.selected} write={write} />}
      {markers.map((marker) => (
        <CommentMarker key={marker.id} marker={marker} margin={margin} />
      ))}
      {written && (
        <WrittenComment
          marked={marked}
          written={written}
          discussed={discussed}
          page={page}
          autoFocus={written !== begun}
          close={close}
          sent={sent}
          refused={() => void readAgain(client, [content])}
        />
      )}
    </div>
  )
}

/** Shows the card of the comment on the words that were clicked. Other words of the text close the active card. */
function showComment(target: Element, { view }: MarkedView, margin: Margin): void {
  if (!view?.dom.contains(target) || document.getSelection()?.isCollapsed === false) return
  if (target.closest('a, button, .new-comment-place')) return
  const words = target.closest<HTMLElement>('[data-comment]')
  if (words) margin.show(words.dataset.comment ?? '')
  else margin.activate(undefined)
}

/** The number of comments on a block, beside it. */
function CommentMarker({ marker: { id, top, count, block }, margin }: { marker: Marker; margin: Margin }) {
  return (
    <button
      type="button"
      className="comment-marker"
      style={{ top }}
      aria-label={t('space.comments-name-count', { name: shortNameOf(block), count })}
      onClick={() => margin.show(id)}
    >
      {count}
    </button>
  )
}

/** Reads the next page of a list of comments, until there are none or many. The list of the threads offers the rest. */
function useReadOn({ items, hasNextPage, isFetching, error, fetchNextPage }: CommentList): void {
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && items.length < MOST_READ) void fetchNextPage()
  }, [items.length, hasNextPage, isFetching, error, fetchNextPage])
}

function begunPlace(discussed: Discussed, page: string): TextPlace | undefined {
  const [{ node, range } = {}] = begunComments(discussed, page).map(({ comment }) => comment)
  return node === undefined ? undefined : { key: node, range }
}
