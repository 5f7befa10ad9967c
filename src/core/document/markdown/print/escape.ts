import { HEADING_ID } from '../heading-id.ts'
import { emojiName, emojiCode } from '../../emoji.ts'
import { encodeHtml, reference } from '../entities.ts'
import { startsTag, withoutBeginnings } from '../lookalikes.ts'
import { withoutEnd } from '../../../text/trimming.ts'

/** Escapes text so that Markdown reads it as this text. `next` is the first character after it. */
export function escapeText(text: string, next = ''): string {
  const spared = emojiUnderscores(text)
  let escaped = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    escaped += spared.has(at) ? char : escapeChar(char, at, text, next)
  }
  return escaped
}

function escapeChar(char: string, at: number, text: string, next: string): string {
  const following = text[at + 1] ?? next
  const edge = at + 1 === text.length
  switch (char) {
    case '\\':
    case '`':
    case '*':
    case '_':
    case '[':
    case ']':
    case '~':
      return `\\${char}`
    case '<':
      return edge || /[A-Za-z/!?]/.test(following) || startsTag(text, at) ? '\\<' : '<'
    case '&':
      return edge || /[A-Za-z#]/.test(following) ? '\\&' : '&'
    case '!':
      return edge && following === '[' ? '\\!' : '!'
    case '$':
      return edge || at === 0 || following === '$' || text[at - 1] === '$' ? '\\$' : '$'
    case '{':
    case '(':
    case '%':
    case '\uff5b':
    case '\uff08':
    case '\uff3b':
    case '\uff1c':
    case '\uff05':
      return startsTag(text, at) ? escapeSign(char) : char
    case ':':
      return escapesColon(at, text) ? '\\:' : ':'
    case '.':
      return /www$/i.test(text.slice(Math.max(0, at - 3), at)) ? '\\.' : '.'
    case '@':
      return /[\w.+-]/.test(text[at - 1] ?? '') && /[\w-]/.test(following) ? '\\@' : '@'
    case '\t':
    case '\v':
    case '\f':
    case '\r':
      return reference(char)
    default:
      return char
  }
}

/**
 * Whether a colon needs an escape: before `//` of a web address, which would become a link, or before an emoji name.
 */
function escapesColon(at: number, text: string): boolean {
  if (text.startsWith('//', at + 1) && /(?:https?|ftp)$/i.test(text.slice(Math.max(0, at - 5), at)))
    return true
  return emojiAt(at, text) !== undefined
}

/** The first character of Markdown text as the parser sees it. In masked text, an escaped colon is a letter. */
export function firstOfText(text: string): string {
  return emojiAt(0, text) === undefined ? (escapeText(text.slice(0, 2))[0] ?? '') : 'a'
}

function emojiAt(at: number, text: string): string | undefined {
  if (text[at] !== ':') return undefined
  const name = /^[\w+-]{1,64}(?=:)/.exec(text.slice(at + 1, at + 66))?.[0]
  return name !== undefined && emojiCode(name) !== undefined ? name : undefined
}

/**
 * Underscores in an emoji name need no escape, because the escaped colon before the name already prevents the emoji.
 */
function emojiUnderscores(text: string): Set<number> {
  const spared = new Set<number>()
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    const name = emojiAt(at, text) ?? ''
    for (let index = 0; index < name.length; index += 1) if (name[index] === '_') spared.add(at + 1 + index)
  }
  return spared
}

/**
 * Escapes characters that would start a block at the beginning of a line. `first` is true for the first line of a
 * paragraph.
 */
export function escapeLineStart(line: string, first: boolean): string {
  if (/^(?:#{1,6}(?:\s|$)|>|[-+](?:[\s:|-]|$))/.test(line)) return `\\${line}`
  if (!first && /^(?:=+\s*$|\|?\s*:?-)/.test(line)) return line.startsWith(' ') ? line : `\\${line}`
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}

/**
 * Encodes the first and the last character of a line as references if they are white space, because Markdown and HTML
 * drop white space at the ends. White space within a line counts.
 */
export function keepEdges(line: string): string {
  if (line.trim() === '') return [...line].map(reference).join('')
  const kept = /^\s/u.test(line) ? reference(line[0]!) + line.slice(1) : line
  return /\s$/u.test(kept) ? kept.slice(0, -1) + reference(kept.at(-1)!) : kept
}

const ID = new RegExp(`^${HEADING_ID}$`, 'u')

/** Escapes the `#` at the end of a heading, because Markdown drops them, and `{#id}`, which is no text there. */
export function escapeLastSigns(line: string): string {
  if (line.endsWith('}')) {
    const start = line.lastIndexOf('{#')
    return start !== -1 && line[start - 1] !== '\\' && ID.test(line.slice(start + 2, -1))
      ? `${line.slice(0, start)}\\${line.slice(start)}`
      : line
  }
  const rest = withoutEnd(line, '#')
  return rest + '\\#'.repeat(line.length - rest.length)
}

/** Encodes text for HTML so that no part of it is read as an emoji or a tag. */
export function escapeHtmlText(text: string): string {
  return unambiguous(encodeHtml(text)).replace(/:(?=([\w+-]{1,64}):)/g, (colon, name: string) =>
    emojiCode(name) === undefined ? colon : '&#x3A;',
  )
}

/** An attribute with the space before it; '' for an undefined value. */
export function attribute(name: string, value: string | number | undefined): string {
  if (value === undefined) return ''
  // A bar would end the cell of a pipe table, and cannot be escaped in a tag.
  return ` ${name}="${unambiguous(encodeHtml(String(value))).replaceAll('|', '&#x7C;')}"`
}

/** Encodes HTML text further, so that nothing in it looks like a tag or a Markdown escape. */
function unambiguous(encoded: string): string {
  return withoutBeginnings(encoded, reference).replace(/\\(?=[:.@]|$)/g, '&#x5C;')
}

/** The target of a link, in `<>` if Markdown requires it. */
export function escapeUrl(url: string): string {
  // A pattern collects its matches before it replaces them, which costs five times as much for an address full of them.
  const safe = url
    .replaceAll('\\', '\\\\')
    .replaceAll('<', '\\<')
    .replaceAll('>', '\\>')
    .replace(/&(?=[#\w]+;)/g, '\\&')
    .replace(/[\r\n]+/g, '%0A')
  const written = withoutBeginnings(safe, (sign) => (sign === '<' ? sign : escapeSign(sign)))
  const bare = url !== '' && !/[\s<>\p{Cc}]/u.test(url) && balanced(url)
  return bare ? written : `<${written}>`
}

function balanced(url: string): boolean {
  let depth = 0
  for (const char of url) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth < 0 || depth > 20) return false
  }
  return depth === 0
}

/** A sign that would begin a tag. */
function escapeSign(sign: string): string {
  return sign < '\x7f' ? `\\${sign}` : reference(sign)
}

/** A link's title in quotes. */
export function escapeTitle(title: string): string {
  const escaped = title.replace(/[\\"]/g, '\\$&').replace(/&(?=[#\w]+;)/g, '\\&')
  return `"${withoutBeginnings(escaped, escapeSign)}"`
}

/** The emoji name for a code, if Markdown reads it between these characters; otherwise ''. */
export function emojiBetween(code: string, before: string, after: string): string {
  const name = emojiName(code)
  return name === undefined || /[\w/]/.test(before) || /[\w/]/.test(after) ? '' : `:${name}:`
}
