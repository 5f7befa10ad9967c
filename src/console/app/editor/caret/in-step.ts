/** Keeps the cells of tables under their titles, whatever a command, a paste or the browser makes of the titles. */
import type { Node } from 'prosemirror-model'
import { schema } from '../../content/schema/schema.ts'
import type { HeaderAttrs } from '../../content/schema/schema-table.ts'

const { nodes } = schema

/** Where the cells of a document were before a change. */
export interface CellPlaces {
  /** The heads of the tables of a cell, and the index of its column. Empty cells can have several. */
  before: ReadonlyMap<Node, readonly { head: Node; index: number }[]>
  /** The heads of the tables after the change. */
  heads: ReadonlySet<Node>
}

const headerId = (header: Node): string | undefined => (header.attrs as HeaderAttrs).column?.id
const idsOf = (head: Node) => head.children.map(headerId)

/** Where the cells of a document were, of which `doc` is what a change has made. */
export function cellPlaces(document: Node, doc: Node): CellPlaces {
  const before = new Map<Node, { head: Node; index: number }[]>()
  for (const [head, ...rows] of tablesOf(document))
    for (const row of rows)
      row.forEach((cell, _offset, index) => {
        const place = { head: head!, index }
        const known = before.get(cell)
        if (known) known.push(place)
        else before.set(cell, [place])
      })
  return { before, heads: new Set(tablesOf(doc).map(([head]) => head!)) }
}

function tablesOf(doc: Node): (readonly Node[])[] {
  const found: (readonly Node[])[] = []
  doc.descendants((node) => {
    if (node.type === nodes.table) found.push(node.children)
    return node.type !== nodes.table && !node.isTextblock
  })
  return found
}

/**
 * A table in which each cell that was there before is under its title. A title that was deleted without its column comes
 * back without words, and a title that was made alone gets empty cells.
 */
export function inStep(table: Node, { before, heads }: CellPlaces): Node {
  const [head, ...rows] = table.children
  const ids = idsOf(head!)
  // A row that was moved here from another table has the columns of this one.
  const formerPlaces = (cell: Node) =>
    (before.get(cell) ?? []).filter((place) => place.head === head || !heads.has(place.head))
  const columnsOf = (cell: Node) => formerPlaces(cell).map((place) => headerId(place.head.child(place.index)))
  const moved = rows.flatMap((row) =>
    row.children.filter((cell, index) => {
      const columns = columnsOf(cell)
      return columns.length > 0 && !columns.includes(ids[index])
    }),
  )
  if (moved.length === 0) return table
  const kept = new Set(rows.flatMap((row) => row.children.flatMap(columnsOf)))
  const headers = withHeaders(head!, formerPlaces(moved[0]!)[0]!.head, kept)
  const made = rows.map((row) =>
    row.type.create(row.attrs, placed(row.children, headers.map(headerId), columnsOf)),
  )
  return table.type.create(table.attrs, [head!.type.create(head!.attrs, headers), ...made])
}

/** The headers of a table, with those of before that have cells still. */
function withHeaders(head: Node, before: Node, kept: ReadonlySet<string | undefined>): Node[] {
  const known = new Set(idsOf(head))
  const lost = before.children.filter((header) => kept.has(headerId(header)) && !known.has(headerId(header)))
  // A head without titles was filled with an empty one.
  const isFilling = (header: Node) => headerId(header) === undefined && header.content.size === 0
  const headers = head.children.filter((header) => lost.length === 0 || !isFilling(header))
  const order = idsOf(before)
  for (const header of lost.toReversed()) {
    const following = order.slice(order.indexOf(headerId(header)) + 1)
    const next = headers.findIndex((one) => following.includes(headerId(one)))
    headers.splice(next < 0 ? headers.length : next, 0, header.type.create(header.attrs))
  }
  return headers
}

/** The size of the content of an empty cell: a paragraph without text. */
const EMPTY = 2

/** The cells of a row by their columns. A cell that has none yet takes a free place, or its text goes to the next cell. */
function placed(
  cells: readonly Node[],
  ids: readonly (string | undefined)[],
  columnsOf: (cell: Node) => readonly (string | undefined)[],
): Node[] {
  const row: (Node | undefined)[] = ids.map(() => undefined)
  const places = cells.map((cell) => {
    const columns = columnsOf(cell)
    const index = ids.findIndex((id, i) => columns.includes(id) && !row[i])
    if (index >= 0) row[index] = cell
    return index
  })
  let last = -1
  for (const [i, cell] of cells.entries()) {
    const at = places[i]!
    if (at >= 0) last = at
    else if (last + 1 < row.length && !row[last + 1]) row[(last += 1)] = cell
    else if (cell.content.size > EMPTY) {
      const near = [last + 1, last].find((index) => row[index]?.type === nodes.table_cell)
      if (near !== undefined) row[near] = row[near]!.copy(cell.content.append(row[near]!.content))
    }
  }
  return row.map((cell) => cell ?? nodes.table_cell!.create(null, nodes.paragraph!.create()))
}
