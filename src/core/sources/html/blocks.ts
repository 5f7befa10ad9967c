import { block, filled, fragment, inline, paragraph, voidBlock } from '../../document/build.ts'
import type { InlineRun } from '../../document/build.ts'
import type { Block, BlockOf, Inline } from '../../document/model.ts'
import { lineText } from '../../document/text.ts'
import { importedAnchor } from '../anchor.ts'
import { append, needItem } from '../../data/lists.ts'
import { slugify } from '../../text/slug.ts'
import { calloutStyle, calloutTitle, hint } from './callouts.ts'
import { framedPre, readCodeElement } from './code.ts'
import { formulaOf, lineOfRuns, runsOf } from './inline.ts'
import { findAll, findFirst, isDropped, isElement, phraseIn } from './markup.ts'
import type { MarkupElement, MarkupNode } from './markup.ts'
import { inside, type MarkupContext } from './markup-context.ts'
import { listItem, readTableElement } from './table.ts'

/** Converts nodes of HTML to blocks. Nodes that are neither a block nor text of a page are left out. */
export function blocksOf(nodes: readonly MarkupNode[], context: MarkupContext): Block[] {
  const blocks: Block[] = []
  let pending: MarkupNode[] = []
  const flush = () => {
    if (pending.length > 0) for (const one of paragraphsOf(pending, context)) blocks.push(one)
    pending = []
  }
  for (const node of nodes) {
    if (typeof node === 'string') {
      pending.push(node)
      continue
    }
    const special = context.block?.(node, context)
    if (special) {
      flush()
      for (const one of special) blocks.push(one)
      continue
    }
    if (isDropped(node)) continue
    noteAnchor(node, context)
    if (!node.holdsBlocks) {
      pending.push(node)
      continue
    }
    flush()
    for (const one of readElement(node, context)) blocks.push(one)
  }
  flush()
  return context.joinsLists ? joinLists(blocks) : blocks
}

/** Joins neighbouring lists of one kind. A numbered list that begins again stays apart. */
function joinLists(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const one of blocks) {
    const last = joined.at(-1)
    const isList = one.type === 'list-unordered' || one.type === 'list-ordered' || one.type === 'list-tasks'
    const continues =
      one.type !== 'list-ordered' ||
      (last?.type === 'list-ordered' && one.data.start === (last.data.start ?? 1) + last.nodes.length)
    if (isList && last?.type === one.type && continues) append(last.nodes, one.nodes)
    else joined.push(one)
  }
  return joined
}

type Reader = (element: MarkupElement, context: MarkupContext) => Block[]

function readElement(element: MarkupElement, context: MarkupContext): Block[] {
  const style = calloutStyle(element)
  if (style && element.name !== 'details') {
    const { title, rest } = calloutTitle(element)
    const content = contained(rest, context, (blocks) => blocks)
    return [hint(style, title, content)]
  }
  const pre = element.name === 'pre' ? undefined : framedPre(element)
  if (pre) return [readCodeElement(pre, [element], context)]
  const read = Object.hasOwn(ELEMENTS, element.name) ? ELEMENTS[element.name]! : transparent
  return read(element, context)
}

/** The blocks in a container, or in place of it if containers are nested too deeply. */
function contained(
  nodes: readonly MarkupNode[],
  context: MarkupContext,
  wrap: (blocks: Block[]) => Block[],
): Block[] {
  const deeper = inside(context)
  return deeper ? wrap(blocksOf(nodes, deeper)) : blocksOf(nodes, context)
}

const transparent: Reader = (element, context) => {
  const tabs = readTabs(element, context)
  if (tabs) return tabs
  return blocksOf(element.children, context)
}

const ELEMENTS: Record<string, Reader> = {
  p: (element, context) => blocksOf(element.children, context),
  h1: readHeading,
  h2: readHeading,
  h3: readHeading,
  h4: readHeading,
  h5: readHeading,
  h6: readHeading,
  ul: readList,
  ol: readList,
  menu: readList,
  dl: readDefinitions,
  blockquote: (element, context) =>
    contained(element.children, context, (blocks) =>
      blocks.length > 0 ? [block('blockquote', {}, blocks)] : [],
    ),
  hr: () => [voidBlock('divider', {})],
  pre: (element, context) => [readCodeElement(element, [], context)],
  table: (element, context) => {
    const deeper = inside(context)
    if (!deeper || isLayout(element)) return blocksOf(element.children, context)
    return readTableElement(element, (cell) => blocksOf(cell.children, deeper))
  },
  figure: readFigure,
  details: readDetails,
  summary: (element, context) => paragraphsOf(element.children, context),
  iframe: ({ attributes: { src = '' } }, context) => {
    const url = context.link(src.startsWith('//') ? `https:${src}` : src)
    return url !== undefined && /^https?:/i.test(url) ? [voidBlock('embed', { url })] : []
  },
  video: readMedia,
  audio: readMedia,
  footer: () => [],
  a: readCard,
}

/** True for a table that frames another, or that says that it is no table. */
function isLayout(table: MarkupElement): boolean {
  const { role } = table.attributes
  return role === 'presentation' || role === 'none'
}

/** A link around blocks is one line: links hold no blocks. */
function readCard(element: MarkupElement, context: MarkupContext): Block[] {
  if (element.attributes.href === undefined || findFirst(element, ({ name }) => name === 'img'))
    return blocksOf(element.children, context)
  return paragraphsOf([{ ...element, holdsBlocks: false }], context)
}

/** An anchor that is not a heading's own belongs to the next heading. */
function noteAnchor({ name, attributes }: MarkupElement, { anchors }: MarkupContext): void {
  const id = attributes.id ?? (name === 'a' ? attributes.name : undefined)
  if (id !== undefined && id !== '' && !/^h[1-6]$/.test(name)) anchors.push(id)
}

const HEADINGS = { h1: 'heading-1', h2: 'heading-1', h3: 'heading-2' } as const

function readHeading({ name, attributes, children }: MarkupElement, context: MarkupContext): Block[] {
  const type = name in HEADINGS ? HEADINGS[name as keyof typeof HEADINGS] : 'heading-3'
  const nodes = lineOfRuns(runsOf(children, { ...context, anchors: [] }))
  const inner = findFirst({ name, attributes, children, holdsBlocks: false }, (element) =>
    Boolean(element.attributes.id ?? (element.name === 'a' ? element.attributes.name : undefined)),
  )
  const ids = [attributes.id, inner?.attributes.id ?? inner?.attributes.name, ...context.anchors.toReversed()]
  context.anchors.length = 0
  const written = lineText(nodes)
  if (written.trim() === '' && nodes.every((node) => node.object === 'text')) return []
  const [anchor] = ids.flatMap((id) => (id ? [importedAnchor(id)] : []))
  const isUsed = anchor !== undefined && (context.isUsed?.(anchor) ?? true)
  const isOwn = isUsed && anchor !== slugify(written) && /^[-a-z0-9.+_]+$/.test(anchor)
  return [block(type, isOwn ? { id: anchor } : {}, nodes)]
}

/** Inline content as paragraphs. Images that stand alone are figures. */
function paragraphsOf(nodes: readonly MarkupNode[], context: MarkupContext): Block[] {
  const runs = runsOf(nodes, context)
  if (runs.length === 0) return []
  const [only] = runs
  const formula = runs.length === 1 && only && !('text' in only) && only.type === 'inline-math'
  if (formula && nodes.some((node) => isElement(node) && isDisplayMath(node)))
    return [voidBlock('math', { formula: only.data.formula })]
  const images = imagesOf(runs)
  if (images) return images.map((image) => block('images', {}, [image]))
  if (runs.every((run) => 'text' in run && run.text.replaceAll('\u00a0', ' ').trim() === '')) return []
  return [paragraph(lineOfRuns(runs))]
}

const isDisplayMath = (element: MarkupElement) =>
  /\b(?:katex-display|display|block)\b/.test(
    `${element.attributes.class ?? ''} ${element.attributes.display ?? ''}`,
  ) && formulaOf(element) !== undefined

/** The images of a line that has nothing else; undefined if it has text. */
function imagesOf(runs: readonly InlineRun[]): BlockOf<'image'>[] | undefined {
  const images: BlockOf<'image'>[] = []
  for (const run of runs) {
    if ('text' in run) {
      if (run.text.trim() !== '') return undefined
      continue
    }
    const inner: Inline | undefined =
      run.type === 'link'
        ? run.nodes.find((node) => node.object === 'inline' && node.type === 'inline-image') && soleImage(run)
        : run
    if (inner?.type !== 'inline-image') return undefined
    const { ref, alt } = inner.data
    images.push(voidBlock('image', { ref, ...(alt === undefined ? {} : { alt }) }))
  }
  return images.length > 0 ? images : undefined
}

function soleImage({ nodes }: Inline & { type: 'link' }): Inline | undefined {
  if (lineText(nodes.filter((node) => node.object === 'text')).trim() !== '') return undefined
  return nodes.find((node) => node.object === 'inline')
}

function readFigure(element: MarkupElement, context: MarkupContext): Block[] {
  const caption = element.children.find((child) => isElement(child, 'figcaption'))
  const others = element.children.filter((child) => child !== caption)
  const content = blocksOf(others, context)
  if (!isElement(caption)) return content
  const runs = runsOf(caption.children, context)
  if (runs.length === 0) return content
  const [first] = content
  if (content.length === 1 && first?.type === 'images' && first.nodes.length > 0) {
    const image = first.nodes.at(-1) as BlockOf<'image'>
    const captioned = {
      ...image,
      fragments: [fragment('caption', [paragraph(lineOfRuns(runs))])],
    }
    return [block('images', first.data, [...first.nodes.slice(0, -1), captioned])]
  }
  if (content.length === 1 && first?.type === 'code')
    return [{ ...first, data: { ...first.data, title: phraseIn(caption.children) } }]
  return [...content, paragraph(lineOfRuns(runs))]
}

function readDetails(element: MarkupElement, context: MarkupContext): Block[] {
  const summary = element.children.find((child) => isElement(child, 'summary'))
  const others = element.children.filter((child) => child !== summary)
  const title = isElement(summary) ? runsOf(summary.children, context) : []
  const isOpen = element.attributes.open !== undefined
  const deeper = inside(context)
  if (!deeper)
    return [...(title.length > 0 ? [paragraph(lineOfRuns(title))] : []), ...blocksOf(others, context)]
  return [expandableBlock(title, blocksOf(others, deeper), isOpen)]
}

/** Collapsible text below its title. */
export function expandableBlock(title: InlineRun[], content: Block[], isOpen = false): Block {
  return voidBlock('expandable', isOpen ? { defaultExpanded: true } : {}, [
    fragment('expandable-title', [paragraph(lineOfRuns(title))], 'expandable-title'),
    fragment('expandable-body', filled(content), 'expandable-body'),
  ])
}

function readMedia(element: MarkupElement, context: MarkupContext): Block[] {
  const source = findFirst(element, ({ name }) => name === 'source')
  const src = element.attributes.src ?? source?.attributes.src
  const url = src === undefined ? undefined : context.link(src)
  if (url === undefined) return []
  if (/^https?:/i.test(url)) return [voidBlock('embed', { url })]
  return [voidBlock('file', { ref: { kind: 'url', url } })]
}

function readList(element: MarkupElement, context: MarkupContext): Block[] {
  const deeper = inside(context)
  if (!deeper) return blocksOf(element.children.flatMap(paragraphOfItem), context)
  const items: BlockOf<'list-item'>[] = []
  for (const child of element.children) {
    if (!isElement(child)) {
      if (child.trim() !== '') items.push(listItem(blocksOf([child], deeper)))
      continue
    }
    if (isDropped(child)) continue
    const content = blocksOf(child.name === 'li' ? child.children : [child], deeper)
    const previous = items.at(-1)
    // Old editors put a list directly into a list instead of into its item.
    if (child.name !== 'li' && previous) append(previous.nodes, content)
    else if (content.length > 0) items.push(listItem(content, checkedOf(child)))
  }
  if (items.length === 0) return []
  if (items.some(({ data }) => data.checked !== undefined)) {
    for (const item of items) item.data.checked ??= false
    return [block('list-tasks', {}, items)]
  }
  if (element.name !== 'ol') return [block('list-unordered', {}, items)]
  const start = Number(element.attributes.start ?? 1)
  return [block('list-ordered', Number.isInteger(start) && start > 1 ? { start } : {}, items)]
}

const paragraphOfItem = (child: MarkupNode): MarkupNode[] =>
  isElement(child, 'li') ? [{ ...child, name: 'div', holdsBlocks: true }] : [child]

/** Whether a list item is a done task; undefined if it is none. */
function checkedOf(item: MarkupElement): boolean | undefined {
  const [first] = item.children.filter((child) => isElement(child) || child.trim() !== '')
  const around = isElement(first) && ['p', 'label', 'span', 'div'].includes(first.name) ? first : item
  const box = around.children.find((child) => isElement(child, 'input'))
  if (!isElement(box) || box.attributes.type !== 'checkbox') return undefined
  return box.attributes.checked !== undefined
}

/** A list of terms is a list, each with its term in bold. */
function readDefinitions(element: MarkupElement, context: MarkupContext): Block[] {
  const deeper = inside(context)
  if (!deeper) return blocksOf(element.children, context)
  const parts = findAll(element, ({ name }) => name === 'dt' || name === 'dd' || name === 'dl')
  const items: BlockOf<'list-item'>[] = []
  for (const part of parts) {
    if (part.name === 'dt') {
      noteAnchor(part, context)
      const term: MarkupElement = {
        name: 'strong',
        attributes: {},
        children: part.children,
        holdsBlocks: false,
      }
      const content = paragraphsOf([term], deeper)
      if (content.length > 0) items.push(listItem(content))
      continue
    }
    const content = blocksOf(part.name === 'dl' ? [part] : part.children, deeper)
    const last = items.at(-1)
    if (last) append(last.nodes, content)
    else if (content.length > 0) items.push(listItem(content))
  }
  return items.length > 0 ? [block('list-unordered', {}, items)] : []
}

/** Tabs that follow the practices of accessible pages: a list of tabs, and a panel for each. */
function readTabs(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const list = element.children.find((child) => isElement(child) && child.attributes.role === 'tablist')
  const deeper = inside(context)
  if (!isElement(list) || !deeper) return undefined
  const isRole = (role: string) => (one: MarkupElement) => one.attributes.role === role
  const tabs = findAll(list, isRole('tab'))
  const panels = findAll(element, isRole('tabpanel'))
  if (tabs.length === 0 || tabs.length !== panels.length) return undefined
  const items = panels.map((panel, at) => {
    const title = phraseIn(needItem(tabs, at).children)
    return block('tabs-item', { title }, filled(blocksOf(panel.children, deeper)))
  })
  return [block('tabs', {}, items)]
}

/** A link as the only content of a paragraph. */
export function linkBlock(url: string, label: string): Block {
  const ref = { kind: 'url' as const, url }
  return paragraph(lineOfRuns([inline('link', { ref }, lineOfRuns([{ text: label, marks: [] }]))]))
}
