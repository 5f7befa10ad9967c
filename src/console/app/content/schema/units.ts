/** Units that are moved, copied and deleted as a whole: blocks, and members of groups such as items, tabs and rows. */
import type { Node, ResolvedPos } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { schema } from './schema.ts'

const { nodes } = schema

/** The members of groups, and what a new one is called. */
export const MEMBERS: Readonly<Record<string, string>> = {
  list_item: 'block.item',
  tabs_item: 'block.tab',
  stepper_step: 'block.step',
  column: 'block.column',
  update: 'block.update',
  image: 'block.image',
  table_row: 'block.row',
}

/** A node that one moves as a whole, and its place. */
export interface Unit {
  pos: number
  node: Node
}

const isUnit = ({ type }: Node): boolean => type.isInGroup('block') || type.name in MEMBERS

/** The innermost unit at a position. What is alone in another unit, or begins an item of a list, is moved with that. */
export function unitAt($pos: ResolvedPos): Unit | undefined {
  for (let depth = $pos.depth; depth > 0; depth--) {
    const node = $pos.node(depth)
    if (isUnit(node) && !isPartOf($pos, depth)) return { pos: $pos.before(depth), node }
  }
  return undefined
}

function isPartOf($pos: ResolvedPos, depth: number): boolean {
  const parent = $pos.node(depth - 1)
  if (depth === 1) return false
  return parent.childCount === 1 || (parent.type === nodes.list_item && $pos.index(depth - 1) === 0)
}

/** The unit that is selected, or that has the caret. */
export function selectedUnit({ selection }: EditorState): Unit | undefined {
  if (selection instanceof NodeSelection && isUnit(selection.node))
    return { pos: selection.from, node: selection.node }
  return unitAt(selection.$from)
}

/** The unit around another. */
export function unitAround(doc: Node, { pos }: Unit): Unit | undefined {
  const $pos = doc.resolve(pos)
  for (let depth = $pos.depth; depth > 0; depth--)
    if (isUnit($pos.node(depth))) return { pos: $pos.before(depth), node: $pos.node(depth) }
  return undefined
}

/** Deletes a node. Its group goes with its last member, and other blocks keep an empty paragraph. */
function removeNode(tr: Transaction, pos: number): void {
  const $pos = tr.doc.resolve(pos)
  const node = $pos.nodeAfter!
  const [parent, index, end] = [$pos.parent, $pos.index(), pos + node.nodeSize]
  if (parent.canReplace(index, index + 1)) tr.delete(pos, end)
  else if (parent.canReplaceWith(index, index + 1, nodes.paragraph!))
    tr.replaceWith(pos, end, nodes.paragraph!.create())
  else removeNode(tr, $pos.before())
}

/** The node, in the groups that it needs to be at a position; undefined if it cannot be there. */
function fitted(doc: Node, at: number, node: Node): Node | undefined {
  const $at = doc.resolve(at)
  const index = $at.index()
  // The headers of a table stay above its rows.
  if ($at.parent.type === nodes.table && (index === 0 || node.type !== nodes.table_row)) return undefined
  if ($at.parent.canReplaceWith(index, index, node.type)) return node
  const around = $at.parent.contentMatchAt(index).findWrapping(node.type)
  // A row alone is no table: it has no headers.
  if (!around || around.includes(nodes.table!)) return undefined
  return around.toReversed().reduce((inner, type) => type.create(null, inner), node)
}

/** Moves a unit to a place between others. @returns false if it cannot be there */
export function moveUnit(tr: Transaction, { pos, node }: Unit, target: number): boolean {
  const end = pos + node.nodeSize
  if (target >= pos && target <= end) return false
  const made = fitted(tr.doc, target, node)
  if (!made) return false
  const { from } = tr.selection
  const inside = from >= pos && from <= end ? from - pos : undefined
  tr.insert(target, made)
  removeNode(tr, target < pos ? pos + made.nodeSize : pos)
  const now = target < pos ? target : tr.mapping.slice(1).map(target, -1)
  // The groups around it begin and end with one position each.
  const start = now + (made.nodeSize - node.nodeSize) / 2
  tr.setSelection(inside ? TextSelection.near(tr.doc.resolve(start + inside)) : selectionOf(tr.doc, start))
  return true
}

/** Selects the node at a position, or what is near it. */
function selectionOf(doc: Node, pos: number): Selection {
  const node = doc.nodeAt(pos)
  return node && NodeSelection.isSelectable(node) && !node.type.spec.tableRole
    ? NodeSelection.create(doc, pos)
    : Selection.near(doc.resolve(Math.min(pos + 1, doc.content.size)))
}

/** Makes a command of the selected unit, or of a given one. */
type OfUnit = (unit?: Unit) => Command

/** Moves a unit before the one above it or after the one below it, or out of what it is in. */
export const moveBy =
  (step: -1 | 1): OfUnit =>
  (chosen) =>
  (state, dispatch) => {
    const unit = chosen ?? selectedUnit(state)
    const target = unit && neighbour(state.doc, unit, step)
    if (target === undefined) return false
    const { tr } = state
    if (!moveUnit(tr, unit!, target)) return false
    dispatch?.(tr.scrollIntoView())
    return true
  }

/** The place on the other side of the next unit; undefined at the edge. */
function neighbour(doc: Node, { pos, node }: Unit, step: -1 | 1): number | undefined {
  const $pos = doc.resolve(pos)
  const other = step < 0 ? $pos.nodeBefore : $pos.parent.maybeChild($pos.index() + 1)
  const isHead = other?.type === nodes.table_head
  if (other && !isHead) return step < 0 ? pos - other.nodeSize : pos + node.nodeSize + other.nodeSize
  // Blocks leave what they are in; members stay in their groups.
  if (!node.type.isInGroup('block')) return undefined
  for (let depth = $pos.depth; depth > 0; depth--)
    if ($pos.node(depth).type.isInGroup('block')) return step < 0 ? $pos.before(depth) : $pos.after(depth)
  return undefined
}

/** Inserts a copy below. Two headings have no anchor in common. */
export const duplicate: OfUnit = (chosen) => (state, dispatch) => {
  const unit = chosen ?? selectedUnit(state)
  if (!unit) return false
  const { id: _id, ...data } = (unit.node.attrs.data ?? {}) as { id?: string }
  const attrs = unit.node.isTextblock ? { ...unit.node.attrs, data } : unit.node.attrs
  const copy = unit.node.type.create(attrs, unit.node.content, unit.node.marks)
  const end = unit.pos + unit.node.nodeSize
  const tr = state.tr.insert(end, copy)
  dispatch?.(tr.setSelection(selectionOf(tr.doc, end)).scrollIntoView())
  return true
}

/** Deletes a unit. */
export const remove: OfUnit = (chosen) => (state, dispatch) => {
  const unit = chosen ?? selectedUnit(state)
  if (!unit) return false
  const { tr } = state
  removeNode(tr, unit.pos)
  const near = Math.min(unit.pos, tr.doc.content.size)
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(near))).scrollIntoView())
  return true
}

/** Selects what is around the selected unit, or first that with the caret. */
export const selectAround: Command = (state, dispatch) => {
  const unit = selectedUnit(state)
  const isSelected = state.selection instanceof NodeSelection
  const wanted = unit && isSelected ? unitAround(state.doc, unit) : unit
  if (!wanted || !NodeSelection.isSelectable(wanted.node)) return false
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, wanted.pos)))
  return true
}

/** Adds a member after another one, or a paragraph after a block. */
export const addAfter: OfUnit = (chosen) => (state, dispatch) => {
  const unit = chosen ?? selectedUnit(state)
  if (!unit) return false
  const made = emptyLike(unit.node)
  if (!made) return false
  const end = unit.pos + unit.node.nodeSize
  const $end = state.doc.resolve(end)
  if (!$end.parent.canReplaceWith($end.index(), $end.index(), made.type)) return false
  const tr = state.tr.insert(end, made)
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(end + 1))).scrollIntoView())
  return true
}

/** An empty member like another one, or an empty paragraph. */
function emptyLike(node: Node): Node | undefined {
  if (!(node.type.name in MEMBERS)) return nodes.paragraph!.create()
  if (node.type === nodes.image) return undefined
  if (node.type === nodes.table_row)
    return nodes.table_row.create(
      null,
      node.children.map((cell) =>
        cell.type === nodes.table_value
          ? cell.type.create({ kind: cell.attrs.kind as string })
          : nodes.table_cell!.createAndFill()!,
      ),
    )
  const data = node.type === nodes.update ? { date: new Date().toISOString().slice(0, 10) } : {}
  const inside =
    node.type === nodes.stepper_step
      ? [nodes.heading_3!.create(), nodes.paragraph!.create()]
      : [nodes.paragraph!.create()]
  return node.type.create({ data }, inside)
}
