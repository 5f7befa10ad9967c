import type { TryField, TrySecurity } from '../../../../core/openapi/try-it.ts'
import { element } from '../kit/element.ts'
import { secrets } from './secrets.ts'
import { tryWords } from './words.ts'

/** A field with its label. */
export interface TryInput {
  label: HTMLElement
  value(): string | File | undefined
}

/** Fields under a title. */
export function fieldGroup(title: string, ...children: Node[]): HTMLElement {
  return element('fieldset', {}, element('legend', { textContent: title }), ...children)
}

/** A label around its field. @param about what it says besides the name */
export function labelled(name: string, about: string, input: HTMLElement): HTMLElement {
  const code = element('code', { textContent: name })
  const text = element('span', { className: 'try-name' }, code, about ? ` ${about}` : '')
  return element('label', { className: 'try-field' }, text, input)
}

/** A choice between values. */
export function choice(title: string, values: readonly string[]) {
  const input = element('select', {}, ...options(values))
  const name = element('span', { className: 'try-name', textContent: title })
  return { input, label: element('label', { className: 'try-field' }, name, input) }
}

const options = (values: readonly string[]) =>
  values.map((value) => element('option', { value, textContent: value }))

/** The field of a parameter, or of a form in the body. */
export function makeField({ name, type, required, kind, values, value }: TryField): TryInput {
  const choices = values ?? (kind === 'boolean' ? ['true', 'false'] : undefined)
  const input = choices
    ? element(
        'select',
        {},
        element('option', { value: '', textContent: required ? tryWords.choose : '' }),
        ...options(choices),
      )
    : textField(kind === 'file' ? 'file' : 'text')
  if (value !== undefined && kind !== 'file') input.value = value
  input.required = required === true
  const about = [type, kind === 'list' ? tryWords.commas : '', required ? tryWords.required : '']
  return {
    label: labelled(name, about.filter(Boolean).join(', '), input),
    value: () => (kind === 'file' && 'files' in input ? input.files?.[0] : input.value),
  }
}

function textField(type: 'text' | 'password' | 'file') {
  return element('input', { type, spellcheck: false, autocapitalize: 'none', autocomplete: 'off' })
}

/** The fields of a way to authenticate. */
export interface SecurityFields extends TrySecurity {
  labels: HTMLElement[]
  /** Fills in what the reader entered for the server. */
  load(): void
  values(): string[]
}

/** The fields of a way to authenticate. @param origin that of the chosen server */
export function securityFields(security: TrySecurity, origin: () => string): SecurityFields {
  const { name, kind } = security
  const titles =
    kind === 'basic'
      ? [tryWords.userName, tryWords.password]
      : [kind === 'bearer' ? tryWords.token : tryWords.key]
  const fields = titles.map((title, i) => {
    const input = textField(kind === 'basic' && i === 0 ? 'text' : 'password')
    const place = () => `lectern-try ${origin()} ${name} ${i}`
    input.addEventListener('input', () => secrets.set(place(), input.value))
    return { input, place, label: labelled(name, title, input) }
  })
  const load = () => {
    for (const { input, place } of fields) input.value = secrets.get(place())
  }
  load()
  return {
    ...security,
    load,
    labels: fields.map(({ label }) => label),
    values: () => fields.map(({ input }) => input.value),
  }
}
