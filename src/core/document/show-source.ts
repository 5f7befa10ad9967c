import { block, text } from './build.ts'
import type { HidingTag, Span } from './model.ts'
import { unconditionalText } from './markdown/reading.ts'
import type { PlacedBlock } from './markdown/reading.ts'
import { because } from '../languages/reasons.ts'
import { faultParameters, reasoned, type Reasoned, type WithReason } from '../languages/reasoned.ts'

/** The blocks of a page's body with their places, and its title if it begins with one. */
export interface Body {
  title?: string
  placed: PlacedBlock[]
  /** With offsets in the body, as those of the tags. */
  conditions?: readonly Span[]
  hiding?: readonly HidingTag[]
  /** Why the body could not be read as Markdown. Its only block then is a code block with the source. */
  unreadable?: Reasoned
  /** The limit that the body exceeds, if that is why. Such a page is not written. */
  excess?: Reasoned
}

/** The most lines of a source that is shown. The last one holds the rest. */
const MOST_LINES = 10_000

/** The result of `read`, or of `otherwise` with the message of the error if `read` throws. */
export function readOrElse<T>(read: () => T, otherwise: (why: Reasoned) => T): T {
  try {
    return read()
  } catch (error) {
    return otherwise(reasoned(error instanceof Error ? error.message : String(error)))
  }
}

/** Returns the message for a page whose body is not readable as Markdown. @param why `unreadable` of the page */
export const unreadableMessage = (why: Reasoned): WithReason =>
  because('shown-as-source', faultParameters(why))

/** A body that shows its source up to its first condition, because a code block is shown to everyone. */
export function showSource(source: string, unreadable: Reasoned): Body {
  const shown = unconditionalText(source).trim()
  const start = source.length - source.trimStart().length
  const end = source.trimEnd().length
  const lines = sourceLines(shown).map((line) => block('code-line', {}, [text(line)]))
  const code = block('code', { syntax: 'markdown' }, lines)
  return { placed: start < end ? [{ block: code, start, end }] : [], unreadable }
}

function sourceLines(source: string): string[] {
  const lines = source.split(/\r\n|\r|\n/)
  if (lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, MOST_LINES - 1), lines.slice(MOST_LINES - 1).join('\n')]
}
