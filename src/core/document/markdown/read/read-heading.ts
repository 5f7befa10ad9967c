import { readTagSource } from '../html-source.ts'
import { openConditions } from '../open-tags.ts'
import { openTags } from './read-line.ts'
import type { Phrase } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'

/**
 * Reads the author's anchor in a heading, `<a href="#id" id="id"></a>` (or with `name`), and the rest of the heading.
 * If there are several such anchors, the last one counts. An anchor around text is a link. One within a condition belongs to
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
  return id === undefined ? { phrases } : { id, phrases }
}

function anchorOf(open: Phrase | undefined, close: Phrase | undefined): string | undefined {
  if (open?.type === 'element' && open.name === 'a' && open.children.length === 0)
    return idOf(open.attributes)
  if (open?.type !== 'html' || close?.type !== 'html' || close.value !== '</a>') return undefined
  const tag = readTagSource(open.value)
  return tag?.type === 'open' && tag.name === 'a' ? idOf(tag.attributes) : undefined
}

function idOf(attributes: Map<string, string>): string | undefined {
  const id = attributes.get('id') ?? attributes.get('name')
  return id === '' ? undefined : id
}
