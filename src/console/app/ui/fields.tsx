/** The fields, buttons and frames of the screens of administration. */
import { type ReactNode, useId, useState } from 'react'
import { Button, Input, Label, Text, TextField } from 'react-aria-components'
import { Link } from 'wouter'
import { FieldProblem } from './forms.tsx'
import { LinkRow, Trail } from './parts.tsx'
import { t } from '../words/words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './fields.css'

/** A line of text. */
export function LineField({
  label,
  value,
  onChange,
  hint,
  type = 'text',
  isRequired = false,
  autoFocus = false,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  type?: 'text' | 'search' | 'url' | 'email' | 'password' | 'color' | 'date'
  isRequired?: boolean
  autoFocus?: boolean
}) {
  return (
    <TextField
      className="field"
      type={type}
      value={value}
      onChange={onChange}
      isRequired={isRequired}
      autoFocus={autoFocus}
    >
      <Label>{label}</Label>
      <Input />
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldProblem />
    </TextField>
  )
}

/** One of a few values. @param isBare without a visible label, for a field in a row */
export function ChoiceField<V extends string>({
  label,
  value,
  onChange,
  options,
  hint,
  isBare = false,
  isDisabled = false,
}: {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly (readonly [value: V, title: string])[]
  hint?: string
  isBare?: boolean
  isDisabled?: boolean
}) {
  const id = useId()
  const select = (
    <select
      id={id}
      value={value}
      disabled={isDisabled}
      aria-label={isBare ? label : undefined}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      onChange={(event) => onChange(event.target.value as V)}
    >
      {options.map(([one, title]) => (
        <option key={one} value={one}>
          {title}
        </option>
      ))}
    </select>
  )
  if (isBare) return <span className="bare">{select}</span>
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {select}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  )
}

/** Something that is on or off. */
export function CheckField({
  label,
  isChecked,
  onChange,
  unable,
}: {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  /** The id of the text that says why it is not possible now. */
  unable?: string | undefined
}) {
  const id = useId()
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={unable !== undefined}
        aria-describedby={unable}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}

/** A button that copies a text, and says so. */
export function CopyButton({ text, label = t('common.copy') }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Button
      className="button small"
      onPress={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {isCopied ? t('common.copied') : label}
    </Button>
  )
}

/** An address or a secret to pass on. */
export function Passed({ text, label }: { text: string; label?: string }) {
  return (
    <span className="passed">
      <code>{text}</code>
      <CopyButton text={text} {...(label === undefined ? {} : { label })} />
    </span>
  )
}

/** A part of a screen with a heading. */
export function Part({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="heading">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** The frame of a screen: where it is, its title, and the screens beside it. */
export function Frame({
  trail,
  title,
  label,
  links = [],
  actions,
  children,
}: {
  trail: { title: string; to: string }[]
  title: string
  /** The common subject of the links. */
  label: string
  links?: readonly (readonly [to: string, title: string])[]
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="screen admin">
      <Trail items={[...trail, { title }]} />
      <div className="heading">
        <h1>{title}</h1>
        {actions}
      </div>
      {links.length > 0 && (
        <LinkRow label={label} kind="screen-tabs">
          {links.map(([to, name]) => (
            <Link key={to} href={to} aria-current={location.pathname === `/app${to}` ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </LinkRow>
      )}
      {children}
    </div>
  )
}
