import type { MdastNode } from 'satteri'

import { paragraph } from './build.ts'
import { frontMatterEnd, readFrontMatter } from './front-matter.ts'
import { identify } from './identify.ts'
import { mask } from './markdown/mask.ts'
import { readNodes } from './markdown/read-blocks.ts'
import { phraseText } from './markdown/read-line.ts'
import { childrenOf, readTree, spanOf, unconditionalText } from './markdown/reading.ts'
import type { Placed, Reading } from './markdown/reading.ts'
import type { Block, Document, ParsedPage, Span } from './model.ts'

/**
 * Reads a page: front matter, a leading `# heading` as its title, then blocks. Never throws; what cannot be read
 * as anything else is text.
 */
export function parsePage(source: string): ParsedPage {
  const meta = readFrontMatter(source)
  const offset = frontMatterEnd(source)
  const { title, placed } = readBody(source.slice(offset), true)
  const page = { meta, ...documentOf(placed, offset) }
  const named = title ?? meta.title
  return named === undefined ? page : { title: named, ...page }
}

/** Reads Markdown that is not a page, such as a comment's: it has neither front matter nor a title. */
export function parseMarkdown(source: string): { document: Document; spans: Span[] } {
  const offset = source.startsWith('\ufeff') ? 1 : 0
  return documentOf(readBody(source.slice(offset), false).placed, offset)
}

/** Where a page's title stands: the range of the text of its leading `# heading`, or undefined. */
export function titleSpan(source: string): Span | undefined {
  const offset = frontMatterEnd(source)
  const masked = mask(source.slice(offset))
  const heading = masked && leadingHeading(readTree(masked.text))
  if (!heading) return undefined

  const children = childrenOf(heading)
  const [first, last] = [children[0], children.at(-1)]
  const { start, end } = spanOf(heading)
  if (!first || !last) return { start: offset + end, end: offset + end }
  return {
    start: offset + Math.max(start, spanOf(first).start),
    end: offset + Math.min(end, spanOf(last).end),
  }
}

function documentOf(placed: Placed[], offset: number): { document: Document; spans: Span[] } {
  const document: Document = {
    object: 'document',
    data: { schemaVersion: SCHEMA },
    nodes: placed.map(({ block }) => block),
  }
  identify(document)
  return { document, spans: placed.map(({ start, end }) => ({ start: start + offset, end: end + offset })) }
}

/** The version of the document model that `data.schemaVersion` names. */
const SCHEMA = 1

/** What repeated references to long definitions may add to a document, at least. */
const LEAST_BUDGET = 100_000

function readBody(source: string, titled: boolean): { title?: string; placed: Placed[] } {
  const masked = mask(source)
  if (!masked) return { placed: asText(source) }

  const nodes = readTree(masked.text)
  const reading: Reading = {
    masked,
    definitions: new Map(),
    footnotes: new Map(),
    bodies: new Map(),
    inFootnote: false,
    budget: Math.max(LEAST_BUDGET, source.length),
    readFootnote: (identifier) => footnoteBody(identifier, reading),
  }
  gatherDefinitions(nodes, reading)
  const heading = titled ? leadingHeading(nodes) : undefined
  const placed = readNodes(heading ? nodes.slice(1) : nodes, reading)
  if (!heading) return { placed }
  const title = phraseText(childrenOf(heading), reading).trim()
  return title === '' ? { placed } : { title, placed }
}

/** A source that cannot be parsed: what stands between blank lines is a paragraph of text. */
function asText(source: string): Placed[] {
  const paragraphs: Placed[] = []
  const shown = conditionsBlank(source)
  const blank = /\s*\n[ \t]*\r?\n\s*|^\s+|\s+$/g
  let start = 0
  const end = (to: number) => {
    if (to > start) paragraphs.push({ block: paragraph(shown.slice(start, to).trim()), start, end: to })
  }
  for (let match = blank.exec(source); match; match = blank.exec(source)) {
    end(match.index)
    start = match.index + match[0].length
    if (match[0] === '') break
  }
  end(source.length)
  return paragraphs
}

/** The source with spaces for what stands from the first condition to the end of the last. */
function conditionsBlank(source: string): string {
  const rest = unconditionalText(source)
  if (rest === source) return source
  const start = source.search(/\{%\s*if\b/)
  return rest.slice(0, start) + ' '.repeat(source.length - rest.length) + rest.slice(start)
}

function leadingHeading(nodes: MdastNode[]): MdastNode | undefined {
  const [first] = nodes
  return first?.type === 'heading' && first.depth === 1 ? first : undefined
}

function gatherDefinitions(nodes: MdastNode[], reading: Reading): void {
  const open = [...nodes].toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'definition') {
      if (!reading.definitions.has(node.identifier)) reading.definitions.set(node.identifier, node)
    } else if (node.type === 'footnoteDefinition') {
      if (!reading.footnotes.has(node.identifier)) reading.footnotes.set(node.identifier, node)
    } else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem')
      for (const child of childrenOf(node).toReversed()) open.push(child)
  }
}

function footnoteBody(identifier: string, reading: Reading): Block[] {
  const known = reading.bodies.get(identifier)
  if (known) return known
  const definition = reading.footnotes.get(identifier)
  const inside = { ...reading, inFootnote: true }
  const body = definition ? readNodes(childrenOf(definition), inside).map(({ block }) => block) : []
  const blocks = body.length > 0 ? body : [paragraph()]
  reading.bodies.set(identifier, blocks)
  return blocks
}
