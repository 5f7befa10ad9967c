/** Tags of conditions in values, such as the title of a tab. The server refuses them, because they would hide nothing. */
import { hidingTagIn, withoutTagsIn } from '../../../../core/document/markdown/hiding-tags.ts'
import type { Block } from '../../../../core/document/model.ts'
import { plainValues } from '../../../../core/document/shape/plain-values.ts'
import type { SentEntry } from './saving.ts'

/** The tag of a condition in each value of a block that has one. */
export function valueTagsIn(block: Block): string[] {
  return [...plainValues([block], '')].flatMap(({ data, name }) => hidingTagIn(data[name]) ?? [])
}

/** The block without these tags. */
export function withoutValueTags(block: Block): Block {
  if (valueTagsIn(block).length === 0) return block
  const copy = structuredClone(block)
  for (const { data, name } of plainValues([copy], '')) data[name] = withoutTagsIn(data[name])
  return copy
}

/** What is to be saved, without the tags of conditions in the title and in values, so that the server takes the page. */
export function withoutTags<T extends { title?: string | undefined; entries: SentEntry[] }>(unsaved: T): T {
  const entries = unsaved.entries.map((entry) => ('keep' in entry ? entry : withoutValueTags(entry)))
  return { ...unsaved, title: withoutTagsIn(unsaved.title), entries }
}
