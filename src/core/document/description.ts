/** Reads descriptions in Markdown that are no pages, such as those of OpenAPI specifications. */
import { paragraph } from './build.ts'
import { mapBlocks } from './map-blocks.ts'
import { beginningsOfTags } from './markdown/beginnings.ts'
import { lookalikeReader } from './markdown/lookalikes.ts'
import type { Block } from './model.ts'
import { parseMarkdown } from './parse.ts'

/**
 * The blocks of a description. Its conditions are those of Markdown, and other tags are text: it must not include content.
 * Its headings are paragraphs, because they are none of the page.
 */
export function parseDescription(source: string): Block[] {
  return mapBlocks(parseMarkdown(withConditionsOnly(source)).document.nodes, (node) => {
    if (node.type !== 'heading-1' && node.type !== 'heading-2' && node.type !== 'heading-3') return [node]
    return [paragraph(node.nodes)]
  })
}

function withConditionsOnly(source: string): string {
  const read = lookalikeReader(source)
  const parts: string[] = []
  let done = 0
  for (const at of beginningsOfTags(source)) {
    if (!source.startsWith('{%', at) || read(at)) continue
    parts.push(source.slice(done, at + 1))
    done = at + 1
  }
  return [...parts, source.slice(done)].join(' ')
}
