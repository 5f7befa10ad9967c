/**
 * Links, images and emphasis around a tag of a condition in a line that begins with HTML, which is a block for the parser. The
 * tag must not cut them: what comes behind the tag, such as the address of a link, belongs to what comes before it.
 */
import { firstIndex, needItem } from '../../../data/lists.ts'
import type { Span } from '../../model.ts'
import { childrenOf, readTree, spanOf } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'

/** Whether a node of HTML is in a link, image or emphasis around a tag, or reaches into one. The nodes must be in order. */
export type SpanCheck = (node: Span & { type: string }) => boolean

const SPANNING: ReadonlySet<string> = new Set(['link', 'image', 'emphasis', 'strong', 'delete'])
const SIGN = /[[*_~]/

/** Checks the nodes of one piece of HTML. An element around a link is none that is in it: its children are checked. */
export function spanCheck(html: string, reading: ReadingContext): SpanCheck {
  const tags = SIGN.test(html) ? conditionOffsets(html, reading) : []
  const spans = tags.length === 0 ? [] : spansAround(tags, html)
  let next = 0
  return ({ type, start, end }) => {
    while (next < spans.length && spans[next]!.end <= start) next += 1
    const first = spans[next]
    if (!first || first.start >= end) return false
    if (type !== 'element' || first.start < start) return true
    return needItem(spans, firstIndex(spans, (span) => span.start >= end) - 1).end > end
  }
}

/** The offsets of the tags of conditions. */
function conditionOffsets(html: string, { masked, settled }: ReadingContext): number[] {
  const tags: number[] = []
  let at = 0
  for (const { tag, text } of masked.pieces(html)) {
    if (tag?.name === 'if' && !settled.has(tag)) tags.push(at)
    at += text.length
  }
  return tags
}

/** The outermost links, images and emphasis with tags in them, in order. */
function spansAround(tags: readonly number[], html: string): Span[] {
  // Behind a letter, the parser reads HTML as a part of a line.
  const open = readTree(`x${html}`).toReversed()
  const spans: Span[] = []
  let next = 0
  for (let node = open.pop(); node; node = open.pop()) {
    const { start, end } = spanOf(node)
    if (!SPANNING.has(node.type)) {
      for (const child of childrenOf(node).toReversed()) open.push(child)
      continue
    }
    while (next < tags.length && tags[next]! + 1 < start) next += 1
    if (next < tags.length && tags[next]! + 1 < end) spans.push({ start: start - 1, end: end - 1 })
  }
  return spans
}
