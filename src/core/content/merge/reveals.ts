/** Whether a merge would show what both sides hide. */
import { firstCondition } from '../../document/markdown/lookalikes.ts'
import { parsePage } from '../../document/parse.ts'
import { splitLines } from '../line-merge.ts'

/**
 * Whether a merged source shows to everyone a line, or a part of one, that neither side shows to everyone: one side wrote
 * it under a condition that the other side has removed or ended earlier. Linear in the sources.
 */
export function reveals(merged: string, sides: readonly string[]): boolean {
  if (sides.every((side) => firstCondition(side) === -1)) return false
  const shown = new Set(sides.flatMap(openLines))
  return openLines(merged).some((line) => line !== '' && !shown.has(line))
}

/** The lines of a source without what its conditions hide. */
function openLines(source: string): string[] {
  const { conditions = [] } = parsePage(source, { keys: 'none' })
  const parts: string[] = []
  let at = 0
  for (const { start, end } of conditions) {
    if (start > at) parts.push(source.slice(at, start))
    // A line that goes on behind a condition is another one than what is before it.
    if (end > at) parts.push('\n')
    at = Math.max(at, end)
  }
  parts.push(source.slice(at))
  return splitLines(parts.join('')).map((line) => line.trim())
}
