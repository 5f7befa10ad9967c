/** Conditions in texts that are no Markdown, such as titles. Nothing evaluates them, so nobody sees what they would hide. */
import { beginningsOfTags } from './beginnings.ts'
import { lookalikeReader } from './lookalikes.ts'
import { openConditions } from './open-tags.ts'
import { tagReader } from './tags.ts'
import { readsVariable } from './tag-words.ts'
import type { Tag } from './tags.ts'
import { mapTexts } from '../../data/texts-in.ts'
import { decodeAddress } from '../../text/file-paths.ts'
import { because } from '../../languages/reasons.ts'
import { type Reasoned } from '../../languages/reasoned.ts'

/** A part of a text from the opening tag of a condition to the closing tag, or to the end. */
interface HiddenPart {
  tag: string
  start: number
  end: number
}

/** Whether a tag can begin at a place of a text. Places are asked for in order. */
type IsTag = (at: number) => boolean

/** The tag of the first condition of a text that would hide words of it, or that has an end; undefined if none does. */
export function hidingTag(text: string, isTag?: IsTag): string | undefined {
  return conditionalParts(text, isTag)[0]?.tag
}

/** The first such tag in the texts of a value, which may be a list or an object. */
export function hidingTagIn(value: unknown): string | undefined {
  if (typeof value === 'string') return hidingTag(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (const one of Object.values(value)) {
    const tag = hidingTagIn(one)
    if (tag !== undefined) return tag
  }
  return undefined
}

/** The tags of conditions in a text and what looks like one, each with its offset, in order. */
export function* textTags(
  text: string,
  isTag: IsTag = () => true,
): Generator<readonly [tag: Tag, at: number]> {
  const read = lookalikeReader(text)
  const readKnown = tagReader(text)
  let done = 0
  for (const at of beginningsOfTags(text)) {
    if (at < done || !isTag(at)) continue
    const known = readKnown(at)
    const tag = known?.name === 'if' ? known : read(at)?.tag
    if (!tag) continue
    done = at + tag.source.length
    yield [tag, at]
  }
}

/** The opening tags of conditions that no closing tag in the text ends, in order. */
export function unclosedTags(text: string): Tag[] {
  return unpairedTags(text).filter(({ closes }) => !closes)
}

/** The tags of conditions that have no partner in the text, in order. */
export function unpairedTags(text: string): Tag[] {
  const alone = new Set<Tag>()
  const tags = openConditions()
  for (const [tag] of textTags(text)) {
    const closed = tag.closes ? tags.close(tag) : undefined
    if (closed) for (const one of [closed.opener, ...closed.branches]) alone.delete(one)
    else alone.add(tag)
    if (!tag.closes) tags.add(tag)
  }
  return [...alone]
}

/** The text without its conditions and what they would hide. A text without conditions is not changed. */
export function withoutHidden(text: string, isTag?: IsTag): string {
  const parts = conditionalParts(text, isTag)
  if (parts.length === 0) return text
  let done = 0
  const kept = parts.map(({ start, end }) => {
    const before = text.slice(done, start)
    done = end
    return before
  })
  return [...kept, text.slice(done)].join('').replace(/\s+/g, ' ').trim()
}

/** The value, which may be a list or an object, with its texts without their conditions and what they would hide. */
export function withoutHiddenIn<T>(value: T): T {
  return mapTexts(value, withoutHidden)
}

/** The value, which may be a list or an object, with its texts without the tags of their conditions. Their words stay. */
export function withoutTagsIn<T>(value: T): T {
  return mapTexts(value, withoutTags)
}

function withoutTags(text: string): string {
  if (hidingTag(text) === undefined) return text
  const read = lookalikeReader(text)
  let [kept, done] = ['', 0]
  for (const at of beginningsOfTags(text)) {
    const found = at < done ? undefined : read(at)
    if (!found) continue
    kept += text.slice(done, Math.min(at, found.start))
    done = found.start + found.tag.source.length
  }
  const rest = (kept + text.slice(done)).trim()
  // What was around a tag can be another one.
  if (hidingTag(rest) === undefined) return rest
  const unbraced = rest.replace(/[{\uff5b]/g, '')
  return hidingTag(unbraced) === undefined ? unbraced : unbraced.replace(/[%\uff05]/g, '')
}

/**
 * The tag of the first condition of an address, see `hidingTag`. One that is percent-encoded counts if it reads a variable:
 * readers would see the address of a link with what the condition was meant to hide.
 */
export function hidingTagInAddress(address: string): string | undefined {
  const tag = hidingTag(address)
  if (tag !== undefined || !/%(?:7b|25|ef)/i.test(address)) return tag
  // What is no valid encoding stays as it is.
  const decoded = address.replace(/(?:%[0-9a-f]{2})+/gi, decodeAddress)
  return readsVariable(decoded) ? hidingTag(decoded) : undefined
}

/** Why an address cannot be one that readers see, as the end of a sentence; undefined if it can. */
export function addressFault(address: string): Reasoned | undefined {
  const tag = hidingTagInAddress(address)
  return tag === undefined ? undefined : tagFault(tag)
}

/** Why a text, or a value with texts, cannot be one that readers see, as the end of a sentence; undefined if it can. */
export function conditionFault(value: unknown): Reasoned | undefined {
  const tag = hidingTagIn(value)
  return tag === undefined ? undefined : tagFault(tag)
}

function tagFault(tag: string): Reasoned {
  const shown = tag.length > 60 ? `${tag.slice(0, 60)}…` : tag
  return because('value-has-condition', { value: JSON.stringify(shown) })
}

function conditionalParts(text: string, isTag: IsTag = () => true): HiddenPart[] {
  if (!SIGN.test(text)) return []
  const parts: HiddenPart[] = []
  const read = lookalikeReader(text)
  let open = openConditions()
  let first: HiddenPart | undefined
  let done = 0
  for (const at of beginningsOfTags(text)) {
    const found = at < done || !isTag(at) ? undefined : read(at)
    if (!found) continue
    const { tag } = found
    const start = Math.min(at, found.start)
    done = found.start + tag.source.length
    if (tag.closes) {
      open.close(tag)
      if (!first || open.count() > 0) continue
      parts.push({ ...first, end: done })
      first = undefined
      open = openConditions()
    } else if (first || !EMPTY.test(tag.source)) {
      first ??= { tag: text.slice(start, done), start, end: done }
      open.add(tag)
    }
  }
  // A text that ends with the tag only names it, unless that is the condition of what follows the text.
  if (first && (text.slice(first.end).trim() !== '' || readsVariable(first.tag)))
    parts.push({ ...first, end: text.length })
  return parts
}

/** Each tag has one of these. */
const SIGN = /[{\uff5b%\uff05]/

/** An empty condition is true, so it hides nothing. */
const EMPTY = /^\{%\s*if\s*%\}$/
