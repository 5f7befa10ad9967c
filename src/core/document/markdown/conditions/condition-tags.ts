/** The tags of conditions in what was read, until `placeConditions` puts what they hide into conditions. */
import type { MdastNode } from 'satteri'

import { inline, line, voidBlock, voidInline } from '../../build.ts'
import type { InlineRun } from '../../build.ts'
import type { Block, BlockOf, Inline, InlineOf, Span } from '../../model.ts'
import { readHtml } from '../html-source.ts'
import type { HtmlNode } from '../html-source.ts'
import { cutConditions } from '../mask.ts'
import type { Piece } from '../mask.ts'
import { openConditions } from '../open-tags.ts'
import { nodesIn, spanOf } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'
import { codeInHtml, isCode, tickedSpans } from './code-in-html.ts'
import { isOwnCondition } from './own-conditions.ts'
import { endsIn, hasInnerCondition } from '../tag-values.ts'
import type { Tag } from '../tags.ts'

const MARK = Symbol('mark')
const HELD = Symbol('held')
const DEFINED = Symbol('defined')

interface Noted {
  /** The node stands for a tag, and is not part of the document. */
  [MARK]?: Tag
  /** The tags in the data of the node, which cannot be hidden in part. */
  [HELD]?: readonly Tag[]
  /** The identifier of the definition that the node refers to. */
  [DEFINED]?: string
}

type Node = Block | Inline

/** A tag in a line. */
export function inlineMark(tag: Tag): InlineOf<'inline-html'> {
  return Object.assign(voidInline('inline-html', { html: '' }), { [MARK]: tag })
}

/** A tag between blocks. */
export function blockMark(tag: Tag): BlockOf<'html'> {
  return Object.assign(voidBlock('html', { html: '', markdown: tag.source }), { [MARK]: tag })
}

/** The tag that a node stands for. */
export function markedTag(node: object): Tag | undefined {
  return (node as Noted)[MARK]
}

/** The node, with the tags that are in its data. */
export function holding<T extends Node>(node: T, tags: readonly Tag[]): T {
  return tags.length === 0 ? node : Object.assign(node, { [HELD]: tags })
}

/** The tags in the data of a node. */
export function heldTags(node: Node): readonly Tag[] {
  return (node as Noted)[HELD] ?? []
}

/** The node, which refers to a definition. */
export function referring<T extends Node>(node: T, identifier: string, reading: ReadingContext): T {
  return reading.isConditional ? Object.assign(node, { [DEFINED]: identifier }) : node
}

/** The identifier of the definition that a node refers to. */
export function definitionOf(node: Node): string | undefined {
  return (node as Noted)[DEFINED]
}

/** Removes what is noted on a node, which is not part of the document. */
export function forgetNotes(node: Node): void {
  const noted = node as Noted
  if (noted[HELD]) delete noted[HELD]
  if (noted[DEFINED] !== undefined) delete noted[DEFINED]
}

/** Whether a page has a tag of a condition, or one in another tag or in its front matter. */
export function hasConditions({
  masked: { tags },
  openInHead,
}: Pick<ReadingContext, 'masked' | 'openInHead'>): boolean {
  for (const tag of tags.keys())
    if (tag.name === 'if' || hasInnerCondition(tag) || (!tag.closes && endsIn(tag).length > 0)) return true
  return openInHead.length > 0
}

/** The tags of conditions in masked text. */
export function conditionTags(masked: string, reading: ReadingContext): Tag[] {
  return reading.masked.pieces(masked).flatMap(({ tag }) => (tag && isLive(tag, reading) ? [tag] : []))
}

/** Whether a tag of a condition is no text. */
function isLive(tag: Tag, { literal }: ReadingContext): boolean {
  return tag.name === 'if' && !literal.has(tag)
}

/**
 * Notes that the tags in code are text. In HTML, where one reader may see code and another one not, an end between backticks
 * ends no condition that begins before them.
 */
export function settleCode(nodes: readonly MdastNode[], reading: ReadingContext): void {
  const { masked, settled, literal } = reading
  if (masked.tags.size === 0) return
  for (const node of nodesIn(nodes)) {
    if (isCode(node) && 'value' in node) for (const tag of tagsIn(node.value)) settled.add(tag)
    if (node.type !== 'html') continue
    const html = node.value
    const inCode = codeInHtml(html).flatMap(({ start, end }) => tagsIn(html.slice(start, end)))
    const ends = tickedSpans(html).flatMap(({ start, end }) => loneEnds(tagsIn(html.slice(start, end))))
    for (const tag of [...inCode, ...ends]) {
      settled.add(tag)
      // HTML that is kept as it is shows them, too.
      literal.add(tag)
    }
  }

  function tagsIn(text: string): Tag[] {
    return masked.pieces(text).flatMap(({ tag }) => tag ?? [])
  }
}

/** The closing tags that end none of the conditions among the tags. */
function loneEnds(tags: readonly Tag[]): Tag[] {
  const open = openConditions()
  return tags.filter((tag) => {
    if (tag.name !== 'if') return false
    if (tag.closes) return open.close(tag) === undefined
    open.add(tag)
    return false
  })
}

/** Where code is in a text, in order. In HTML, that is code if it is read as Markdown. */
export function codeSpans(nodes: readonly MdastNode[], text: string): Span[] {
  const spans: Span[] = []
  for (const node of nodesIn(nodes)) {
    const span = spanOf(node)
    if (isCode(node)) spans.push(span)
    else if (node.type === 'html' && text.startsWith(node.value, span.start))
      for (const { start, end } of codeInHtml(node.value))
        spans.push({ start: span.start + start, end: span.start + end })
  }
  return spans.toSorted((a, b) => a.start - b.start)
}

/**
 * The tags that can hide something, in the order of the source, before any of them is placed: the opening tags of conditions,
 * and other tags that hide a part of their values, or have a condition as an attribute.
 */
export function unsettledTags(reading: ReadingContext): Tag[] {
  const hides = (tag: Tag) => tag.name === 'if' || isOwnCondition(tag, reading)
  return [...reading.masked.tags.keys()].filter(
    (tag) => !tag.closes && !reading.settled.has(tag) && hides(tag),
  )
}

/** Source as the runs of a line. `textOf` unmasks what is between the tags of conditions. */
export function sourceRuns(
  masked: string,
  reading: ReadingContext,
  textOf: (masked: string) => string,
): InlineRun[] {
  const runs: InlineRun[] = []
  let text = ''
  const end = () => {
    if (text !== '') runs.push({ text: textOf(text), marks: [] })
    text = ''
  }
  for (const piece of reading.masked.pieces(masked)) {
    if (piece.tag?.name !== 'if') {
      text += piece.text
      continue
    }
    end()
    runs.push(inlineMark(piece.tag))
  }
  end()
  return runs
}

/** The block of HTML that the model has no other block for. A condition within it hides all of it. */
export function htmlBlock(masked: string, reading: ReadingContext): BlockOf<'html'> {
  return holding(voidBlock('html', { html: withoutConditions(masked, reading) }), htmlTags(masked, reading))
}

/** The same in a line. */
export function htmlInline(masked: string, reading: ReadingContext): InlineOf<'inline-html'> {
  return holding(
    voidInline('inline-html', { html: withoutConditions(masked, reading) }),
    htmlTags(masked, reading),
  )
}

function withoutConditions(masked: string, reading: ReadingContext): string {
  const pieces = reading.masked.pieces(masked)
  const isCut = ({ tag }: Piece) => tag !== undefined && isLive(tag, reading)
  const kept = pieces.some(isCut) ? pieces.map((piece) => (isCut(piece) ? '' : piece.text)).join('') : masked
  const html = reading.masked.raw(kept)
  const cut = reading.isCommented ? cutConditions(html) : html
  // Space between a tag and HTML without an end belongs to neither.
  return cut === reading.masked.raw(masked) ? cut : cut.trimEnd()
}

/** The tags of conditions in HTML. One in an attribute or a comment closes no condition outside of it. */
function htmlTags(masked: string, reading: ReadingContext): Tag[] {
  const tags = conditionTags(masked, reading)
  if (!tags.some(({ closes }) => closes)) return tags
  const live = new Set<Tag>()
  const open: HtmlNode[] = [...readHtml(masked)]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'element') for (const child of node.children) open.push(child)
    const tag = node.type === 'comment' ? reading.masked.tag(node.source) : undefined
    if (tag) live.add(tag)
  }
  return tags.filter((tag) => !tag.closes || live.has(tag))
}

/**
 * The runs with the conditions that begin and end among them, for a text that is then divided into lines. If one of them
 * does not end among them, all stay tags.
 */
export function pairRuns(runs: readonly InlineRun[], reading: ReadingContext): InlineRun[] {
  if (runs.some((run) => markedTag(run)?.form)) return [...runs]
  const lists: InlineRun[][] = [[]]
  const open: Tag[] = []
  const paired: Tag[] = []
  for (const run of runs) {
    const tag = markedTag(run)
    if (tag && !tag.closes) {
      open.push(tag)
      lists.push([])
      continue
    }
    const opener = tag && open.pop()
    if (!tag || !opener) {
      lists.at(-1)!.push(run)
      continue
    }
    const inner = lists.pop()!
    lists.at(-1)!.push(inline('inline-if', { expression: opener.argument }, line(inner)))
    paired.push(opener, tag)
  }
  if (open.length > 0) return [...runs]
  for (const tag of paired) reading.settled.add(tag)
  return lists[0]!
}
