/**
 * Lines that have only tags, where the parser would not read them as such: below HTML, which ends at an empty line for it,
 * and in indented code within a container. An empty line stands for the beginning of such a tag.
 */
import type { MdastNode } from 'satteri'
import { need, needItem } from '../../../data/lists.ts'
import { tickedSpans } from '../conditions/code-in-html.ts'
import { readHtml } from '../html-source.ts'
import type { HtmlNode } from '../html-source.ts'
import type { Masked } from '../mask.ts'
import { openConditions } from '../open-tags.ts'
import { childrenOf, spanOf } from '../reading.ts'
import { readsVariable } from '../tag-words.ts'
import { standsAlone } from '../tags.ts'
import type { Tag } from '../tags.ts'

/** HTML that does not end at an empty line. */
const ENDLESS = /^[ \t]*<(?:[!?]|(?:pre|script|style|textarea)\b)/i
/** The beginning or the end of a block of code. */
const FENCE = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/
const ITEM = /\n[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]/
const DETAILS = /<(\/?)details\b/gi
/** Longer code is not the tag of a condition alone. */
const LONGEST_LONE = 1_000
const [PLAIN_BEGIN, PLAIN_END] = [/^\{%\s*if\s/, /^\{%\s*endif\s*%\}$/]
const INDENTED = /^(?!```|~~~)/

/** The state of a search, in the order of the source. */
interface Search {
  masked: Masked
  /** The tags that are found, by their offsets, with what comes before each in its line. */
  found: Map<number, string>
  /** How many containers are open. */
  depth: number
  /** Where the last HTML ends. */
  end: number
  /** Whether a list begins in HTML, directly below an element, so that its items go on as indented code. */
  isBelowItem: boolean
  /** The tags of conditions in indented code. */
  open: ReturnType<typeof openConditions>
  /** Whether what follows is read otherwise once the tags that are found have their lines. */
  isEnded: boolean
}

/**
 * The offsets of the tags that need an empty line before them, each with what the line of the tag has before it. Those behind
 * a block of code that only begins because of one of these are found in the next round.
 */
export function tagLines(nodes: readonly MdastNode[], masked: Masked): Map<number, string> {
  const search: Search = {
    masked,
    found: new Map(),
    depth: 0,
    end: -1,
    isBelowItem: false,
    open: openConditions(),
    isEnded: false,
  }
  if (masked.tags.size > 0) searchNodes(nodes, search, false)
  return search.found
}

function searchNodes(nodes: readonly MdastNode[], search: Search, inList: boolean): void {
  for (const node of nodes) {
    if (search.isEnded) return
    if (node.type === 'html') searchHtml(node, search)
    else if (node.type === 'code') {
      const isInContainer = inList || search.depth > 0 || search.isBelowItem
      if (isInContainer || isBelowTag(node, search) || isLoneTag(node, search)) searchCode(node, search)
    } else {
      search.isBelowItem = false
      searchNodes(childrenOf(node), search, inList || node.type === 'list')
    }
  }
}

/** The tags alone on a line of HTML, in no element but in containers. */
function searchHtml(node: MdastNode & { type: 'html' }, search: Search): void {
  const { masked } = search
  const nodes = node.value.includes('\n') && !ENDLESS.test(node.value) ? readHtml(node.value) : []
  if (nodes.length > 0) {
    const between = tagsBetween(nodes, masked)
    let fence: string | undefined
    let [isApart, isCode] = [false, false]
    for (const { start, line, tags, isTags } of writtenLines(node, masked)) {
      const before = fence
      fence = fenceAfter(line, before)
      if (before !== undefined) continue
      if (fence !== undefined) isCode = isApart
      else if (start > spanOf(node).start && isTags && tags.every((tag) => between.has(tag))) {
        addLine(needItem(tags, 0), node, start, search)
        isApart = true
      }
    }
    search.isEnded = fence !== undefined && isCode
  }
  for (const { tag } of masked.pieces(node.value)) if (tag) search.depth += stepOf(tag)
  for (const [, slash] of node.value.matchAll(DETAILS)) search.depth += slash === '' ? 1 : -1
  search.depth = Math.max(0, search.depth)
  search.end = spanOf(node).end
  search.isBelowItem ||= ITEM.test(node.value)
}

/** Whether a node is in the line below HTML, such as a tag. */
function isBelowTag(node: MdastNode, { masked, end }: Search): boolean {
  return end !== -1 && /^\r?\n[ \t>]*$/.test(masked.text.slice(end, spanOf(node).start))
}

/** Whether code is the tag of a condition and nothing else: one that reads a variable, or an end. */
function isLoneTag(node: MdastNode & { type: 'code' }, { masked }: Search): boolean {
  if (node.value.length > LONGEST_LONE || !node.value.includes('<')) return false
  const [piece, ...others] = masked.pieces(node.value.trim())
  const source = others.length === 0 ? (piece?.tag?.source ?? '') : ''
  return PLAIN_END.test(source) || (PLAIN_BEGIN.test(source) && readsVariable(source))
}

/** The sign with which the code began that is open behind a line; undefined if none is. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const sign = FENCE.exec(line.trimEnd())?.[1]
  if (open === undefined) return sign
  return sign?.startsWith(open) && /^[ \t>]*[`~]+$/.test(line.trimEnd()) ? undefined : open
}

/** By how much a tag changes the number of open containers. */
function stepOf({ name, closes }: Tag): number {
  // Within a condition alone, indented code may show its tags.
  if (name === 'if' || standsAlone(name)) return 0
  return closes ? -1 : 1
}

/**
 * In each line of indented code of a container, the first tag that begins a condition or ends one of these. In such a container,
 * authors indent what they write, which may itself have code between backticks.
 */
function searchCode(node: MdastNode & { type: 'code' }, search: Search): void {
  const { masked, open } = search
  const { start, end } = spanOf(node)
  if (!INDENTED.test(masked.text.slice(start, Math.min(end, start + 3)))) return
  let fence: string | undefined
  for (const { start: line, line: text, tags } of writtenLines(node, masked)) {
    const wasFence = fence !== undefined
    fence = fenceAfter(text, fence)
    if (wasFence || fence !== undefined) continue
    const inTicks = new Set(
      tickedSpans(text).flatMap((span) =>
        masked.pieces(text.slice(span.start, span.end)).map(({ tag }) => tag),
      ),
    )
    const live = tags.filter((tag) => {
      if (tag.name !== 'if' || inTicks.has(tag)) return false
      if (tag.closes) return open.close(tag) !== undefined
      open.add(tag)
      return true
    })
    if (live[0]) addLine(live[0], node, line, search)
  }
}

function addLine(tag: Tag, node: MdastNode, line: number, { masked, found }: Search): void {
  const { text, tags } = masked
  const column = (node.position?.start.column ?? 1) - 1
  const start = need(tags, tag)
  const before = text.slice(line, Math.min(start, line + column))
  found.set(start, before.replace(/[^ \t>]/g, ' '))
}

/** The tags between elements, and in `<details>` and `<div>`, which may hold Markdown. */
function tagsBetween(nodes: readonly HtmlNode[], masked: Masked): Set<Tag> {
  const tags = new Set<Tag>()
  const open = [...nodes]
  for (let node = open.pop(); node; node = open.pop()) {
    const tag = node.type === 'comment' ? masked.tag(node.source) : undefined
    if (tag) tags.add(tag)
    if (node.type === 'element' && (node.name === 'details' || node.name === 'div'))
      for (const child of node.children) open.push(child)
  }
  return tags
}

/** The lines of a node in the source with their tags, and whether they have only tags. */
function* writtenLines(
  node: MdastNode,
  { text, pieces }: Masked,
): Generator<{ start: number; line: string; tags: Tag[]; isTags: boolean }> {
  const { start: first, end } = spanOf(node)
  for (let start = first; start < end;) {
    const newline = text.indexOf('\n', start)
    const stop = newline === -1 || newline >= end ? end : newline + 1
    const from = start === first ? text.lastIndexOf('\n', start - 1) + 1 : start
    const line = text.slice(start, stop)
    const parts = line.includes('<') ? pieces(line) : []
    const tags = parts.flatMap(({ tag }) => tag ?? [])
    const isTags =
      tags.length > 0 && parts.every(({ tag, text: other }) => tag || /^[ \t>\r\n]*$/.test(other))
    yield { start: from, line, tags, isTags }
    start = stop
  }
}
