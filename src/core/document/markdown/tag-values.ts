/** The values of tags as readers see them: a condition in a value hides a part of it from everybody. */
import { textsInValue } from '../../data/texts-in.ts'
import { hidingTag, withoutHidden, withoutHiddenIn } from './hiding-tags.ts'
import { hasOwnCondition, isCondition, readArguments, readProperties } from './tags.ts'
import type { Tag } from './tags.ts'

/** The arguments of a tag by name, without its condition and without what conditions in them would hide. */
export function shownArguments(tag: Tag): Map<string, string> {
  const { argument } = tag
  const values = readArguments(argument)
  if (hasOwnCondition(tag))
    for (const [name, value] of values)
      if (name === '' ? tag.name !== 'include' : isCondition(name, value)) values.delete(name)
  if (hidingTag(argument) !== undefined)
    for (const [name, value] of values) values.set(name, withoutHidden(value))
  return values
}

/** The properties of an integration's block, without what conditions in them would hide. */
export function shownProperties({ argument }: Tag): Record<string, unknown> {
  const properties = readProperties(argument)
  return hidingTag(argument) === undefined ? properties : withoutHiddenIn(properties)
}

/** Whether a condition in a value of a tag hides a part of it. */
function hidesValue(tag: Tag): boolean {
  return (
    hidingTag(tag.argument) !== undefined && textsOfTag(tag).some((text) => hidingTag(text) !== undefined)
  )
}

/** The texts in the values of a tag. */
export function textsOfTag({ name, argument }: Tag): string[] {
  return name.startsWith('@') ? textsInValue(readProperties(argument)) : [...readArguments(argument).values()]
}

/** Whether a tag has a condition as an attribute or in a value, where nothing evaluates it. */
export function hasInnerCondition(tag: Tag): boolean {
  return hasOwnCondition(tag) || hidesValue(tag)
}
