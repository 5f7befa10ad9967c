/** The differences of a table as a table: by rows, columns and cells. */
import { type ReactNode, useContext } from 'react'
import type { BlockChange } from '../../../core/content/edit/block-diff.ts'
import type { CellValue, ColumnDefinition } from '../../../core/document/model.ts'
import { t } from '../words/words.ts'
import { Added, Gone } from './shown/painting.tsx'
import type { Side } from './changed-text.tsx'
import { Folded, FoldsNothing } from './folded.tsx'
import { KindLabel } from './kind-label.tsx'
import { ShownValue } from './shown/shown-value.tsx'
import type { CellChange, ColumnChange, RowChange, TableChanges } from './table-changes.ts'
// `compared.css` overrides rules of `diff.css` that have the same specificity, so it has to come after it.
// oxlint-disable-next-line import/no-unassigned-import
import './diff.css'
// oxlint-disable-next-line import/no-unassigned-import
import './compared.css'

/** The props from which the differences of a table or of cards are shown. */
export interface ComparedProps {
  changes: TableChanges
  side: Side
  /** Shows the differences of blocks. */
  show: (blocks: readonly BlockChange[]) => ReactNode
  /** Whether nothing is said about blocks that are the same. */
  isQuiet: (blocks: readonly BlockChange[]) => boolean
}

/** Whether the versions that are shown have something. */
export const isOn = (side: Side, { was, is }: { was?: unknown; is?: unknown }): boolean =>
  side === 'both' || (side === 'before' ? was : is) !== undefined

export function ComparedTable({ changes, side, show, isQuiet }: ComparedProps) {
  const foldsNothing = useContext(FoldsNothing)
  const columns = changes.columns.flatMap((column, at) =>
    column.role === undefined && isOn(side, column) ? [{ column, at }] : [],
  )
  const rows = changes.rows.filter((row) => isOn(side, row))
  const isStill = (row: RowChange) =>
    row.change === 'same' && !row.isMoved && row.cells.every(({ blocks }) => isQuiet(blocks))
  return (
    <div className="doc-table compared" tabIndex={0} role="group" aria-label={t('block.table')}>
      <table>
        <tbody>
          {columns.some(({ column: { was, is } }) => was?.title || is?.title || !was || !is) && (
            <tr>
              <td className="row-sign" />
              {columns.map(({ column, at }) => (
                <th key={at} scope="col" className={columnKind(column)}>
                  <ColumnTitle column={column} side={side} />
                </th>
              ))}
            </tr>
          )}
          <Folded
            all={rows}
            isQuiet={(row) => !foldsNothing && isStill(row)}
            label={(count) => t('diff.show-count-unchanged-rows', { count })}
            frame={(button, start) => (
              <tr key={`fold ${start}`}>
                <td colSpan={columns.length + 1}>{button}</td>
              </tr>
            )}
            show={(row, index) => (
              <tr key={index} className={row.change}>
                <td className="row-sign">
                  {row.isMoved && <KindLabel kind="moved" />}
                  <KindLabel kind={row.change} />
                </td>
                {columns.map(({ column, at }) => (
                  <td key={at} className={columnKind(column)}>
                    <ComparedCell cell={row.cells[at]!} column={column} side={side} show={show} />
                  </td>
                ))}
              </tr>
            )}
          />
        </tbody>
      </table>
    </div>
  )
}

const columnKind = ({ was, is }: ColumnChange): 'inserted' | 'deleted' | undefined =>
  was ? (is ? undefined : 'deleted') : 'inserted'

function ColumnTitle({ column, side }: { column: ColumnChange; side: Side }) {
  const { was, is } = column
  const kind = columnKind(column)
  if (kind)
    return (
      <>
        <KindLabel kind={kind} /> {(is ?? was)!.title}
      </>
    )
  const [before, after] = [was!.title, is!.title]
  if (before === after) return after || ' '
  return (
    <>
      {side !== 'after' && before !== '' && <Gone text={before} />}{' '}
      {side !== 'before' && after !== '' && <Added text={after} />}
    </>
  )
}

/** A cell: the differences of its text, or both values. */
export function ComparedCell({
  cell: { blocks, was, is, isChanged },
  column,
  side,
  show,
}: {
  cell: CellChange
  column: ColumnChange
  side: Side
  show: ComparedProps['show']
}) {
  const value = (one: CellValue | undefined, definition: ColumnDefinition | undefined) =>
    one !== undefined && definition && <ShownValue value={one} column={definition} />
  const [before, after] = [
    side !== 'after' && value(was, column.was),
    side !== 'before' && value(is, column.is),
  ]
  return (
    <>
      {blocks.length > 0 && show(blocks)}
      {isChanged ? (
        <>
          {before && <Gone text={before} />} {after && <Added text={after} />}
        </>
      ) : (
        (side !== 'both' || blocks.length === 0) && (after || before)
      )}
    </>
  )
}
