/** A page of a space with what is said about it: marks in the text, and the ways to say more. */
import { useQueryClient } from '@tanstack/react-query'
import type { EditorView } from 'prosemirror-view'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { hasNoFocus } from '../../../ui/kept-focus.ts'
import { leafText } from '../../../../../core/document/leaf-text.ts'
import { useList, type ListQuery } from '../../../api/api.ts'
import { element } from '../../../ui/element.ts'
import { PageView } from '../../../content/views/page-view.tsx'
import { begunComments, nameOfNewComment } from '../../../discussion/begun.ts'
import { type Discussed, commentsPath } from '../../../discussion/discussion.tsx'
import type { Margin } from '../../../discussion/margin.ts'
import { NewCommentForm, shortNameOf } from '../../../discussion/new-comment.tsx'
import type { Comment } from '../../../api/review-types.ts'
import { readAgain } from '../../../api/use-events.ts'
import type { Document } from '../../../../../core/document/model.ts'
import { t } from '../../../words/words.ts'
import { innermostBlocks, type SelectedPlace, shownBlocks, type TextPlace } from './leaf-runs.ts'
import { blockUnder, type Marker, nextBlock, placesOf, selectedPlace, topOf } from './comment-places.ts'
import { markPlaces, commentMarks } from './comment-marks.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './commented-page.css'
import type { ContentPath } from '../../../api/paths.ts'

const PLUGINS = [commentMarks]
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)
const KEYS = IS_MAC ? '⌘⌥M' : 'Ctrl+Alt+M'

/** How many comments on a page are read without asking. */
const MOST_READ = 500
type CommentList = ListQuery<Comment>

/** A block of the page, and where its tools are. */
interface Tool {
  key: string
  name: string
  top: number
}

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
  const frame = useRef<HTMLDivElement>(null)
  const tool = useRef<HTMLButtonElement>(null)
  const [view, setView] = useState<EditorView>()
  const [markers, setMarkers] = useState<Marker[]>([])
  const [hovered, setHovered] = useState<Tool>()
  const [selected, setSelected] = useState<SelectedPlace & { top: number }>()
  // A comment that was begun when the page was shown before is there again.
  const [restored] = useState(() => restoredPlace(discussed, page))
  const [written, setWritten] = useState<SelectedPlace | undefined>(restored)
  // The text that a screen reader announces: the block that was chosen by keyboard, or that the comment is there.
  const [announced, setAnnounced] = useState('')
  const [form] = useState(() => element('div', { class: 'review new-comment-place' }))
  const client = useQueryClient()

  const comments = list.items.flatMap(({ id, target: { page: on, node } }) =>
    node && !on?.outdated ? [{ id, key: node.id, range: node.range }] : [],
  )
  const marks = JSON.stringify(comments)
  const active = useSyncExternalStore(margin.listen, margin.active)
  const mark = useCallback(
    (on: EditorView, about: TextPlace | undefined) =>
      markPlaces(on, { comments: JSON.parse(marks) as typeof comments, active, written: about, form }),
    [marks, active, form],
  )
  // The form is in the text, and leaves the page for a moment when the text changes.
  const focused = useRef<HTMLElement>(undefined)
  const changeView = useCallback(
    (next: EditorView | undefined) => {
      const { activeElement } = document
      if (!next && form.contains(activeElement)) focused.current = activeElement as HTMLElement
      setView(next)
    },
    [form],
  )
  useLayoutEffect(() => {
    if (!view) return
    mark(view, written)
    if (hasNoFocus()) focused.current?.focus({ preventScroll: true })
    focused.current = undefined
  }, [view, mark, written])
  useLayoutEffect(() => {
    if (!view || !frame.current) return undefined
    const around = frame.current
    const measure = () => {
      const { markers: found, places } = placesOf(view, JSON.parse(marks) as typeof comments, around)
      setMarkers(found)
      margin.measured(places, around)
    }
    measure()
    // The content above the text can change its height too.
    const observer = new ResizeObserver(measure)
    for (const one of [view.dom, around.closest('.page')]) if (one) observer.observe(one)
    return () => observer.disconnect()
  }, [view, marks, margin])

  const toolOf = useCallback(
    (key: string): Tool | undefined => {
      const one = view && shownBlocks(view.state.doc).find((block) => block.key === key)
      const top = one && frame.current ? topOf(view, one, frame.current) : undefined
      return one && top !== undefined ? { key, name: shortNameOf(one.block), top } : undefined
    },
    [view],
  )
  const write = useCallback(
    (place: SelectedPlace) => {
      if (!view) return
      // The field takes the focus as it appears, so it has to be in the page by then.
      mark(view, place)
      setWritten(place)
      setSelected(undefined)
    },
    [view, mark],
  )
  useEffect(() => {
    if (!view || !mayComment) return undefined
    const look = () => {
      const found = frame.current && selectedPlace(view, frame.current)
      setSelected(found ?? undefined)
    }
    const listen = (event: KeyboardEvent) => {
      if (event.code !== 'KeyM' || !event.altKey || !(event.ctrlKey || event.metaKey)) return
      const found = frame.current && selectedPlace(view, frame.current)
      if (!found) return
      event.preventDefault()
      write(found)
    }
    document.addEventListener('selectionchange', look)
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('selectionchange', look)
      document.removeEventListener('keydown', listen)
    }
  }, [view, mayComment, write])

  const point = ({ target }: React.PointerEvent) => {
    const key = view && mayComment ? blockUnder(view, target) : undefined
    if (key !== undefined && key !== hovered?.key) setHovered(toolOf(key))
  }
  const close = () => {
    const { key } = written ?? {}
    setWritten(undefined)
    if (key !== undefined) setHovered(toolOf(key) ?? hovered)
    tool.current?.focus({ preventScroll: true })
  }
  const choose = (step: -1 | 0 | 1) => {
    if (!view) return
    const next = nextBlock(view, innermostBlocks(view.state.doc), hovered?.key, step)
    const dom = next && view.nodeDOM(next.pos)
    if (step !== 0 && dom instanceof HTMLElement) dom.scrollIntoView({ block: 'nearest' })
    const chosen = next && toolOf(next.key)
    setHovered(chosen)
    setAnnounced(chosen?.name ?? '')
  }
  const block = written && view && shownBlocks(view.state.doc).find(({ key }) => key === written.key)?.block
  return (
    <div
      ref={frame}
      className={`commented-page${markers.length > 0 ? ' with-markers' : ''}`}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setHovered(undefined)}
      onClick={({ target }) => {
        const at = target instanceof Element ? target.closest<HTMLElement>('[data-comment]') : null
        if (!view?.dom.contains(target as Node) || document.getSelection()?.isCollapsed === false) return
        if ((target as Element).closest('a, button, .new-comment-place')) return
        if (at) margin.show(at.dataset.comment ?? '')
        else margin.activate(undefined)
      }}
    >
      {mayComment && (
        <button
          ref={tool}
          type="button"
          className={`comment-tool${hovered ? ' near' : ''}`}
          aria-label={
            hovered ? t('common.comment-on-name', { name: hovered.name }) : t('space.comment-block')
          }
          title={t('space.comment-arrow-keys-choose')}
          style={{ top: hovered?.top ?? 0 }}
          onFocus={() => hovered ?? choose(0)}
          onKeyDown={(event) => {
            const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined
            if (!step) return
            event.preventDefault()
            choose(step)
          }}
          onClick={() => hovered && write({ key: hovered.key })}
        >
          <Sign />{' '}
          {hovered && (
            <span className="touch-only">{t('common.comment-on-name', { name: hovered.name })}</span>
          )}
        </button>
      )}
      <span className="unseen" role="status">
        {announced}
      </span>
      <PageView document={shown} content={content} plugins={PLUGINS} onView={changeView} />
      {selected && !written && (
        <button
          type="button"
          className="comment-selection"
          style={{ top: selected.top }}
          // The words stay selected.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => write(selected)}
        >
          <Sign /> {nameOfComment(selected)} <kbd>{KEYS}</kbd>
        </button>
      )}
      {markers.map(({ id, top, count, block: about }) => (
        <button
          key={id}
          type="button"
          className="comment-marker"
          style={{ top }}
          aria-label={t('space.comments-name-count', { name: shortNameOf(about), count })}
          onClick={() => margin.show(id)}
        >
          {count}
        </button>
      ))}
      {written &&
        createPortal(
          <>
            {block ? (
              written.range && (
                <blockquote dir="auto">
                  {leafText(block).slice(written.range.start, written.range.end)}
                </blockquote>
              )
            ) : (
              <p className="refusal">{t('space.text-changed-since-opened')}</p>
            )}
            {block && written.goesOn && <p className="hint">{t('space.comment-about-one-block')}</p>}
            <NewCommentForm
              proposed={discussed}
              name={nameOfNewComment(discussed, page, written.key)}
              pageId={page}
              autoFocus={written !== restored}
              block={block}
              range={written.range}
              close={close}
              sent={() => {
                close()
                setAnnounced(t('space.comment-posted'))
              }}
              refused={() => void readAgain(client, [content])}
            />
          </>,
          form,
        )}
    </div>
  )
}

/** The words of the button that comments on a selection. They name what the comment will be about. */
function nameOfComment({ range, goesOn }: SelectedPlace): string {
  if (range) return goesOn ? t('space.comment-words-first-block') : t('space.comment-selection')
  return goesOn ? t('space.comment-first-block') : t('space.comment-block-text')
}

/** Reads the next page of a list of comments, until there are none or many. The list of the threads offers the rest. */
function useReadOn({ items, hasNextPage, isFetching, error, fetchNextPage }: CommentList): void {
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && items.length < MOST_READ) void fetchNextPage()
  }, [items.length, hasNextPage, isFetching, error, fetchNextPage])
}

function restoredPlace(discussed: Discussed, page: string): TextPlace | undefined {
  const [{ node, range } = {}] = begunComments(discussed, page).map(({ comment }) => comment)
  return node === undefined ? undefined : { key: node, range }
}

function Sign() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2.5 3h11v7.5h-6L4.5 13v-2.5h-2z" />
    </svg>
  )
}
