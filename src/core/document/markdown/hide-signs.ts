/** Signs that the parser must not read, for which letters stand in the masked source. */
import { shift } from './stand-in-letters.ts'

/** The most container markers (`>`, `*`, `1.`) that the parser sees on one line. Deeper markers are text. */
const DEEPEST_MARKERS = 32
/** The line below the header of a wide table. */
const RULE = /^[-:|> \t\r]{200,}$/gm
/** The most columns of a table that the parser sees. */
const MOST_COLUMNS = 100
/**
 * The most characters that the parser may copy for entities: the square of a text's length. Beyond it, entities are
 * hidden.
 */
const ENTITY_COST = 40_000_000

/**
 * Hides escaped characters that prevent an emoji or a web address. The parser would remove the escape first and then
 * still find the address.
 */
export function hideEscapes(text: string, home: number): string {
  return text.replace(/\\(?::(?=\/\/|[\w+-]+\\?:)|(?<=www\\)\.|@)/gi, (sign, offset: number) =>
    isEscaped(text, offset) ? sign : shift(sign, home),
  )
}

/** Hides the deepest markers of containers. */
export function hideDepth(text: string, home: number): string {
  const marker = /[ \t]*(?:[>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y
  const parts: string[] = []
  let done = 0

  for (let line = 0; line !== -1 && line < text.length; line = nextLine(text, line)) {
    marker.lastIndex = line
    let seen = 0
    while (seen < DEEPEST_MARKERS && marker.test(text)) seen += 1
    if (seen < DEEPEST_MARKERS) continue
    const start = lastEnd(marker, line)
    const end = endOfMarkers(text, start)
    parts.push(text.slice(done, start), shift(text.slice(start, end), home))
    done = end
  }
  if (done === 0) return text
  parts.push(text.slice(done))
  return parts.join('')
}

/** Whether a source has the line below the header of a wide table. */
export const hasWideRule = (source: string) => source.search(RULE) !== -1

/** Hides wide tables from the parser, which creates a node for every cell, even for missing ones. */
export function hideRules(text: string, home: number): string {
  return text.replace(RULE, (rule) => (rule.split('|').length > MOST_COLUMNS + 2 ? shift(rule, home) : rule))
}

function nextLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? -1 : newline + 1
}

function lastEnd(pattern: RegExp, least: number): number {
  return Math.max(pattern.lastIndex, least)
}

/** The offset at which the characters that could be markers end. */
function endOfMarkers(text: string, from: number): number {
  let end = from
  while (end < text.length && /[-+*>\d.) \t]/.test(text[end] ?? '')) end += 1
  return end
}

/** Hides entities that would cost the parser too much memory. They are decoded afterwards. */
export function hideEntities(text: string, home: number): string {
  let paragraph = 0
  let cost = 0

  return text.replace(/\n[ \t]*\r?(?=\n)|&(?:#\w{1,8}|[A-Za-z]\w{0,40});/g, (match, offset: number) => {
    if (match.startsWith('\n')) {
      paragraph = offset
      return match
    }
    cost += offset - paragraph
    return cost > ENTITY_COST ? shift(match, home) : match
  })
}

/** Whether an odd number of backslashes is before an offset. */
export function isEscaped(source: string, at: number): boolean {
  let start = at
  while (start > 0 && at - start < 100 && source[start - 1] === '\\') start -= 1
  return (at - start) % 2 === 1
}
