/** The block of an edited page that a comment is about, as the server has it. */
import type { EditorView } from 'prosemirror-view'
import type { TextRange } from '../../../../core/content/edit/block-diff.ts'
import type { Block } from '../../../../core/document/model.ts'
import { blockOf, originOf } from '../../content/schema/convert.ts'
import type { KnownBlocks } from '../../content/views/copy-link.ts'

/** A block, or words of it. The block has the key that the server knows. */
export interface CommentPlace {
  block: Block
  range?: TextRange
}

/**
 * Stores the page, and returns the innermost block at a place that the server knows then; undefined if it cannot be stored.
 * @param placeNow the place in the document as it is after that
 */
export async function commentPlaceAt(
  view: EditorView,
  known: KnownBlocks,
  placeNow: () => { from: number; to: number },
): Promise<CommentPlace | undefined> {
  if (!(await known.save()) || view.isDestroyed) return undefined
  const { doc } = view.state
  const { from, to } = placeNow()
  const keys = known.keys()
  const $from = doc.resolve(Math.min(from, doc.content.size))
  for (let depth = $from.depth; depth >= 0; depth--) {
    const node = depth === $from.depth ? $from.nodeAfter : $from.node(depth + 1)
    if (!node?.isBlock) continue
    const key = (depth === 0 ? keys[$from.index(0)] : undefined) ?? originOf(node)?.key
    if (key === undefined) continue
    const block = { ...blockOf(node), key }
    // The words of a block with other inlines are counted in another way than here.
    const isPlain = node.isTextblock && node.children.every(({ isText }) => isText)
    if (!isPlain || depth === $from.depth) return { block }
    const start = $from.pos - $from.start(depth + 1)
    const end = Math.min(start + to - from, node.content.size)
    return start < end ? { block, range: { start, end } } : { block }
  }
  return undefined
}
