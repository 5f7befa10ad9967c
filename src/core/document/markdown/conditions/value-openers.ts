/**
 * Conditions that begin or end where nothing on the page evaluates them: in the value of a tag, in the front matter, in an include, in a
 * formula.
 */
import type { PlacedTag } from './pair-conditions.ts'
import type { ReadingContext } from '../reading.ts'
import { NEVER } from '../lookalikes.ts'
import { conditionsOpenIn, endsIn } from '../tag-values.ts'

/** The offset of what is before the text that is read. */
const BEFORE = -1

/** The opening tags that do not end in their value, each with the offset of the tag that has the value, in order. */
export function openersInValues({
  masked,
  openInHead,
  settled,
}: Pick<ReadingContext, 'masked' | 'openInHead' | 'settled'>): PlacedTag[] {
  const found = openInHead.map((tag): PlacedTag => [tag, BEFORE])
  for (const [tag, start] of masked.tags) {
    if (tag.closes || tag.name === 'if' || settled.has(tag)) continue
    for (const one of conditionsOpenIn(tag)) found.push([one, start])
  }
  return found
}

/**
 * The conditions that may begin in what the page includes, one behind each include, and those that begin in formulas, in order.
 * Nobody knows the expressions of the first, since an include is another page, so they never hold.
 */
export function openersInTexts({
  masked,
  inFormulas,
  settled,
}: Pick<ReadingContext, 'masked' | 'inFormulas' | 'settled'>): PlacedTag[] {
  const includes = [...masked.tags]
    .filter(([tag]) => tag.name === 'include' && !settled.has(tag))
    .map(([{ source }, start]): PlacedTag => [
      { source, name: 'if', closes: false, argument: NEVER },
      start + source.length,
    ])
  return [...includes, ...inFormulas.open].toSorted(([, a], [, b]) => a - b)
}

/** The closing tags in values and formulas that end nothing there, in order. They are text, so they end no condition of the page. */
export function endsInTexts({
  masked,
  inFormulas,
  settled,
}: Pick<ReadingContext, 'masked' | 'inFormulas' | 'settled'>): PlacedTag[] {
  const ends: PlacedTag[] = [...inFormulas.ends]
  for (const [tag, start] of masked.tags) {
    if (tag.closes || tag.name === 'if' || settled.has(tag)) continue
    for (const one of endsIn(tag)) ends.push([one, start])
  }
  return ends.toSorted(([, a], [, b]) => a - b)
}
