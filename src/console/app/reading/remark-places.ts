/** Where comments, and the ways to write one, are beside a page that is read. */
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../core/document/model.ts'
import { blockAround, placeBetween, type ShownBlock, shownBlocks, type TextPlace } from './leaf-runs.ts'

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

const isShown = (dom: Element): boolean => dom.getClientRects().length > 0

/** The element that shows a block; what is folded away is in the first element around it that is not. */
function elementOf(view: EditorView, { pos }: ShownBlock): Element | undefined {
  let dom: Node | null = view.nodeDOM(pos)
  while (dom && dom !== view.dom && !(dom instanceof Element && isShown(dom))) dom = dom.parentNode
  return dom instanceof Element && dom !== view.dom ? dom : undefined
}

/** The top of a block in the frame; undefined if the block is not shown. */
export function topOf(view: EditorView, block: ShownBlock, frame: Element): number | undefined {
  const dom = elementOf(view, block)
  return dom && dom.getBoundingClientRect().top - frame.getBoundingClientRect().top
}

/** The marks beside a page. Comments on blocks that begin at the same height have one. */
export function markersOf(
  view: EditorView,
  comments: readonly (TextPlace & { id: string })[],
  frame: Element,
): Marker[] {
  const found: Marker[] = []
  for (const block of shownBlocks(view.state.doc)) {
    const [first, ...others] = comments.filter(({ key }) => key === block.key)
    const top = first && topOf(view, block, frame)
    if (top === undefined) continue
    const last = found.at(-1)
    if (last && Math.abs(last.top - top) < CLOSE) last.count += 1 + others.length
    else found.push({ id: first!.id, count: 1 + others.length, block: block.block, top })
  }
  return found
}

/** The key of the block that an element is in. */
export function blockUnder(view: EditorView, target: EventTarget): string | undefined {
  if (!(target instanceof Element) || target === view.dom || !view.dom.contains(target)) return undefined
  if (target.closest('.new-remark-place')) return undefined
  return blockAround(view.state.doc, view.posAtDOM(target, 0))?.key
}

/** The words that are selected, and where the way to comment on them is. */
export function selectedPlace(view: EditorView, frame: Element): (TextPlace & { top: number }) | undefined {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const { commonAncestorContainer: around } = range
  const inside = around instanceof Element ? around : around.parentElement
  if (!inside || !view.dom.contains(inside) || inside.closest('.new-remark-place, .note')) return undefined
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
    const dom = view.nodeDOM(pos)
    return dom instanceof Element && isShown(dom)
  })
  const at = shown.findIndex((one) => one.key === key)
  if (at >= 0) return shown[Math.max(0, Math.min(at + step, shown.length - 1))]
  const inSight = shown.find(({ pos }) => (view.nodeDOM(pos) as Element).getBoundingClientRect().top >= 0)
  return inSight ?? shown[0]
}
