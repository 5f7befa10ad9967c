/** The text of a page with the marks of its comments, and of the comment that is being written. */
import type { EditorView } from 'prosemirror-view'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Margin } from '../../../discussion/margin.ts'
import { element } from '../../../ui/element.ts'
import { hasNoFocus } from '../../../ui/kept-focus.ts'
import { type Marked, markPlaces } from './comment-marks.ts'
import { type Marker, placesOf } from './comment-places.ts'
import type { SelectedPlace, TextPlace } from './leaf-runs.ts'

type MarkedComments = Marked['comments']

/** The frame of the page, to which the places of comments and tools are relative. */
export type FrameRef = RefObject<HTMLDivElement | null>

/** The view of a page with its marks. */
export type MarkedView = ReturnType<typeof useMarkedView>

/** Marks comments in the text of a page. @param begun where a comment was begun when the page was shown before */
export function useMarkedView(
  comments: MarkedComments,
  { frame, margin, begun }: { frame: FrameRef; margin: Margin; begun: TextPlace | undefined },
) {
  const [view, setView] = useState<EditorView>()
  const [written, setWritten] = useState<SelectedPlace | undefined>(begun)
  const [form] = useState(() => element('div', { class: 'review new-comment-place' }))
  const marks = JSON.stringify(comments)
  const active = useSyncExternalStore(margin.listen, margin.active)
  const mark = useCallback(
    (on: EditorView, about: TextPlace | undefined) =>
      markPlaces(on, { comments: JSON.parse(marks) as MarkedComments, active, written: about, form }),
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
  const markers = useMarkers(view, marks, { frame, margin })

  const write = useCallback(
    (place: SelectedPlace) => {
      if (!view) return
      // The field takes the focus as it appears, so it has to be in the page by then.
      mark(view, place)
      setWritten(place)
    },
    [view, mark],
  )
  const stopWriting = () => setWritten(undefined)
  return { view, changeView, markers, form, written, write, stopWriting }
}

/** The markers beside a text. The cards of the margin get the places of their comments at the same time. */
function useMarkers(
  view: EditorView | undefined,
  marks: string,
  { frame, margin }: { frame: FrameRef; margin: Margin },
): Marker[] {
  const [markers, setMarkers] = useState<Marker[]>([])
  useLayoutEffect(() => {
    if (!view || !frame.current) return undefined
    const around = frame.current
    const measure = () => {
      const { markers: found, places } = placesOf(view, JSON.parse(marks) as MarkedComments, around)
      setMarkers(found)
      margin.measured(places, around)
    }
    measure()
    // The content above the text can change its height too.
    const observer = new ResizeObserver(measure)
    for (const one of [view.dom, around.closest('.page')]) if (one) observer.observe(one)
    return () => observer.disconnect()
  }, [view, marks, margin, frame])
  return markers
}
