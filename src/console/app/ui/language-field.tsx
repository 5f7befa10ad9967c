/** The choice of a language, each by its own name. The list is filtered while somebody types. */
import { useState } from 'react'
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { type LanguageOption, languageOptions, meansLanguage } from '../words/languages.ts'
import { t } from '../words/words.ts'
import { PlaceSign } from './signs.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './fields.css'

/** React Aria has no choice with an empty key. */
const NONE = 'none'

/**
 * @param value a code or a tag; empty for none
 * @param none the name of the choice of no language; without one, a language is needed
 * @param only the tags that are offered; by default, all that the console knows
 * @param without the tags that are not offered
 */
export function LanguageField({
  label,
  value,
  onChange,
  none,
  only,
  without = [],
}: {
  label: string
  value: string
  onChange: (tag: string) => void
  none?: string
  only?: readonly string[]
  without?: readonly string[]
}) {
  // Undefined while the field shows what is chosen: its list has everything then.
  const [typed, setTyped] = useState<string>()
  const offered = languageOptions(value).filter(
    ({ tag }) => tag === value || (!without.includes(tag) && only?.includes(tag) !== false),
  )
  const noLanguage: LanguageOption[] = none === undefined ? [] : [{ tag: '', name: none, translated: none }]
  const options = [...noLanguage, ...offered]
  const name = options.find(({ tag }) => tag === value)?.name ?? ''
  const shown = typed === undefined ? options : options.filter((one) => meansLanguage(one, typed))
  return (
    <ComboBox
      className="field language-field"
      items={shown.map((one) => ({ ...one, id: one.tag === '' ? NONE : one.tag }))}
      value={value === '' ? NONE : value}
      inputValue={typed ?? name}
      defaultFilter={() => true}
      allowsEmptyCollection
      onInputChange={(next) => setTyped(next === name ? undefined : next)}
      onChange={(key) => {
        if (key === null) return
        setTyped(undefined)
        onChange(key === NONE ? '' : String(key))
      }}
      onBlur={() => setTyped(undefined)}
    >
      <Label>{label}</Label>
      <div className="choice-line">
        <Input onFocus={({ target }) => target.select()} />
        <Button className="small quiet">
          <PlaceSign name="both" />
        </Button>
      </div>
      <Popover className="menu found-pages">
        <ListBox
          aria-label={label}
          renderEmptyState={() => <p className="hint">{t('common.no-language')}</p>}
        >
          {(one: LanguageOption & { id: string }) => (
            <ListBoxItem id={one.id} textValue={one.name} className="menu-item">
              <bdi lang={one.tag || undefined}>{one.name}</bdi>{' '}
              {one.translated !== one.name && <small className="faint">{one.translated}</small>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
