/**
 * Conditions that a tag of a block has as an attribute, such as `{% hint if="…" %}`. Nothing evaluates them, so they never
 * hold: what belongs to the tag is hidden from everybody.
 */
import { block } from '../build.ts'
import type { Block, Span } from '../model.ts'
import { neverFor } from './lookalikes.ts'
import type { HiddenRange } from './hide-ranges.ts'
import type { PlacedBlock, ReadingContext } from './reading.ts'
import { hasOwnCondition, standsAlone } from './tags.ts'
import type { Tag } from './tags.ts'

const COVERED = Symbol('covered')

/** The block, hidden from everybody if any of its tags has a condition as an attribute. */
export function hiddenByOwn(shown: Block, tags: readonly Tag[]): Block {
  const own = tags.filter(hasOwnCondition)
  const [first] = own
  if (!first) return shown
  const words = first.source.slice(2, -2).trim()
  return Object.assign(block('if', { expression: neverFor(words) }, [shown]), { [COVERED]: own })
}

/** Whether a tag has a condition as an attribute. In code and in comments, a tag is text. */
export function isOwnCondition(tag: Tag, { masked, settled }: ReadingContext): boolean {
  return hasOwnCondition(tag) && !settled.has(tag) && masked.text[masked.tags.get(tag)!] === '<'
}

/** What such tags hide: the block that a tag makes, or what follows a tag that makes none. */
export function rangesOfOwn(
  placed: readonly PlacedBlock[],
  reading: ReadingContext,
): { covered: Span[]; others: HiddenRange[] } {
  const own = [...reading.masked.tags.keys()].filter((tag) => isOwnCondition(tag, reading))
  const [covered, others]: [Span[], HiddenRange[]] = [[], []]
  const known = own.length === 0 ? new Set<Tag>() : coveredTags(placed)
  let next = 0
  for (const tag of own) {
    const start = reading.masked.tags.get(tag)!
    while (next < placed.length && placed[next]!.end <= start) next += 1
    if (known.has(tag)) covered.push({ start, end: placed[next]?.end ?? start })
    else {
      const end = standsAlone(tag.name) ? start + tag.source.length : Infinity
      others.push({ start, end, expression: neverFor('') })
    }
  }
  return { covered, others }
}

function coveredTags(placed: readonly PlacedBlock[]): Set<Tag> {
  const found = new Set<Tag>()
  const open: object[] = placed.map((one) => one.block)
  for (let node = open.pop(); node; node = open.pop()) {
    const {
      nodes = [],
      fragments = [],
      [COVERED]: tags = [],
    } = node as Partial<Pick<Block, 'nodes' | 'fragments'>> & { [COVERED]?: readonly Tag[] }
    for (const tag of tags) found.add(tag)
    for (const inner of [...nodes, ...fragments]) open.push(inner)
  }
  return found
}
