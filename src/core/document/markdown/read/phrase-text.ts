/** The text of phrases, for titles, labels and what has no marks. */
import type { MdastNode } from 'satteri'
import { emojiCharacters, emojiCode } from '../../emoji.ts'
import { decodeEntities } from '../entities.ts'
import { withoutHidden } from '../hiding-tags.ts'
import type { HtmlLeaf } from '../html-source.ts'
import type { Masked } from '../mask.ts'
import { openConditions } from '../open-tags.ts'
import type { Phrase, ReadingContext } from '../reading.ts'
import type { Tag } from '../tags.ts'
import { withFormulas } from '../formulas.ts'
import { tagOf, tagsBeside } from './phrase-tags.ts'

/** `:name:`, but not within words and addresses such as `/users/:id:/`. */
export const EMOJI = /(?<![\w/]):[\w+-]+:(?![\w/])/g

const BREAK = '(?:br|p|div|li|tr|td|th|dt|dd|h[1-6])'
const BREAKS = new RegExp(`^${BREAK}$`)
const BREAK_TAG = new RegExp(`^</?${BREAK}[\\s/>]`, 'i')

/**
 * The text of phrases, without marks and inlines, on one line. A space replaces the end of a line or of an HTML
 * paragraph. Entities and escapes are decoded. The text under a condition is left out, because everybody sees a title or a label.
 * @param as `source`: names of emoji stay as they are. `label`: a condition that does not end in the phrases hides the node that
 * has the text, see `holding`
 */
export function phraseText(
  phrases: Phrase[],
  reading: ReadingContext,
  as: 'source' | 'title' | 'label' = 'source',
): string {
  let text = ''
  let ended = false
  const tags: Tag[] = []
  const conditions = openConditions()
  const written = (value: string) =>
    as === 'source' ? withoutLineBreaks(value) : withEmoji(withoutLineBreaks(value))
  let shown = ''
  const pass = (tag: Tag) => {
    if (conditions.count() === 0) shown = text
    if (tag.closes && !conditions.close(tag)) return
    if (!tag.closes) conditions.add(tag)
    tags.push(tag)
    if (conditions.count() > 0) return
    text = shown
    for (const one of tags.splice(0)) {
      reading.settled.add(one)
      if (!one.closes) reading.leftOut.add(one)
    }
  }
  const add = (part: string) => {
    if (part === '') return
    const apart = ended && text !== '' && !/^\s/.test(part) && !/\s/.test(text.at(-1) ?? '')
    text += apart ? ` ${part}` : part
    ended = false
  }
  const open = withFormulas(phrases, reading).toReversed()
  for (let phrase = open.pop(); phrase; phrase = open.pop()) {
    const condition = tagOf(phrase, reading)
    if (!condition) for (const tag of tagsBeside(phrase, reading)) pass(tag)
    if (condition?.name === 'if') pass(condition)
    else if (phrase.type === 'characters') add(decodeEntities(reading.masked.raw(written(phrase.source))))
    else if (phrase.type === 'text') add(reading.masked.plain(written(phrase.value)))
    else if (phrase.type === 'inlineCode') add(codeText(phrase.value, reading.masked))
    else if (phrase.type === 'inlineMath') add(reading.masked.raw(phrase.value))
    else if (phrase.type === 'image') add(reading.masked.plain(phrase.alt ?? ''))
    else if (phrase.type === 'break') add('\n')
    else if (phrase.type === 'html' || phrase.type === 'comment') {
      if (phrase.type === 'html' && BREAK_TAG.test(phrase.value)) ended = true
      add(tagText(phrase, reading))
    } else if (phrase.type === 'tag') ended ||= BREAKS.test(phrase.name)
    else if ('children' in phrase) {
      if (phrase.type === 'element' && BREAKS.test(phrase.name)) {
        ended = true
        open.push({ type: 'tag', name: phrase.name, source: '', start: phrase.end, end: phrase.end })
      }
      for (const child of withFormulas(phrase.children as Phrase[], reading).toReversed()) open.push(child)
    }
  }
  return conditions.count() === 0 || as === 'label' ? text : shown
}

/** Code within a line. The line breaks of its source are spaces, as CommonMark has them. */
export function codeText(value: string, { raw }: Masked): string {
  return raw(value).replace(/\r\n|\r|\n/g, ' ')
}

/** Text with the characters of the emoji that it names. */
function withEmoji(text: string): string {
  if (!text.includes(':')) return text
  return text.replace(EMOJI, (name) => emojiCharacters(emojiCode(name.slice(1, -1)) ?? '') || name)
}

/** Text whose line breaks are spaces. */
export function withoutLineBreaks(value: string): string {
  if (!/[\r\n]/.test(value)) return value
  return value.replace(/[ \t\r\n]+/g, (run) => ' '.repeat(run.match(/\r\n|\r|\n/g)?.length ?? 0) || run)
}

function tagText(phrase: MdastNode | HtmlLeaf, reading: ReadingContext): string {
  const source = 'source' in phrase ? phrase.source : 'value' in phrase ? phrase.value : ''
  const tag = reading.masked.tag(source)
  return tag ? withoutHidden(tag.source) : ''
}
