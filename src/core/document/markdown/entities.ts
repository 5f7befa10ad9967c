import { satteri } from '../../runtime/libraries.ts'
import { decodeReference } from './character-references.ts'

/** A cache of the names used so far: the parser knows all 2,231, but each look-up costs a parse. */
const names = new Map<string, string>()

const MOST_NAMES = 4_000

/** Decodes HTML's character references (`&amp;`, `&#x20;`) and keeps all other text. */
export function decodeEntities(value: string): string {
  if (!value.includes('&')) return value
  return value.replace(
    /&(?:#[xX][0-9a-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/g,
    (entity) => decodeReference(entity) ?? named(entity),
  )
}

/**
 * What the value of an attribute can mean: as written, as a tag such as `embed` has it, as Markdown reads it, and as HTML
 * does, where character references need no semicolon.
 */
export function attributeReadings(value: string): string[] {
  const inTag = value.replace(/\\(["'\\])/g, '$1')
  if (!value.includes('&')) return [value, inTag]
  const tree = satteri().htmlToHast(`<a href="${value.replaceAll('"', '&quot;')}">`, { fragment: true })
  const [link] = (tree as { children: { properties?: { href?: unknown } }[] }).children
  const href = link?.properties?.href
  return [value, inTag, decodeEntities(value), ...(typeof href === 'string' ? [href] : [])]
}

/** Encodes text for HTML content or a quoted attribute, on one line: line breaks become references. */
export function encodeHtml(value: string): string {
  return value
    .replace(/[&<>"]/g, (char) => ENCODED[char] ?? char)
    .replace(/[\n\r\t]/g, (char) => reference(char))
}

/** The character as `&#x…;`, which no parser reads as Markdown syntax. */
export function reference(char: string): string {
  return `&#x${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()};`
}

const ENCODED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function named(entity: string): string {
  const known = names.get(entity)
  if (known !== undefined) return known

  const [first] = (satteri().htmlToHast(entity, { fragment: true }) as { children: { value?: string }[] })
    .children
  const decoded = first?.value ?? entity
  if (names.size < MOST_NAMES) names.set(entity, decoded)
  return decoded
}
