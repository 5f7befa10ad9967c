import { block, filled } from '../../build.ts'
import type { Block, Span } from '../../model.ts'
import type { PlacedBlock } from '../reading.ts'
import { overlaps } from '../find-in-order.ts'

/** What a condition hides, as a range of the source. */
export interface HiddenRange extends Span {
  expression: string
}

/** Blocks under more conditions than this are shown to nobody. */
const MOST_AROUND = 8

/** Puts the blocks that ranges touch into their conditions. Ranges that meet in one block hide their blocks together. */
export function hideRanges(placed: readonly PlacedBlock[], ranges: readonly HiddenRange[]): PlacedBlock[] {
  if (ranges.length === 0) return [...placed]
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  const result: PlacedBlock[] = []
  let next = 0
  for (let index = 0; index < placed.length;) {
    const first = placed[index]!
    while (next < sorted.length && sorted[next]!.end <= first.start) next += 1
    if (next === sorted.length || sorted[next]!.start >= first.end) {
      result.push(first)
      index += 1
      continue
    }
    const expressions = new Set<string>()
    const inner: PlacedBlock[] = []
    let end = first.end
    const isRange = () => next < sorted.length && sorted[next]!.start < end
    const isBlock = () => index < placed.length && placed[index]!.start < end
    while (isRange() || isBlock()) {
      for (; isRange(); next += 1) {
        end = Math.max(end, sorted[next]!.end)
        expressions.add(sorted[next]!.expression)
      }
      for (; isBlock(); index += 1) {
        end = Math.max(end, placed[index]!.end)
        inner.push(placed[index]!)
      }
    }
    const [hidden] = underConditions(
      inner.map((one) => one.block),
      expressions,
    )
    result.push({ block: hidden!, start: inner[0]!.start, end: inner.at(-1)!.end })
  }
  return result
}

/** The blocks within conditions, one in another, of which a reader must meet all. */
export function underConditions(blocks: Block[], expressions: ReadonlySet<string>): Block[] {
  const around = expressions.size > MOST_AROUND ? ['false'] : [...expressions]
  return around.reduceRight((inner, expression) => [block('if', { expression }, filled(inner))], blocks)
}

/** Without the closing tags within what is hidden: when the page is printed, they would end it. */
export function withoutEnds(
  placed: readonly PlacedBlock[],
  ends: ReadonlySet<Block>,
  ranges: readonly Span[],
): readonly PlacedBlock[] {
  if (ends.size === 0 || ranges.length === 0) return placed
  const isHidden = overlaps(ranges.toSorted((a, b) => a.start - b.start))
  return placed.filter((item) => !(isHidden(item) && ends.has(item.block)))
}
