/** Dragging blocks by their handles. */
import { Fragment, Slice } from 'prosemirror-model'
import { Plugin, Selection } from 'prosemirror-state'
import { dropPoint } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { moveUnit, type Unit } from '../../content/schema/units.ts'

/** The unit that is being dragged, and its editor. */
let dragged: { view: EditorView; unit: Unit } | undefined

/** Begins to drag a unit. The library then shows where it can be dropped. */
export function beginDrag(view: EditorView, unit: Unit, event: DragEvent): void {
  const slice = new Slice(Fragment.from(unit.node), 0, 0)
  dragged = { view, unit }
  // The library reads this when something is dragged over the text; its types do not say so.
  Object.assign(view, { dragging: { slice, move: true } })
  const { dataTransfer } = event
  if (!dataTransfer) return
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setData('text/plain', unit.node.textContent)
  const dom = view.nodeDOM(unit.pos)
  if (dom instanceof Element) dataTransfer.setDragImage(dom, 0, 0)
}

/** Ends a drag, wherever it was dropped. */
export function endDrag(view: EditorView): void {
  dragged = undefined
  Object.assign(view, { dragging: null })
}

/** Moves what is dragged to a point of the window. */
function drop(view: EditorView, { unit }: { unit: Unit }, point: { left: number; top: number }): void {
  endDrag(view)
  const at = view.posAtCoords(point)
  // Somebody else may have changed it meanwhile.
  if (!at || view.state.doc.nodeAt(unit.pos) !== unit.node) return
  const target = dropPoint(view.state.doc, at.pos, new Slice(Fragment.from(unit.node), 0, 0))
  const { tr } = view.state
  if (target !== null && moveUnit(tr, unit, target)) view.dispatch(tr.scrollIntoView())
}

/** A text that is dropped between parts, such as cells or tabs, goes into the next one: it makes no part. */
function dropInPart(view: EditorView, event: DragEvent, slice: Slice, isMoved: boolean): boolean {
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
  if (!at) return false
  const { doc, tr } = view.state
  const $point = doc.resolve(dropPoint(doc, at.pos, slice) ?? at.pos)
  const { parent } = $point
  const isFit = parent.canReplace($point.index(), $point.index(), slice.content)
  if (parent.inlineContent || parent.type.spec.content === 'block+' || isFit) return false
  event.preventDefault()
  const { head } = Selection.near($point)
  if (isMoved) tr.deleteSelection()
  const $place = tr.doc.resolve(tr.mapping.map(head))
  view.dispatch(tr.setSelection(Selection.near($place)).replaceSelection(slice).scrollIntoView())
  return true
}

/** Moves what is dropped to the place that the library shows. */
export const dropPlugin = new Plugin({
  props: {
    handleDrop(view, event, slice, isMoved) {
      const drag = dragged
      if (drag?.view !== view) return dropInPart(view, event, slice, isMoved)
      event.preventDefault()
      drop(view, drag, { left: event.clientX, top: event.clientY })
      view.focus()
      return true
    },
  },
})

/** How long a finger rests on the handle before the block follows it; as long as a long press of Android and iOS. */
const PRESS_MS = 400
/** A finger that moves farther before then scrolls or slips. */
const SLIP = 10
/** Near the upper and the lower edge of the window, the page scrolls. */
const EDGE = 64

/**
 * Drags a unit by touch: the finger rests on the handle, and then moves. Browsers drag by touch in different ways or not
 * at all.
 * @param onDrag called when the finger has rested long enough
 * @returns ends the listening
 */
export function dragByTouch(
  view: EditorView,
  handle: HTMLElement,
  unit: () => Unit | undefined,
  onDrag: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let began: { left: number; top: number } | undefined
  const show = (type: 'dragover' | 'dragend', { clientX, clientY }: PointerEvent) =>
    view.dom.dispatchEvent(new DragEvent(type, { clientX, clientY }))
  const over = () => {
    clearTimeout(timer)
    began = undefined
    delete handle.dataset.dragging
  }
  const down = (event: PointerEvent) => {
    if (event.pointerType !== 'touch' || !event.isPrimary) return
    const { pointerId, clientX, clientY } = event
    began = { left: clientX, top: clientY }
    timer = setTimeout(() => {
      const one = unit()
      if (!one) return
      handle.setPointerCapture(pointerId)
      const slice = new Slice(Fragment.from(one.node), 0, 0)
      dragged = { view, unit: one }
      Object.assign(view, { dragging: { slice, move: true } })
      handle.dataset.dragging = ''
      onDrag()
    }, PRESS_MS)
  }
  const move = (event: PointerEvent) => {
    if (!began) return
    const { clientX, clientY } = event
    if (!dragged) {
      if (Math.hypot(clientX - began.left, clientY - began.top) > SLIP) over()
      return
    }
    if (clientY < EDGE * 2) scrollBy(0, -SLIP)
    if (clientY > innerHeight - EDGE) scrollBy(0, SLIP)
    show('dragover', event)
  }
  const up = (event: PointerEvent) => {
    const drag = began && dragged
    over()
    if (drag?.view !== view) return
    show('dragend', event)
    if (event.type === 'pointerup') drop(view, drag, { left: event.clientX, top: event.clientY })
    else endDrag(view)
  }
  /** A long press also opens a menu of the browser, or begins its drag. */
  const prevent = (event: Event) => {
    if (!began) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const listening = new AbortController()
  const { signal } = listening
  handle.addEventListener('pointerdown', down, { signal })
  handle.addEventListener('pointermove', move, { signal })
  handle.addEventListener('pointerup', up, { signal })
  handle.addEventListener('pointercancel', up, { signal })
  handle.addEventListener('contextmenu', prevent, { signal })
  handle.addEventListener('dragstart', prevent, { signal, capture: true })
  return () => {
    over()
    listening.abort()
  }
}
