import { type ReaderValues, isShownFor } from './expression-value.ts'
import type { Block, BlockOf, Fragment, Inline, Text } from './model.ts'

/** The title and the body of content that readers unfold. */
export function partsOfExpandable({
  fragments,
}: BlockOf<'expandable'>): Record<'title' | 'body', Fragment | undefined> {
  const named = (name: string) => fragments?.find((one) => one.fragment === name || one.type === name)
  return { title: named('expandable-title'), body: named('expandable-body') }
}

/**
 * Whether conditions hide all words of blocks, so that a part to unfold would be empty. Blocks that have no words anyway are
 * not hidden.
 */
export function isAllHidden(nodes: readonly Block[], reader: ReaderValues): boolean {
  let hidesAny = false
  const isUnseen = (node: Block | Inline | Text): boolean => {
    if (node.object === 'text') return node.leaves.every(({ text }) => text.trim() === '')
    if (node.type === 'if' || node.type === 'inline-if') {
      const isSeen = isShownFor(node.data.expression, reader)
      hidesAny ||= !isSeen
      return !isSeen || node.nodes.every(isUnseen)
    }
    return node.type === 'paragraph' && node.nodes.every(isUnseen)
  }
  return nodes.every(isUnseen) && hidesAny
}
