import { block, text } from './build.ts'
import { unconditionalText } from './markdown/reading.ts'
import type { PlacedBlock } from './markdown/reading.ts'

/** The blocks of a page's body with their places, and its title if it begins with one. */
export interface Body {
  title?: string
  placed: PlacedBlock[]
  /** Why the body could not be read as Markdown. Its only block then is a code block with the source. */
  unreadable?: string
}

/** The result of `read`, or of `otherwise` with the message of the error if `read` throws. */
export function readOrElse<T>(read: () => T, otherwise: (reason: string) => T): T {
  try {
    return read()
  } catch (error) {
    return otherwise(error instanceof Error ? error.message : String(error))
  }
}

/** A body that shows its source. Text under a condition is left out, because a code block is shown to everyone. */
export function showSource(source: string, unreadable: string): Body {
  const shown = unconditionalText(source).trim()
  const start = source.length - source.trimStart().length
  const end = source.trimEnd().length
  const lines = shown.split(/\r\n|\r|\n/).map((line) => block('code-line', {}, [text(line)]))
  const code = block('code', { syntax: 'markdown' }, lines)
  return { placed: start < end ? [{ block: code, start, end }] : [], unreadable }
}
