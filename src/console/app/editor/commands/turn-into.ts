/** Turns blocks into others with the same text. */
import { Fragment, type Node, type NodeType } from 'prosemirror-model'
import { type Command, Selection, type Transaction } from 'prosemirror-state'
import { nameOfNode } from '../../content/schema/names.ts'
import { schema } from '../../content/schema/schema.ts'
import { selectedUnit, type Unit, unitAround } from '../../content/schema/units.ts'

const { nodes } = schema

/** The types that a block can be turned into: text blocks, lists, and blocks that contain others. */
export const FORMS = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'list_unordered',
  'list_ordered',
  'list_tasks',
  'hint',
  'blockquote',
  'code_block',
  'expandable',
] as const

export type Form = (typeof FORMS)[number]

/** The types with their names, as menus have them. */
export const FORM_ITEMS = FORMS.map((form) => [form, nameOfNode(nodes[form]!)] as const)

/** Whether a block can be turned into others. */
export const canTurn = ({ type }: Node): boolean =>
  (FORMS as readonly string[]).includes(type.name) || type === nodes.list_item

/** Turns a block into another kind of block with the same text. An item becomes a block between two lists. */
export function turnInto(form: Form, chosen?: Unit): Command {
  return (state, dispatch) => {
    const unit = chosen ?? selectedUnit(state)
    if (!unit || !canTurn(unit.node)) return false
    const isItem = unit.node.type === nodes.list_item
    const whole = isItem && form.startsWith('list_') ? unitAround(state.doc, unit)! : unit
    const made = formed(form, textBlocksOf(whole.node))
    const { tr } = state
    if (isItem && whole === unit) replaceItem(tr, unit, made)
    else {
      tr.replaceWith(whole.pos, whole.pos + whole.node.nodeSize, made)
      tr.setSelection(Selection.near(tr.doc.resolve(whole.pos + 1)))
    }
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** The blocks of a block, without what is around them. */
function textBlocksOf(node: Node): Node[] {
  const { type } = node
  if (type === nodes.hint || type === nodes.blockquote || type === nodes.list_item) return [...node.children]
  if (type.name.startsWith('list_')) return node.children.flatMap((item) => [...item.children])
  if (type === nodes.code_block)
    return node.children.map((line) => nodes.paragraph!.create(null, line.content))
  if (type !== nodes.expandable) return [node]
  const [title, body] = node.children
  const blocks = [...body!.children]
  return title!.content.size > 0 ? [nodes.paragraph!.create(null, title!.content), ...blocks] : blocks
}

function formed(form: Form, blocks: readonly Node[]): Node[] {
  const type = nodes[form]!
  if (type.inlineContent) return blocks.map((one) => (one.isTextblock ? type.create(null, one.content) : one))
  const data = form === 'hint' ? { style: 'info' } : {}
  switch (form) {
    case 'code_block': {
      const lines = blocks.flatMap((one) => one.textBetween(0, one.content.size, '\n', '').split('\n'))
      return [
        type.create(
          { data },
          lines.map((text) => nodes.code_line!.create(null, text ? schema.text(text) : [])),
        ),
      ]
    }
    case 'expandable': {
      const [first, ...rest] = blocks
      const isTitle = first?.isTextblock === true
      const body = isTitle ? rest : blocks
      return [
        type.create(null, [
          nodes.expandable_title!.create(null, isTitle ? first.content : []),
          nodes.expandable_body!.create(null, body.length > 0 ? [...body] : nodes.paragraph!.create()),
        ]),
      ]
    }
    case 'hint':
    case 'blockquote':
      return [type.create({ data }, [...blocks])]
    default:
      return [
        type.create(
          { data },
          blocks.map((one) => itemOf(type, one)),
        ),
      ]
  }
}

/** An item of a list, in which a heading is a paragraph. */
function itemOf(list: NodeType, block: Node): Node {
  const data = list === nodes.list_tasks ? { checked: false } : {}
  return nodes.list_item!.create(
    { data },
    block.isTextblock ? nodes.paragraph!.create(null, block.content) : block,
  )
}

/** Replaces an item by blocks: the items before and after it become lists. */
function replaceItem(tr: Transaction, { pos }: Unit, made: readonly Node[]): void {
  const $pos = tr.doc.resolve(pos)
  const list = $pos.parent
  const before = list.children.slice(0, $pos.index())
  const after = list.children.slice($pos.index() + 1)
  const part = (items: readonly Node[]) =>
    items.length > 0 ? [list.type.create(list.attrs, [...items])] : []
  const start = $pos.before()
  const content = Fragment.from([...part(before), ...made, ...part(after)])
  tr.replaceWith(start, start + list.nodeSize, content)
  const at = start + part(before).reduce((size, one) => size + one.nodeSize, 0)
  tr.setSelection(Selection.near(tr.doc.resolve(at + 1)))
}
