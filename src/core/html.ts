const MARKUP = Symbol('markup')

/** Markup that is safe to send: every dynamic part went through the escaping tag, the sanitizer or our own code. */
export interface Html {
  readonly [MARKUP]: string
  toString(): string
}

/** What may stand in a `${…}`: text is escaped, markup is kept, arrays are joined, null, undefined and booleans are nothing. */
export type Renderable = Html | string | number | boolean | null | undefined | readonly Renderable[]

/** Builds markup; every interpolated value is escaped unless it is markup itself. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...values: Renderable[]): Html {
  const parts = tidy(strings)
  let out = parts[0]!
  for (let index = 0; index < values.length; index++) {
    out += render(values[index]) + parts[index + 1]!
  }
  return raw(out)
}

/** Declares a string to be markup. Only for text that this program wrote or sanitized. */
export function raw(markup: string): Html {
  return { [MARKUP]: markup, toString: () => markup }
}

/** Nothing, as markup. */
export const nothing: Html = raw('')

/** Joins pieces of markup, optionally with markup between them. */
export function join(pieces: readonly Renderable[], between = ''): Html {
  return raw(pieces.map(render).join(between))
}

/**
 * The attributes that have a value, with a leading space: `true` gives the bare name; null, undefined and false
 * leave the attribute out. Names are ours, never from content.
 */
export function attributes(values: Record<string, string | number | boolean | null | undefined>): Html {
  let out = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    out += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
  }
  return raw(out)
}

/** True for values made by `html` and `raw`; nothing that came out of JSON can pass. */
export function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && MARKUP in value
}

const SPECIAL = /[&<>"']/
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for element content and quoted attribute values. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

const tidied = new WeakMap<TemplateStringsArray, string[]>()

// Line ends and indentation in a template lay out the source, not the page. A template is written once and used often.
function tidy(strings: TemplateStringsArray): string[] {
  let parts = tidied.get(strings)
  if (!parts) {
    parts = strings.map((part) => part.replace(/\s*\n\s*/g, '\n'))
    tidied.set(strings, parts)
  }
  return parts
}

function render(value: Renderable): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  if (isHtml(value)) return value[MARKUP]
  return value.map(render).join('')
}
