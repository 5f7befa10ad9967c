/** Applies a suggestion to a page: finds its block, and makes the blocks of the page with it. */
import type { Block, Inline, Text } from '../../document/model.ts'
import { parseMarkdown, parsePage } from '../../document/parse.ts'
import type { TextRange } from './block-diff.ts'

/** What a comment suggests: a text for its range, or Markdown for its block. An empty one deletes it. */
export type Suggestion = { text: string } | { markdown: string }

/** A suggestion for a block of a page. */
export interface SuggestTask {
  /** The Markdown of the page. */
  source: string
  /** The key of the block. */
  key: string
  range?: TextRange
  suggestion: Suggestion
}

/** The blocks of the page with the suggestion, as a batch takes them; undefined if the page has no such block. */
export function suggestedBlocks({ source, key, range, suggestion }: SuggestTask): unknown[] | undefined {
  const { nodes } = parsePage(source).document
  const replace = (block: Block): Block[] => {
    if ('text' in suggestion) return [withText(block, range ?? { start: 0, end: Infinity }, suggestion.text)]
    const fresh = parseMarkdown(suggestion.markdown).document.nodes
    // The first block takes the place of the one before, whose Markdown it keeps where it is the same.
    return fresh.map(({ key: _key, ...one }, i) => ({ ...one, ...(i === 0 ? { key } : {}) }))
  }
  let isFound = false
  const entries = nodes.flatMap((block): unknown[] => {
    if (block.key === key) {
      isFound = true
      return replace(block)
    }
    const inside = isFound ? undefined : replacedWithin(block, key, replace)
    if (!inside) return [{ keep: block.key }]
    isFound = true
    return [inside]
  })
  return isFound ? entries : undefined
}

/** The block with a block in it replaced; undefined if it does not contain that block. */
function replacedWithin(block: Block, key: string, replace: (block: Block) => Block[]): Block | undefined {
  const nodes = block.nodes && replacedIn<Block | Inline | Text>(block.nodes, key, replace)
  if (nodes) return { ...block, nodes } as Block
  for (const [index, fragment] of (block.fragments ?? []).entries()) {
    const inside = replacedIn(fragment.nodes, key, replace)
    if (inside)
      return { ...block, fragments: block.fragments!.with(index, { ...fragment, nodes: inside }) } as Block
  }
  return undefined
}

function replacedIn<T extends Block | Inline | Text>(
  nodes: readonly T[],
  key: string,
  replace: (block: Block) => Block[],
): (T | Block)[] | undefined {
  for (const [index, node] of nodes.entries()) {
    if (node.object !== 'block') continue
    const inside = node.key === key ? replace(node) : replacedWithin(node, key, replace)
    if (inside) return [...nodes.slice(0, index), ...[inside].flat(), ...nodes.slice(index + 1)]
  }
  return undefined
}

/** The block with another text in a range of its leaves. */
function withText(block: Block, { start, end }: TextRange, text: string): Block {
  const copy = structuredClone(block)
  let at = 0
  let isPut = false
  const visit = (node: Block | Inline | Text): void => {
    if (node.object !== 'text') {
      for (const inner of (node.nodes ?? []) as (Block | Inline | Text)[]) visit(inner)
      return
    }
    for (const leaf of node.leaves) {
      const length = leaf.text.length
      const [from, to] = [Math.max(start - at, 0), Math.min(end - at, length)]
      at += length
      if (from >= to && !(start === end && from <= length && !isPut)) continue
      leaf.text = leaf.text.slice(0, from) + (isPut ? '' : text) + leaf.text.slice(Math.max(from, to))
      isPut = true
    }
  }
  visit(copy)
  return copy
}
