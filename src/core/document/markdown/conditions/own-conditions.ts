/**
 * Conditions that are none, because they are in another tag: as an attribute, such as `{% hint if="…" %}`, or in a value.
 * Nothing evaluates them. An attribute hides what belongs to its tag from everybody. A condition in a value hides a part of
 * the value; where the tag is text, it hides the block in which the tag stands.
 */
import { block } from '../../build.ts'
import type { Block, Span } from '../../model.ts'
import { NEVER, neverFor } from '../lookalikes.ts'
import type { HiddenRange } from './hide-ranges.ts'
import type { PlacedBlock, ReadingContext } from '../reading.ts'
import { hasInnerCondition } from '../tag-values.ts'
import { hasOwnCondition, standsAlone } from '../tags.ts'
import type { Tag } from '../tags.ts'

const COVERED = Symbol('covered')

/** The block that tags make, hidden from everybody if any of them has a condition as an attribute. */
export function hiddenByOwn(shown: Block, tags: readonly Tag[]): Block {
  const covered = tags.filter(hasInnerCondition)
  if (covered.length === 0) return shown
  const first = covered.find(hasOwnCondition)
  const words = first?.source.slice(2, -2).trim() ?? ''
  const made = first ? block('if', { expression: neverFor(words) }, [shown]) : shown
  return Object.assign(made, { [COVERED]: covered })
}

/** Whether a tag has a condition as an attribute or in a value. In code and in comments, a tag is text. */
export function isOwnCondition(tag: Tag, { masked, settled }: ReadingContext): boolean {
  if (tag.name === 'if' || tag.closes || settled.has(tag)) return false
  return hasInnerCondition(tag) && masked.text[masked.tags.get(tag)!] === '<'
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
    const isAttribute = hasOwnCondition(tag)
    if (!known.has(tag)) {
      const end = isAttribute && !standsAlone(tag.name) ? Infinity : start + tag.source.length
      others.push({ start, end, expression: NEVER })
    } else if (isAttribute) covered.push({ start, end: placed[next]?.end ?? start })
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
