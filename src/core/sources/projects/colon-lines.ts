import { colonBlocks } from '../markdown/admonitions.ts'
import { dialectLines, type DialectLine } from '../markdown/dialect.ts'
import { fencesIn, printFences } from '../markdown/fences.ts'

/** The lines of a page whose blocks are written with colons, `:::note`, with its fences as Lectern writes them. */
export const colonLines = (lines: readonly DialectLine[]): DialectLine[] =>
  dialectLines(
    colonBlocks(printFences(fencesIn(lines)))
      .map(({ text }) => text)
      .join('\n'),
  )
