/** The place in a page that is read at which its reader pointed last, so that the editor can begin there. */
import type { EditorView } from 'prosemirror-view'

/** A place in a text. */
export interface PointedPlace {
  /** The text of its paragraph, and how many paragraphs before have the same. */
  text: string
  before: number
  /** The place in the paragraph. */
  offset: number
  /** Its distance from the top of the window, in CSS pixels. */
  top: number
}

/** The documents that are shown, and where each was pointed at. */
const shown = new Map<EditorView, number | undefined>()
/** So much of the window is below the header of the console. */
const HEADER = 72

/** Notes where a document is pointed at, until the returned function is called. */
export function notePointer(view: EditorView): () => void {
  shown.set(view, undefined)
  const note = ({ clientX, clientY }: MouseEvent) =>
    shown.set(view, view.posAtCoords({ left: clientX, top: clientY })?.pos)
  view.dom.addEventListener('mouseup', note)
  return () => {
    view.dom.removeEventListener('mouseup', note)
    shown.delete(view)
  }
}

/** The place in the longest document at which its reader pointed, or else the first one below the header; undefined at the start. */
export function pointedPlace(): PointedPlace | undefined {
  const [view] = [...shown.keys()].toSorted((a, b) => b.dom.clientHeight - a.dom.clientHeight)
  if (!view) return undefined
  const { left, top } = view.dom.getBoundingClientRect()
  const isSeen = (pos: number) => {
    const line = view.coordsAtPos(pos)
    return line.bottom > HEADER && line.top < innerHeight
  }
  const pointed = shown.get(view)
  if (pointed !== undefined && isSeen(pointed)) return placeAt(view, pointed)
  const first = top < HEADER ? view.posAtCoords({ left: left + 8, top: HEADER + 8 }) : undefined
  return first ? placeAt(view, first.pos) : undefined
}

function placeAt(view: EditorView, pos: number): PointedPlace | undefined {
  const { doc } = view.state
  const { parent, parentOffset } = doc.resolve(pos)
  if (!parent.inlineContent) return undefined
  const text = parent.textContent
  let before = -1
  doc.nodesBetween(0, pos, (node) => {
    if (node.isTextblock && node.textContent === text) before += 1
    return !node.isTextblock
  })
  return { text, before, offset: parentOffset, top: view.coordsAtPos(pos).top }
}
