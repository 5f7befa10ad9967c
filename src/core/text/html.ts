import { need, needItem } from '../data/lists.ts'

const MARKUP = Symbol('markup')

/** Markup that is safe to send: the escaping tag, the sanitizer or this program produced every dynamic part. */
export interface Html {
  readonly [MARKUP]: string
  toString(): string
}

/** A value in `${…}`. Text is escaped, markup is kept, arrays are joined. Null, undefined and booleans are empty. */
export type Renderable = Html | string | number | boolean | null | undefined | readonly Renderable[]

/** Builds markup. Escapes every interpolated value that is not markup. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...values: Renderable[]): Html {
  const parts = tidy(strings)
  let out = needItem(parts, 0)
  for (let index = 0; index < values.length; index++)
    out += render(values[index]) + needItem(parts, index + 1)
  return raw(out)
}

/** Marks a string as markup. Use it only for text that this program wrote or sanitized. */
export function raw(markup: string): Html {
  return { [MARKUP]: markup, toString: () => markup }
}

/** Empty markup. */
export const nothing: Html = raw('')

/** Joins pieces of markup, optionally with markup between them. */
export function join(pieces: readonly Renderable[], between = ''): Html {
  return raw(pieces.map(render).join(between))
}

/**
 * Formats the attributes that have a value, with a leading space. `true` gives the bare name. Null, undefined and
 * false omit the attribute. Names are never escaped, so they must not come from content.
 */
export function attributes(values: Record<string, string | number | boolean | null | undefined>): Html {
  let out = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    out += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
  }
  return raw(out)
}

/** Returns true for values made by `html` and `raw`. Values parsed from JSON never pass. */
function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && MARKUP in value
}

const SPECIAL = /[&<>"']/
const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Escapes text for element content and quoted attribute values. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(/[&<>"']/g, (character) => need(ENTITIES, character))
}

const tidied = new WeakMap<TemplateStringsArray, string[]>()

// Line breaks and indentation in a template are layout of the source code. The result is cached for each template.
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
