/** Fields for values that are written: long texts, lengths, lists, emoji, JSON and actions. */
import { useState } from 'react'
import { Label, Text, TextArea, TextField } from 'react-aria-components'
import type { ButtonAction, Length } from '../../../../core/document/model.ts'
import { emojiOf } from '../../content/schema/atoms.ts'
import { ChoiceField, LineField } from '../../ui/fields.tsx'
import { t } from '../../words/words.ts'

/** What every field of a setting gets. */
interface FieldProps<V> {
  label: string
  value: V
  onChange: (value: V) => void
  isRequired: boolean
  autoFocus: boolean
}

export function LongField({
  label,
  value,
  onChange,
  isRequired,
  autoFocus,
  hint,
}: FieldProps<string> & { hint?: string }) {
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      isRequired={isRequired}
      autoFocus={autoFocus}
    >
      <Label>{label}</Label>
      <TextArea rows={5} spellCheck="false" />
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
    </TextField>
  )
}

/** A length as people write it: `300`, `300px` or `50%`. */
export function LengthField({
  value,
  onChange,
  ...more
}: Omit<FieldProps<Length | undefined>, 'onChange'> & { onChange: (value: Length | undefined) => void }) {
  const [text, setText] = useState(
    value === undefined ? '' : typeof value === 'number' ? String(value) : `${value.value}${value.unit}`,
  )
  return (
    <LineField
      {...more}
      value={text}
      hint={t('editor.such-300-50')}
      onChange={(typed) => {
        setText(typed)
        const [, number, unit] = /^(\d{1,5}(?:\.\d{1,3})?)\s*(px|%)?$/.exec(typed.trim()) ?? []
        if (number === undefined) return typed.trim() === '' ? onChange(undefined) : undefined
        return onChange(unit === undefined ? Number(number) : { unit: unit as '%', value: Number(number) })
      }}
    />
  )
}

export function TextsField({ value, onChange, ...more }: FieldProps<string[]>) {
  const [text, setText] = useState(value.join(', '))
  return (
    <LineField
      {...more}
      value={text}
      hint={t('editor.commas-between-them')}
      onChange={(typed) => {
        setText(typed)
        onChange(
          typed
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one !== ''),
        )
      }}
    />
  )
}

/** An emoji as such. The model names it by its code points in base 16. */
export function EmojiField({
  code,
  onChange,
  ...more
}: Omit<FieldProps<string>, 'value'> & { code: string }) {
  const [text, setText] = useState(code === '' ? '' : emojiOf(code))
  return (
    <LineField
      {...more}
      value={text}
      onChange={(typed) => {
        setText(typed)
        const isEmoji = /^\p{Emoji}/u.test(typed.trim()) && !/^[\d#*]/.test(typed.trim())
        onChange(isEmoji ? Array.from(typed.trim(), (one) => one.codePointAt(0)!.toString(16)).join('-') : '')
      }}
    />
  )
}

/** Properties of any kind. What is no object is not taken. */
export function JsonField({ value, onChange, ...more }: FieldProps<unknown>) {
  const [text, setText] = useState(() => JSON.stringify(value ?? {}, null, 2))
  return (
    <LongField
      {...more}
      value={text}
      hint={t('editor.tool-know-json-such', { example: '{ "id": "42" }' })}
      onChange={(typed) => {
        setText(typed)
        try {
          const read: unknown = JSON.parse(typed)
          if (typeof read === 'object' && read !== null && !Array.isArray(read)) onChange(read)
        } catch {
          // The writer has not finished.
        }
      }}
    />
  )
}

/** The field for the action of a button that is not a link: search, ask, or show a section. */
export function ActionField({
  value,
  onChange,
}: {
  value: ButtonAction | undefined
  onChange: (value: ButtonAction | undefined) => void
}) {
  const text = value ? ('query' in value ? (value.query ?? '') : 'slug' in value ? value.slug : '') : ''
  const make = (action: string, typed: string): ButtonAction | undefined => {
    if (action === 'select') return { action, slug: typed }
    if (action !== 'search' && action !== 'ask') return undefined
    return typed === '' ? { action } : { action, query: typed }
  }
  return (
    <>
      <ChoiceField
        label={t('common.action')}
        value={value?.action ?? ''}
        onChange={(action: string) => onChange(make(action, text))}
        options={[
          ['', t('common.none')],
          ['search', t('common.search')],
          ['ask', t('common.ask')],
          ['select', t('common.show-section-site')],
        ]}
      />
      {value && (
        <LineField
          label={value.action === 'select' ? t('common.name-in-links') : t('editor.question')}
          value={text}
          onChange={(typed) => onChange(make(value.action, typed))}
        />
      )}
    </>
  )
}
