import { markdownToMdast } from 'satteri'
import type { MdastNode } from 'satteri'

import type { Masked } from './mask.ts'
import type { Block, Span } from '../model.ts'

/** A block with the place it came from. Offsets count from the start of the text that is being read. */
export interface Placed extends Span {
  block: Block
}

/** What reading one document needs to know everywhere. */
export interface Reading {
  masked: Masked
  definitions: Map<string, { url: string; title?: string | null }>
  footnotes: Map<string, MdastNode>
  /** The blocks of a footnote, read once: every reference shares them. */
  bodies: Map<string, Block[]>
  /** True while a footnote's body is read: footnotes in footnotes are text. */
  inFootnote: boolean
  /** Characters that references may still add by repetition, so that a document cannot explode. */
  budget: number
  readFootnote(identifier: string): Block[]
}

const FEATURES = { math: { singleDollarTextMath: false }, frontmatter: false }

/** Reads masked text as CommonMark with tables, footnotes, task lists and `$$` mathematics. */
export function readTree(text: string): MdastNode[] {
  const root = markdownToMdast(text, { features: FEATURES })
  return 'children' in root ? (root.children as MdastNode[]) : []
}

/** The children of a node, none for a leaf. */
export function childrenOf(node: MdastNode): MdastNode[] {
  return 'children' in node ? (node.children as MdastNode[]) : []
}

/** The half-open range of a node. */
export function spanOf(node: MdastNode): Span {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
}

/** True while `cost` more characters may be added by repetition; takes them from the budget. */
export function spend(reading: Reading, cost: number): boolean {
  if (reading.budget < cost) return false
  reading.budget -= cost
  return true
}

/** Source that is kept as text, without what stands under conditions: nothing would ask whether they are met. */
export function unconditionalText(source: string): string {
  const start = source.search(/\{%\s*if\b/)
  if (start === -1) return source
  const closing = source.lastIndexOf('endif')
  const end = closing < start ? -1 : source.indexOf('%}', closing)
  return end === -1 ? source.slice(0, start) : source.slice(0, start) + source.slice(end + 2)
}
