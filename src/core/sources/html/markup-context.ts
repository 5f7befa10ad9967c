import type { Block } from '../../document/model.ts'
import type { InlineRun } from '../../document/build.ts'
import type { MarkupElement } from './markup.ts'

/** How the elements of one page become blocks. */
export interface MarkupContext {
  /** The address to write for a link as it is in the page; undefined if the text is to have no link. */
  link(address: string): string | undefined
  /** The address to write for an image; undefined if it is to be left out. */
  image(address: string): string | undefined
  /** True for an address of a file that is not a page, such as an attachment. */
  isFile?(address: string): boolean
  /** The blocks of an element that only this source has; undefined for every other. */
  block?(element: MarkupElement, context: MarkupContext): Block[] | undefined
  /** The runs of an inline element that only this source has; undefined for every other. */
  inline?(element: MarkupElement, context: MarkupContext): InlineRun[] | undefined
  /** The language of code that this source writes in its own way. */
  language?(element: MarkupElement): string | undefined
  /** Footnotes by the id that references to them have. */
  footnotes?: ReadonlyMap<string, MarkupElement>
  /** Whether links use this anchor; without it, all anchors are kept. */
  isUsed?(anchor: string): boolean
  /** Whether neighbouring lists are one: some tools write a list for each item. */
  joinsLists?: boolean
  /** How many containers are around the block that is read. */
  depth: number
  /** Anchors that precede the next heading. */
  anchors: string[]
}

/** Containers in one another. The content of deeper ones stands in the deepest of these. */
const DEEPEST_CONTAINER = 8

/** The context of the blocks in a container; undefined if containers may not be nested deeper. */
export function inside(context: MarkupContext): MarkupContext | undefined {
  if (context.depth >= DEEPEST_CONTAINER) return undefined
  return { ...context, depth: context.depth + 1, anchors: [] }
}
