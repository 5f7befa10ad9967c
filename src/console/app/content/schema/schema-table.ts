/** The nodes of tables: a row of headers, which are the columns, and rows of cells. */
import type { NodeSpec } from 'prosemirror-model'
import type { CellValue, ColumnDefinition } from '../../../../core/document/model.ts'
import { copied, read } from './copied.ts'
import { isData } from './accepted.ts'

/** The definition of a column without its title. */
export type Column = ColumnDefinition extends infer One
  ? One extends unknown
    ? Omit<One, 'title'>
    : never
  : never

/** The attributes of a header. */
export interface HeaderAttrs {
  /** Null for a column that was just made. */
  column: Column | null
  isHidden: boolean
  /** In pixels, or in percent; see `useNewSizing` of the table’s view. */
  width: number | null
}

const tableCell = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } }

/** Whether a column can hold a value. */
export function isCellOf(column: Column, value: CellValue): boolean {
  const definition = { c: { ...column, id: 'c', title: '' } }
  const records = { r: { orderIndex: '', values: { c: value } } }
  return isData('table', { view: { type: 'grid', columns: [] }, definition, records })
}

const isTable = ({ data }: Record<string, unknown>) =>
  isData('table', { ...(data as object), definition: {}, records: {} })
/** Pasted tables of other programs have no attributes but the column. */
const isHeader = ({ column = null, isHidden = false, width = null }: Record<string, unknown>) =>
  (column === null || isCellOf({ id: 'c', ...(column as object) } as Column, null)) &&
  typeof isHidden === 'boolean' &&
  (width === null || typeof width === 'number')
const isText = (value: unknown) => value === null || typeof value === 'string'

export const TABLE_NODES: Record<string, NodeSpec> = {
  table: {
    group: 'block',
    content: 'table_head table_row*',
    tableRole: 'table',
    isolating: true,
    attrs: { data: { default: { view: { type: 'grid', columns: [], hideHeader: false } } } },
    parseDOM: [read('table', isTable)],
    toDOM: ({ attrs }) => [
      'div',
      { ...copied('table', attrs), class: 'table-wrapper', tabindex: '0' },
      ['table', ['tbody', { 'data-hole': '' }, 0]],
    ],
  },
  table_head: {
    content: 'table_header+',
    tableRole: 'row',
    parseDOM: [read('table_head', () => true)],
    toDOM: () => ['tr', copied('table_head', {}), 0],
  },
  table_row: {
    content: '(table_cell | table_value)+',
    tableRole: 'row',
    attrs: { record: { default: null } },
    parseDOM: [read('table_row', ({ record }) => isText(record)), { tag: 'tr' }],
    toDOM: ({ attrs }) => ['tr', copied('table_row', attrs), 0],
  },
  // The title of a column, which has no marks.
  table_header: {
    content: 'text*',
    marks: '',
    tableRole: 'header_cell',
    isolating: true,
    attrs: {
      ...tableCell,
      column: { default: null },
      isHidden: { default: false },
      width: { default: null },
    },
    parseDOM: [read('table_header', isHeader)],
    toDOM: ({ attrs }) => ['th', { ...copied('table_header', attrs), scope: 'col' }, 0],
  },
  // A cell of a column that does not hold text. It is before `table_cell`, which is what the library for tables makes.
  table_value: {
    tableRole: 'cell',
    atom: true,
    selectable: false,
    isolating: true,
    attrs: { ...tableCell, kind: { default: 'number' }, value: { default: null } },
    parseDOM: [read('table_value', ({ kind }) => typeof kind === 'string')],
    toDOM: ({ attrs }) => ['td', copied('table_value', attrs)],
    leafText: () => '',
  },
  table_cell: {
    content: 'block+',
    tableRole: 'cell',
    isolating: true,
    attrs: tableCell,
    parseDOM: [read('table_cell', () => true), { tag: 'td' }, { tag: 'th' }],
    toDOM: ({ attrs }) => ['td', copied('table_cell', attrs), 0],
  },
}
