/** Where the definitions of new footnotes are written. */
import type { SourceMap } from '../../document/markdown/reading.ts'
import type { PrintedFootnote } from '../../document/print.ts'
import type { Edit } from '../../document/splice.ts'
import { indented, prefixAt } from './line-prefix.ts'

/** A footnote that a page gets. */
export interface NewFootnote extends PrintedFootnote {
  /** The label of the footnote that the annotation had before. */
  former: string | undefined
}

/** An edit that defines footnotes. */
export interface DefinitionEdit extends Edit {
  footnotes: readonly NewFootnote[]
}

/**
 * The edits that define each footnote behind the one that its annotation had before: the same conditions are around both,
 * and nothing else changes.
 */
export function definitionEdits(
  footnotes: readonly NewFootnote[],
  { source, map, newline }: { source: string; map: SourceMap; newline: string },
): DefinitionEdit[] {
  const byFormer = Map.groupBy(footnotes, ({ former }) => former)
  return [...byFormer].flatMap(([former, some]) => {
    const definition = former === undefined ? undefined : map.definitions.get(former)
    if (!definition) return []
    const { start, end } = definition
    const text = indented(some.map((footnote) => `\n\n${footnote.text}`).join(''), prefixAt(source, start))
    return [{ span: { start: end, end }, text: text.replaceAll('\n', newline), footnotes: some }]
  })
}
