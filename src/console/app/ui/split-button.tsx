import type { ReactNode } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'

/** A choice of the menu beside a button. */
export interface SplitChoice {
  id: string
  title: string
  onChoose: () => void
}

/** A button or link, and beside it a menu of what one does less often. @param label names the menu */
export function SplitButton({
  label,
  choices,
  kind = 'button',
  children,
}: {
  label: string
  choices: readonly SplitChoice[]
  kind?: string
  /** The button or link. */
  children: ReactNode
}) {
  if (choices.length === 0) return children
  return (
    <span className="split-button">
      {children}
      <MenuTrigger>
        <Button className={kind} aria-label={label}>
          <span aria-hidden="true">▾</span>
        </Button>
        <Popover placement="bottom end">
          <Menu
            className="menu"
            aria-label={label}
            onAction={(id) => choices.find((one) => one.id === id)?.onChoose()}
          >
            {choices.map(({ id, title }) => (
              <MenuItem key={id} id={id} className="menu-item">
                {title}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </span>
  )
}
