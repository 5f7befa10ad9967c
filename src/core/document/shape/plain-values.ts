/** The values of blocks and inlines that are no Markdown, so that nothing evaluates a condition in them. */
import type { Block, Inline, Text } from '../model.ts'

/** A value, which has texts in it, in the data of a block or inline. */
export interface PlainValue {
  data: Record<string, unknown>
  name: string
  path: string
}

/** The values of tags, such as the title of a tab, by the type of the block. */
const VALUES: Partial<Record<Block['type'] | Inline['type'], readonly string[]>> = {
  hint: ['icon'],
  code: ['title'],
  embed: ['url'],
  'tabs-item': ['title', 'icon'],
  'stepper-step': ['icon'],
  integration: ['props', 'url'],
  swagger: ['path', 'method', 'baseUrl', 'summary'],
  'openapi-operation': ['path', 'method'],
  'openapi-schemas': ['schemas'],
  'openapi-webhook': ['name', 'method'],
  update: ['date', 'tags'],
  prompt: ['description', 'icon'],
}
/** Texts and addresses outside of the text of a page. */
const BESIDE_TEXT = ['alt', 'caption', 'ref', 'refDark', 'records'] as const

/**
 * The values in which a condition hides nothing. Alternative texts and addresses within a condition are not among them: in
 * the Markdown of a page, a condition in one hides the block, and a document that was read from it has the block within it.
 * @param path of the nodes in the document
 */
export function* plainValues(
  nodes: readonly (Block | Inline | Text)[],
  path: string,
  isHidden = false,
): Generator<PlainValue> {
  for (const [i, node] of nodes.entries()) {
    if (node.object === 'text') continue
    const at = `${path}.${i}`
    const data = node.data as Record<string, unknown>
    for (const name of [...(VALUES[node.type] ?? []), ...(isHidden ? [] : BESIDE_TEXT)])
      if (data[name] !== undefined) yield { data, name, path: `${at}.data.${name}` }
    const isInside = isHidden || node.type === 'if' || node.type === 'inline-if'
    yield* plainValues(node.nodes ?? [], `${at}.nodes`, isInside)
    for (const [j, fragment] of (node.fragments ?? []).entries())
      yield* plainValues(fragment.nodes, `${at}.fragments.${j}.nodes`, isInside)
  }
}
