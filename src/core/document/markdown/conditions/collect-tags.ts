import type { Block, Inline } from '../../model.ts'
import { definitionOf, heldTags, markedTag } from './condition-tags.ts'
import type { ConditionPairs } from './pair-conditions.ts'
import type { Tag } from '../tags.ts'

/** The tags of conditions in a document that was read, with their places. */
export interface CollectedTags {
  met: ReadonlySet<Tag>
  /** Those that only the source of a definition has met. */
  defined: ReadonlySet<Tag>
  /** Whether a node contains a tag, or a reference to a definition. */
  isNoted(node: Block | Inline): boolean
  /** The number of the first opening tag among those that the tags in a node close; Infinity if they close none. */
  firstClosed(node: Block | Inline, pairs: ConditionPairs): number
}

/** The source of a definition displays nothing, so its tags hide only what follows it. */
export function isDefinition(node: Block | Inline): boolean {
  return node.type === 'html' && node.data.markdown !== undefined
}

/** Collects the tags in blocks. Those in a footnote have their place where its definition is. */
export function collectTags(blocks: readonly Block[]): CollectedTags {
  const met = new Set<Tag>()
  const defined = new Set<Tag>()
  const ranges = new Map<Block | Inline, readonly [all: readonly Tag[], from: number, to: number]>()
  const noted = new Set<Block | Inline>()
  const bodies = new Set<readonly Block[]>()

  const collect = (node: Block | Inline, tags: Tag[]): boolean => {
    const from = tags.length
    const mark = markedTag(node)
    for (const tag of mark ? [mark] : heldTags(node)) {
      tags.push(tag)
      if (!mark && isDefinition(node)) defined.add(tag)
      else met.add(tag)
    }
    let isNoted = definitionOf(node) !== undefined
    for (const inner of node.nodes ?? []) if (inner.object !== 'text' && collect(inner, tags)) isNoted = true
    for (const { type, nodes } of node.fragments ?? []) {
      const isBody = type === 'annotation-body'
      if (isBody) isNoted = true
      if (isBody && bodies.has(nodes)) continue
      if (isBody) bodies.add(nodes)
      const places = isBody ? [] : tags
      for (const inner of nodes) if (collect(inner, places)) isNoted = true
    }
    if (tags.length > from) ranges.set(node, [tags, from, tags.length])
    if (isNoted || tags.length > from) noted.add(node)
    return noted.has(node)
  }
  const tags: Tag[] = []
  for (const block of blocks) collect(block, tags)

  return {
    met,
    defined: defined.difference(met),
    isNoted: (node) => noted.has(node),
    firstClosed(node, { opener, order }) {
      const [all, from, to] = ranges.get(node) ?? [[], 0, 0]
      let first = Infinity
      for (let at = from; at < to; at += 1) {
        const closed = opener.get(all[at]!)
        if (closed) first = Math.min(first, order.get(closed)!)
      }
      return first
    },
  }
}
