/**
 * Tags that can only have been meant as conditions, such as `{%- if a -%}`, `{% IF a %}`, `{% unless a %}` or an `{% if`
 * that does not end on its line. They never hold, so that what the author wanted to hide is shown to nobody.
 */
import { readTag } from './tags.ts'
import type { Tag } from './tags.ts'

/** What a condition is, if it is no `if`. Each form ends at its own closing tag, and an `else` at that of its `if`. */
type ConditionForm = NonNullable<Tag['form']>

/** White space of a line, and characters without a width. */
const GAP = '(?![\\r\\n])[\\s\\p{Cf}\\p{Cc}]'
const BEGIN = `[{\uff5b](?:${GAP}){0,3}[%\uff05]`
/** What may be between `{%` and a word: signs of template languages, and the end of one line. */
const LEAD = `(?:${GAP}|[-+~=#*])*(?:\\r?\\n(?:${GAP}|>)*)?`
const CLOSING = `(?:${spelt('end')}(?:${GAP}|[_-])*|/)`
const WORDS = [
  `(?<if>${spelt('if')}(?!rame)[\\w-]*)`,
  `(?<unless>${spelt('unless')})(?![\\w-])`,
  `(?<case>${spelt('case')}|${spelt('switch')})(?![\\w-])`,
  `(?<else>(?:${spelt('else')}|${spelt('els')}|${spelt('el')})(?:${GAP}|[_-])*${spelt('if')}|${spelt('else')}|${spelt('when')})(?![\\w-])`,
].join('|')

/** An expression that is never true: that of a tag whose words it cannot have. */
export const NEVER = 'false /* */'

const CONDITION = `${BEGIN}(?<lead>${LEAD})(?<closing>${CLOSING})?(?:${WORDS})`
const ANYWHERE = new RegExp(CONDITION, 'iu')
const HERE = new RegExp(CONDITION, 'iuy')
/** The end of a tag or of its line. */
const END = /[%\uff05][^\S\r\n]?[}\uff5d]|[\r\n]/g
const BEGINNINGS = new RegExp(BEGIN, 'gu')
const STARTING = new RegExp(BEGIN, 'uy')

/** A word whose letters may be full-width, or have characters without a width between them. */
export function spelt(word: string): string {
  return [...word]
    .map((letter) => `[${letter}${String.fromCharCode(letter.charCodeAt(0) + 0xfee0)}]`)
    .join('\\p{Cf}*')
}

/** The offset of the first tag that is or looks like one of a condition; -1 if there is none. */
export function firstCondition(source: string): number {
  return source.search(ANYWHERE)
}

/** The offsets of everything that can begin a tag, in order. */
export function* beginningsOfTags(source: string): Generator<number> {
  for (const { index } of source.matchAll(BEGINNINGS)) yield index
}

/** Whether a brace at `at` begins a tag. */
export function startsTag(text: string, at: number): boolean {
  STARTING.lastIndex = at
  return STARTING.test(text)
}

/** Text in which nothing begins a tag: `write` writes each percent sign that would. */
export function withoutBeginnings(text: string, write: (percent: string) => string): string {
  return text.replace(BEGINNINGS, (begin) => begin.slice(0, -1) + write(begin.at(-1)!))
}

/** Reads the tags of one source that look like those of conditions, from its beginning to its end. */
export function lookalikeReader(source: string): (start: number) => { start: number; tag: Tag } | undefined {
  let end: RegExpExecArray | null | undefined
  const endFrom = (from: number) => {
    if (end === null || (end && end.index >= from)) return end
    END.lastIndex = from
    end = END.exec(source)
    return end
  }
  return (start) => {
    HERE.lastIndex = start
    const { 0: written, groups = {} } = HERE.exec(source) ?? { 0: '' }
    if (written === '') return undefined
    const closes = groups.closing !== undefined
    const form = (['unless', 'case', 'else'] as const).find((name) => groups[name] !== undefined)
    const found = endFrom(start + written.length)
    const lines = (groups.lead ?? '').split('\n')
    const isWhole = found !== null && !/[\r\n]/.test(found[0]) && lines.length === 1
    if (closes) {
      if (!isWhole || form === 'else') return undefined
      return { start, tag: tagOf(source.slice(start, found.index + found[0].length), form, true, '') }
    }
    if (isWhole) {
      const whole = source.slice(start, found.index + found[0].length)
      const words = source.slice(start, found.index).replace(/^.[^%\uff05]*[%\uff05]/u, '')
      return { start, tag: tagOf(whole, form, false, never(words.trim())) }
    }
    if (lines.length === 1) return { start, tag: tagOf(written, form, false, NEVER) }
    // The word is in the line after `{%`, which stays text: a tag of two lines could end a block of code.
    const from = start + written.length - wordOf(groups).length
    const to = found ? found.index + (/[\r\n]/.test(found[0]) ? 0 : found[0].length) : source.length
    return { start: from, tag: tagOf(source.slice(from, to), form, false, NEVER) }
  }
}

function wordOf(groups: Record<string, string | undefined>): string {
  return groups.if ?? groups.unless ?? groups.case ?? groups.else ?? ''
}

function tagOf(source: string, form: ConditionForm | undefined, closes: boolean, argument: string): Tag {
  return { source, name: 'if', closes, argument, ...(form && { form }) }
}

/** What an expression that is never true stands for: the words of a tag that looks like a condition, '' if it has none. */
export function wordsOfLookalike(expression: string): string | undefined {
  if (expression === NEVER) return ''
  return /^false \/\* (.*) \*\/ *$/s.exec(expression)?.[1]
}

/** An expression that is never true, with the words of the author if a tag can have them. */
function never(words: string): string {
  const argument = `false /* ${words} */`
  const isSafe = !words.includes('*/') && readTag(`{% if ${argument} %} "'" %}`, 0)?.argument === argument
  return isSafe ? argument : NEVER
}
