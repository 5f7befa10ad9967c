/** Tables as nodes of ProseMirror, and back. */
import type { Node } from 'prosemirror-model'
import { isBlankLine } from '../../../../core/document/build.ts'
import { onOneLine } from '../../../../core/text/trimming.ts'
import type {
  Block,
  BlockOf,
  CellValue,
  ColumnDefinition,
  Fragment,
  TableData,
  TableRecord,
} from '../../../../core/document/model.ts'
import { schema } from './schema.ts'
import type { HeaderAttrs } from './schema-table.ts'

/** The node of a table; undefined for one that no editor would write, such as one that shows a column twice. */
export function readTable(block: BlockOf<'table'>, nodeOf: (block: Block) => Node): Node | undefined {
  const { definition, records, view, ...rest } = block.data
  const ids = [...new Set([...view.columns, ...Object.keys(definition)])]
  const isPlain =
    ids.length > 0 &&
    new Set(view.columns).size === view.columns.length &&
    ids.every((id) => definition[id]?.id === id)
  if (!isPlain) return undefined
  const widths = view.type === 'grid' ? (view.columnWidths ?? {}) : {}
  const fragments = new Map(block.fragments?.map((one) => [one.fragment, one.nodes]))
  const rows = Object.entries(records).toSorted(([, a], [, b]) => (a.orderIndex < b.orderIndex ? -1 : 1))

  const headers = ids.map((id) => {
    const { title, ...column } = definition[id]!
    const attrs: HeaderAttrs = { column, isHidden: !view.columns.includes(id), width: widths[id] ?? null }
    return schema.node('table_header', attrs, title === '' ? [] : [schema.text(title)])
  })
  const cell = (id: string, value: CellValue) => {
    const { type } = definition[id]!
    if (type !== 'text') return schema.node('table_value', { kind: type, value })
    const blocks = (typeof value === 'string' ? fragments.get(value) : undefined) ?? []
    const content = blocks.length > 0 ? blocks.map(nodeOf) : [schema.node('paragraph')]
    return schema.nodes.table_cell!.createChecked(null, content)
  }
  return schema.nodes.table!.createChecked({ data: { ...rest, view } }, [
    schema.node('table_head', null, headers),
    ...rows.map(([record, { values }]) =>
      schema.node(
        'table_row',
        { record },
        ids.map((id) => cell(id, values[id] ?? null)),
      ),
    ),
  ])
}

/** The table of a node. Columns and rows keep their names; new ones, and copies, get others. */
export function writeTable(node: Node, blockOf: (node: Node) => Block): Block {
  const [head, ...rows] = node.children
  const name = namesFor()
  const columns = head!.children.map((header): ColumnDefinition => {
    const { column } = header.attrs as HeaderAttrs
    const made = column ?? { type: 'text', textAlignment: 'left' }
    return {
      ...made,
      id: name(column?.id, 'c'),
      title: onOneLine(header.textContent).trim(),
    }
  })
  const nameRow = namesFor()
  const nameFragment = namesFor()
  const fragments: Fragment[] = []
  const records = rows.map((row, index): [string, TableRecord] => {
    const record = nameRow(row.attrs.record as string | null, 'r')
    const values = columns.map(({ id, type }, at): [string, CellValue] => {
      const cell = row.maybeChild(at)
      if (cell?.type.name === 'table_value') return [id, cell.attrs.kind === type ? cell.attrs.value : null]
      const blocks = type === 'text' ? (cell?.children.map(blockOf) ?? []) : []
      if (blocks.length === 0 || (blocks.length === 1 && isBlankLine(blocks[0]))) return [id, null]
      const fragment = nameFragment(`${record}-${id}`, 'f')
      fragments.push({ object: 'fragment', fragment, nodes: blocks })
      return [id, fragment]
    })
    return [record, { orderIndex: String(index).padStart(6, '0'), values: Object.fromEntries(values) }]
  })
  const { view, ...rest } = node.attrs.data as Omit<TableData, 'records' | 'definition'>
  const headers = head!.children.map(({ attrs }) => attrs as HeaderAttrs)
  const shown = columns.flatMap(({ id }, i) => (headers[i]!.isHidden ? [] : [id]))
  const widths = headers.flatMap(({ width }, i) => (width === null ? [] : [[columns[i]!.id, width] as const]))
  const data = {
    ...rest,
    view: viewOf({ ...view, columns: shown }, columns, widths),
    records: Object.fromEntries(records),
    definition: Object.fromEntries(columns.map((column) => [column.id, column])),
  }
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data,
    ...(fragments.length > 0 ? { fragments } : {}),
  }
}

/** The view with what it says of columns, without those that are gone. */
function viewOf(
  view: TableData['view'],
  columns: readonly ColumnDefinition[],
  widths: readonly (readonly [id: string, width: number])[],
): TableData['view'] {
  if (view.type === 'grid') {
    const { columnWidths: _before, useNewSizing, ...others } = view
    if (widths.length === 0) return others
    // Markdown has the unit of the widths only beside them.
    const unit = useNewSizing === undefined ? {} : { useNewSizing }
    return { ...others, ...unit, columnWidths: Object.fromEntries(widths) }
  }
  const gone = (['targetDefinition', 'coverDefinition', 'coverDefinitionDark'] as const).filter(
    (role) => view[role] !== undefined && !columns.some(({ id }) => id === view[role]),
  )
  return gone.length === 0 ? view : { ...view, ...Object.fromEntries(gone.map((role) => [role, undefined])) }
}

/** Gives each thing a name: its own, unless it has none or another thing has it. */
export function namesFor() {
  const used = new Set<string>()
  return (own: string | null | undefined, start: string): string => {
    let name = own ?? `${start}1`
    for (let i = 1; used.has(name); i++) name = `${start}${i}`
    used.add(name)
    return name
  }
}
