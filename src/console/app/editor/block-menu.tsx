/** The menu of what one can do with a block. */
import { type Command, type EditorState, NodeSelection } from 'prosemirror-state'
import type { ReactNode } from 'react'
import { Menu, MenuItem, Popover, Separator, SubmenuTrigger } from 'react-aria-components'
import { hasSettings } from '../content/views/block-views.ts'
import { nameOfNode } from '../content/schema/names.ts'
import { schema } from '../content/schema/schema.ts'
import {
  addAfter,
  duplicate,
  MEMBERS,
  moveBy,
  remove,
  type Unit,
  unitAround,
} from '../content/schema/units.ts'
import { t } from '../words/words.ts'
import { highlightLines } from './commands/highlight.ts'
import { canTurn, type Form, FORMS, turnInto } from './commands/turn-into.ts'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)
/** Keys as people of this device know them. */
const keys = (name: string) =>
  IS_MAC ? name.replace('Ctrl+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥') : name

export function BlockMenu({
  unit,
  state,
  label,
  run,
  onSettings,
  onCopyLink,
  onComment,
  onAround,
  onClose,
}: {
  unit: Unit
  state: EditorState
  label: string
  run: (command: (unit: Unit) => Command) => () => void
  onSettings: () => void
  onCopyLink: () => void
  /** Absent for a text that has no comments. */
  onComment: (() => void) | undefined
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
      {onComment && (
        <Item keys="Ctrl+Alt+M" onAction={onComment}>
          {t('common.comment')}
        </Item>
      )}
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
