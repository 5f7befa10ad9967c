/** Applies a suggestion to a page: finds its block, merges it with what others have changed, and makes the blocks of the page with it. */
import { allBlocks } from '../../document/identify.ts'
import { leafText } from '../../document/leaf-text.ts'
import type { Block, Inline, Text } from '../../document/model.ts'
import { normalText } from '../../document/normal-form.ts'
import { parseMarkdown, parsePage } from '../../document/parse.ts'
import { printDocument } from '../../document/print.ts'
import type { TextRange } from './block-diff.ts'
import { mergeWrites } from './merge-writes.ts'
import { mergeWords, type ThreeTexts } from './word-merge.ts'

/** The suggestion of a comment: a text for its range, or Markdown for its block. An empty one deletes it. */
export type Suggestion = { text: string } | { markdown: string }

/** A block of a page, and the part of its text. */
export interface SuggestPlace {
  /** The Markdown of the page. */
  source: string
  /** The key of the block. */
  key: string
  range?: TextRange
}

/** A suggestion for a block of a page. */
export interface SuggestTask extends SuggestPlace {
  suggestion: Suggestion
  /** The block that the suggestion was made for, as it was then. */
  madeFor: SuggestPlace
}

/** The blocks of the page with the suggestion, as a batch takes them, or the texts that it cannot be merged with. */
export type Suggested = { blocks: unknown[] } | { conflict: { was: string; is: string } }

/**
 * Merges a suggestion with what others have changed in its block since it was made. Undefined if the page has no such
 * block.
 */
export function suggestedBlocks({ suggestion, madeFor, ...place }: SuggestTask): Suggested | undefined {
  const { nodes } = parsePage(place.source).document
  const [was, is] = [
    blockAt(parsePage(madeFor.source).document.nodes, madeFor.key),
    blockAt(nodes, place.key),
  ]
  if (!was || !is) return undefined
  const merged =
    'text' in suggestion
      ? mergeRange({ base: partOf(was, madeFor), primary: partOf(is, place), own: suggestion.text })
      : mergeBlock(was, is, suggestion.markdown)
  if ('conflict' in merged) return merged
  const { text } = merged
  const replacement =
    'text' in suggestion ? [withText(is, place.range ?? WHOLE, text)] : suggestionBlocks(text, is)
  return { blocks: entriesWith(nodes, is, replacement) }
}

const WHOLE = { start: 0, end: Infinity }

const blockAt = (nodes: readonly Block[], key: string) => allBlocks(nodes).find((block) => block.key === key)

const partOf = (block: Block, { range = WHOLE }: SuggestPlace) =>
  leafText(block).slice(range.start, range.end)

type MergedText = { text: string } | Extract<Suggested, { conflict: unknown }>

function mergeRange(texts: ThreeTexts): MergedText {
  const text = mergeWords(texts)
  return text === undefined ? { conflict: { was: texts.base, is: texts.primary } } : { text }
}

/** Both versions and the suggestion are printed, so that only what they say differs. */
function mergeBlock(was: Block, is: Block, markdown: string): MergedText {
  if (normalText(was) === normalText(is)) return { text: markdown }
  const [base, theirs] = [printed([was]), printed([is])]
  const merged = mergeWrites({ base, theirs, mine: printed(parseMarkdown(markdown).document.nodes) })
  return 'text' in merged ? merged : { conflict: { was: leafText(was), is: leafText(is) } }
}

const printed = (nodes: Block[]) => printDocument({ object: 'document', data: {}, nodes })

/** The first block takes the place of the one before, whose Markdown it keeps where it is the same. */
function suggestionBlocks(markdown: string, { key }: Block): Block[] {
  const fresh = parseMarkdown(markdown).document.nodes
  return fresh.map(({ key: _key, ...one }, i) => ({ ...one, ...(i === 0 ? { key } : {}) }))
}

/** The entries of a page in which a block is replaced. */
function entriesWith(nodes: readonly Block[], { key = '' }: Block, replacement: Block[]): unknown[] {
  let isFound = false
  return nodes.flatMap((block): unknown[] => {
    if (isFound) return [{ keep: block.key }]
    const inside = block.key === key ? replacement : replacedWithin(block, key, () => replacement)
    isFound = inside !== undefined
    return inside ? [inside].flat() : [{ keep: block.key }]
  })
}

/** The block with a block in it replaced; undefined if it does not contain that block. */
function replacedWithin(block: Block, key: string, replace: (block: Block) => Block[]): Block | undefined {
  const nodes = block.nodes && replacedIn<Block | Inline | Text>(block.nodes, key, replace)
  if (nodes) return { ...block, nodes } as Block
  const { fragments = [] } = block
  for (const [index, fragment] of fragments.entries()) {
    const inside = replacedIn(fragment.nodes, key, replace)
    if (inside) return { ...block, fragments: fragments.with(index, { ...fragment, nodes: inside }) } as Block
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
