import { LEAST_BUDGET } from './markdown/reading.ts'
import type { Block } from './model.ts'
import { normalText } from './normal-form.ts'

/** The labels of footnotes that are printed. Footnotes that say the same share one. */
export interface FootnoteLabels {
  /**
   * The label of a footnote, and whether it is a new one, whose definition has to be printed.
   * @param lengthOf the length of the definition with a label
   */
  of(blocks: Block[], lengthOf: (label: string) => number): { label: string; isNew: boolean }
}

/** @param first the first new label; those that follow count on. @param known the labels of footnotes that are defined already */
export function footnoteLabels(
  first: number,
  known: Iterable<readonly [readonly Block[], string]> = [],
): FootnoteLabels {
  const saying = (blocks: readonly Block[]) => blocks.map(normalText).join('\n')
  const labels = new Map<string, string>()
  for (const [blocks, label] of known) labels.set(saying(blocks), label)
  const lengths = new Map<string, number>()
  // References repeat a footnote only as long as the reader has a budget for it.
  let left = LEAST_BUDGET * 0.9
  let next = first
  return {
    of(blocks, lengthOf) {
      const says = saying(blocks)
      const label = labels.get(says)
      if (label !== undefined) {
        const length = lengths.get(label) ?? lengthOf(label)
        lengths.set(label, length)
        left -= length
        if (left > 0) return { label, isNew: false }
      }
      const fresh = String(next++)
      labels.set(says, fresh)
      return { label: fresh, isNew: true }
    },
  }
}
