import { block, defined, filled, fragment, line, paragraph, voidBlock } from '../build.ts'
import type { Align, Block, BlockOf, Span } from '../model.ts'
import { readHtml, readTagSource } from './html-source.ts'
import type { HtmlElement, HtmlNode } from './html-source.ts'
import { expandable, framesImages, joinImages } from './nest.ts'
import type { Item } from './nest.ts'
import { dropSeparator, readInner } from './read-blocks.ts'
import { readPre } from './read-code.ts'
import { readAnchor } from './read-heading.ts'
import { classesOf, readPicture } from './read-inline-element.ts'
import { readLine, readRuns } from './read-line.ts'
import type { PhraseElement } from './read-line.ts'
import { readHtmlTable } from './read-table.ts'
import { readLength } from './read-tags.ts'
import type { Reading } from './reading.ts'

/**
 * Takes apart a piece of HTML between blocks of Markdown: tags, elements that may hold Markdown (which may end
 * in a later piece) and elements that a block stands for. What stands between them is Markdown; HTML in which
 * nothing is known is kept as written.
 */
export function splitHtml(html: string, span: Span, reading: Reading, depth: number): Item[] {
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
  }
  splitNodes(nodes, split)
  flush(split)

  const structured = split.items.some((item) => item.type !== 'loose')
  return split.items.flatMap((item): Item[] => {
    if (item.type !== 'loose') return [item]
    const source = html.slice(item.from, item.to)
    if (structured && depth < DEEPEST) return readInner(source, item.start, reading, depth)
    const kept = voidBlock('html', { html: reading.masked.raw(source) })
    return [{ type: 'block', block: kept, start: item.start, end: item.end }]
  })
}

/** Text and inline elements between what is known; `from` and `to` are offsets in the piece of HTML. */
type Loose = Span & { type: 'loose'; from: number; to: number }

interface Split {
  html: string
  reading: Reading
  depth: number
  /** Where the piece begins in the source; undefined inside of lists and quotes, where lines lose their beginnings. */
  offset: number | undefined
  span: Span
  items: (Item | Loose)[]
  loose: HtmlNode[]
}

/** Pieces within pieces deeper than this are kept as HTML. */
const DEEPEST = 20

function splitNodes(nodes: HtmlNode[], split: Split): void {
  for (const node of nodes) {
    const tag = node.type === 'comment' ? split.reading.masked.tag(node.source) : undefined
    if (tag) {
      flush(split)
      const item = { name: tag.name, source: tag.source, ...place(node, split) }
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

  const source = split.reading.masked.raw(split.html.slice(element.start, element.end))
  if (name === 'summary') {
    flush(split)
    split.items.push({ type: 'summary', line: readSummary(element, split.reading), source, ...span })
    return true
  }
  if (!isBlockElement(element)) return false
  const read = readBlockElement(element, split.reading, 0)
  if (!read && (name === 'img' || name === 'picture')) return false
  flush(split)
  split.items.push({ type: 'block', block: read ?? voidBlock('html', { html: source }), ...span })
  return true
}

function addTag(
  name: 'details' | 'div',
  source: string,
  attributes: Map<string, string> | undefined,
  span: Span,
  { items }: Split,
): void {
  const tag = `html:${name}`
  if (attributes)
    items.push({ type: 'open', name: tag, source, opener: { element: name, attributes }, ...span })
  else items.push({ type: 'close', name: tag, source, ...span })
}

/** A `<div>` is taken apart if it frames images or has tags in it. */
function holdsMore(element: HtmlElement, split: Split): boolean {
  const inside = element.children.filter((child) => child.type !== 'characters' || child.source.trim() !== '')
  if (inside.length > 0 && framesImages(element.attributes))
    if (inside.every((child) => child.type === 'element' && IMAGES.has(child.name))) return true

  return [...split.html.slice(element.start, element.end).matchAll(/<!--[^-]+-->/g)].some(([comment]) =>
    split.reading.masked.tag(comment),
  )
}

/** Ends the run of text and inline elements that was gathered. */
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

type ReadBlock = (element: HtmlElement, reading: Reading, depth: number) => Block | undefined

const heading =
  (type: 'heading-1' | 'heading-2' | 'heading-3'): ReadBlock =>
  (element, reading) => {
    const { id, phrases } = readAnchor(element.children, reading)
    const runs = readRuns(trimmed(phrases as HtmlNode[]), reading)
    if (id !== undefined) dropSeparator(runs, phrases[0] !== element.children[0])
    return block(type, defined({ id, align: alignOf(element) }), line(runs))
  }

const list =
  (type: 'list-unordered' | 'list-ordered'): ReadBlock =>
  (element, reading, depth) => {
    const items = element.children.filter(
      (child) => child.type !== 'characters' || child.source.trim() !== '',
    )
    if (items.length === 0 || !items.every((item) => item.type === 'element' && item.name === 'li'))
      return undefined
    const nodes = items.map((item) => {
      const inside = readFlow((item as HtmlElement).children, reading, depth + 1)
      const checked = (item as HtmlElement).attributes.get('data-checked')
      const data = checked === 'true' || checked === 'false' ? { checked: checked === 'true' } : {}
      return inside && block('list-item', data, filled(inside))
    })
    if (!nodes.every((item) => item !== undefined)) return undefined
    const start = Number(element.attributes.get('start') ?? 1)
    if (type === 'list-ordered')
      return block(type, start === 1 || !Number.isInteger(start) ? {} : { start }, nodes)
    return block(nodes.some((item) => item.data.checked !== undefined) ? 'list-tasks' : type, {}, nodes)
  }

const BLOCKS: Record<string, ReadBlock> = {
  p: (element, reading) => paragraph(readLine(trimmed(element.children), reading), alignOf(element)),
  h1: heading('heading-1'),
  h2: heading('heading-1'),
  h3: heading('heading-2'),
  h4: heading('heading-3'),
  h5: heading('heading-3'),
  h6: heading('heading-3'),
  ul: list('list-unordered'),
  ol: list('list-ordered'),
  blockquote: (element, reading, depth) => {
    const inside = readFlow(element.children, reading, depth + 1)
    return inside && block('blockquote', {}, filled(inside))
  },
  hr: () => voidBlock('divider', {}),
  pre: readPre,
  figure: readFigure,
  picture: readFigure,
  img: readFigure,
  table: readHtmlTable,
  details: (element, reading, depth) => {
    const [summary, ...rest] = element.children.filter(
      (child) => child.type !== 'characters' || child.source.trim() !== '',
    )
    const titled = summary?.type === 'element' && summary.name === 'summary'
    const inside = readFlow(titled ? rest : element.children, reading, depth + 1)
    return (
      inside &&
      expandable(element.attributes.has('open'), titled ? readSummary(summary, reading) : undefined, inside)
    )
  },
  div: (element, reading, depth) => {
    const inside = framesImages(element.attributes)
      ? readFlow(element.children, reading, depth + 1)
      : undefined
    return inside && joinImages(element.attributes, inside)
  },
}

function isBlockElement(element: HtmlElement): boolean {
  return Object.hasOwn(BLOCKS, element.name) && element.name !== 'div'
}

/** The block an element stands for; undefined if nothing does. */
export function readBlockElement(element: HtmlElement, reading: Reading, depth: number): Block | undefined {
  return Object.hasOwn(BLOCKS, element.name) && depth < DEEPEST
    ? BLOCKS[element.name]?.(element, reading, depth)
    : undefined
}

/**
 * The blocks inside of a cell, list item or quote in HTML: elements as blocks, text between them as paragraphs.
 * Undefined if there is an element that no block stands for.
 */
export function readFlow(nodes: HtmlNode[], reading: Reading, depth: number): Block[] | undefined {
  const blocks: Block[] = []
  let loose: HtmlNode[] = []
  const end = () => {
    if (loose.some((node) => node.type !== 'characters' || node.source.trim() !== ''))
      blocks.push(paragraph(readLine(trimmed(loose), reading)))
    loose = []
  }

  for (const node of nodes) {
    const separate =
      node.type === 'element' && Object.hasOwn(BLOCKS, node.name) && (node.name !== 'img' || isDrawing(node))
    if (!separate) {
      loose.push(node)
      continue
    }
    end()
    const read = readBlockElement(node, reading, depth)
    if (!read) return undefined
    blocks.push(read)
  }
  end()
  return blocks
}

/** Without the white space at the ends, which HTML does not show. */
export function trimmed(nodes: HtmlNode[]): HtmlNode[] {
  return nodes.map((node, index) => {
    if (node.type !== 'characters') return node
    const start = index === 0 ? node.source.replace(/^[ \t\r\n]+/, '') : node.source
    return { ...node, source: index === nodes.length - 1 ? start.replace(/[ \t\r\n]+$/, '') : start }
  })
}

function readSummary(element: HtmlElement, reading: Reading): ReturnType<typeof readLine> {
  return readLine(trimmed(element.children), reading)
}

function alignOf(element: HtmlElement): Align | undefined {
  const align = element.attributes.get('align')
  if (align === 'center') return align
  return align === 'left' ? 'start' : align === 'right' ? 'end' : undefined
}

function isDrawing(element: HtmlElement): boolean {
  return classesOf(element).includes('gitbook-drawing')
}

/** `<figure>`, or an image without one. An image with a size for lines is part of a paragraph. */
function readFigure(element: HtmlElement, reading: Reading): Block | undefined {
  const inside =
    element.name === 'figure' ? element.children.filter((child) => child.type === 'element') : [element]
  const shown = inside.find((child) => child.name === 'img' || child.name === 'picture')
  const caption = inside.find((child) => child.name === 'figcaption')
  if (!shown || inside.some((child) => child !== shown && child !== caption)) return undefined
  if (shown.name === 'img' && isDrawing(shown)) {
    const src = shown.attributes.get('src')
    const picture = readPicture(shown as PhraseElement, reading)
    return voidBlock('drawing', src && picture ? { ref: picture.ref } : {})
  }
  if (element.name === 'img' && element.attributes.has('data-size'))
    return paragraph(readLine([element], reading))

  const picture = readPicture(shown as PhraseElement, reading)
  const captions = caption ? readFlow(caption.children, reading, 1) : []
  if (!picture || !captions) return undefined
  const { image, ...refs } = picture
  const data: BlockOf<'image'>['data'] = {
    ...refs,
    width: readLength(image.attributes.get('width')),
    height: readLength(image.attributes.get('height')),
    alt: reading.masked.raw(image.attributes.get('alt') ?? '') || undefined,
  }
  return block('images', {}, [
    voidBlock('image', defined(data), captions.length > 0 ? [fragment('caption', captions)] : []),
  ])
}
