/** Where the text of a block, as the ranges of comments count it, is in a page that is shown. Runs in Node too. */
import type { Node } from 'prosemirror-model'
import type { TextRange } from '../../../../../core/content/edit/block-diff.ts'
import { leafText } from '../../../../../core/document/leaf-text.ts'
import type { Block, Inline } from '../../../../../core/document/model.ts'
import { originOf } from '../../../content/schema/convert.ts'

/** A block of the API that a node shows. */
export interface ShownBlock {
  node: Node
  pos: number
  block: Block
  key: string
}

/** A block, or a part of its text, that a comment is about. */
export interface TextPlace {
  key: string
  range?: TextRange | undefined
}

/** The place of a selection. */
export interface SelectedPlace extends TextPlace {
  /** Whether other blocks are selected too, which a comment is not about. */
  goesOn?: boolean
}

/** A part of the text that is in one piece in the document. */
interface Run {
  /** Of its first unit in the text of the block. */
  start: number
  /** Of its first unit in the document. */
  pos: number
  length: number
}

function shownBlock(node: Node, pos: number): ShownBlock | undefined {
  const block = originOf(node)
  return block?.key === undefined ? undefined : { node, pos, block, key: block.key }
}

/** The innermost block around a position, or at it. */
export function blockAround(doc: Node, pos: number): ShownBlock | undefined {
  const $pos = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)))
  const after = $pos.nodeAfter
  const at = after?.isBlock ? shownBlock(after, $pos.pos) : undefined
  if (at) return at
  for (let depth = $pos.depth; depth > 0; depth--) {
    const found = shownBlock($pos.node(depth), $pos.before(depth))
    if (found) return found
  }
  return undefined
}

/** All blocks, outer before inner. */
export function shownBlocks(doc: Node): ShownBlock[] {
  const found: ShownBlock[] = []
  doc.descendants((node, pos) => {
    const one = shownBlock(node, pos)
    if (one) found.push(one)
    return !node.isTextblock
  })
  return found
}

/** The blocks that contain no other ones, in order. */
export function innermostBlocks(doc: Node): ShownBlock[] {
  const all = shownBlocks(doc)
  return all.filter(({ pos, node }, i) => !(all[i + 1] && all[i + 1]!.pos < pos + node.nodeSize))
}

/** The parts of the text of a block; undefined if the block has no text of its own, or the page shows another text. */
function runsOf({ node, pos, block }: ShownBlock): Run[] | undefined {
  if (!node.isTextblock || block.fragments?.length || block.nodes?.some(({ object }) => object === 'block'))
    return undefined
  const runs: Run[] = []
  let start = 0
  const walk = (around: Node, from: number) =>
    around.forEach((one, offset) => {
      const at = from + offset
      if (one.isText) {
        runs.push({ start, pos: at, length: one.nodeSize })
        start += one.nodeSize
        return
      }
      // The texts of notes are not counted.
      const { inline } = one.attrs as { inline?: Inline }
      if (inline) start += leafText({ object: 'block', type: 'paragraph', data: {}, nodes: [inline] }).length
      walk(one, at + 1)
    })
  walk(node, pos + 1)
  const last = runs.at(-1)
  // The text of the block leaves out a line break at its end.
  if (last && node.textContent.endsWith('\n')) {
    last.length--
    start--
  }
  return start === leafText(block).length ? runs : undefined
}

/** Where a range of the text of a block is in the document, piece by piece. */
export function piecesOf(shown: ShownBlock, { start, end }: TextRange): { from: number; to: number }[] {
  return (runsOf(shown) ?? []).flatMap((run) => {
    const from = Math.max(start, run.start)
    const to = Math.min(end, run.start + run.length)
    return from < to ? [{ from: run.pos + from - run.start, to: run.pos + to - run.start }] : []
  })
}

/**
 * The place between two positions. What is selected beyond the block in which the selection begins is not part of it,
 * because a comment is about one block. A block whose text has no ranges is the place as a whole.
 */
export function placeBetween(doc: Node, from: number, to: number): SelectedPlace | undefined {
  const blocks = innermostBlocks(doc)
  const first = blocks.find(({ pos, node }) => pos + node.nodeSize > from + 1)
  // A title or a header can be selected, which is a part of a block around others.
  const shown = first && first.pos < to ? first : blockAround(doc, from)
  if (!shown) return undefined
  const { key } = shown
  const goesOn = blocks.some(
    ({ pos, node }) =>
      pos >= shown.pos + shown.node.nodeSize &&
      pos + 1 < to &&
      (node.isAtom || doc.textBetween(pos, Math.min(to, pos + node.nodeSize)) !== ''),
  )
  const parts = (runsOf(shown) ?? []).flatMap(({ start, pos, length }) => {
    const [begin, end] = [Math.max(from, pos), Math.min(to, pos + length)]
    return begin < end ? [{ start: start + begin - pos, end: start + end - pos }] : []
  })
  if (parts.length === 0) return { key, goesOn }
  return { key, goesOn, range: { start: parts[0]!.start, end: parts.at(-1)!.end } }
}
