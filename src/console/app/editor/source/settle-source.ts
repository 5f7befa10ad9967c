/** The source of a page that others write too. Pure, and runs in Node too. */
import {
  diffSequences,
  linesOfChunk,
  mergeSequences,
  splitLines,
} from '../../../../core/content/line-merge.ts'
import type { ConflictChoice } from '../saving/saving.ts'

/** A replacement in a text, as the editor of the source takes it. */
export interface TextChange {
  from: number
  to: number
  insert: string
}

/** Of the lines of a page. Beyond it, more of them count as changed. */
const effort = () => ({ left: 2_000_000 })

/** The changes that make one text of another, by lines, so that a caret elsewhere stays. */
export function changesBetween(before: string, after: string): TextChange[] {
  const [a, b] = [splitLines(before), splitLines(after)]
  const starts = [0]
  for (const line of a) starts.push(starts.at(-1)! + line.length)
  return diffSequences(a, b, effort()).map(({ aStart, aEnd, bStart, bEnd }) => ({
    from: starts[aStart]!,
    to: starts[aEnd]!,
    insert: b.slice(bStart, bEnd).join(''),
  }))
}

/** The source that two writers have changed since `base`. Only where both changed the same lines the choice counts. */
export function settleSource(base: string, theirs: string, mine: string, choice: ConflictChoice): string {
  const lines = { base: splitLines(base), primary: splitLines(theirs), own: splitLines(mine) }
  return mergeSequences(lines, effort())
    .map((chunk) => {
      if (chunk.kind !== 'conflict') return linesOfChunk(chunk, lines)
      const their = lines.primary.slice(chunk.primary[0], chunk.primary[1]).join('')
      const my = lines.own.slice(chunk.own[0], chunk.own[1]).join('')
      if (choice !== 'both') return choice === 'mine' ? my : their
      return their.endsWith('\n') || their === '' ? their + my : `${their}\n${my}`
    })
    .join('')
}
