/** Blocks of the document model as nodes of ProseMirror, and back. Runs in Node too. */
import type { Fragment as Content, Mark as NodeMark, Node } from 'prosemirror-model'
import { type InlineRun, line } from '../../../../core/document/build.ts'
import type {
  Block,
  BlockType,
  ContentRef,
  Fragment,
  Inline,
  Mark,
  Text,
} from '../../../../core/document/model.ts'
import { jsonEqual } from '../../../../core/data/json.ts'
import { blockType, nodeName } from './node-names.ts'
import { schema } from './schema.ts'
import { ATOMS } from './schema-blocks.ts'
import { INLINE_ATOMS } from './schema-inlines.ts'
import { readTable, writeTable } from './convert-table.ts'

/** The block that a node was made of. Nodes never change, so it says the same for as long as the node is there. */
const origins = new WeakMap<Node, Block>()

/** A block that the schema has no node for. */
class Unfit extends Error {}

/** The document of these blocks. A document without blocks has an empty paragraph, in which one can write. */
export function docOf(blocks: readonly Block[]): Node {
  return schema.node('doc', null, blocks.length > 0 ? blocks.map(nodeOf) : [schema.node('paragraph')])
}

/** The node of a block that can stand anywhere. What does not fit the schema becomes a node that keeps it as it is. */
export function nodeOf(block: Block): Node {
  try {
    if (!schema.nodes[nodeName(block.type)]?.isInGroup('block')) throw new Unfit()
    return read(block)
  } catch (error) {
    // ProseMirror throws RangeError for content that the schema does not allow.
    if (!(error instanceof Unfit) && !(error instanceof RangeError)) throw error
    return remember(schema.node('other', { block: unkeyed(block) }), block)
  }
}

/** The block of a node: that which it was made of, or else a new one. */
export function blockOf(node: Node): Block {
  const known = origins.get(node)
  if (known) return known
  const made = write(node)
  origins.set(node, made)
  return made
}

/** The block that a node was made of or written to, as it is now; undefined if nobody has asked for it yet. */
export const originOf = (node: Node): Block | undefined => origins.get(node)

/** Makes the block of a node known, such as one that has a new key. */
function remember(node: Node, block: Block): Node {
  origins.set(node, block)
  return node
}

function read(block: Block): Node {
  const name = nodeName(block.type)
  const data = block.data as object
  if (block.type === 'table') return remember(readTable(block, nodeOf) ?? unfit(), block)
  if (block.type === 'expandable') return remember(readExpandable(block), block)
  if (block.type === 'image') return remember(readImage(block), block)
  if ((ATOMS as readonly string[]).includes(block.type))
    return remember(schema.node(name, { data, fragments: unkeyed(block.fragments ?? null) }), block)
  const type = schema.nodes[name]
  if (!type || block.fragments) return unfit()
  const content = type.inlineContent
    ? readLine(block.nodes as (Text | Inline)[])
    : (block.nodes as Block[]).map((one) =>
        schema.nodes[nodeName(one.type)]?.isInGroup('block') ? nodeOf(one) : read(one),
      )
  return remember(type.createChecked({ data }, content), block)
}

/** A part of a document without its keys, so that nodes which say the same are equal. */
function unkeyed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(unkeyed) as T
  if (typeof value !== 'object' || value === null || !('object' in value)) return value
  const { key: _key, ...rest } = value as { key?: string; nodes?: unknown; fragments?: unknown }
  const { nodes, fragments } = rest
  return {
    ...rest,
    ...(nodes ? { nodes: unkeyed(nodes) } : {}),
    ...(fragments ? { fragments: unkeyed(fragments) } : {}),
  } as T
}

function unfit(): never {
  throw new Unfit()
}

/** The only paragraph of a fragment. */
function lineOf(fragment: Fragment): (Text | Inline)[] {
  const [only, ...others] = fragment.nodes
  if (only?.type !== 'paragraph' || others.length > 0 || Object.keys(only.data).length > 0) return unfit()
  return only.nodes
}

/** A fragment without its blocks and its key. */
const shapeOf = ({ fragment, type }: Fragment) => ({
  ...(fragment === undefined ? {} : { fragment }),
  ...(type === undefined ? {} : { type }),
})

function readImage(block: Block & { type: 'image' }): Node {
  const [caption, ...others] = block.fragments ?? []
  if (others.length > 0) return unfit()
  const content = caption ? readLine(lineOf(caption)) : []
  return schema.nodes.image!.createChecked(
    { data: block.data, caption: caption ? shapeOf(caption) : null },
    content,
  )
}

function readExpandable(block: Block & { type: 'expandable' }): Node {
  const [title, body, ...others] = block.fragments ?? []
  if (title?.fragment !== 'expandable-title' || body?.fragment !== 'expandable-body' || others.length > 0)
    return unfit()
  return schema.nodes.expandable!.createChecked({ data: block.data }, [
    schema.nodes.expandable_title!.createChecked({ fragment: shapeOf(title) }, readLine(lineOf(title))),
    schema.nodes.expandable_body!.createChecked({ fragment: shapeOf(body) }, body.nodes.map(nodeOf)),
  ])
}

/** The nodes of a line. @param around the link that it is in */
function readLine(nodes: readonly (Text | Inline)[], around: readonly NodeMark[] = []): Node[] {
  const made: Node[] = []
  let lastLink: NodeMark | undefined
  for (const node of nodes) {
    if (node.object === 'text') {
      const texts = node.leaves.filter(({ text }) => text !== '')
      if (texts.length > 0) lastLink = undefined
      for (const { text, marks } of texts) made.push(schema.text(text, readMarks(marks, around)))
      continue
    }
    if (node.type !== 'link' || around.length > 0) {
      made.push(readInline(node).mark(readMarks([], around)))
      lastLink = undefined
      continue
    }
    const serial: number =
      lastLink && jsonEqual(lastLink.attrs.ref, node.data.ref) ? (lastLink.attrs.serial as number) + 1 : 0
    const mark = schema.mark('link', { ref: node.data.ref, serial })
    const inner = (node.fragments ?? []).length > 0 ? [] : readLine(node.nodes, [mark])
    if (inner.length === 0) made.push(schema.node('other_inline', { inline: unkeyed(node) }))
    else for (const one of inner) made.push(one)
    lastLink = inner.length === 0 ? undefined : mark
  }
  return made
}

function readMarks(marks: readonly Mark[], around: readonly NodeMark[]): readonly NodeMark[] {
  return marks
    .map((mark) => schema.mark(mark.type, mark.type === 'color' ? { data: mark.data } : null))
    .reduce((set, mark) => mark.addToSet(set), around)
}

function readInline(inline: Inline): Node {
  const { type, data } = inline
  if ((INLINE_ATOMS as readonly string[]).includes(type)) return schema.node(nodeName(type), { data })
  if (type !== 'annotation' && type !== 'inline-if')
    return schema.node('other_inline', { inline: unkeyed(inline) })
  return schema.node(
    nodeName(type),
    { data, fragments: unkeyed(inline.fragments ?? null) },
    readLine(inline.nodes),
  )
}

function write(node: Node): Block {
  const { name } = node.type
  if (name === 'other') return node.attrs.block as Block
  if (name === 'table') return writeTable(node, blockOf)
  const type = blockType(name)
  const data = node.attrs.data as object
  if (name === 'expandable') {
    const [title, body] = node.children
    const fragments = [
      { object: 'fragment', ...(title!.attrs.fragment as object), nodes: [paragraphOf(title!)] },
      { object: 'fragment', ...(body!.attrs.fragment as object), nodes: body!.children.map(blockOf) },
    ]
    return { object: 'block', type, isVoid: true, data, fragments } as Block
  }
  if (name === 'image') {
    const shape = node.attrs.caption as object | null
    const has = shape !== null || node.content.size > 0
    const caption = { object: 'fragment', ...(shape ?? { fragment: 'caption' }), nodes: [paragraphOf(node)] }
    return { object: 'block', type, isVoid: true, data, ...(has ? { fragments: [caption] } : {}) } as Block
  }
  if (node.isAtom) {
    const fragments = node.attrs.fragments as Fragment[] | null
    return { object: 'block', type, isVoid: true, data, ...(fragments ? { fragments } : {}) } as Block
  }
  const nodes = node.inlineContent ? writeLine(node.content) : writeBlocks(node, type)
  return { object: 'block', type, data, nodes } as Block
}

/** The blocks in a container. The items of a list of tasks are done or not, and those of other lists neither. */
function writeBlocks(node: Node, type: BlockType): Block[] {
  const blocks = node.children.map(blockOf)
  if (type !== 'list-tasks' && type !== 'list-ordered' && type !== 'list-unordered') return blocks
  return blocks.map((block) => {
    if (block.type !== 'list-item' || (block.data.checked !== undefined) === (type === 'list-tasks'))
      return block
    return { ...block, data: type === 'list-tasks' ? { checked: false } : {} }
  })
}

const paragraphOf = (node: Node): Block => ({
  object: 'block',
  type: 'paragraph',
  data: {},
  nodes: writeLine(node.content),
})

/** The texts and inlines of a line. */
function writeLine(content: Content): (Text | Inline)[] {
  const runs: InlineRun[] = []
  let link: NodeMark | undefined
  let inner: InlineRun[] = []
  const closeLink = () => {
    if (link) {
      const nodes = line(inner)
      runs.push({ object: 'inline', type: 'link', data: { ref: link.attrs.ref as ContentRef }, nodes })
    }
    link = undefined
    inner = []
  }
  content.forEach((node) => {
    const own = node.marks.find(({ type }) => type.name === 'link')
    if (!own || !link?.eq(own)) closeLink()
    link = own
    ;(own ? inner : runs).push(runOf(node))
  })
  closeLink()
  return line(runs)
}

function runOf(node: Node): InlineRun {
  if (node.isText) return { text: node.text ?? '', marks: writeMarks(node) }
  if (node.type.name === 'other_inline') return node.attrs.inline as Inline
  const type = blockType(node.type.name) as string
  const { data, fragments } = node.attrs as { data: object; fragments?: Fragment[] | null }
  if (node.isAtom) return { object: 'inline', type, isVoid: true, data } as Inline
  return {
    object: 'inline',
    type,
    data,
    nodes: writeLine(node.content),
    ...(fragments ? { fragments } : {}),
  } as Inline
}

function writeMarks(node: Node): Mark[] {
  return node.marks.flatMap(({ type, attrs }): Mark[] => {
    if (type.name === 'link') return []
    if (type.name === 'color') return [{ object: 'mark', type: 'color', data: attrs.data as object }]
    return [{ object: 'mark', type: type.name as 'bold' }]
  })
}
