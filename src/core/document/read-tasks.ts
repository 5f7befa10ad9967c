/** Reading of documents as tasks: from plain data to plain data, so that a thread can do it. */
import { allBlocks } from './identify.ts'
import { leafText } from './leaf-text.ts'
import type { ContentRef } from './model.ts'
import { parseMarkdown, parsePage } from './parse.ts'
import { mapReferences, referenceKey } from './links/references.ts'
import { blockText } from './text.ts'
import { toDocument } from './to-document.ts'
import { readingProblems } from './shown/unshown.ts'

/** A source, and what its references mean, by `referenceKey`. */
export interface DocumentTask {
  source: string
  references: ReadonlyMap<string, ContentRef>
}

/** The document of a source as the API shows it, as JSON. */
export function documentJson({ source, references }: DocumentTask): string {
  const { document } = parsePage(source)
  return JSON.stringify(
    toDocument(mapReferences(document, (ref) => references.get(referenceKey(ref)) ?? ref)),
  )
}

/** The documents of short sources without references of their own, such as comments, as JSON. */
export function documentsJson(sources: readonly string[]): string[] {
  return sources.map((source) => JSON.stringify(toDocument(parseMarkdown(source).document)))
}

/** Markdown that is not stored: a page, or a part of one, which has neither front matter nor a title. */
export interface MarkdownTask {
  source: string
  isPage: boolean
}

/** The document of such Markdown with its problems, as JSON. */
export function convertedJson({ source, isPage }: MarkdownTask): string {
  const read = isPage ? parsePage(source) : parseMarkdown(source)
  const problems = readingProblems(read, source)
  return JSON.stringify({ ...toDocument(read.document), ...(problems.length > 0 ? { problems } : {}) })
}

/** The task of reading the blocks of a source, with at most `length` characters of the text of each. */
export interface BlocksTask {
  source: string
  length: number
}

/** The text of each block of a source, on one line and shortened, by the key of the block. */
export function blockTexts({ source, length }: BlocksTask): Map<string, string> {
  const texts = new Map<string, string>()
  for (const block of allBlocks(parsePage(source).document.nodes))
    if (block.key !== undefined) texts.set(block.key, shortened(blockText(block), length))
  return texts
}

/** A source, and the key of a block of it. */
export interface LeafTask {
  source: string
  key: string
}

/** The text of the leaves of a block; null if the source has no such block, or if the block contains others. */
export function leafTextTask({ source, key }: LeafTask): string | null {
  const block = allBlocks(parsePage(source).document.nodes).find((one) => one.key === key)
  const isLeaf = block && !block.fragments?.length && !block.nodes?.some(({ object }) => object === 'block')
  return isLeaf ? leafText(block) : null
}

function shortened(text: string, length: number): string {
  // A character takes at most two units.
  const start = text
    .slice(0, 4 * length)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(start)
  if (characters.length <= length) return start
  return `${characters.slice(0, length - 1).join('')}…`
}
