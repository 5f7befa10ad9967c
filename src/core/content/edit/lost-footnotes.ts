/** Footnotes that one writer changed, and whose annotations another writer removed. */
import { sourceMap } from '../../document/markdown/reading.ts'
import { parsePage } from '../../document/parse.ts'
import type { TextConflict, ThreeWrites } from './three-writes.ts'

/**
 * The conflicts over footnotes that no annotation of the merged page refers to. The definition of a footnote is a block
 * apart from its annotations, so a merge of blocks keeps the change of one and the removal of the other.
 */
export function lostFootnotes({ base, theirs, mine }: ThreeWrites, merged: string): TextConflict[] {
  if (![theirs, mine].some((source) => source.includes('[^'))) return []
  const [was, ofTheirs, ofMine, shown] = [base, theirs, mine, merged].map(footnotesIn) as [
    Footnotes,
    Footnotes,
    Footnotes,
    Footnotes,
  ]
  const lost = (changed: Footnotes) =>
    [...changed].filter(([label, definition]) => !shown.has(label) && was.get(label) !== definition)
  return [
    ...lost(ofTheirs).map(([label, text]) => ({ base: was.get(label) ?? null, theirs: text, mine: null })),
    ...lost(ofMine).map(([label, text]) => ({ base: was.get(label) ?? null, theirs: null, mine: text })),
  ]
}

/** The definitions of the footnotes that annotations refer to, by label. */
type Footnotes = ReadonlyMap<string, string>

function footnotesIn(source: string): Footnotes {
  const map = sourceMap()
  parsePage(source, { map, keys: 'none' })
  return new Map(
    [...map.definitions].map(([label, { start, end }]) => [label.toLowerCase(), source.slice(start, end)]),
  )
}
