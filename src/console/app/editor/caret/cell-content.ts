/** The blocks that a cell of a table can hold: those that HTML has elements for. */
import type { Node, ResolvedPos } from 'prosemirror-model'
import type { ContentRef } from '../../../../core/document/model.ts'
import { refName } from '../../content/schema/atoms.ts'
import { schema } from '../../content/schema/schema.ts'

const { nodes } = schema

const IN_CELLS = new Set([
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'list_unordered',
  'list_ordered',
  'list_tasks',
  'list_item',
  'divider',
  'blockquote',
  'code_block',
  'code_line',
  'images',
  'image',
])

/** Whether a position is in a cell. */
export function isInCell($pos: ResolvedPos): boolean {
  for (let depth = $pos.depth; depth > 0; depth--) if ($pos.node(depth).type === nodes.table_cell) return true
  return false
}

/** Whether a cell can hold a block, with all that is in it. */
export function fitsCell(node: Node): boolean {
  if (node.isInline) return true
  return IN_CELLS.has(node.type.name) && node.children.every(fitsCell)
}

/** The blocks for a cell: without what is around others, and with a text or a link instead of the rest. */
export function forCell(node: Node): Node[] {
  if (fitsCell(node)) return [node]
  const { type } = node
  if (IN_CELLS.has(type.name)) return [type.create(node.attrs, node.children.flatMap(forCell), node.marks)]
  if (type === nodes.math) {
    const { formula } = node.attrs.data as { formula: string }
    return [paragraphOf(formula.trim() === '' ? [] : [nodes.inline_math!.create({ data: { formula } })])]
  }
  if (node.isTextblock) return [nodes.paragraph!.create(null, node.content)]
  if (type === nodes.table) return node.children.map((row) => paragraphOf(textOf(row)))
  if (!node.isAtom) return node.children.flatMap(forCell)
  const { ref, url } = (node.attrs.data ?? {}) as { ref?: ContentRef; url?: string }
  const target: ContentRef | undefined = url === undefined ? ref : { kind: 'url', url }
  if (!target) return [nodes.paragraph!.create()]
  const link = schema.mark('link', { ref: target })
  const title = refName(target)
  return [paragraphOf(title === '' ? [] : [schema.text(title, [link])])]
}

const paragraphOf = (content: Node[]): Node => nodes.paragraph!.create(null, content)

function textOf(row: Node): Node[] {
  const text = row.children.map((cell) => cell.textContent).join(' ')
  return text.trim() === '' ? [] : [schema.text(text)]
}
