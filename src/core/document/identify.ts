import { hash } from 'node:crypto'

import { slugify, uniquifier } from '../text/slug.ts'
import type { Block, Document } from './model.ts'
import { blockText, lineText } from './text.ts'

/** Gives every block its key and its anchor, in place. */
export function identifyBlocks(document: Document): void {
  const blocks = allBlocks(document.nodes)
  assignKeys(blocks)
  assignAnchors(blocks)
}

/**
 * Gives blocks their keys. A key is made of the block's type and text and of how many equal blocks came before, so that a
 * block keeps it while others change.
 */
export function assignKeys(blocks: readonly Block[]): void {
  const keys = uniquifier()
  const prints = new Map<Block, string>()
  // A block of code has many lines, and a single one is nothing to comment on or revert.
  for (const block of blocks) if (block.type !== 'code-line') block.key = keys(fingerprint(block, prints))
}

/**
 * Gives some blocks the keys that `assignKeys` would give them. Most are paragraphs: only blocks of the same types are
 * read, and none but these are hashed.
 * @param blocks all blocks of a document, in order
 */
export function assignKeysOf(blocks: readonly Block[], some: ReadonlySet<Block>): void {
  if (some.size === 0) return
  const types = new Set(Array.from(some, ({ type }) => type))
  // The key of a container is made of the keys of its parts.
  if (blocks.some((block) => types.has(block.type) && identifiedParts(block).length > 0))
    return assignKeys(blocks)
  const counts = new Map<string, number>()
  for (const block of blocks) {
    if (!types.has(block.type)) continue
    const content = hashedText(block, [])
    const before = counts.get(content) ?? 0
    counts.set(content, before + 1)
    if (some.has(block)) block.key = before === 0 ? printOf(content) : `${printOf(content)}-${before}`
  }
}

/**
 * Gives every heading, tab, step and expandable its anchor (`meta.id`). Anchors that the author set come first, then those
 * of headings, in order, then the rest: a tab named like a heading does not take its anchor.
 * @param blocks all blocks of a document, in order
 */
export function assignAnchors(blocks: readonly Block[]): void {
  const anchored = blocks.filter((block) => isHeading(block) || isTitled(block))
  const own = anchored.flatMap((block) =>
    isHeading(block) && block.data.id !== undefined ? [block.data.id] : [],
  )
  const anchors = uniquifier(own)
  const claimed = new Set<string>()
  for (const block of anchored.filter(isHeading)) {
    const { id } = block.data
    const first = id !== undefined && !claimed.has(id)
    if (first) claimed.add(id)
    block.meta = { id: first ? id : anchors(id ?? headingSlug(block)) }
  }
  for (const block of anchored.filter(isTitled))
    block.meta = { id: anchors(slugify(blockTitle(block)), FALLBACK[block.type]) }
}

const FALLBACK = { 'tabs-item': 'tab', 'stepper-step': 'step', expandable: 'details' } as const

type Heading = Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }>
type Titled = Extract<Block, { type: keyof typeof FALLBACK }>

function isHeading(block: Block): block is Heading {
  return block.type === 'heading-1' || block.type === 'heading-2' || block.type === 'heading-3'
}

function isTitled(block: Block): block is Titled {
  return Object.hasOwn(FALLBACK, block.type)
}

/** The slug of a heading's text; if that is empty, the slug of the names of its icons. */
function headingSlug({ nodes }: Heading): string {
  const slug = slugify(lineText(nodes))
  if (slug !== '') return slug
  const icons = nodes.flatMap((node) =>
    node.object === 'inline' && node.type === 'icon' ? [node.data.icon] : [],
  )
  return slugify(icons.join(' '))
}

/** A step is numbered: its title is a heading, which has that anchor. */
function blockTitle(block: Titled): string {
  if (block.type === 'tabs-item') return block.data.title ?? ''
  if (block.type === 'stepper-step') return ''
  const title = block.fragments?.find((one) => one.fragment === 'expandable-title')?.nodes[0]
  return title ? blockText(title) : ''
}

/** Every block in the order of the document, outer before inner, those in fragments too. */
export function allBlocks(blocks: readonly Block[]): Block[] {
  const all: Block[] = []
  const addFragments = ({ fragments = [] }: Pick<Block, 'fragments'>) => {
    for (const fragment of fragments) for (const inner of fragment.nodes) add(inner)
  }
  const add = (block: Block) => {
    all.push(block)
    addFragments(block)
    for (const node of block.nodes ?? []) {
      if (node.object === 'block') add(node)
      else if (node.object === 'inline') addFragments(node)
    }
  }
  for (const block of blocks) add(block)
  return all
}

const KEY_LENGTH = 12

/** A hash of the block's type and text, or of its data if it has no text; that of a container is made of its parts'. */
function fingerprint(block: Block, prints: Map<Block, string>): string {
  const known = prints.get(block)
  if (known !== undefined) return known

  const parts = identifiedParts(block).map((inner) => fingerprint(inner, prints))
  const print = printOf(hashedText(block, parts))
  prints.set(block, print)
  return print
}

const identifiedParts = (block: Block) => (block.type === 'code' ? NONE : innerBlocks(block))

const printOf = (content: string) => hash('sha1', content).slice(0, KEY_LENGTH)

/** Returns the text that is hashed for the key of a block. @param parts the fingerprints of the blocks in it */
function hashedText(block: Block, parts: readonly string[]): string {
  const text = parts.length > 0 ? parts.join() : blockText(block)
  return `${block.type}\n${text === '' ? JSON.stringify(block.data) : text}`
}

const NONE: readonly Block[] = []

/** The blocks in a container. A line has none: its annotations do not count. */
function innerBlocks({ fragments, nodes }: Block): readonly Block[] {
  let inner: Block[] | undefined
  for (const fragment of fragments ?? []) for (const block of fragment.nodes) (inner ??= []).push(block)
  for (const node of nodes ?? []) if (node.object === 'block') (inner ??= []).push(node)
  return inner ?? NONE
}
