/** Pairs the tags of conditions in the order of the source, wherever they are. */
import type { MdastNode } from 'satteri'

import type { Span } from '../model.ts'
import { openConditions } from './open-tags.ts'
import { spanOf } from './reading.ts'
import type { ReadingContext } from './reading.ts'
import type { Tag } from './tags.ts'

/** The tags of conditions of a page. */
export interface ConditionPairs {
  /** The opening tag of each closing tag that has one. */
  opener: ReadonlyMap<Tag, Tag>
  /** The `else` tags that end with the condition of an opening tag. */
  branches: ReadonlyMap<Tag, readonly Tag[]>
  /** The number of each tag in the order of the source. */
  order: ReadonlyMap<Tag, number>
  /** The opening tags that no closing tag ends. */
  unclosed: readonly Tag[]
  /** The closing tags that end no condition. */
  unopened: readonly Tag[]
  /** The opening tags that no reader has met, such as one in an address. */
  lost: readonly Tag[]
  /** What an opening tag hides: the range of the source up to its closing tag, or up to the end. */
  rangeOf(opener: Tag): Span
  /** The ranges of all opening tags, in the order of the source. */
  ranges(): Span[]
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
  const branches = new Map<Tag, readonly Tag[]>()
  const lost: Tag[] = []
  const unopened: Tag[] = []
  const open = openConditions()
  const hides = (tag: Tag, closing: Tag) => met.has(closing) || !met.has(tag)
  for (const tag of masked.tags.keys()) {
    if (tag.name !== 'if' || (settled.has(tag) && !met.has(tag))) continue
    order.set(tag, order.size)
    if (!tag.closes) {
      open.add(tag)
      if (!met.has(tag)) lost.push(tag)
      continue
    }
    const closed = open.close(tag, (one) => hides(one, tag))
    if (!closed) {
      unopened.push(tag)
      continue
    }
    opener.set(tag, closed.opener)
    for (const one of [closed.opener, ...closed.branches]) closer.set(one, tag)
    if (closed.branches.length > 0) branches.set(closed.opener, closed.branches)
  }
  const placeOf = (tag: Tag) => masked.tags.get(tag) ?? 0
  const rangeOf = (tag: Tag) => {
    const end = closer.get(tag)
    return { start: placeOf(tag), end: end ? placeOf(end) + end.source.length : Infinity }
  }
  const openers = [...order.keys()].filter(({ closes }) => !closes)
  return {
    opener,
    branches,
    order,
    unclosed: openers.filter((tag) => !closer.has(tag)),
    unopened,
    lost,
    rangeOf,
    ranges: () => openers.map(rangeOf),
  }
}

/** More conditions around one definition make it useless, so that their number times that of definitions is bounded. */
const MOST_AROUND = 8

/** The expressions of the conditions around or in each definition that has any; undefined for too many. */
export function conditionsAround(
  definitions: readonly MdastNode[],
  { masked }: ReadingContext,
  { opener, branches, order }: ConditionPairs,
): Map<MdastNode, readonly string[] | undefined> {
  const around = new Map<MdastNode, readonly string[] | undefined>()
  const open = new Map<string, number>()
  const tags = [...order.keys()]
  let next = 0
  for (const definition of definitions.toSorted((a, b) => spanOf(a).start - spanOf(b).start)) {
    const { start, end } = spanOf(definition)
    for (; next < tags.length && masked.tags.get(tags[next]!)! < start; next += 1) {
      const tag = tags[next]!
      const first = tag.closes ? opener.get(tag) : tag
      if (!first) continue
      for (const { argument } of tag.closes ? [first, ...(branches.get(first) ?? [])] : [first]) {
        const count = (open.get(argument) ?? 0) + (tag.closes ? -1 : 1)
        if (count === 0) open.delete(argument)
        else open.set(argument, count)
      }
    }
    const expressions = new Set(open.keys())
    // An address and a title are hidden as a whole. The blocks of a footnote have their own conditions.
    for (let at = next; definition.type === 'definition' && at < tags.length; at += 1) {
      if (masked.tags.get(tags[at]!)! >= end) break
      if (!tags[at]!.closes) expressions.add(tags[at]!.argument)
    }
    if (expressions.size > 0)
      around.set(definition, expressions.size > MOST_AROUND ? undefined : [...expressions])
  }
  return around
}
