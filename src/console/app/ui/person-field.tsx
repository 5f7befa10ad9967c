/** The choice of a person, or of a team: the server searches while a name is typed. */
import { type Ref, useEffect, useState } from 'react'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { useApi, useList } from '../api/api.ts'
import { t } from '../words/words.ts'

/** A person or a team. */
export interface Chosen {
  kind: 'user' | 'team'
  id: string
  name: string
}

/** @param value what is chosen; without one, the field is empty again after each choice */
export function PersonField({
  organizationId,
  label,
  value,
  onChange,
  withTeams = false,
  without = [],
  isBare = false,
  field,
}: {
  organizationId: string
  label: string
  value?: Chosen | undefined
  onChange: (chosen: Chosen | undefined) => void
  withTeams?: boolean
  /** The ids of people who are not offered. */
  without?: readonly string[]
  /** Whether the label is only for screen readers. */
  isBare?: boolean
  field?: Ref<HTMLInputElement>
}) {
  const [written, setWritten] = useState<string>()
  // A list closes when something is selected, also if the field is empty afterwards.
  const [picked, setPicked] = useState<string | null>(null)
  useEffect(() => setPicked(null), [picked])
  const shown = written ?? value?.name ?? ''
  const text = shown.trim()
  const search = text === '' ? '' : `&search=${encodeURIComponent(text)}`
  const people = useApi(`/orgs/${organizationId}/members?limit=50${search}`)
  const teams = useList(withTeams ? `/orgs/${organizationId}/teams?limit=1000` : undefined)
  const found = [
    ...teams.items
      .filter(({ title }) => nameOfTeam(title).toLowerCase().includes(text.toLowerCase()))
      .map(({ id, title }) => ({ kind: 'team' as const, id, name: nameOfTeam(title), detail: undefined })),
    ...(people.data?.items ?? [])
      .filter(({ user }) => !without.includes(user.id))
      .map(({ user }) => ({
        kind: 'user' as const,
        id: user.id,
        name: user.displayName,
        detail: user.email,
      })),
  ]
  return (
    <ComboBox
      className={isBare ? 'bare' : 'field'}
      {...(isBare ? { 'aria-label': label } : {})}
      // A field that is emptied after a choice opens no list, also if it has the focus.
      menuTrigger={written === undefined ? 'manual' : 'input'}
      allowsCustomValue
      allowsEmptyCollection
      items={found}
      value={value?.id ?? picked}
      inputValue={shown}
      defaultFilter={() => true}
      onInputChange={(next) => {
        if (next === shown) return
        setWritten(next)
        if (value) onChange(undefined)
      }}
      onChange={(key) => {
        const one = found.find(({ id }) => id === key)
        if (!one) return
        setWritten(undefined)
        setPicked(one.id)
        onChange({ kind: one.kind, id: one.id, name: one.name })
      }}
    >
      {!isBare && <Label>{label}</Label>}
      <Input ref={field} placeholder={t('common.type-a-name')} />
      <Popover className="menu found-pages">
        <ListBox
          aria-label={label}
          renderEmptyState={() => (
            <p className="hint">{people.isFetching ? t('common.loading') : t('common.nobody-name')}</p>
          )}
        >
          {(one: (typeof found)[number]) => (
            <ListBoxItem id={one.id} textValue={one.name} className="menu-item">
              {one.name} <small className="faint">{one.detail}</small>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

const nameOfTeam = (name: string): string => t('common.team-name', { name })
