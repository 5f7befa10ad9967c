/** Conditions that begin in the value of another tag or in the front matter, where nothing evaluates them. */
import { unclosedTags } from '../hiding-tags.ts'
import type { PlacedTag } from './pair-conditions.ts'
import type { ReadingContext } from '../reading.ts'
import { textsOfTag } from '../tag-values.ts'

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
    if (tag.closes || tag.name === 'if' || settled.has(tag) || !/[{\uff5b%\uff05]/.test(tag.argument))
      continue
    for (const text of textsOfTag(tag)) for (const one of unclosedTags(text)) found.push([one, start])
  }
  return found
}
