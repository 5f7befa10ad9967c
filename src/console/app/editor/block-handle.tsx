/** The handle beside a block: it is dragged, and opens a menu of what one can do with the block. */
import { type Command, type EditorState, NodeSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Button, Menu, MenuItem, Popover, Separator, SubmenuTrigger } from 'react-aria-components'
import { t } from '../words/words.ts'
import { positionOf } from './commands/change-node.ts'
import { hasSettings } from '../content/views/block-views.ts'
import { copyLinkTo, type KnownBlocks } from '../content/views/copy-link.ts'
import { beginDrag, dragByTouch, endDrag } from './commands/drag.ts'
import { highlightLines } from './commands/highlight.ts'
import { nameOfNode } from '../content/schema/names.ts'
import type { Ask } from '../content/views/questions.ts'
import { canTurn, type Form, FORMS, turnInto } from './commands/turn-into.ts'
import {
  addAfter,
  duplicate,
  MEMBERS,
  moveBy,
  remove,
  selectedUnit,
  type Unit,
  unitAround,
  unitAt,
} from '../content/schema/units.ts'
import { schema } from '../content/schema/schema.ts'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)
/** Keys as people of this device know them. */
const keys = (name: string) =>
  IS_MAC ? name.replace('Ctrl+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥') : name

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
}: {
  view: EditorView
  ask: Ask
  known: KnownBlocks
  /** The path of the page in its content, if the page has been read. */
  path: string | undefined
}) {
  const [hovered, setHovered] = useState<Unit>()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Unit>()
  const trigger = useRef<HTMLButtonElement>(null)
  const shown = useRef<Unit>(undefined)
  const wasDragged = useRef(false)
  const [handle, setHandle] = useState<HTMLButtonElement | null>(null)
  const takeHandle = useCallback((button: HTMLButtonElement | null) => {
    trigger.current = button
    setHandle(button)
  }, [])

  useEffect(() => {
    const area = view.dom.parentElement
    const enter = ({ target }: MouseEvent) => {
      const unit = unitOf(view, target)
      if (unit) setHovered(unit)
    }
    const leave = () => setHovered(undefined)
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
      setHovered(undefined)
      setChosen(selectedUnit(view.state))
      setOpen(true)
    }
    view.dom.addEventListener('keydown', listen)
    return () => view.dom.removeEventListener('keydown', listen)
  }, [view])

  const unit =
    current(view.state, isOpen ? chosen : hovered) ?? (isOpen ? undefined : selectedUnit(view.state))
  const dom = unit && view.nodeDOM(unit.pos)
  const frame = view.dom.parentElement
  useEffect(() => {
    const button = trigger.current
    if (!button) return undefined
    button.draggable = true
    const start = (event: DragEvent) => {
      if (unit) beginDrag(view, unit, event)
    }
    const end = () => endDrag(view)
    button.addEventListener('dragstart', start)
    button.addEventListener('dragend', end)
    return () => {
      button.removeEventListener('dragstart', start)
      button.removeEventListener('dragend', end)
    }
  })
  shown.current = unit
  useEffect(() => {
    if (!handle) return undefined
    const hold = () => {
      wasDragged.current = true
    }
    return dragByTouch(view, handle, () => shown.current, hold)
  }, [view, handle])
  if (!unit || !(dom instanceof Element) || !frame) return null

  const box = dom.getBoundingClientRect()
  const outer = frame.getBoundingClientRect()
  const isRtl = getComputedStyle(frame).direction === 'rtl'
  const inset = isRtl ? outer.right - box.right : box.left - outer.left
  const marker = unit.node.type.name === 'list_item' ? 22 : 0
  const run = (command: (unit: Unit) => Command) => () => {
    command(unit)(view.state, view.dispatch, view)
    view.focus()
  }
  const name = t(nameOfNode(unit.node.type))
  return (
    <>
      <Button
        ref={takeHandle}
        className="block-handle"
        aria-label={`${t('common.block')}: ${name}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        style={{ insetInlineStart: Math.max(-28, inset - 28 - marker), top: box.top - outer.top + 2 }}
        // A menu that opened when the button goes down would be in the way of dragging.
        onPressStart={() => {
          wasDragged.current = false
        }}
        onPress={() => {
          if (wasDragged.current) return
          setChosen(unit)
          setOpen(true)
        }}
      >
        <svg viewBox="0 0 10 16" width="10" height="16" aria-hidden="true">
          <path d="M2 3h.1M8 3h.1M2 8h.1M8 8h.1M2 13h.1M8 13h.1" />
        </svg>
      </Button>
      <Popover
        aria-label={name}
        placement="bottom start"
        triggerRef={trigger}
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
          onAround={(around) => {
            view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, around.pos)))
            setHovered(around)
            view.focus()
          }}
        />
      </Popover>
    </>
  )
}

/** The unit as it is now. */
function current({ doc }: EditorState, unit: Unit | undefined): Unit | undefined {
  if (!unit) return undefined
  const pos = positionOf(doc, unit.pos, unit.node)
  if (pos !== undefined) return { pos, node: unit.node }
  const node = unit.pos < doc.content.size ? doc.nodeAt(unit.pos) : null
  return node?.type === unit.node.type ? { pos: unit.pos, node } : undefined
}

function BlockMenu({
  unit,
  state,
  label,
  run,
  onSettings,
  onCopyLink,
  onAround,
  onClose,
}: {
  unit: Unit
  state: EditorState
  label: string
  run: (command: (unit: Unit) => Command) => () => void
  onSettings: () => void
  onCopyLink: () => void
  onAround: (around: Unit) => void
  onClose: () => void
}) {
  const can = (command: (unit: Unit) => Command) => command(unit)(state)
  const around = unitAround(state.doc, unit)
  const member = MEMBERS[unit.node.type.name]
  return (
    <Menu className="menu" aria-label={label} autoFocus="first" onClose={onClose}>
      {hasSettings(unit.node) && <Item onAction={onSettings}>{t('editor.settings')}</Item>}
      {canTurn(unit.node) && (
        <SubmenuTrigger>
          <MenuItem className="menu-item">
            {t('editor.turn-into')} <span className="menu-arrow" />
          </MenuItem>
          <Popover>
            <Menu
              className="menu"
              aria-label={t('editor.turn-into')}
              onAction={(form) => {
                onClose()
                run((one) => turnInto(form as Form, one))()
              }}
            >
              {FORMS.map((form) => (
                <MenuItem key={form} id={form} className="menu-item">
                  {t(nameOfNode(schema.nodes[form]!))}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </SubmenuTrigger>
      )}
      <Item onAction={run(addAfter)} isDisabled={!can(addAfter)}>
        {member === undefined ? t('editor.add-line-below') : t('editor.add-another')}
      </Item>
      {unit.node.type === schema.nodes.code_block && (
        <Item keys="Ctrl+Shift+H" onAction={run(() => highlightLines)} isDisabled={!highlightLines(state)}>
          {t('editor.highlight-selected-lines')}
        </Item>
      )}
      <Separator className="menu-line" />
      <Item keys="Alt+↑" onAction={run(moveBy(-1))} isDisabled={!can(moveBy(-1))}>
        {t('common.move-up')}
      </Item>
      <Item keys="Alt+↓" onAction={run(moveBy(1))} isDisabled={!can(moveBy(1))}>
        {t('common.move-down')}
      </Item>
      <Item keys="Ctrl+Shift+D" onAction={run(duplicate)}>
        {t('common.duplicate')}
      </Item>
      <Item onAction={onCopyLink}>{t('common.copy-link')}</Item>
      {around && NodeSelection.isSelectable(around.node) && (
        <Item keys="Esc" onAction={() => onAround(around)}>
          {t('editor.select-name-around', { name: t(nameOfNode(around.node.type)) })}
        </Item>
      )}
      <Separator className="menu-line" />
      <Item keys="Ctrl+Shift+K" onAction={run(remove)}>
        {t('common.delete')}
      </Item>
    </Menu>
  )
}

function Item({
  keys: names,
  onAction,
  isDisabled = false,
  children,
}: {
  keys?: string
  onAction: () => void
  isDisabled?: boolean
  children: ReactNode
}) {
  return (
    <MenuItem
      className="menu-item keyed"
      onAction={onAction}
      isDisabled={isDisabled}
      {...(typeof children === 'string' ? { textValue: children } : {})}
    >
      {children} {names !== undefined && <kbd>{keys(names)}</kbd>}
    </MenuItem>
  )
}
