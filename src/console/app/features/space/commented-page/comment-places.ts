/** Where comments, and the ways to write one, are beside a page that is read. */
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../../../core/document/model.ts'
import {
  blockAround,
  piecesOf,
  placeBetween,
  type SelectedPlace,
  type ShownBlock,
  shownBlocks,
  type TextPlace,
} from './leaf-runs.ts'

/** The mark beside a block: the comments on it and on its text. */
export interface Marker {
  /** The first of the comments. */
  id: string
  count: number
  block: Block
  /** In pixels below the top of the frame. */
  top: number
}

/** Markers whose tops are closer than this would cover each other. */
const CLOSE = 20

/** The DOM of a node. A view that is gone has none: its text has changed, and the next view is about to be drawn. */
const domAt = (view: EditorView, pos: number): Node | null => (view.isDestroyed ? null : view.nodeDOM(pos))

const isShown = (dom: Element): boolean => dom.getClientRects().length > 0

/** The element that shows a block; what is folded away is in the first element around it that is not. */
function elementOf(view: EditorView, { pos }: ShownBlock): Element | undefined {
  let dom = domAt(view, pos)
  while (dom && dom !== view.dom && !(dom instanceof Element && isShown(dom))) dom = dom.parentNode
  return dom instanceof Element && dom !== view.dom ? dom : undefined
}

/** The top of a block in the frame; undefined if the block is not shown. */
export function topOf(view: EditorView, block: ShownBlock, frame: Element): number | undefined {
  const dom = elementOf(view, block)
  return dom && dom.getBoundingClientRect().top - frame.getBoundingClientRect().top
}

/**
 * Where comments are, in pixels below the top of the frame: the marks beside a page, of which those at the same height
 * are one, and the place of each comment by its id.
 */
export function placesOf(
  view: EditorView,
  comments: readonly (TextPlace & { id: string })[],
  frame: Element,
): { markers: Marker[]; places: Map<string, number> } {
  const markers: Marker[] = []
  const places = new Map<string, number>()
  const onBlocks = Map.groupBy(comments, ({ key }) => key)
  const start = frame.getBoundingClientRect().top
  for (const block of shownBlocks(view.state.doc)) {
    const here = onBlocks.get(block.key)
    const top = here && topOf(view, block, frame)
    if (top === undefined) continue
    for (const { id, range } of here!) {
      const [words] =
        range && elementOf(view, block) === view.nodeDOM(block.pos) ? piecesOf(block, range) : []
      places.set(id, words ? view.coordsAtPos(words.from, 1).top - start : top)
    }
    const last = markers.at(-1)
    if (last && Math.abs(last.top - top) < CLOSE) last.count += here!.length
    else markers.push({ id: here![0]!.id, count: here!.length, block: block.block, top })
  }
  return { markers, places }
}

/** The key of the block that an element is in. */
export function blockUnder(view: EditorView, target: EventTarget): string | undefined {
  if (!(target instanceof Element) || target === view.dom || !view.dom.contains(target)) return undefined
  if (target.closest('.new-comment-place')) return undefined
  return blockAround(view.state.doc, view.posAtDOM(target, 0))?.key
}

/** The words that are selected, and where the way to comment on them is. */
export function selectedPlace(
  view: EditorView,
  frame: Element,
): (SelectedPlace & { top: number }) | undefined {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const { commonAncestorContainer: around } = range
  const inside = around instanceof Element ? around : around.parentElement
  if (!inside || !view.dom.contains(inside) || inside.closest('.new-comment-place, .note')) return undefined
  const from = view.posAtDOM(range.startContainer, range.startOffset)
  const to = view.posAtDOM(range.endContainer, range.endOffset)
  const place = placeBetween(view.state.doc, from, to)
  const end = [...range.getClientRects()].at(-1)
  return place && end && { ...place, top: end.bottom - frame.getBoundingClientRect().top }
}

/** The block before or after another among those that are shown. Without that one, or a step, the first in sight. */
export function nextBlock(
  view: EditorView,
  blocks: readonly ShownBlock[],
  key: string | undefined,
  step: -1 | 0 | 1,
): ShownBlock | undefined {
  const shown = blocks.filter(({ pos }) => {
    const dom = domAt(view, pos)
    return dom instanceof Element && isShown(dom)
  })
  const at = shown.findIndex((one) => one.key === key)
  if (at >= 0) return shown[Math.max(0, Math.min(at + step, shown.length - 1))]
  const inSight = shown.find(({ pos }) => (domAt(view, pos) as Element).getBoundingClientRect().top >= 0)
  return inSight ?? shown[0]
}
