/** The handle beside a block: it is dragged, and opens a menu of what one can do with the block. */
import { type Command, type EditorState, NodeSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button, Popover } from 'react-aria-components'
import { nameOfNode } from '../content/schema/names.ts'
import { schema } from '../content/schema/schema.ts'
import { selectedUnit, type Unit, unitAt } from '../content/schema/units.ts'
import { copyLinkTo, type KnownBlocks } from '../content/views/copy-link.ts'
import type { Ask } from '../content/views/questions.ts'
import { t } from '../words/words.ts'
import { BlockMenu } from './block-menu.tsx'
import { positionOf } from './commands/change-node.ts'
import { beginDrag, dragByTouch, endDrag } from './commands/drag.ts'

/** The unit of an element of the page. */
function unitOf(view: EditorView, target: EventTarget | null): Unit | undefined {
  if (!(target instanceof Element) || !view.dom.contains(target) || target === view.dom) return undefined
  try {
    const { state } = view
    const pos = Math.min(view.posAtDOM(target, 0), state.doc.content.size)
    const inside = unitAt(state.doc.resolve(pos))
    const node = state.doc.nodeAt(pos)
    // A block that is one thing has no position inside.
    if (node?.isAtom && node.isBlock && node.type.isInGroup('block')) return { pos, node }
    return inside
  } catch {
    // The element is not part of the document any more.
    return undefined
  }
}

/** The handle beside the block under the pointer, or else beside that of the caret. */
export function BlockHandle({
  view,
  ask,
  known,
  path,
  onComment,
}: {
  view: EditorView
  ask: Ask
  /** Begins a comment on a block, or on what is selected; absent for a text that has no comments. */
  onComment: ((unit?: Unit) => void) | undefined
  known: KnownBlocks
  /** The path of the page in its content, if the page has been read. */
  path: string | undefined
}) {
  const { unit, isOpen, open, setOpen, hover } = useHandledUnit(view)
  const drag = useDragging(view, unit)
  useCommentKey(view, onComment)
  const dom = unit && view.nodeDOM(unit.pos)
  const frame = view.dom.parentElement
  if (!unit || !(dom instanceof Element) || !frame) return null

  const run = (command: (unit: Unit) => Command) => () => {
    command(unit)(view.state, view.dispatch, view)
    view.focus()
  }
  const name = t(nameOfNode(unit.node.type))
  return (
    <>
      <Button
        ref={drag.take}
        className="block-handle"
        aria-label={`${t('common.block')}: ${name}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        style={handlePosition(dom, frame, unit)}
        // A menu that opened when the button goes down would be in the way of dragging.
        onPressStart={drag.begin}
        onPress={() => {
          if (!drag.wasDragged()) open(unit)
        }}
      >
        <svg viewBox="0 0 10 16" width="10" height="16" aria-hidden="true">
          <path d="M2 3h.1M8 3h.1M2 8h.1M8 8h.1M2 13h.1M8 13h.1" />
        </svg>
      </Button>
      <Popover
        aria-label={name}
        placement="bottom start"
        triggerRef={drag.handle}
        isOpen={isOpen}
        onOpenChange={setOpen}
      >
        <BlockMenu
          unit={unit}
          state={view.state}
          label={name}
          run={run}
          onClose={() => setOpen(false)}
          onSettings={() =>
            ask({
              kind: unit.node.type === schema.nodes.table ? 'table' : 'settings',
              node: unit.node,
              pos: unit.pos,
            })
          }
          onCopyLink={() => void copyLinkTo(view, unit, known, path)}
          onComment={onComment && (() => onComment(unit))}
          onAround={(around) => {
            view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, around.pos)))
            hover(around)
            view.focus()
          }}
        />
      </Popover>
    </>
  )
}

/** The block that the handle is for, and whether its menu is open. Then the block stays the same. */
function useHandledUnit(view: EditorView) {
  const [hovered, hover] = useState<Unit>()
  const [chosen, setChosen] = useState<Unit>()
  const [isOpen, setOpen] = useState(false)
  const open = (unit: Unit | undefined) => {
    setChosen(unit)
    setOpen(true)
  }
  useEffect(() => {
    const area = view.dom.parentElement
    const enter = ({ target }: MouseEvent) => {
      const unit = unitOf(view, target)
      if (unit) hover(unit)
    }
    const leave = () => hover(undefined)
    area?.addEventListener('mousemove', enter)
    view.dom.addEventListener('keydown', leave)
    return () => {
      area?.removeEventListener('mousemove', enter)
      view.dom.removeEventListener('keydown', leave)
    }
  }, [view])

  // The keys of the menu work in the text too.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      hover(undefined)
      open(selectedUnit(view.state))
    }
    view.dom.addEventListener('keydown', listen)
    return () => view.dom.removeEventListener('keydown', listen)
  }, [view])

  const unit =
    current(view.state, isOpen ? chosen : hovered) ?? (isOpen ? undefined : selectedUnit(view.state))
  return { unit, isOpen, open, setOpen, hover }
}

/** Ctrl+Alt+M begins a comment on what is selected. */
function useCommentKey(view: EditorView, onComment: (() => void) | undefined): void {
  useEffect(() => {
    if (!onComment) return undefined
    const listen = (event: KeyboardEvent) => {
      if (event.code !== 'KeyM' || !event.altKey || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      onComment()
    }
    view.dom.addEventListener('keydown', listen)
    return () => view.dom.removeEventListener('keydown', listen)
  }, [view, onComment])
}

/** Dragging a block by its handle, with a mouse or a finger. */
function useDragging(view: EditorView, unit: Unit | undefined) {
  const handle = useRef<HTMLButtonElement>(null)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const take = useCallback((taken: HTMLButtonElement | null) => {
    handle.current = taken
    setButton(taken)
  }, [])
  const isHeld = useRef(false)
  const shown = useRef<Unit>(undefined)
  shown.current = unit
  useEffect(() => {
    const dragged = handle.current
    if (!dragged) return undefined
    dragged.draggable = true
    const start = (event: DragEvent) => {
      if (unit) beginDrag(view, unit, event)
    }
    const end = () => endDrag(view)
    dragged.addEventListener('dragstart', start)
    dragged.addEventListener('dragend', end)
    return () => {
      dragged.removeEventListener('dragstart', start)
      dragged.removeEventListener('dragend', end)
    }
  })
  useEffect(() => {
    if (!button) return undefined
    const hold = () => {
      isHeld.current = true
    }
    return dragByTouch(view, button, () => shown.current, hold)
  }, [view, button])
  return {
    handle,
    take,
    begin() {
      isHeld.current = false
    },
    /** Whether the finger that is lifted now has dragged the block. */
    wasDragged: () => isHeld.current,
  }
}

/** The place of the handle, before the block. */
function handlePosition(block: Element, frame: Element, { node }: Unit) {
  const box = block.getBoundingClientRect()
  const outer = frame.getBoundingClientRect()
  const isRtl = getComputedStyle(frame).direction === 'rtl'
  const inset = isRtl ? outer.right - box.right : box.left - outer.left
  const marker = node.type.name === 'list_item' ? 22 : 0
  return { insetInlineStart: Math.max(-28, inset - 28 - marker), top: box.top - outer.top + 2 }
}

/** The unit as it is now. */
function current({ doc }: EditorState, unit: Unit | undefined): Unit | undefined {
  if (!unit) return undefined
  const pos = positionOf(doc, unit.pos, unit.node)
  if (pos !== undefined) return { pos, node: unit.node }
  const node = unit.pos < doc.content.size ? doc.nodeAt(unit.pos) : null
  return node?.type === unit.node.type ? { pos: unit.pos, node } : undefined
}
