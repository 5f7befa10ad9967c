/** The differences of a table that readers see as cards: card by card. */
import { type ReactNode, useContext } from 'react'
import { t } from '../words/words.ts'
import { CARD_ROLES } from '../content/schema/table-fields.ts'
import { ComparedCell, type ComparedProps, isOn } from './compared-table.tsx'
import { Folded, FoldsNothing } from './folded.tsx'
import { KindLabel } from './kind-label.tsx'
import type { CellChange, ColumnChange, RowChange } from './table-changes.ts'

export function ComparedCards({ changes, side, show, isQuiet }: ComparedProps) {
  const foldsNothing = useContext(FoldsNothing)
  const isStill = (card: RowChange) =>
    card.change === 'same' && !card.isMoved && card.cells.every(({ blocks }) => isQuiet(blocks))
  const cell = (column: ColumnChange, one: CellChange) => (
    <ComparedCell cell={one} column={column} side={side} show={show} />
  )
  return (
    <ul className="doc-cards compared">
      <Folded
        all={changes.rows.filter((card) => isOn(side, card))}
        isQuiet={(card) => !foldsNothing && isStill(card)}
        label={(count) => t('diff.show-count-unchanged-cards', { count })}
        frame={(button, start) => <li key={`fold ${start}`}>{button}</li>}
        show={(card, index) => (
          <li key={index} className={card.change}>
            <span>
              {card.isMoved && <KindLabel kind="moved" />}
              <KindLabel kind={card.change} />
            </span>
            {changes.columns.map((column, i) => (
              <ColumnOfCard key={i} column={column} isOfChange={card.cells[i]!.isChanged}>
                {cell(column, card.cells[i]!)}
              </ColumnOfCard>
            ))}
          </li>
        )}
      />
    </ul>
  )
}

/** The value of a card in a column. Readers see its cover and its target without their names. */
function ColumnOfCard({
  column: { role, was, is },
  isOfChange,
  children,
}: {
  column: ColumnChange
  isOfChange: boolean
  children: ReactNode
}) {
  if (role === undefined)
    return <div className={was ? (is ? undefined : 'deleted') : 'inserted'}>{children}</div>
  if (!isOfChange && role !== 'coverDefinition') return null
  return (
    <div className="card-role">
      {isOfChange && <span className="doc-kind">{t(CARD_ROLES[role])}</span>} {children}
    </div>
  )
}
