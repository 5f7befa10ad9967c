import type { MdastNode } from 'satteri'

import { codeSpans } from '../conditions/condition-tags.ts'
import { mayNameTags, tagsInProse } from '../conditions/prose-tags.ts'
import { spanFinder } from '../find-in-order.ts'
import { openersInValues } from '../conditions/value-openers.ts'
import { unclosedTags } from '../hiding-tags.ts'
import { mask } from '../mask.ts'
import type { Masked } from '../mask.ts'
import { readHtml } from '../html-source.ts'
import type { HtmlNode } from '../html-source.ts'
import { openConditions } from '../open-tags.ts'
import type { Span } from '../../model.ts'
import type { BracketContext } from '../other-brackets.ts'
import { readTree, spanOf } from '../reading.ts'
import type { Tag } from '../tags.ts'
import { tagLines } from './tag-lines.ts'

/** A source as the parser reads it. */
export interface MaskedTree {
  masked: Masked
  /** The opening tags of conditions in what is above the source that do not end there. */
  openInHead: readonly Tag[]
  nodes: MdastNode[]
  /** Tags of conditions that begin and end in one comment, and so hide nothing. */
  settled: Set<Tag>
  /** Whether a comment has another tag of a condition. */
  isCommented: boolean
  /** The tags that a sentence names, which are text, with their offsets. */
  named: readonly [tag: Tag, start: number][]
}

/** The most times that a source is parsed. Each time the parser finds all comments, unless these hid others. */
const MOST_ROUNDS = 4
/**
 * The most characters that are parsed to find lines with tags. Each time that a source is parsed, they are found up to code that
 * begins behind one.
 */
const MOST_PARSED = 2_000_000

/**
 * Masks a source and parses it. A comment of the author must not end at the comment of a tag in it, so the tags in comments
 * are found first. Returns undefined if the source must not be parsed.
 * @param head what is above the source: the front matter
 * @param canNameTags whether tags can be text, because a sentence only names them
 */
export function readMasked(source: string, head = '', canNameTags = true): MaskedTree | undefined {
  const places = {
    commented: new Set<number>(),
    instructed: new Set<number>(),
    apart: new Map<number, string>(),
  }
  const { commented, instructed, apart } = places
  const openInHead = unclosedTags(head)
  let context: BracketContext = { before: openInHead.filter((tag) => tag.isInOtherBrackets) }
  let nodes: MdastNode[] = []
  const read = () => {
    const made = mask(source, places, context)
    nodes = made ? readTree(made.text) : []
    return made
  }
  let masked = read()
  const values = masked ? valuesWithConditions(masked, nodes, openInHead) : []
  if (values.length > 0) {
    context = { ...context, values }
    masked = read()
  }
  // Which closing tags in other brackets count depends on the opening tags outside of code.
  if (masked && [...masked.tags.keys()].some((tag) => tag.isInOtherBrackets)) {
    const code = codeSpans(nodes, masked.text)
    context = { ...context, code }
    if (code.length > 0) masked = read()
  }
  let all: Masked['tags'] = new Map()
  let prose: ReadonlySet<number> = new Set()
  if (masked && canNameTags && mayNameTags(masked.tags)) {
    all = masked.tags
    prose = tagsInProse(source, all, codeSpans(nodes, masked.text))
    context = { ...context, prose }
    if (prose.size > 0) masked = read()
  }
  for (let round = 1; masked && source.includes('<!--') && round < MOST_ROUNDS; round += 1) {
    const found = tagsInComments(nodes, masked, source)
    if (found.length === 0) break
    for (const start of found) commented.add(start)
    masked = read()
  }
  for (let parsed = 0; masked; parsed += source.length) {
    const found = [...tagLines(nodes, masked)].filter(([start]) => !commented.has(start) && !apart.has(start))
    if (found.length === 0) break
    if (parsed > MOST_PARSED) return undefined
    for (const [start, line] of found) apart.set(start, line)
    masked = read()
  }
  // What begins like a comment is text if it does not end in its paragraph.
  const outside = outsideOfComments(commented, nodes, source)
  if (outside.length > 0) {
    for (const start of outside) {
      commented.delete(start)
      instructed.add(start)
    }
    masked = read()
    if (outsideOfComments(commented, nodes, source).length > 0) return undefined
  }
  if (!masked) return undefined
  const code = prose.size === 0 ? [] : codeSpans(nodes, masked.text)
  // What is code can depend on the tags that are text.
  if (!prose.isSubsetOf(tagsInProse(source, all, code))) return readMasked(source, head, false)
  const settled = pairsInComments(masked, source, commented)
  const isCommented = [...(commented.size > 0 ? masked.tags : [])].some(
    ([tag, start]) => tag.name === 'if' && commented.has(start) && !settled.has(tag),
  )
  return { masked, openInHead, nodes, settled, isCommented, named: outsideOf(code, all, prose) }
}

/** Those of the tags at some offsets that are not in code. */
function outsideOf(
  code: readonly Span[],
  tags: ReadonlyMap<Tag, number>,
  offsets: ReadonlySet<number>,
): [tag: Tag, start: number][] {
  const isCode = spanFinder(code)
  return [...tags].filter(([, at]) => !isCode(at) && offsets.has(at))
}

/** The offsets of the tags with values in which a condition in braces begins and does not end; -1 for the front matter. */
function valuesWithConditions(
  masked: Masked,
  nodes: readonly MdastNode[],
  openInHead: readonly Tag[],
): number[] {
  const opened = openersInValues({ masked, openInHead, settled: new Set() }).filter(
    ([tag]) => !tag.isInOtherBrackets,
  )
  if (opened.length === 0) return []
  const isCode = spanFinder(codeSpans(nodes, masked.text))
  return opened.flatMap(([, at]) => (isCode(at) ? [] : [at]))
}

/** The offsets of the tags in comments. */
function tagsInComments(nodes: readonly MdastNode[], masked: Masked, source: string): number[] {
  const places = [...masked.tags.values()]
  const found: number[] = []
  let [end, next] = [0, 0]
  for (const comment of commentsIn(nodes)) {
    const [first] = masked.tag(comment) ? [] : masked.pieces(comment).filter(({ tag }) => tag)
    const start = first?.tag && masked.tags.get(first.tag)
    if (start === undefined || start < end) continue
    const closing = source.indexOf('-->', start)
    end = closing === -1 ? source.length : closing
    for (; next < places.length && places[next]! < end; next += 1)
      if (places[next]! >= start) found.push(places[next]!)
  }
  return found
}

/** The comments in the HTML of a document, in order. */
function* commentsIn(nodes: readonly MdastNode[]): Generator<string> {
  const open: (MdastNode | HtmlNode)[] = nodes.toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'comment') yield node.source
    else if (node.type === 'html') for (const one of readHtml(node.value).toReversed()) open.push(one)
    else if ('children' in node)
      for (const child of (node.children as (MdastNode | HtmlNode)[]).toReversed()) open.push(child)
  }
}

/** Those of the offsets, in order, that are in no comment of a document: it would end in the HTML in which they are. */
function outsideOfComments(
  offsets: ReadonlySet<number>,
  nodes: readonly MdastNode[],
  source: string,
): number[] {
  if (offsets.size === 0) return []
  const spans: Span[] = []
  const open = nodes.toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'html') spans.push(spanOf(node))
    else if ('children' in node)
      for (const child of (node.children as MdastNode[]).toReversed()) open.push(child)
  }
  let [next, closing] = [0, 0]
  return [...offsets]
    .toSorted((a, b) => a - b)
    .filter((offset) => {
      while (next < spans.length && spans[next]!.end <= offset) next += 1
      if (closing !== -1 && closing < offset) closing = source.indexOf('-->', offset)
      const span = spans[next]
      return !span || offset < span.start || closing === -1 || closing >= span.end
    })
}

function pairsInComments({ tags }: Masked, source: string, commented: ReadonlySet<number>): Set<Tag> {
  const settled = new Set<Tag>()
  let open = openConditions()
  let end = 0
  for (const [tag, start] of commented.size > 0 ? tags : []) {
    if (tag.name !== 'if' || !commented.has(start)) continue
    if (start >= end) {
      open = openConditions()
      const closing = source.indexOf('-->', start)
      end = closing === -1 ? source.length : closing
    }
    const closed = tag.closes ? open.close(tag) : undefined
    if (closed) for (const one of [tag, closed.opener, ...closed.branches]) settled.add(one)
    else if (!tag.closes) open.add(tag)
  }
  return settled
}
