import type { MdastNode } from 'satteri'

import { block, defined, filled, fragment, line, paragraph, text, voidBlock } from '../build.ts'
import type { Block, BlockOf } from '../model.ts'
import { nest } from './nest.ts'
import type { Item } from './nest.ts'
import { readAnchor } from './read-heading.ts'
import { splitHtml } from './read-html.ts'
import { readLine, readRuns, refOf } from './read-line.ts'
import { readPipeTable } from './read-table.ts'
import { childrenOf, readTree, spanOf, unconditionalText } from './reading.ts'
import type { Placed, Reading } from './reading.ts'

/** Lists and quotes deeper than this are kept as text. */
const DEEPEST = 32

/** Reads the nodes of one container into blocks, each with its place. */
export function readNodes(nodes: MdastNode[], reading: Reading, depth = 0): Placed[] {
  return nest(
    nodes.flatMap((node) => readNode(node, reading, depth)),
    depth,
  )
}

/** Reads Markdown that stands within the source at `offset`. */
export function readInner(masked: string, offset: number, reading: Reading, depth: number): Item[] {
  const items = readTree(masked).flatMap((node) => readNode(node, reading, depth + 1))
  return items.map((item) => ({ ...item, start: item.start + offset, end: item.end + offset }))
}

type ReadNode<T extends MdastNode['type']> = (
  node: Extract<MdastNode, { type: T }>,
  reading: Reading,
  depth: number,
) => Block | Item[]

const READ: { [T in MdastNode['type']]?: ReadNode<T> } = {
  paragraph: readParagraph,
  heading: (node, reading) => readHeading(node, reading),
  list: readList,
  blockquote: (node, reading, depth) => block('blockquote', {}, filled(blocksOf(node, reading, depth))),
  code: (node, { masked }) =>
    codeBlock(
      masked.raw(node.value),
      node.lang === null || node.lang === undefined ? undefined : masked.raw(node.lang),
    ),
  math: (node, { masked }) => voidBlock('math', { formula: masked.raw(node.value) }),
  thematicBreak: () => voidBlock('divider', {}),
  table: readPipeTable,
  html: (node, reading, depth) => splitHtml(node.value, spanOf(node), reading, depth),
  definition: readDefinition,
  footnoteDefinition: readDefinition,
}

function readNode(node: MdastNode, reading: Reading, depth: number): Item[] {
  const span = spanOf(node)
  const read = (READ as Record<string, ReadNode<MdastNode['type']> | undefined>)[node.type]
  if (depth > DEEPEST || !read) return [{ type: 'block', block: verbatim(node, reading), ...span }]

  const result = read(node, reading, depth)
  return Array.isArray(result) ? result : [{ type: 'block', block: result, ...span }]
}

/** The block of code lines for a text; a text has at least one line. */
export function codeBlock(value: string, syntax?: string): BlockOf<'code'> {
  const lines = value.split(/\r\n|\r|\n/).map((one) => block('code-line', {}, [text(one)]))
  return block('code', defined({ syntax: syntax === '' ? undefined : syntax }), lines)
}

function blocksOf(node: MdastNode, reading: Reading, depth: number): Block[] {
  return readNodes(childrenOf(node), reading, depth + 1).map((placed) => placed.block)
}

/** The source as text. Its indentation, of which there is the more the deeper it stands, shows nothing. */
function verbatim(node: MdastNode, reading: Reading): Block {
  const { start, end } = spanOf(node)
  const source = reading.masked.raw(reading.masked.text.slice(start, end))
  return paragraph(unconditionalText(source).replace(/^[ \t]+/gm, ''))
}

/** Definitions show nothing where they stand: a block that only keeps their source. */
function readDefinition(node: MdastNode, reading: Reading): Block {
  const { start, end } = spanOf(node)
  return voidBlock('html', { html: '', markdown: reading.masked.raw(reading.masked.text.slice(start, end)) })
}

/** Paragraphs that hold one thing which is a block of its own are that block; a tag at the end of one closes what is around it. */
function readParagraph(node: MdastNode, reading: Reading): Block | Item[] {
  const children = childrenOf(node)
  const [only] = children
  if (children.length === 1 && only?.type === 'inlineMath')
    return voidBlock('math', { formula: reading.masked.raw(only.value) })
  if (children.length === 1 && (only?.type === 'image' || only?.type === 'imageReference'))
    return readFigure(only, reading)

  const closing = closingTags(children, reading)
  if (closing === 0 || closing === children.length) return paragraph(readLine(children, reading))
  const span = spanOf(node)
  const tags = children.slice(closing)
  const rest = readRuns(children.slice(0, closing), reading)
  trimEnd(rest)
  return [
    {
      type: 'block',
      block: paragraph(line(rest)),
      start: span.start,
      end: spanOf(tags[0] as MdastNode).start,
    },
    ...tags.flatMap((child) => splitHtml('value' in child ? child.value : '', spanOf(child), reading, 0)),
  ]
}

/** Where the closing tags at the end of a paragraph begin, without one that ends a condition within it. */
function closingTags(children: MdastNode[], reading: Reading): number {
  const tags = children.map((child) => (child.type === 'html' ? reading.masked.tag(child.value) : undefined))
  const opened = tags.filter((tag) => tag?.name === 'if' && !tag.closes).length
  let closed = tags.filter((tag) => tag?.name === 'if' && tag.closes).length
  let at = children.length
  for (let tag = tags[at - 1]; tag?.closes; tag = tags[at - 1]) {
    if (tag.name === 'if' && closed <= opened) break
    if (tag.name === 'if') closed -= 1
    at -= 1
  }
  return at
}

function trimEnd(runs: ReturnType<typeof readRuns>): void {
  const last = runs.at(-1)
  if (last && 'marks' in last) last.text = last.text.trimEnd()
}

function readFigure(node: MdastNode & { type: 'image' | 'imageReference' }, reading: Reading): Block {
  const target = node.type === 'image' ? node : reading.definitions.get(node.identifier)
  if (!target) return paragraph(readLine([node], reading))
  const [alt, caption] = [node.alt, target.title].map((value) => reading.masked.plain(value ?? ''))
  const image = voidBlock(
    'image',
    defined({ ref: refOf(target.url, reading), alt: alt === '' ? undefined : alt }),
    caption === '' || caption === undefined ? [] : [fragment('caption', [paragraph(caption)])],
  )
  return block('images', {}, [image])
}

/** The one space between a heading and its anchor is not part of the text. */
function dropSeparator(runs: ReturnType<typeof readRuns>, anchorFirst: boolean): void {
  const run = anchorFirst ? runs[0] : runs.at(-1)
  if (run && 'marks' in run) run.text = anchorFirst ? run.text.trimStart() : run.text.replace(/ $/, '')
}

const HEADINGS = ['heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3', 'heading-3'] as const

function readHeading(node: MdastNode & { type: 'heading' }, reading: Reading): Block {
  const { id, phrases } = readAnchor(childrenOf(node), reading)
  const runs = readRuns(phrases, reading)
  if (id !== undefined) dropSeparator(runs, phrases[0] !== childrenOf(node)[0])
  return block(HEADINGS[node.depth - 1] ?? 'heading-3', defined({ id }), line(runs))
}

function readList(node: MdastNode & { type: 'list' }, reading: Reading, depth: number): Block {
  const items = node.children.map((item) => {
    const checked = item.checked ?? undefined
    const nodes = blocksOf(item, reading, depth)
    // A box needs text beside it; an item that begins with something else carries an empty span for it.
    if (checked !== undefined && nodes.length > 1 && isEmptyParagraph(item.children[0])) nodes.shift()
    return block('list-item', defined({ checked }), filled(nodes))
  })
  if (node.ordered) {
    const start = node.start ?? 1
    return block('list-ordered', start === 1 ? {} : { start }, items)
  }
  return block(
    items.some((item) => item.data.checked !== undefined) ? 'list-tasks' : 'list-unordered',
    {},
    items,
  )
}

function isEmptyParagraph(node: MdastNode | undefined): boolean {
  const [open, close, ...others] = node?.type === 'paragraph' ? childrenOf(node) : []
  return (
    others.length === 0 &&
    open?.type === 'html' &&
    open.value === '<span>' &&
    close?.type === 'html' &&
    close.value === '</span>'
  )
}
