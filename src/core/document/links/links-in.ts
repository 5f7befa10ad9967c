import { allBlocks } from '../identify.ts'
import type { Block, Document, Inline, ParsedPage, Text } from '../model.ts'
import { parsePage } from '../parse.ts'
import { type PlacedReference, placedReferences } from './reference-lines.ts'

/** The references and anchors of a document. They are stored beside its source, so that each source is parsed once. */
export interface DocumentLinks {
  /** As written: relative addresses are resolved from the path of the page. */
  references: PlacedReference[]
  /** The ids that a link to a part of the document can name. */
  anchors: string[]
}

/** The version of `DocumentLinks` in storage; what an earlier version stored is read again from the source. */
export const LINKS_VERSION = 3

/** The references and anchors of a page's Markdown. */
export function linksIn(source: string): DocumentLinks {
  return linksOf(parsePage(source), source)
}

/** The references and anchors of a page that was parsed from a source. */
export function linksOf(page: Pick<ParsedPage, 'document' | 'spans'>, source: string): DocumentLinks {
  return { references: placedReferences(page, source), anchors: documentAnchors(page.document) }
}

/** The ids that a link to a part of a document can name, each once. */
export function documentAnchors(document: Document): string[] {
  return [...new Set(anchorsIn(document.nodes))]
}

function* anchorsIn(blocks: Block[]): Generator<string> {
  for (const block of allBlocks(blocks)) {
    if (block.meta?.id !== undefined) yield block.meta.id
    if (block.type === 'html') yield* named(block.data.html)
    for (const node of block.nodes ?? []) if (node.object === 'inline') yield* inlineAnchors(node)
  }
}

function* inlineAnchors(node: Inline | Text): Generator<string> {
  if (node.object === 'text') return
  if (node.type === 'inline-html') yield* named(node.data.html)
  for (const inner of node.nodes ?? []) yield* inlineAnchors(inner)
}

const NAMED = /\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'<>=`]+))/gi

/** The ids and names in raw HTML. */
function named(html: string): string[] {
  return [...html.matchAll(NAMED)].flatMap(([, double, single, bare]) => double ?? single ?? bare ?? [])
}
