/** Fields in which people write comments. */
import type { KeyboardEvent, ReactNode } from 'react'
import { useBegun } from './begun.ts'
import { MarkdownArea, type TextSubject } from './markdown-area.tsx'

/** Ctrl or ⌘ with Enter in a text presses the first button that can send it. */
export function sendByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLButtonElement>('.actions button:enabled')?.click()
}

/** A field for a text, with the buttons that send it. Ctrl or ⌘ with Enter presses the first one. */
export function ComposeField({
  subject,
  label,
  text,
  onChange,
  autoFocus = false,
  children,
}: {
  subject: TextSubject
  label: string
  text: string
  onChange: (text: string) => void
  autoFocus?: boolean
  children: ReactNode
}) {
  return (
    <div className="compose" onKeyDown={sendByKey}>
      <label>
        <span className="unseen">{label}</span>
        <MarkdownArea
          subject={subject}
          value={text}
          rows={3}
          maxLength={10_000}
          placeholder={label}
          autoFocus={autoFocus}
          onChange={onChange}
        />
      </label>
      <div className="actions">{children}</div>
    </div>
  )
}

/** A field whose text the browser keeps until it is sent or cleared. @param name of the text, by `nameOfBegun` */
export function Compose({
  subject,
  label,
  name,
  start = '',
  children,
}: {
  subject: TextSubject
  label: string
  name: string
  start?: string
  children: (text: string, clear: () => void) => ReactNode
}) {
  const [begun, keep] = useBegun(name)
  const text = begun?.markdown ?? start
  return (
    <ComposeField
      {...{ subject, label, text }}
      onChange={(markdown) => keep(markdown === start ? undefined : { markdown })}
    >
      {children(text, () => keep(undefined))}
    </ComposeField>
  )
}
