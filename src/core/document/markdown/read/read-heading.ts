import type { MdastNode } from 'satteri'

import { HEADING_ID } from '../heading-id.ts'
import { readTagSource } from '../html-source.ts'
import type { Masked } from '../mask.ts'
import { openConditions } from '../open-tags.ts'
import { openTags } from './phrase-tags.ts'
import { spanOf } from '../reading.ts'
import type { Phrase, ReadingContext } from '../reading.ts'
import { withoutEnd } from '../../../text/trimming.ts'

/**
 * Reads the author's anchor in a heading, `<a href="#id" id="id"></a>` (or with `name`), and the rest of the heading. Without
 * such an anchor, it is `{#id}` at the end of the heading. If there are several such anchors, the last one counts. An anchor around text is a link. One within a condition belongs to
 * what the condition hides: as that of the heading, everybody would see it.
 */
export function readAnchor(children: Phrase[], reading: ReadingContext): { id?: string; phrases: Phrase[] } {
  const phrases = [...children]
  const conditions = openConditions()
  let id: string | undefined

  for (let index = 0; index < phrases.length; index += 1) {
    const [open, close] = [phrases[index], phrases[index + 1]]
    for (const tag of open ? openTags([open], reading) : []) {
      if (tag.closes) conditions.close(tag)
      else conditions.add(tag)
    }
    const found = conditions.count() === 0 ? anchorOf(open, close) : undefined
    if (found === undefined) continue
    id = reading.masked.raw(found)
    phrases.splice(index, open?.type === 'element' ? 1 : 2)
    index -= 1
  }
  if (id !== undefined) return { id, phrases }
  const written = conditions.count() === 0 ? readIdAttribute(phrases, reading.masked) : undefined
  return written ? { id: written.id, phrases: [...phrases.slice(0, -1), ...written.rest] } : { phrases }
}

const ID_ATTRIBUTE = new RegExp(`[ \\t]{0,99}\\{#(${HEADING_ID})\\}$`, 'u')
/** The most characters of an id with its signs and the spaces before it. */
const LONGEST_ID_ATTRIBUTE = 210

/**
 * Reads the id in `{#id}` at the end of a heading.
 * @returns the id, and what is left of the last phrase. Undefined for a heading that has nothing else, and for `\\{#id}`, which
 * is text
 */
export function readIdAttribute(
  phrases: readonly Phrase[],
  { text, raw }: Masked,
): { id: string; rest: MdastNode[] } | undefined {
  const last = phrases.at(-1)
  if (last?.type !== 'text' || !last.position || !last.value.endsWith('}')) return undefined
  const [, id = ''] = ID_ATTRIBUTE.exec(last.value.slice(-LONGEST_ID_ATTRIBUTE)) ?? []
  const { start, end } = spanOf(last)
  const written = `{#${id}}`
  const from = end - written.length
  if (id === '' || from < start || text.slice(from, end) !== written || text[from - 1] === '\\')
    return undefined
  const value = withoutEnd(last.value.slice(0, -written.length), ' \t')
  if (value === '') return phrases.length === 1 ? undefined : { id: raw(id), rest: [] }
  const position = { ...last.position, end: { ...last.position.end, offset: from } }
  return { id: raw(id), rest: [{ ...last, value, position }] }
}

function anchorOf(open: Phrase | undefined, close: Phrase | undefined): string | undefined {
  if (open?.type === 'element' && open.name === 'a' && open.children.length === 0)
    return headingAnchor(open.attributes)
  if (open?.type !== 'html' || close?.type !== 'html' || close.value !== '</a>') return undefined
  const tag = readTagSource(open.value)
  return tag?.type === 'open' && tag.name === 'a' ? headingAnchor(tag.attributes) : undefined
}

function headingAnchor(attributes: Map<string, string>): string | undefined {
  const id = attributes.get('id') ?? attributes.get('name')
  return id === '' ? undefined : id
}
