import type { ReactNode } from 'react'
import type {
  Block,
  BlockOf,
  CellValue,
  ColumnDefinition,
  ImageCell,
  TableRecord,
} from '../../../../core/document/model.ts'
import { t } from '../../words/words.ts'
import { ShownPicture } from './shown-picture.tsx'
import { ShownValue } from './shown-value.tsx'

type Table = BlockOf<'table'>

/** A table: rows and columns, or cards. @param draw shows the blocks of a cell */
export function ShownTable({ block, draw }: { block: Table; draw: (blocks: readonly Block[]) => ReactNode }) {
  const { data, fragments = [] } = block
  const columns = data.view.columns.flatMap((id) => data.definition[id] ?? [])
  const records = Object.values(data.records).toSorted((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1))
  const texts = new Map(fragments.map(({ fragment = '', nodes }) => [fragment, nodes]))
  const cellOf = (column: ColumnDefinition, value: CellValue | undefined): ReactNode => {
    if (value === null || value === undefined) return ''
    // The names of what a cell refers to are looked up only where a table changed.
    if (column.type !== 'text')
      return typeof value === 'object' ? '…' : <ShownValue value={value} column={column} />
    return draw((typeof value === 'string' && texts.get(value)) || [])
  }
  if (data.view.type === 'cards')
    return <Cards view={data.view} columns={columns} records={records} cellOf={cellOf} />
  return (
    <div className="doc-table" tabIndex={0} role="group" aria-label={t('block.table')}>
      <table>
        <tbody>
          {columns.some(({ title }) => title !== '') && (
            <tr>
              {columns.map(({ id, title }) => (
                <th key={id} scope="col">
                  {title || ' '}
                </th>
              ))}
            </tr>
          )}
          {records.map(({ orderIndex, values }) => (
            <tr key={orderIndex}>
              {columns.map((column) => (
                <td key={column.id}>{cellOf(column, values[column.id])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cards({
  view: { coverDefinition = '', coverDefinitionDark, targetDefinition },
  columns,
  records,
  cellOf,
}: {
  view: Extract<Table['data']['view'], { type: 'cards' }>
  columns: readonly ColumnDefinition[]
  records: readonly TableRecord[]
  cellOf: (column: ColumnDefinition, value: CellValue | undefined) => ReactNode
}) {
  // Readers see the picture and the target of a card, and not their columns.
  const shown = columns.filter(
    ({ id }) => ![coverDefinition, coverDefinitionDark, targetDefinition].includes(id),
  )
  return (
    <ul className="doc-cards">
      {records.map(({ orderIndex, values }) => (
        <li key={orderIndex}>
          <Cover value={values[coverDefinition]} />
          {shown.map((column) => (
            <div key={column.id}>{cellOf(column, values[column.id])}</div>
          ))}
        </li>
      ))}
    </ul>
  )
}

function Cover({ value }: { value: CellValue | undefined }) {
  const file = typeof value === 'object' && value !== null ? fileIn(value) : undefined
  return file === undefined ? null : <ShownPicture file={file} alt="" />
}

function fileIn(value: string[] | ImageCell): string | undefined {
  if (Array.isArray(value)) return value[0]
  const ref = 'ref' in value && typeof value.ref === 'object' ? value.ref : value
  return 'file' in ref ? ref.file : undefined
}
