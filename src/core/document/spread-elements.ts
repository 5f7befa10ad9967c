/** Elements of raw HTML that open in one block and close in a later one, with the blocks between as their content. */
import type { Block, BlockOf } from './model.ts'
import { readHtml } from './markdown/html-source.ts'
import type { HtmlNode } from './markdown/html-source.ts'

/** A block alone, or a block of raw HTML that opens an element, up to the block that closes it. */
export interface SiblingRun {
  blocks: readonly Block[]
  isSpread: boolean
}

/**
 * Splits the blocks of one container into runs. Each closing tag closes the nearest element of its name that is open. An element
 * without a closing tag ends with its block.
 */
export function blockRuns(blocks: readonly Block[]): SiblingRun[] {
  const lastOf = lastBlocks(blocks)
  const runs: SiblingRun[] = []
  for (let start = 0; start < blocks.length;) {
    let last = start
    for (let at = start; at <= last; at += 1) last = Math.max(last, lastOf.get(at) ?? at)
    runs.push({ blocks: blocks.slice(start, last + 1), isSpread: last > start })
    start = last + 1
  }
  return runs
}

function isRawHtml(block: Block): block is BlockOf<'html'> {
  return block.type === 'html'
}

/** The raw HTML of a block as a piece of the HTML around it; undefined for another block. */
export function htmlPiece(block: Block): string | undefined {
  return isRawHtml(block) ? `${block.data.html}\n` : undefined
}

/**
 * Splits siblings into the raw HTML between the others and these others. There is one piece of HTML more than there are others;
 * it is '' where no HTML is.
 */
export function betweenHtml<T>(
  nodes: readonly T[],
  htmlIn: (node: T) => string | undefined,
): { pieces: string[]; others: T[] } {
  const others: T[] = []
  const pieces: string[] = []
  let piece = ''
  for (const node of nodes) {
    const html = htmlIn(node)
    if (html !== undefined) {
      piece += html
      continue
    }
    pieces.push(piece)
    others.push(node)
    piece = ''
  }
  return { pieces: [...pieces, piece], others }
}

/** For a block that opens an element which a later block closes, the index of the last such block. */
function lastBlocks(blocks: readonly Block[]): Map<number, number> {
  const lastOf = new Map<number, number>()
  if (blocks.filter(isRawHtml).length < 2) return lastOf
  const open: { name: string; index: number }[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)

  for (const [index, block] of blocks.entries()) {
    for (const { name, closes } of isRawHtml(block) ? lonelyTags(block.data.html) : []) {
      if (!closes) {
        open.push({ name, index })
        count(name, 1)
        continue
      }
      if (!counts.get(name)) continue
      for (let opener = open.pop(); opener; opener = open.pop()) {
        count(opener.name, -1)
        if (opener.name !== name) continue
        if (opener.index < index) lastOf.set(opener.index, index)
        break
      }
    }
  }
  return lastOf
}

/** The tags in HTML that have no partner in it. */
function lonelyTags(html: string): { name: string; closes: boolean }[] {
  const tags: { name: string; closes: boolean }[] = []
  const open: HtmlNode[] = readHtml(html).toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'tag') tags.push({ name: node.name, closes: node.source.startsWith('</') })
    else if (node.type === 'element') for (const child of node.children.toReversed()) open.push(child)
  }
  return tags
}
