import type { Span } from '../../model.ts'
import { htmlBlock } from '../conditions/condition-tags.ts'
import { spanCheck } from '../conditions/spanned-tags.ts'
import type { SpanCheck } from '../conditions/spanned-tags.ts'
import { readHtml, readTagSource } from '../html-source.ts'
import type { HtmlElement, HtmlNode } from '../html-source.ts'
import { framesImages } from './nest.ts'
import type { Item } from '../reading.ts'
import { MAX_ELEMENT_DEPTH, isBlockElement, readBlockElement, readSummary } from './read-element.ts'
import type { ReadingContext } from '../reading.ts'

/**
 * Splits a piece of HTML between blocks of Markdown into tags, elements that may hold Markdown, and elements that
 * are blocks of the model. An element that holds Markdown may end in a later piece. The text between them is
 * Markdown. A piece without any of them is kept as written.
 */
export function splitHtml(html: string, span: Span, reading: ReadingContext, depth: number): Item[] {
  const nodes = readHtml(html)
  const whole = reading.masked.text.startsWith(html, span.start)
  const split: Split = {
    html,
    reading,
    depth,
    offset: whole ? span.start : undefined,
    span,
    items: [],
    loose: [],
    isSpanned: spanCheck(html, reading),
  }
  splitNodes(nodes, split)
  flush(split)

  const structured = split.items.some((item) => item.type !== 'loose')
  return split.items.flatMap((item): Item[] => {
    if (item.type !== 'loose') return [item]
    const source = html.slice(item.from, item.to)
    if (structured && depth < MAX_ELEMENT_DEPTH) return reading.readInner(source, item.start, reading, depth)
    return [{ type: 'block', block: htmlBlock(source, reading), start: item.start, end: item.end }]
  })
}

/** Text and inline elements between the known parts. `from` and `to` are offsets in the piece of HTML. */
type Loose = Span & { type: 'loose'; from: number; to: number }

interface Split {
  html: string
  reading: ReadingContext
  depth: number
  /** The offset of the piece in the source; undefined in lists and quotes, where lines lose their indentation or `>`. */
  offset: number | undefined
  span: Span
  items: (Item | Loose)[]
  loose: HtmlNode[]
  /** Whether a node must stay in the text around it. */
  isSpanned: SpanCheck
}

function splitNodes(nodes: HtmlNode[], split: Split): void {
  for (const node of nodes) {
    if (split.isSpanned(node)) {
      split.loose.push(node)
      continue
    }
    const tag = node.type === 'comment' ? split.reading.masked.tag(node.source) : undefined
    if (tag && !split.reading.settled.has(tag)) {
      flush(split)
      const { start, end } = place(node, split)
      const lead = split.reading.masked.leadOf(tag)
      const item = { name: tag.name, source: tag.source, start: start - lead, end }
      split.items.push(
        tag.closes ? { type: 'close', tag, ...item } : { type: 'open', opener: { tag }, ...item },
      )
      continue
    }
    if (node.type === 'tag' && (node.name === 'details' || node.name === 'div')) {
      flush(split)
      const written = readTagSource(node.source)
      addTag(
        node.name,
        node.source,
        written?.type === 'open' ? written.attributes : undefined,
        place(node, split),
        split,
      )
      continue
    }
    if (node.type !== 'element' || !splitElement(node, split)) split.loose.push(node)
  }
}

/** False for an element that is part of the text around it. */
function splitElement(element: HtmlElement, split: Split): boolean {
  const { name } = element
  const span = place(element, split)

  if (name === 'details' || (name === 'div' && holdsMore(element, split))) {
    flush(split)
    const opening = { start: span.start, end: span.start + element.open.length }
    addTag(name, element.open, element.attributes, opening, split)
    splitNodes(element.children, split)
    flush(split)
    addTag(name, element.close, undefined, { start: span.end - element.close.length, end: span.end }, split)
    return true
  }

  const html = htmlBlock(split.html.slice(element.start, element.end), split.reading)
  if (name === 'summary') {
    flush(split)
    split.items.push({ type: 'summary', line: readSummary(element, split.reading), html, ...span })
    return true
  }
  if (!isBlockElement(element)) return false
  const read = readBlockElement(element, split.reading, 0)
  if (!read && (name === 'img' || name === 'picture')) return false
  flush(split)
  split.items.push({ type: 'block', block: read ?? html, ...span })
  return true
}

function addTag(
  name: 'details' | 'div',
  masked: string,
  attributes: Map<string, string> | undefined,
  span: Span,
  { items, reading }: Split,
): void {
  const tag = `html:${name}`
  const source = reading.masked.raw(masked)
  if (attributes)
    items.push({ type: 'open', name: tag, source, opener: { element: name, attributes }, ...span })
  else items.push({ type: 'close', name: tag, source, ...span })
}

/** True for a `<div>` that frames images or contains tags. */
function holdsMore(element: HtmlElement, split: Split): boolean {
  const inside = element.children.filter((child) => child.type !== 'characters' || child.source.trim() !== '')
  if (inside.length > 0 && framesImages(element.attributes))
    if (inside.every((child) => child.type === 'element' && IMAGES.has(child.name))) return true

  return [...split.html.slice(element.start, element.end).matchAll(/<!--[^-]+-->|<\?[^?]+\?>/g)].some(
    ([comment]) => split.reading.masked.tag(comment),
  )
}

/** Ends the current run of text and inline elements. */
function flush(split: Split): void {
  const { loose, html, items } = split
  split.loose = []
  const first = loose[0]
  const last = loose.at(-1)
  if (!first || !last) return

  const source = html.slice(first.start, last.end)
  const from = first.start + source.length - source.trimStart().length
  const to = last.end - (source.length - source.trimEnd().length)
  if (from >= to) return
  items.push({ type: 'loose', from, to, ...place({ start: from, end: to }, split) })
}

function place(node: Span, { offset, span }: Split): Span {
  return offset === undefined ? span : { start: offset + node.start, end: offset + node.end }
}

const IMAGES = new Set(['figure', 'picture', 'img'])
