/**
 * Tags that a sentence only names, such as `{% case study %}` or `{% unless %}`: they have the word of a condition, but neither
 * what a condition needs before its end nor an end. They are text. In any doubt, a tag is a condition.
 */
import type { Span } from '../../model.ts'
import { spanFinder } from '../find-in-order.ts'
import { openConditions } from '../open-tags.ts'
import { namesCondition } from '../tag-words.ts'
import type { Tag } from '../tags.ts'

/** A tag that is plainly written, with its word and the words behind it. */
const PLAIN_TAG = /^\{%[-~+]?[ \t]*(unless|case|switch|when)(?![\p{L}\p{M}\p{N}_])(.*?)[-~+]?%\}$/iu
/** The words of a sentence. A name of a program has other signs, such as dots and underscores. */
const SENTENCE = /^[ \t]*(?:(?:\p{L}[\p{L}\p{M}'\u2019-]*|\u2026|\.{3})(?:,?[ \t]+|$))*$/u
const PLACEHOLDER = /^[ \t]*(?:\u2026|\.{3})?[ \t]*$/u
/** What looks like the end of a `case`, a `switch` or an `unless`, whatever is around it. */
const END = /(?:end|\/)[^\p{L}\p{N}\r\n]{0,9}(case|switch|unless)/giu
/** What looks like a part of a `case`, in any brackets. */
const PART = /(?:[%\uff05]|\{\{)[^\p{L}\p{N}\r\n%{}]{0,6}(?:when|else|elsi|default)/giu
/** A sentence names no longer tag. */
const LONGEST = 200

/** A tag that has the form of one that a sentence can name. */
interface NamedTag {
  form: 'unless' | 'case' | 'when'
  at: number
  end: number
}

/**
 * The offsets of the tags that are text.
 * @param tags all tags of a source with their offsets, in order, each of these as a condition
 * @param code where code is in the source, in order: what is there neither begins nor ends a condition
 */
export function tagsInProse(
  source: string,
  tags: ReadonlyMap<Tag, number>,
  code: readonly Span[],
): ReadonlySet<number> {
  const from = titleEnd(source)
  const named = [...tags].flatMap(([tag, at]) => (at < from ? [] : (namedTag(tag, at) ?? [])))
  if (named.length === 0) return new Set()
  const parts = new Set(named.filter(({ form }) => form === 'when').map(({ at }) => at))
  const isCode = spanFinder(code)
  const conditions = [...tags].filter(([tag, at]) => tag.name === 'if' && !isCode(at) && !parts.has(at))
  const last = lastTags(source, conditions, code)
  const first = conditions[0]?.[1] ?? Infinity
  const isText = ({ form, at, end }: NamedTag) =>
    end > last.unopened &&
    end > (form === 'unless' ? last.unless : last.case) &&
    (form !== 'when' || at < first)
  return new Set(named.filter(isText).map(({ at }) => at))
}

/** Whether a source has a tag that can be text. */
export function mayNameTags(tags: ReadonlyMap<Tag, number>): boolean {
  for (const [tag, at] of tags) if (namedTag(tag, at)) return true
  return false
}

function namedTag(tag: Tag, at: number): NamedTag | undefined {
  const { name, closes, source, form } = tag
  if (name !== 'if' || closes || form === undefined || source.length > LONGEST) return undefined
  const [, word = '', words = ''] = PLAIN_TAG.exec(source) ?? []
  if (word === '' || namesCondition(words)) return undefined
  const isCase = /^[cs]/i.test(word)
  if (!(isCase ? SENTENCE : PLACEHOLDER).test(words)) return undefined
  return { form: isCase ? 'case' : /^u/i.test(word) ? 'unless' : 'when', at, end: at + source.length }
}

/** Where the title of a page ends. It is also read without what is below it, so that it names no tag. */
function titleEnd(source: string): number {
  const start = source.search(/\S/)
  if (start === -1) return 0
  const paragraph = /\n[ \t\r]*\n|$/g
  paragraph.lastIndex = start
  const end = paragraph.exec(source)?.index ?? source.length
  if (source[start] !== '#') return /\n[ \t>]*=+[ \t\r]*$/m.test(source.slice(start, end)) ? end : 0
  const line = source.indexOf('\n', start)
  return line === -1 ? source.length : line
}

/** The offsets of the last tags that end something or are a part of it; 0 if there is none. */
function lastTags(
  source: string,
  conditions: readonly (readonly [Tag, number])[],
  code: readonly Span[],
): Record<'unopened' | 'unless' | 'case', number> {
  const last = { unopened: 0, unless: 0, case: 0 }
  const open = openConditions()
  for (const [tag, at] of conditions) {
    if (tag.form === 'unless' && tag.closes) last.unless = at
    if (tag.form === 'case' ? tag.closes : tag.form === 'else') last.case = at
    if (!tag.closes) open.add(tag)
    else if (!open.close(tag)) last.unopened = at
  }
  const isEndInCode = spanFinder(code)
  for (const { 1: word = '', index } of source.matchAll(END)) {
    const form = /^u/i.test(word) ? 'unless' : 'case'
    if (!isEndInCode(index)) last[form] = Math.max(last[form], index)
  }
  const isPartInCode = spanFinder(code)
  for (const { index } of source.matchAll(PART))
    if (!isPartInCode(index)) last.case = Math.max(last.case, index)
  return last
}
