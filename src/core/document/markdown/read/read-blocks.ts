import type { MdastNode } from 'satteri'

import { needItem } from '../../../data/lists.ts'
import { block, defined, filled, fragment, line, paragraph, text, voidBlock } from '../../build.ts'
import type { Block, BlockOf } from '../../model.ts'
import { noteFormulas } from '../conditions/formula-conditions.ts'
import { conditionTags, holding, referring, settleCode, sourceRuns } from '../conditions/condition-tags.ts'
import { containerTag } from '../html-source.ts'
import { nest } from './nest.ts'
import type { Item } from '../reading.ts'
import { readAlert } from './read-alert.ts'
import { readAnchor } from './read-heading.ts'
import { splitHtml } from './read-html.ts'
import { withoutLastBreak } from './last-break.ts'
import { readLine, readRuns, refOf } from './read-line.ts'
import { readPipeTable } from './read-table.ts'
import { childrenOf, noteItem, noteSpan, readTree, spanOf } from '../reading.ts'
import type { PlacedBlock, ReadingContext } from '../reading.ts'
import { withoutEnd } from '../../../text/trimming.ts'

/** Lists and quotes deeper than this are kept as text. */
const DEEPEST = 32

/** Reads the nodes of one container into blocks, each with its place. */
export function readNodes(nodes: MdastNode[], reading: ReadingContext, depth = 0): PlacedBlock[] {
  return nest(readItems(nodes, reading, depth), depth)
}

/** Reads Markdown that starts at `offset` in the source. The parser counts offsets from the start of this text. */
export function readInner(source: string, offset: number, reading: ReadingContext, depth: number): Item[] {
  const origin = reading.masked.text.startsWith(source, offset) ? reading.origin : undefined
  const inside = {
    ...reading,
    masked: { ...reading.masked, text: source },
    origin: origin === undefined ? undefined : origin + offset,
  }
  const nodes = readTree(source)
  settleCode(nodes, inside)
  noteFormulas(nodes, inside)
  const items = readItems(nodes, inside, depth + 1)
  return items.map((item) => ({ ...item, start: item.start + offset, end: item.end + offset }))
}

function readItems(nodes: MdastNode[], reading: ReadingContext, depth: number): Item[] {
  return nodes.flatMap((node, index) => {
    const items = readNode(node, reading, depth)
    const previous = nodes[index - 1]
    if (node.type === 'heading' && previous?.type === 'definition') {
      // The parser (satteri 0.10.5) starts an underlined heading at the definition in the lines before it.
      const { end } = spanOf(previous)
      for (const item of items) item.start = Math.max(item.start, end)
    }
    for (const item of items) if (item.type === 'block') noteSpan(item.block, item, reading)
    return items
  })
}

type ReadNode<T extends MdastNode['type']> = (
  node: Extract<MdastNode, { type: T }>,
  reading: ReadingContext,
  depth: number,
) => Block | Item[]

const READ: { [T in MdastNode['type']]?: ReadNode<T> } = {
  paragraph: readParagraph,
  heading: (node, reading) => readHeading(node, reading),
  list: readList,
  blockquote: readQuote,
  code: (node, reading) => (node.lang === 'math' ? readMathBlock(node, reading) : readCode(node, reading)),
  math: readMathBlock,
  thematicBreak: () => voidBlock('divider', {}),
  table: readPipeTable,
  html: (node, reading, depth) => splitHtml(node.value, spanOf(node), reading, depth),
  definition: readDefinition,
  footnoteDefinition: readDefinition,
}

function readNode(node: MdastNode, reading: ReadingContext, depth: number): Item[] {
  const span = spanOf(node)
  const read = (READ as Record<string, ReadNode<MdastNode['type']> | undefined>)[node.type]
  if (depth > DEEPEST || !read) return [{ type: 'block', block: verbatim(node, reading), ...span }]

  const result = read(node, reading, depth)
  return Array.isArray(result) ? result : [{ type: 'block', block: result, ...span }]
}

/** A block of code lines; it has at least one. */
function readCode(node: MdastNode & { type: 'code' }, reading: ReadingContext): BlockOf<'code'> {
  const { masked } = reading
  // A tag is no name of a language. Without its spaces, which such a name cannot have, it would be another tag.
  const language = masked.pieces(node.lang ?? '').map((piece) => (piece.tag ? '' : piece.text))
  const syntax = masked.raw(language.join(''))
  const values = node.value.split(LINE_BREAK)
  const lines = values.map((one) => block('code-line', {}, [text(masked.raw(one))]))
  if (reading.map) noteLines(lines, values, node, reading)
  return block('code', defined({ syntax: syntax === '' ? undefined : syntax }), lines)
}

const LINE_BREAK = /\r\n|\r|\n/

/** A line of code stands at the end of a line of the source, behind what the blocks around it and its indentation need. */
function noteLines(lines: Block[], values: string[], node: MdastNode, reading: ReadingContext): void {
  const { start, end } = spanOf(node)
  const source = reading.masked.text.slice(start, end)
  const isFenced = /^(?:```|~~~)/.test(source)
  let at = start
  for (const [i, written] of source.split(/(?<=\n)/).entries()) {
    const index = isFenced ? i - 1 : i
    const [codeLine, value] = [lines[index], values[index]]
    const content = written.replace(/\r?\n$/, '')
    const stop = at + content.length
    if (codeLine && value !== undefined && content.endsWith(value))
      noteSpan(codeLine, { start: stop - value.length, end: stop }, reading)
    at += written.length
  }
}

/** A formula. GitHub writes it as a block of code in the language `math`, too. */
function readMathBlock({ value }: { value: string }, { masked }: ReadingContext): BlockOf<'math'> {
  return voidBlock('math', { formula: masked.raw(value) })
}

function readQuote(node: MdastNode, reading: ReadingContext, depth: number): Block {
  const alert = readAlert(node, reading)
  const children = alert?.children ?? childrenOf(node)
  const nodes = filled(blocksOf(children, reading, depth))
  return alert ? block('hint', { style: alert.style }, nodes) : block('blockquote', {}, nodes)
}

function blocksOf(nodes: MdastNode[], reading: ReadingContext, depth: number): Block[] {
  return readNodes(nodes, reading, depth + 1).map((placed) => placed.block)
}

/** The source as text. Its indentation grows with the depth and is not shown. */
function verbatim(node: MdastNode, reading: ReadingContext): Block {
  const { start, end } = spanOf(node)
  const unindented = (masked: string) => reading.masked.raw(masked).replace(/^[ \t]+/gm, '')
  return paragraph(line(sourceRuns(reading.masked.text.slice(start, end), reading, unindented)))
}

/** A definition displays nothing. Its block only preserves the source. */
function readDefinition(node: MdastNode, reading: ReadingContext): Block {
  const { start, end } = spanOf(node)
  const source = reading.masked.text.slice(start, end)
  const definition = voidBlock('html', { html: '', markdown: reading.masked.raw(source) })
  let open = 0
  const tags = conditionTags(source, reading).filter((tag) => {
    // What is in a definition closes no condition outside of it.
    if (reading.settled.has(tag) || (tag.closes && open === 0)) return false
    open += tag.closes ? -1 : 1
    return true
  })
  return holding(definition, tags)
}

/**
 * A paragraph that contains only an image or a formula becomes that block. A tag at its end closes the surrounding
 * block.
 */
function readParagraph(node: MdastNode, reading: ReadingContext): Block | Item[] {
  const children = withoutLastBreak(childrenOf(node), reading)
  const [only] = children
  if (children.length === 1 && only?.type === 'inlineMath')
    return voidBlock('math', { formula: reading.masked.raw(only.value) })
  if (children.length === 1 && (only?.type === 'image' || only?.type === 'imageReference'))
    return readFigure(only, reading)

  const closing = closingTags(children, reading)
  if (closing === 0 || closing === children.length) return paragraph(readLine(children, reading))
  const { start, end } = spanOf(node)
  const tags = children.slice(closing)
  const from = spanOf(needItem(tags, 0)).start
  const source = tags.map((child) => ('value' in child ? child.value : '')).join('')
  return [
    {
      type: 'block',
      block: paragraph(line(runsBeforeTag(children.slice(0, closing), reading))),
      start,
      end: from,
    },
    ...splitHtml(source, { start: from, end }, reading, 0),
  ]
}

/**
 * The index of the first closing tag at the end of a paragraph, of a tag or of an element that holds blocks. One that ends
 * something within the paragraph is not one.
 */
function closingTags(children: MdastNode[], reading: ReadingContext): number {
  const tags = children.map((child) => (child.type === 'html' ? reading.masked.tag(child.value) : undefined))
  const elements = children.map((child) => (child.type === 'html' ? containerTag(child.value) : undefined))
  const opened = tags.filter((tag) => tag?.name === 'if' && !tag.closes).length
  let closed = tags.filter((tag) => tag?.name === 'if' && tag.closes).length
  const begun = new Set(elements.flatMap((element) => (element && !element.closes ? element.name : [])))
  let at = children.length
  for (; at > 0; at -= 1) {
    const [tag, element] = [tags[at - 1], elements[at - 1]]
    if (element?.closes && !begun.has(element.name)) continue
    if (!tag?.closes || (tag.name === 'if' && closed <= opened)) break
    if (tag.name === 'if') closed -= 1
  }
  return at
}

/** Reads a line up to the tag that ends the block around it. Space before the tag counts only if it is a reference. */
function runsBeforeTag(children: MdastNode[], reading: ReadingContext): ReturnType<typeof readRuns> {
  const last = children.at(-1)
  const value = last?.type === 'text' ? withoutBlankEnd(last.value, last, reading) : ''
  if (last?.type === 'text' && value !== '')
    return readRuns([...children.slice(0, -1), { ...last, value }], reading)
  const runs = readRuns(children, reading)
  const run = runs.at(-1)
  if (run && 'marks' in run) run.text = run.text.trimEnd()
  return runs
}

/** The value of a text without the blank space at the end of its source. */
function withoutBlankEnd(value: string, node: MdastNode, { masked }: ReadingContext): string {
  const { start, end } = spanOf(node)
  const written = masked.text.slice(start, end)
  const blank = written.slice(withoutEnd(written, ' \t\r\n').length)
  const inValue = /[\r\n]/.test(blank) ? '\n' : blank
  return value.endsWith(inValue) ? value.slice(0, value.length - inValue.length) : value.trimEnd()
}

function readFigure(node: MdastNode & { type: 'image' | 'imageReference' }, reading: ReadingContext): Block {
  const target = node.type === 'image' ? node : reading.definitions.get(node.identifier)
  if (!target) return paragraph(readLine([node], reading))
  const [alt, caption] = [node.alt, target.title].map((value) => reading.masked.plain(value ?? ''))
  const image = voidBlock(
    'image',
    defined({ ref: refOf(target.url, reading), alt: alt === '' ? undefined : alt }),
    caption === '' || caption === undefined ? [] : [fragment('caption', [paragraph(caption)])],
  )
  const images = block('images', {}, [image])
  return node.type === 'image' ? images : referring(images, node.identifier, reading)
}

/** Removes the single space between a heading and its anchor, which is not part of the text. */
function dropSeparator(runs: ReturnType<typeof readRuns>, anchorFirst: boolean): void {
  const run = anchorFirst ? runs[0] : runs.at(-1)
  if (run && 'marks' in run) run.text = anchorFirst ? run.text.trimStart() : run.text.replace(/ $/, '')
}

const HEADINGS = ['heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3', 'heading-3'] as const

function readHeading(node: MdastNode & { type: 'heading' }, reading: ReadingContext): Block {
  const { id, phrases } = readAnchor(childrenOf(node), reading)
  const runs = readRuns(phrases, reading)
  if (id !== undefined) dropSeparator(runs, phrases[0] !== childrenOf(node)[0])
  return block(HEADINGS[node.depth - 1] ?? 'heading-3', defined({ id }), line(runs))
}

function readList(node: MdastNode & { type: 'list' }, reading: ReadingContext, depth: number): Block {
  const items = node.children.map((item) => {
    const checked = item.checked ?? undefined
    const nodes = blocksOf(childrenOf(item), reading, depth)
    // Markdown needs text beside a box, so an item that begins with another block has an empty span there.
    if (checked !== undefined && nodes.length > 1 && isEmptyParagraph(item.children[0])) nodes.shift()
    const read = block('list-item', defined({ checked }), filled(nodes))
    noteItem(read, item, reading)
    return read
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
