/** Rows that people drag among others. Buttons and keys do the same. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, type TextDropItem, useDrag, useDrop } from 'react-aria-components'
import { hasNoFocus } from './kept-focus.ts'
import { t } from '../words/words.ts'

/** Where a dragged row would go: directly before or after the row that takes it, or into it. */
export type DropPlace = 'before' | 'after' | 'in'

/** The row that is dragged now. Browsers do not show the data of a drag before it ends. */
let dragged: { list: string; id: string } | undefined

/** A row with a grip. Alt and an arrow moves it, too. */
export function DraggedRow({
  list,
  id,
  name,
  isStill = false,
  takes,
  onDrop,
  onStep,
  children,
}: {
  /** Names the rows that can be dropped on each other. */
  list: string
  id: string
  name: string
  /** Whether the row itself cannot be dragged. */
  isStill?: boolean
  /** Where this row takes another one; undefined if it does not. @param share how far down the pointer is, from 0 to 1 */
  takes: (id: string, share: number) => DropPlace | undefined
  /** Called on the row that takes another one. */
  onDrop: (id: string, place: DropPlace) => void
  onStep: (by: -1 | 1) => void
  children: ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  const type = `lectern-row-${list}`
  const [target, setTarget] = useState<DropPlace>()
  const { dragProps, isDragging } = useDrag({
    // Without it, React Aria makes the row itself a button.
    hasDragButton: true,
    isDisabled: isStill,
    getItems: () => [{ [type]: id, 'text/plain': name }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => {
      dragged = { list, id }
    },
    onDragEnd: () => {
      dragged = undefined
    },
  })
  const placeAt = (y: number): DropPlace | undefined =>
    dragged?.list === list && dragged.id !== id
      ? takes(dragged.id, y / (ref.current?.offsetHeight || 1))
      : undefined
  const drop = async (item: TextDropItem, y: number) => {
    const other = await item.getText(type)
    const place = other === id ? undefined : takes(other, y / (ref.current?.offsetHeight || 1))
    if (place) onDrop(other, place)
  }
  const { dropProps } = useDrop({
    ref,
    getDropOperationForPoint: (types, _allowed, _x, y) =>
      types.has(type) && placeAt(y) !== undefined ? 'move' : 'cancel',
    onDropEnter: ({ y }) => setTarget(placeAt(y)),
    onDropMove: ({ y }) => setTarget(placeAt(y)),
    onDropExit: () => setTarget(undefined),
    onDrop({ items: [item], y }) {
      setTarget(undefined)
      if (item?.kind === 'text') void drop(item, y)
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onStep(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <div
      {...dragProps}
      {...dropProps}
      ref={ref}
      className="dragged-row"
      data-dragging={isDragging || undefined}
      data-target={target}
      onKeyDownCapture={onKeyDown}
    >
      {children}
    </div>
  )
}

/** The buttons that move a row. The focus stays on them when the row moves. */
export function StepButtons({
  name,
  isFirst,
  isLast,
  onStep,
}: {
  name: string
  isFirst: boolean
  isLast: boolean
  onStep: (by: -1 | 1) => void
}) {
  const place = useRef<HTMLSpanElement>(null)
  const pressed = useRef<-1 | 1>(undefined)
  useEffect(() => {
    // The browser takes the focus from a row that moves in the document, and from a button that is disabled.
    if (pressed.current === undefined || !hasNoFocus()) return
    const [up, down] = place.current?.querySelectorAll('button') ?? []
    const button = (pressed.current < 0 ? isFirst : !isLast) ? down : up
    button?.focus()
  })
  const step = (by: -1 | 1) => {
    pressed.current = by
    onStep(by)
  }
  return (
    <span ref={place} className="step-buttons">
      <Button
        className="small quiet"
        aria-label={t('common.move-name-up', { name })}
        isDisabled={isFirst}
        onPress={() => step(-1)}
      >
        ↑
      </Button>
      <Button
        className="small quiet"
        aria-label={t('common.move-name-down', { name })}
        isDisabled={isLast}
        onPress={() => step(1)}
      >
        ↓
      </Button>
    </span>
  )
}
