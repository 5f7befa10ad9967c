import type { MdastNode } from 'satteri'

import { spanOf } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'

/**
 * The line of a paragraph or of a cell of a pipe table, without a backslash at its very end. CommonMark displays it, but
 * exports write a hard line break there, which has no effect at the end of a line. `\\` is a literal backslash, as
 * elsewhere.
 */
export function withoutLastBreak(children: MdastNode[], reading: ReadingContext): MdastNode[] {
  const last = children.at(-1)
  if (last?.type !== 'text' || !last.value.endsWith('\\')) return children
  const { start, end } = spanOf(last)
  let from = end
  while (from > start && reading.masked.text[from - 1] === '\\') from -= 1
  if ((end - from) % 2 === 0) return children
  return [...children.slice(0, -1), { ...last, value: last.value.slice(0, -1).trimEnd() }]
}
