import { allBlocks } from './identify.ts'
import type { Block, Document, Inline, Text } from './model.ts'
import { parsePage } from './parse.ts'
import { listReferences, type Reference } from './references.ts'

/** What links need to know of a document, kept beside its source so that it is read once. */
export interface DocumentLinks {
  /** As written: relative ones are resolved by where the document stands. */
  references: Reference[]
  /** What a link to a part of the document may name. */
  anchors: string[]
}

/** The references and anchors of a page's Markdown. */
export function linksIn(source: string): DocumentLinks {
  return linksOf(parsePage(source).document)
}

/** The references and anchors of a document. */
export function linksOf(document: Document): DocumentLinks {
  return { references: listReferences(document), anchors: [...new Set(anchorsIn(document.nodes))] }
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

/** What raw HTML names. */
function named(html: string): string[] {
  return [...html.matchAll(NAMED)].flatMap(([, double, single, bare]) => double ?? single ?? bare ?? [])
}
