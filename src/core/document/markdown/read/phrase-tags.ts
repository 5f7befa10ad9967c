/** The tags in and beside the phrases of a line. */
import { conditionTags } from '../conditions/condition-tags.ts'
import type { Phrase, ReadingContext } from '../reading.ts'
import type { Tag } from '../tags.ts'

/** The tags in phrases of which `phraseText` has read the text, without those whose content it has left out. */
export function openTags(phrases: readonly Phrase[], reading: ReadingContext): Tag[] {
  if (!reading.isConditional) return []
  return tagsIn(phrases, reading).filter((tag) => tag.name === 'if' && !reading.settled.has(tag))
}

function tagsIn(phrases: readonly Phrase[], reading: ReadingContext): Tag[] {
  const tags: Tag[] = []
  const open = phrases.toReversed()
  for (let phrase = open.pop(); phrase; phrase = open.pop()) {
    const tag = tagOf(phrase, reading)
    if (tag) tags.push(tag)
    if ('children' in phrase) for (const child of (phrase.children as Phrase[]).toReversed()) open.push(child)
  }
  return tags
}

/** The tag that a phrase is, if it is one. */
export function tagOf(phrase: Phrase, reading: ReadingContext): Tag | undefined {
  const source = phrase.type === 'comment' ? phrase.source : phrase.type === 'html' ? phrase.value : undefined
  const tag = source === undefined ? undefined : reading.masked.tag(source)
  return tag && reading.literal.has(tag) ? undefined : tag
}

/** The opening tags in what a phrase has beside its text, such as an attribute, an address or a comment. */
export function tagsBeside(phrase: Phrase, reading: ReadingContext): Tag[] {
  if (!reading.isConditional) return []
  const beside = besideText(phrase).filter((value) => typeof value === 'string')
  return beside.flatMap((value) => conditionTags(value, reading)).filter(({ closes }) => !closes)
}

function besideText(phrase: Phrase): (string | null | undefined)[] {
  switch (phrase.type) {
    case 'html':
      return [phrase.value]
    case 'comment':
    case 'tag':
      return [phrase.source]
    case 'element':
      return [phrase.open]
    case 'image':
      return [phrase.alt, phrase.url, phrase.title]
    case 'imageReference':
      return [phrase.alt]
    case 'link':
      return [phrase.url, phrase.title]
    default:
      return []
  }
}
