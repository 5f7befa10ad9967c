/** The choice of a role. */
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'
import { t } from '../words/words.ts'
import { type RoleName, roleMeaning, roleNames } from '../words/role-names.ts'

/** A choice besides the roles: a value, its title and its meaning. */
export type OtherChoice<V extends string> = readonly [value: V, title: string, meaning: string]

/** The choice of members without a role. */
export const guest = (): OtherChoice<''> => ['', t('common.guest'), t('common.sees-only-shared-them')]

/** The choice that shuts out a person or a team. */
export const noAccess = (): OtherChoice<''> => [
  '',
  t('common.no-access'),
  t('common.sees-nothing-here-administrators'),
]

/** One of the roles, each with what it lets people do. @param isBare without a visible label, for a field in a row */
export function RoleField<V extends string>({
  label,
  value,
  onChange,
  others,
  isBare = false,
  isDisabled = false,
  unable,
}: {
  label: string
  value: RoleName | V
  onChange: (value: RoleName | V) => void
  others: readonly OtherChoice<V>[]
  isBare?: boolean
  isDisabled?: boolean
  /** The id of the text that says why it is not possible now. */
  unable?: string | undefined
}) {
  const choices = [
    ...roleNames().map(([role, title]) => [role, title, roleMeaning(role)] as const),
    ...others,
  ]
  return (
    <Select
      className={isBare ? 'role-field bare' : 'role-field field'}
      aria-label={isBare ? label : undefined}
      aria-describedby={unable}
      value={roleKey(value)}
      isDisabled={isDisabled || unable !== undefined}
      onChange={(key) => onChange(roleValue(String(key)) as RoleName | V)}
    >
      {!isBare && <Label>{label}</Label>}
      <Button className="select">
        <SelectValue>{choices.find(([one]) => one === value)?.[1]}</SelectValue>
      </Button>
      <Popover className="role-choices">
        <ListBox className="menu">
          {choices.map(([one, title, meaning]) => (
            <ListBoxItem key={one} id={roleKey(one)} className="menu-item" textValue={title}>
              <span>{title}</span>
              <small>{meaning}</small>
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  )
}

/** React Aria has no choice with an empty key. */
const NO_ROLE = 'none'
const roleKey = (value: string) => (value === '' ? NO_ROLE : value)
const roleValue = (key: string) => (key === NO_ROLE ? '' : key)

/** The role that a choice stands for. */
export const roleOf = (choice: RoleName | ''): RoleName | null => (choice === '' ? null : choice)
