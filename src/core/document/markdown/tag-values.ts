/** The values of tags as readers see them: a condition in a value hides a part of it from everybody. */
import { mapTexts, textsInValue } from '../../data/texts-in.ts'
import { hidingTag, textTags, unpairedTags, withoutHidden, withoutHiddenIn } from './hiding-tags.ts'
import { NEVER } from './lookalikes.ts'
import { HOMES, shift, usesHome } from './stand-in-letters.ts'
import { hasOwnCondition, isCondition, readArguments, readProperties } from './tags.ts'
import { readsVariable } from './tag-words.ts'
import type { Tag } from './tags.ts'

/** The arguments of a tag by name, without its condition and without what conditions in them would hide. */
export function shownArguments(tag: Tag): Map<string, string> {
  const { argument } = tag
  const values = argumentsOfTag(argument)
  if (hasOwnCondition(tag))
    for (const [name, value] of values)
      if (name === '' ? tag.name !== 'include' : isCondition(name, value)) values.delete(name)
  if (hidingTag(argument) !== undefined)
    for (const [name, value] of values) values.set(name, withoutHidden(value))
  return values
}

/** The properties of an integration's block, without what conditions in them would hide. */
export function shownProperties({ argument }: Tag): Record<string, unknown> {
  const properties = propertiesOfTag(argument)
  return hidingTag(argument) === undefined ? properties : withoutHiddenIn(properties)
}

/** Whether a condition in a value of a tag hides a part of it, or of what follows the tag. */
function hidesValue(tag: Tag): boolean {
  if (hidingTag(tag.argument) === undefined) return false
  return (
    textsOfTag(tag).some((text) => hidingTag(text) !== undefined) ||
    conditionsOpenIn(tag).some(({ source }) => readsVariable(source))
  )
}

/** The opening tags of conditions that begin in the values of a tag and do not end in the same value, in order. */
export function conditionsOpenIn(tag: Tag): Tag[] {
  return (
    unpairedIn(tag)
      .filter(({ closes }) => !closes)
      // The words of a tag without an end may be anywhere behind its beginning.
      .map((one) => (one.argument === NEVER ? { ...one, source: tag.argument } : one))
  )
}

/** All opening tags of conditions in the values of a tag, in order. */
export function openersIn(tag: Tag): Tag[] {
  return textsWithTags(tag).flatMap((text) => [...textTags(text)].flatMap(([one]) => (one.closes ? [] : one)))
}

/** The closing tags of conditions in the values of a tag that end nothing in the same value, in order. */
export function endsIn(tag: Tag): Tag[] {
  return unpairedIn(tag).filter(({ closes }) => closes)
}

function unpairedIn(tag: Tag): Tag[] {
  return textsWithTags(tag).flatMap(unpairedTags)
}

/** The values of a tag, or all of what has them if quotes cut a tag so that no value has all of it. */
function textsWithTags(tag: Tag): string[] {
  if (!SIGN.test(tag.argument)) return []
  const values = textsOfTag(tag)
  return values.some((text) => !textTags(text).next().done) ? values : [tag.argument]
}

/** The texts in the values of a tag. */
function textsOfTag({ name, argument }: Tag): string[] {
  return name.startsWith('@')
    ? textsInValue(propertiesOfTag(argument))
    : [...argumentsOfTag(argument).values()]
}

/** The arguments by name. A quote in the tag of a condition ends no value. */
function argumentsOfTag(argument: string): Map<string, string> {
  const { text, restore } = withoutInnerQuotes(argument)
  const values = readArguments(text)
  for (const [name, value] of values) values.set(name, restore(value))
  return values
}

/** The properties by name. A quote in the tag of a condition ends no value. */
function propertiesOfTag(argument: string): Record<string, unknown> {
  const { text, restore } = withoutInnerQuotes(argument)
  return mapTexts(readProperties(text), restore)
}

/** A tag of a condition has one of these. */
const SIGN = /[{\uff5b%\uff05]/
/** With a backslash before it, a quote ends no value anyway. */
const INNER_QUOTES = /\\.|["']/gs

/**
 * Replaces the quotes within the tags of conditions in an argument, such as those of `title="{% if plan == "pro" %}Pro"`, by
 * letters that do not occur in it. `restore` puts the quotes back into a value.
 */
function withoutInnerQuotes(argument: string): { text: string; restore: (value: string) => string } {
  const home = SIGN.test(argument) ? HOMES.find((one) => !usesHome(argument, one)) : undefined
  if (home === undefined) return { text: argument, restore: (value) => value }
  const parts: string[] = []
  let done = 0
  for (const [{ source }, at] of textTags(argument)) {
    const end = at + source.length
    const tag = argument.slice(at, end)
    const masked = tag.replace(INNER_QUOTES, (sign) => (sign.length > 1 ? sign : shift(sign, home)))
    parts.push(argument.slice(done, at), masked)
    done = end
  }
  const [double, single] = [shift('"', home), shift("'", home)]
  return {
    text: parts.join('') + argument.slice(done),
    restore: (value) => value.replaceAll(double, '"').replaceAll(single, "'"),
  }
}

/** Whether a tag has a condition as an attribute or in a value, where nothing evaluates it. */
export function hasInnerCondition(tag: Tag): boolean {
  return hasOwnCondition(tag) || hidesValue(tag)
}
