import { attributes, type Html, html } from '../../core/text/html.ts'
import type { Wording } from './words.ts'

/** A labelled field of a form. */
export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string
  hint?: string
  required?: boolean
  autocomplete?: string
  autofocus?: boolean
  minlength?: number
  maxlength?: number
  inputmode?: 'numeric'
  /** The id, if the page has several forms with fields of this name. */
  id?: string
  /** The script fills the field with the part of the address after `#`, and hides it. */
  fromLink?: boolean
}

export function renderField(field: Field): Html {
  const { name, label, type = 'text', value, hint, required = true, fromLink = false } = field
  const id = field.id ?? name
  const described = hint === undefined ? undefined : `${id}-hint`
  const { autocomplete, autofocus, minlength, maxlength, inputmode } = field
  const input = attributes({
    id,
    name,
    type,
    value,
    required,
    autocomplete,
    autofocus,
    minlength,
    maxlength,
    inputmode,
    spellcheck: type === 'text' ? 'false' : undefined,
    'aria-describedby': described,
    'data-from-link': fromLink,
  })
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input${input} />
    ${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`
}

/** Says what went wrong, or what was done. Screen readers announce it. */
export function renderMessages({
  error,
  note,
}: {
  error?: string | undefined
  note?: string | undefined
}): Html {
  return html`${error ? html`<p class="message error" role="alert">${error}</p>` : ''}
  ${note ? html`<p class="message note" role="status">${note}</p>` : ''}`
}

/** A form of one button, for a change that needs no input. */
export function renderButton(to: string, title: string, about: string): Html {
  return html`<form method="post" action="${to}"><button class="small">${title}<span class="unseen"> ${about}</span></button></form>`
}

/** A date for people, in UTC. */
export function renderTime(instant: string, { time }: Wording): Html {
  return html`<time datetime="${instant}">${time.format(new Date(instant))} UTC</time>`
}

/** The end of a line on something that has been used. */
export function renderLastUse(instant: string | undefined, wording: Wording): Html | '' {
  return instant ? wording.rich(', last used {time}', { time: renderTime(instant, wording) }) : ''
}
