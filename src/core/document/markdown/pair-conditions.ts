/** Pairs the tags of conditions in the order of the source, wherever they are. */
import type { MdastNode } from 'satteri'

import type { Span } from '../model.ts'
import { spanOf } from './reading.ts'
import type { ReadingContext } from './reading.ts'
import type { Tag } from './tags.ts'

/** The tags of conditions of a page. */
export interface ConditionPairs {
  /** The opening tag of each closing tag that has one. */
  opener: ReadonlyMap<Tag, Tag>
  /** The number of each tag in the order of the source. */
  order: ReadonlyMap<Tag, number>
  /** The opening tags that no reader has met, such as one in an address. */
  lost: readonly Tag[]
  /** What an opening tag hides: the range of the source up to its closing tag, or up to the end. */
  rangeOf(opener: Tag): Span
}

/**
 * Pairs the tags. A closing tag that no reader has met closes only what none has met, so that a tag in an address or in a
 * comment does not reveal anything outside of it.
 * @param met the tags for which the document has a place
 */
export function pairConditions({ masked, settled }: ReadingContext, met: ReadonlySet<Tag>): ConditionPairs {
  const opener = new Map<Tag, Tag>()
  const closer = new Map<Tag, Tag>()
  const order = new Map<Tag, number>()
  const lost: Tag[] = []
  const open: Tag[] = []
  for (const tag of masked.tags.keys()) {
    if (tag.name !== 'if' || (settled.has(tag) && !met.has(tag))) continue
    order.set(tag, order.size)
    if (!tag.closes) {
      open.push(tag)
      if (!met.has(tag)) lost.push(tag)
      continue
    }
    const last = open.at(-1)
    if (!last || (!met.has(tag) && met.has(last))) continue
    open.pop()
    opener.set(tag, last)
    closer.set(last, tag)
  }
  const placeOf = (tag: Tag) => masked.tags.get(tag) ?? 0
  return {
    opener,
    order,
    lost,
    rangeOf: (tag) => {
      const end = closer.get(tag)
      return { start: placeOf(tag), end: end ? placeOf(end) + end.source.length : Infinity }
    },
  }
}

/** More conditions around one definition make it useless, so that their number times that of definitions is bounded. */
const MOST_AROUND = 8

/** The expressions of the conditions around each definition that has any; undefined for too many. */
export function conditionsAround(
  definitions: readonly MdastNode[],
  { masked }: ReadingContext,
  { opener, order }: ConditionPairs,
): Map<MdastNode, readonly string[] | undefined> {
  const around = new Map<MdastNode, readonly string[] | undefined>()
  const open = new Map<string, number>()
  const tags = [...order.keys()]
  let next = 0
  for (const definition of definitions.toSorted((a, b) => spanOf(a).start - spanOf(b).start)) {
    const { start } = spanOf(definition)
    for (; next < tags.length && masked.tags.get(tags[next]!)! < start; next += 1) {
      const tag = tags[next]!
      const { argument } = tag.closes ? (opener.get(tag) ?? tag) : tag
      if (tag.closes && !opener.has(tag)) continue
      const count = (open.get(argument) ?? 0) + (tag.closes ? -1 : 1)
      if (count === 0) open.delete(argument)
      else open.set(argument, count)
    }
    if (open.size > 0) around.set(definition, open.size > MOST_AROUND ? undefined : [...open.keys()])
  }
  return around
}
