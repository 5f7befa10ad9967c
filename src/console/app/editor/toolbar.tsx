import { setBlockType, toggleMark } from 'prosemirror-commands'
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history'
import type { Command } from 'prosemirror-state'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  selectedRect,
} from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import type { ReactNode } from 'react'
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Toolbar as Tools,
} from 'react-aria-components'
import type { Label, PlainId } from '../words/message-ids.ts'
import { t } from '../words/words.ts'
import { type Insert, INSERT_GROUPS } from './commands/insert-list.ts'
import { InsertLook } from './commands/insert-look.tsx'
import { listOf, type } from './commands/keys.ts'
import { schema } from '../content/schema/schema.ts'

const MARKS: [name: string, label: PlainId, sign: ReactNode, keys: string][] = [
  ['bold', 'common.bold', <b key="b">B</b>, 'Ctrl+B'],
  ['italic', 'common.italic', <i key="i">I</i>, 'Ctrl+I'],
  ['strikethrough', 'common.struck-through', <s key="s">S</s>, ''],
  ['code', 'block.code', '<>', 'Ctrl+E'],
]

/** The kinds of text blocks, with their names. */
export const KINDS: [name: string, label: PlainId][] = [
  ['paragraph', 'block.text'],
  ['heading_1', 'block.heading-1'],
  ['heading_2', 'block.heading-2'],
  ['heading_3', 'block.heading-3'],
]

/** The commands for the text. */
export function Toolbar({
  view,
  onInsert,
  onLink,
  onFind,
}: {
  view: EditorView
  onInsert: (what: Insert) => void
  onLink: () => void
  /** Opens the bar that finds words; absent for a text without one. */
  onFind?: () => void
}) {
  const { state } = view
  const { $from } = state.selection
  const run = (command: Command) => () => {
    command(view.state, view.dispatch, view)
    view.focus()
  }
  const kind = KINDS.find(([name]) => name === $from.parent.type.name)
  return (
    <Tools aria-label={t('block.text')} className="tools">
      <Tool label={t('common.undo')} isDisabled={undoDepth(state) === 0} onPress={run(undo)}>
        ↶
      </Tool>
      <Tool label={t('editor.redo')} isDisabled={redoDepth(state) === 0} onPress={run(redo)}>
        ↷
      </Tool>
      <ToolMenu
        label={t(kind?.[1] ?? 'block.text')}
        items={KINDS}
        onChoose={(name) => run(setBlockType(type(name)))()}
      />
      <InsertMenu onInsert={onInsert} />
      <MarkTools view={view} onLink={onLink} />
      <Tool label={t('block.bulleted-list')} onPress={run(listOf('list_unordered'))}>
        <Sign path="M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1" />
      </Tool>
      <Tool label={t('block.numbered-list')} onPress={run(listOf('list_ordered'))}>
        <Sign path="M10 6h10M10 12h10M10 18h10M4 5l1-1v5M4 13h2l-2 4h2" />
      </Tool>
      {onFind && (
        <Tool label={t('editor.find-in-the-page')} onPress={onFind}>
          <Sign path="M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16 16l5 5" />
        </Tool>
      )}
      {isInTable(state) && <TableTools run={run} isInHead={isInHead(view)} />}
    </Tools>
  )
}

/** The commands for words: bold, italic and other marks, and links. @param onLink asks for the target of a link */
export function MarkTools({ view, onLink }: { view: EditorView; onLink: () => void }) {
  const { state } = view
  const { $from, from, to, empty } = state.selection
  const has = (name: string) => {
    const mark = schema.marks[name]!
    return empty
      ? mark.isInSet(state.storedMarks ?? $from.marks()) !== undefined
      : state.doc.rangeHasMark(from, to, mark)
  }
  const toggle = (name: string) => () => {
    toggleMark(schema.marks[name]!)(view.state, view.dispatch, view)
    view.focus()
  }
  return (
    <>
      {MARKS.map(([name, label, sign]) => (
        <Tool key={name} label={t(label)} isPressed={has(name)} onPress={toggle(name)}>
          {sign}
        </Tool>
      ))}
      <Tool label={t('block.link')} isPressed={has('link')} onPress={onLink}>
        <Sign path="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1" />
      </Tool>
    </>
  )
}

const isInHead = (view: EditorView): boolean => selectedRect(view.state).top === 0

const TABLE_COMMANDS: readonly (readonly [name: PlainId, command: Command])[] = [
  ['editor.add-a-row', addRowAfter],
  ['editor.delete-the-row', deleteRow],
  ['editor.add-a-column', addColumnAfter],
  ['editor.delete-the-column', deleteColumn],
  ['editor.delete-the-table', deleteTable],
]

/** The commands for a table. They are in a menu, so that the tools stay on their line. */
function TableTools({ run, isInHead: isHead }: { run: (command: Command) => () => void; isInHead: boolean }) {
  return (
    <ToolMenu
      label={t('block.table')}
      items={TABLE_COMMANDS.map(([name]) => [name, name] as const)}
      disabled={isHead ? ['editor.delete-the-row'] : []}
      onChoose={(id) => run(TABLE_COMMANDS.find(([name]) => name === id)![1])()}
    />
  )
}

function Sign({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" className="sign">
      <path d={path} />
    </svg>
  )
}

/** A button of a bar of tools. A press leaves the focus where it is. */
export function Tool({
  label,
  isPressed,
  isDisabled = false,
  onPress,
  children,
}: {
  label: string
  isPressed?: boolean
  isDisabled?: boolean
  onPress: () => void
  children: ReactNode
}) {
  return (
    <Button
      className="tool"
      aria-label={label}
      aria-pressed={isPressed}
      isDisabled={isDisabled}
      preventFocusOnPress
      onPress={onPress}
    >
      <span aria-hidden="true">{children}</span>
    </Button>
  )
}

/** A menu of a bar of tools. */
export function ToolMenu({
  label,
  items,
  disabled = [],
  onChoose,
  onOpenChange,
}: {
  label: string
  items: readonly (readonly [id: string, label: Label])[]
  /** The ids of those that cannot be chosen now. */
  disabled?: readonly string[]
  onChoose: (id: string) => void
  /** Called when the menu opens or closes. */
  onOpenChange?: (isOpen: boolean) => void
}) {
  return (
    <MenuTrigger {...(onOpenChange && { onOpenChange })}>
      <Button className="tool">{label} ▾</Button>
      <Popover>
        <Menu
          className="menu"
          aria-label={label}
          disabledKeys={disabled}
          onAction={(id) => onChoose(String(id))}
        >
          {items.map(([id, title]) => (
            <MenuItem key={id} id={id} className="menu-item">
              {t(title)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

function InsertMenu({ onInsert }: { onInsert: (what: Insert) => void }) {
  const label = `+ ${t('editor.insert')}`
  return (
    <MenuTrigger>
      <Button className="tool">{label} ▾</Button>
      <Popover>
        <Menu className="menu insert-menu" aria-label={label}>
          {INSERT_GROUPS.map(({ name, inserts }) => (
            <MenuSection key={name}>
              <Header className="menu-heading">{t(name)}</Header>
              {inserts.map((what) => (
                <MenuItem
                  key={what.title}
                  className="menu-item insert-item"
                  textValue={t(what.title)}
                  onAction={() => onInsert(what)}
                >
                  <InsertLook what={what} />
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
