import type { MdastNode } from 'satteri'

import { satteri } from '../../runtime/libraries.ts'
import { firstCondition } from './lookalikes.ts'
import type { Masked } from './mask.ts'
import type { Block, InlineOf, Mark, Span } from '../model.ts'
import type { InlineRun, Line } from '../build.ts'
import type { HtmlElement, HtmlLeaf } from './html-source.ts'
import type { Tag } from './tags.ts'

/** A block with its range in the source, counted from the start of the text that is read. */
export interface PlacedBlock extends Span {
  block: Block
}

/** A node of a line: Markdown, HTML, or an HTML element around either. */
export type Phrase = MdastNode | HtmlLeaf | PhraseElement
/** An inline HTML element whose content may be Markdown. */
export type PhraseElement = HtmlElement<Phrase>

/** An opening tag: a `{% tag %}`, or the tag of an HTML element that may contain Markdown. */
export type Opener = { tag: Tag } | { element: 'details' | 'div'; attributes: Map<string, string> }

/** A node of a container before its tags are paired. */
export type Item = Span &
  (
    | { type: 'block'; block: Block }
    | { type: 'summary'; line: Line; html: Block }
    | { type: 'open'; name: string; source: string; opener: Opener }
    | { type: 'close'; name: string; source: string; tag?: Tag }
  )

/** Where the blocks of a document are in its source, as far as that is known, and the footnotes that it refers to. */
export interface SourceMap {
  spans: Map<Block, Span>
  /** Where the markers of the items of lists begin. The spans of items are those of their content. */
  markers: Map<Block, number>
  /** By the blocks of the footnote, which all its annotations share. */
  labels: Map<readonly Block[], string>
  /** The definitions of the footnotes, by their labels. */
  definitions: Map<string, Span>
  /** The labels of the definitions of links, as `normalLabel` compares them. */
  linkLabels: Set<string>
  /** The tags of each condition in a line that begins or ends in another block. */
  tagsInLine: Map<InlineOf<'inline-if'>, TagsInLine>
}

/** Which tags of a condition are in its line. */
export interface TagsInLine {
  opens: boolean
  closes: boolean
}

/** Returns a map to be filled while a document is read. */
export const sourceMap = (): SourceMap => ({
  spans: new Map(),
  markers: new Map(),
  labels: new Map(),
  definitions: new Map(),
  linkLabels: new Set(),
  tagsInLine: new Map(),
})

/** The label of a reference or a definition in the form in which Markdown compares them (CommonMark 0.31, 4.7). */
export const normalLabel = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase()

/** The target of references. */
export type Definition = Extract<MdastNode, { type: 'definition' }>

/** The tags of conditions in formulas, where they are text, with their offsets. Those in a value of a tag have that of the tag. */
export interface FormulaConditions {
  /** All opening tags. */
  begun: Map<Tag, number>
  /** Those that do not end in their formula or value. */
  open: Map<Tag, number>
  /** The closing tags that end nothing there. */
  ends: Map<Tag, number>
  /** The tags that were read already. */
  noted: Set<Tag>
}

/** The state of reading one document. */
export interface ReadingContext {
  masked: Masked
  /** Filled while the document is read, for a reader who needs it. */
  map?: SourceMap
  /** The offset of the text that is read in the source of the page; undefined if its lines are not those of the source. */
  origin: number | undefined
  /** The opening tags of conditions in the front matter that do not end there. */
  openInHead: readonly Tag[]
  inFormulas: FormulaConditions
  /** Whether the source or its front matter has tags of conditions. */
  isConditional: boolean
  /** Whether a condition begins or ends in a comment, but not both. */
  isCommented: boolean
  /** Tags that hide nothing more: those in code, and those of conditions whose content was left out. */
  settled: Set<Tag>
  /** The opening tags of those whose content was left out of a text that everybody sees whole, such as a label. */
  leftOut: Set<Tag>
  /** Tags of conditions in elements of HTML for code. A closing tag there ends only a condition that begins there. */
  inRawCode: Set<Tag>
  /** Tags that are text: those in code within HTML, ends between backticks there that end nothing, and those of `inRawCode` that end nothing. */
  literal: Set<Tag>
  definitions: Map<string, Definition>
  footnotes: Map<string, MdastNode>
  /** The blocks of a footnote, read once: every reference shares them. */
  bodies: Map<string, Block[]>
  /** True while a footnote's body is read: footnotes in footnotes are text. */
  inFootnote: boolean
  /** The number of characters that references may still add by repetition. It limits the size of the document. */
  budget: { left: number }
  readFootnote(identifier: string): Block[]
  /** The readers below call one another recursively. Passing them in avoids circular imports. */
  readInlineElement(element: PhraseElement, marks: Mark[], reader: LineReader): void
  readInner(source: string, offset: number, reading: ReadingContext, depth: number): Item[]
  readHtmlTable(element: PhraseElement, reading: ReadingContext, depth: number): Block | undefined
}

/** The state of reading a line. Adjacent runs with equal marks are joined as they are added. */
export interface LineReader {
  runs: InlineRun[]
  reading: ReadingContext
  /** Whether the text so far ends in a hard line break. The line break of the source after it is no space then. */
  line: {
    broken: boolean
  }
  /** True in `<pre>`, where white space counts and names of emoji are code. */
  preformatted: boolean
  /** The depth of marks and links. Deeper than `DEEPEST` only the text is kept. */
  depth: number
}

/** The least budget for repetition: characters that references may add to a document. */
export const LEAST_BUDGET = 100_000

const FEATURES = { math: { singleDollarTextMath: false }, frontmatter: false }

/** Reads masked text as CommonMark with tables, footnotes, task lists and `$$` mathematics. */
export function readTree(text: string): MdastNode[] {
  const root = satteri().markdownToMdast(text, { features: FEATURES })
  return 'children' in root ? (root.children as MdastNode[]) : []
}

/** The children of a node, none for a leaf. */
export function childrenOf(node: MdastNode): MdastNode[] {
  return 'children' in node ? (node.children as MdastNode[]) : []
}

/** Nodes and all that are within them, in no order. */
export function* nodesIn(nodes: readonly MdastNode[]): Generator<MdastNode> {
  const open = [...nodes]
  for (let node = open.pop(); node; node = open.pop()) {
    yield node
    for (const child of childrenOf(node)) open.push(child)
  }
}

/** The half-open range of a node. */
export function spanOf(node: MdastNode): Span {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
}

/** Notes where a block is in the source. The first place counts: it is the block's own, not that of HTML around it. */
export function noteSpan(block: Block, span: Span | undefined, { map, origin }: ReadingContext): void {
  if (map && span && origin !== undefined && !map.spans.has(block))
    map.spans.set(block, { start: origin + span.start, end: origin + span.end })
}

/** Notes where an item of a list is: its marker, and its content. */
export function noteItem(block: Block, item: MdastNode, reading: ReadingContext): void {
  const [first, last] = [childrenOf(item)[0], childrenOf(item).at(-1)]
  const { map, origin } = reading
  if (!map || origin === undefined || !first || !last) return
  map.markers.set(block, origin + spanOf(item).start)
  noteSpan(block, { start: spanOf(first).start, end: spanOf(last).end }, reading)
}

/** True while `cost` more characters may be added by repetition; takes them from the budget. */
export function spend(reading: ReadingContext, cost: number): boolean {
  if (reading.budget.left < cost) return false
  reading.budget.left -= cost
  return true
}

/**
 * Source that is shown as text, up to its first condition. Where that ends is unknown, because the tags in code are not
 * known.
 */
export function unconditionalText(source: string): string {
  const start = firstCondition(source)
  return start === -1 ? source : source.slice(0, start)
}
