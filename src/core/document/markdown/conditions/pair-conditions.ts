/** Pairs the tags of conditions in the order of the source, wherever they are. */
import type { Span } from '../../model.ts'
import { openConditions } from '../open-tags.ts'
import type { ReadingContext } from '../reading.ts'
import { readsVariable } from '../tag-words.ts'
import type { Tag } from '../tags.ts'

/** A tag with its offset in the source. */
export type PlacedTag = readonly [tag: Tag, start: number]

/** The tags of conditions that have no partner, or not the one that their author meant. */
export interface PairFaults {
  /** The opening tags that no closing tag ends. */
  unclosed: readonly Tag[]
  /** The closing tags that end no condition, because none is open there. */
  unopened: readonly Tag[]
  /** The closing tags that do not end the condition around them, such as one in an address. */
  ignored: readonly Tag[]
  /** The closing tags that end a condition which begins in a value, a formula or an include, see `openersInValues`. */
  misbegun: readonly Tag[]
  placeOf(tag: Tag): number
}

/** The tags of conditions of a page. */
export interface ConditionPairs extends PairFaults {
  /** The opening tag of each closing tag that has one. */
  opener: ReadonlyMap<Tag, Tag>
  /** The `else` tags that end with the condition of an opening tag. */
  branches: ReadonlyMap<Tag, readonly Tag[]>
  /** The number of each tag in the order of the source. */
  order: ReadonlyMap<Tag, number>
  /** The opening tags that no reader has met, such as one in an address. */
  lost: readonly Tag[]
  /** What an opening tag hides: the range of the source up to its closing tag, or up to the end. */
  rangeOf(opener: Tag): Span
  /** The ranges of all opening tags, in the order of the source. */
  ranges(): Span[]
}

/**
 * Pairs the tags. A closing tag that no reader has met closes only what none has met, so that a tag in an address or in a
 * comment does not reveal anything outside of it. One in an element for code closes only what begins in such an element. If a
 * closing tag would end nothing, it ends a condition that begins in a value. One that nothing ends there hides what follows,
 * up to the end of the page, if it reads a variable: what only names a tag hides nothing. One that would not even end a
 * condition in a value ends one that begins in the first include or formula before it, and so does one that would end an
 * `else` without an `if`. What no such tag ends goes on to the last closing tag in a value or formula behind it.
 * @param met the tags for which the document has a place
 * @param inValues see `openersInValues`
 * @param inTexts returns what `openersInTexts` does
 * @param ends see `endsInTexts`
 */
export function pairConditions(
  { masked, settled, inRawCode }: ReadingContext,
  met: ReadonlySet<Tag>,
  inValues: readonly PlacedTag[],
  inTexts: () => readonly PlacedTag[],
  ends: readonly PlacedTag[],
): ConditionPairs {
  const own = [...masked.tags].filter(([tag]) => tag.name === 'if' && (!settled.has(tag) || met.has(tag)))
  // A closing tag ends only what has at most its rank: one of those that no reader has met, in code or elsewhere.
  const rankOf = (tag: Tag) => (!met.has(tag) ? 0 : inRawCode.has(tag) ? 1 : 2)
  const pairs = pairTags(own, met, rankOf)
  const endsElse = [...pairs.opener.values()].some(isElse)
  const endsOthers = endsElse || pairs.unopened.length + pairs.ignored.length > 0
  const included = endsOthers || ends.length > 0 ? inTexts() : []
  if (inValues.length + included.length + ends.length === 0) return pairs
  const all = [...own, ...inValues, ...included, ...ends].toSorted(([, a], [, b]) => a - b)
  const others = { inValues: tagsOf(inValues), inTexts: tagsOf(included), ends: tagsOf(ends), endsOthers }
  return pairTags(all, met, rankOf, others)
}

const tagsOf = (tags: readonly PlacedTag[]): ReadonlySet<Tag> => new Set(tags.map(([tag]) => tag))

/** The tags where nothing on the page evaluates them. */
interface OtherTags {
  inValues: ReadonlySet<Tag>
  inTexts: ReadonlySet<Tag>
  ends: ReadonlySet<Tag>
  /** Whether closing tags of the page end none of its conditions. */
  endsOthers: boolean
}

const NO_OTHERS: OtherTags = { inValues: new Set(), inTexts: new Set(), ends: new Set(), endsOthers: false }

const isElse = ({ form }: Tag) => form === 'else'

function pairTags(
  tags: readonly PlacedTag[],
  met: ReadonlySet<Tag>,
  rankOf: (tag: Tag) => number,
  { inValues, inTexts, ends, endsOthers }: OtherTags = NO_OTHERS,
): ConditionPairs {
  const places = new Map(tags)
  const opener = new Map<Tag, Tag>()
  const closer = new Map<Tag, Tag>()
  const order = new Map<Tag, number>()
  const branches = new Map<Tag, readonly Tag[]>()
  const lost: Tag[] = []
  const endsNothing = new Set<Tag>()
  const misbegun: Tag[] = []
  const open = openConditions()
  const values: Tag[] = []
  const texts: Tag[] = []
  let ended = 0
  let lastEnd: Tag | undefined
  // What ends nothing else may end a condition in a value, whatever the brackets of both.
  const lastInValue = () => {
    const index = values.findLastIndex((tag) => !closer.has(tag))
    values.length = index + 1
    const last = values.pop()
    return last && { opener: last, branches: [] }
  }
  // The first, so that nothing behind an include or a formula that may have begun the condition stays open. An `else`
  // without an `if` may belong to it.
  const firstInText = (branch?: Tag) => {
    const first = texts[ended]
    if (first) ended += 1
    return first && { opener: first, branches: branch ? [branch] : [] }
  }
  for (const [tag] of tags) {
    order.set(tag, order.size)
    if (inTexts.has(tag)) {
      texts.push(tag)
      continue
    }
    if (ends.has(tag)) {
      lastEnd = tag
      endsNothing.add(tag)
      continue
    }
    if (!tag.closes) {
      const isInValue = inValues.has(tag)
      if (!isInValue || endsOthers) open.add(tag)
      if (isInValue) values.push(tag)
      else if (!met.has(tag)) lost.push(tag)
      continue
    }
    const known =
      open.close(tag, (one) => rankOf(one) <= rankOf(tag)) ??
      (tag.isInOtherBrackets ? lastInValue() : undefined)
    const closed = known && !isElse(known.opener) ? known : (firstInText(known?.opener) ?? known)
    if (!closed) {
      endsNothing.add(tag)
      continue
    }
    opener.set(tag, closed.opener)
    if (inValues.has(closed.opener) || inTexts.has(closed.opener)) {
      misbegun.push(tag)
      lost.push(closed.opener)
    }
    for (const one of [closed.opener, ...closed.branches]) closer.set(one, tag)
    if (closed.branches.length > 0) branches.set(closed.opener, closed.branches)
  }
  const isHidden = lastEnd ? hiddenUpTo(order.get(lastEnd)!) : () => true
  for (const tag of inTexts) {
    if (closer.has(tag)) continue
    if (!lastEnd || isHidden(tag)) {
      order.delete(tag)
      continue
    }
    closer.set(tag, lastEnd)
    lost.push(tag)
    if (!opener.has(lastEnd)) misbegun.push(lastEnd)
    opener.set(lastEnd, tag)
    endsNothing.delete(lastEnd)
  }
  for (const tag of inValues) {
    if (closer.has(tag)) continue
    if (readsVariable(tag.source)) lost.push(tag)
    else order.delete(tag)
  }
  /** Whether a tag is behind the place, or in a condition with its expression that reaches beyond the place. */
  function hiddenUpTo(place: number): (tag: Tag) => boolean {
    const first = new Map<string, number>()
    for (const [tag, at] of order) {
      if (tag.closes || inTexts.has(tag) || inValues.has(tag) || first.has(tag.argument)) continue
      const end = closer.get(tag)
      if (!end || order.get(end)! > place) first.set(tag.argument, at)
    }
    return (tag) => order.get(tag)! > place || order.get(tag)! > (first.get(tag.argument) ?? Infinity)
  }

  const placeOf = (tag: Tag) => places.get(tag) ?? 0
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
    ...sortEnds(order, endsNothing, rangeOf),
    misbegun,
    lost,
    placeOf,
    rangeOf,
    ranges: () => openers.map(rangeOf),
  }
}

/** Sorts the closing tags that end nothing: those within a condition are ignored, and the others have none to end. */
function sortEnds(
  order: ReadonlyMap<Tag, number>,
  endsNothing: ReadonlySet<Tag>,
  rangeOf: (tag: Tag) => Span,
): Pick<PairFaults, 'unopened' | 'ignored'> {
  const sorted = { unopened: [] as Tag[], ignored: [] as Tag[] }
  let hiddenTo = 0
  for (const tag of order.keys()) {
    const { start, end } = rangeOf(tag)
    if (endsNothing.has(tag)) sorted[start < hiddenTo ? 'ignored' : 'unopened'].push(tag)
    // An empty condition hides nothing.
    else if (!tag.closes && tag.argument !== '') hiddenTo = Math.max(hiddenTo, end)
  }
  return sorted
}
