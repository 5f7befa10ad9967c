/** Attributes of tags of MDX: texts, and expressions of which only literals are read. */
import { isRecord } from '../../data/is-record.ts'
import { escapeHtml } from '../../text/html.ts'
import { LiteralCall, readLiteral } from '../literals.ts'

/** The values of attributes by name: texts, literals, true for a name alone, and undefined for any other expression. */
export type MdxAttributes = ReadonlyMap<string, unknown>

/** The most attributes of a tag. */
const MOST_ATTRIBUTES = 50

/** The place after the value in quotes or braces that begins at `at`; -1 if it does not end before `limit`. */
export function endOfValue(text: string, at: number, limit: number): number {
  let depth = 0
  let quote = ''
  for (let place = at; place < limit; place += 1) {
    const sign = text.charAt(place)
    if (quote !== '') {
      if (sign === '\\' && depth > 0) place += 1
      else if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'" || sign === '`') quote = sign
    else if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    if (quote === '' && depth <= 0) return place + 1
  }
  return -1
}

/**
 * Reads the attributes of a tag, without its name and its angle brackets.
 * @param imports the addresses of files by name, for expressions such as `{logo}`
 */
export function readAttributes(written: string, imports: ReadonlyMap<string, string>): MdxAttributes {
  const attributes = new Map<string, unknown>()
  const name = /[\s/]{0,200}([A-Za-z_:][\w:.-]{0,60})(\s{0,20}=\s{0,20})?/y
  for (
    let match = name.exec(written);
    match && attributes.size < MOST_ATTRIBUTES;
    match = name.exec(written)
  ) {
    const [, key = '', equals] = match
    if (equals === undefined) {
      attributes.set(key, true)
      continue
    }
    const end = endOfValue(written, name.lastIndex, written.length)
    if (end === -1) break
    attributes.set(key, valueIn(written.slice(name.lastIndex, end), imports))
    name.lastIndex = end
  }
  return attributes
}

function valueIn(written: string, imports: ReadonlyMap<string, string>): unknown {
  if (!written.startsWith('{')) return /^["']/.test(written) ? written.slice(1, -1) : undefined
  return fileIn(written.slice(1, -1).trim(), imports)
}

/** The value of an expression: a literal, or the address of a file that is imported or required. */
function fileIn(expression: string, imports: ReadonlyMap<string, string>): unknown {
  const imported = /^[\w$]{1,60}(?=(?:\.src)?$)/.exec(expression)?.[0]
  if (imported !== undefined && imports.has(imported)) return imports.get(imported)
  return addressInCall(readLiteral(expression))
}

/** The address in a call that only finds a file; any other literal as it is. */
function addressInCall(value: unknown): unknown {
  if (!(value instanceof LiteralCall)) return value
  const [address] = value.arguments
  return /^(?:require|useBaseUrl|withBase)$/.test(value.name) && typeof address === 'string'
    ? address
    : undefined
}

/** A value of an attribute as text; undefined if it is none. */
export function attributeText(attributes: MdxAttributes, name: string): string | undefined {
  const value = attributes.get(name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Whether an attribute is set, as in `<Param required>` or `required={true}`. */
export const isSet = (attributes: MdxAttributes, name: string) =>
  attributes.get(name) === true || attributes.get(name) === 'true'

/** The texts of an attribute that is a list, or a field of each of its items. */
export function listIn(attributes: MdxAttributes, name: string, field: string): string[] {
  const value = attributes.get(name)
  const items: unknown[] = Array.isArray(value) ? value : []
  return items.map((item) => {
    const text: unknown = isRecord(item) ? item[field] : item
    return typeof text === 'string' ? text : ''
  })
}

/** Attributes that only style an element of HTML, or that programs use. */
const UNUSED = /^(?:class|className|style|key|ref|on[A-Z]\w{0,60})$/

/** The tag of an element of HTML with its literal attributes, without those that only style it. */
export function plainTag(name: string, attributes: MdxAttributes, isEmpty: boolean): string {
  const written = [...attributes].map(([key, value]) => {
    if (UNUSED.test(key)) return ''
    const text = attributeText(attributes, key)
    return value === true ? ` ${key}` : text === undefined ? '' : ` ${key}="${escapeHtml(text)}"`
  })
  return `<${name}${written.join('')}${isEmpty ? ' /' : ''}>`
}

/**
 * The text that an expression in a page shows: a literal, `{' '}`, or a text that the page exports or imports, `{version}`.
 * @param expression without its braces
 * @returns undefined for any other expression
 */
export function literalText(expression: string, texts: ReadonlyMap<string, string>): string | undefined {
  const written = expression.trim()
  const known = texts.get(written)
  if (known !== undefined) return known
  if (!/^["'`]/.test(written)) return undefined
  const value = readLiteral(written)
  return typeof value === 'string' ? value : undefined
}
