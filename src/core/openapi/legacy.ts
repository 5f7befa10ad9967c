/** The blocks `{% swagger %}` and `{% openapi %}`, which name a specification by its address. */
import { voidBlock } from '../document/build.ts'
import { readAddress } from '../document/markdown/addresses.ts'
import { readArguments } from '../document/markdown/tags.ts'
import type { ContentRef, Document } from '../document/model.ts'
import { referenceKey } from '../document/links/references.ts'
import { mapBlocks } from '../document/map-blocks.ts'

/** An operation of a specification at an address, as it is written. */
export interface NamedOperation {
  ref: ContentRef
  path: string
  method: string
}

const MOST_NAMED = 50
const NAMING = /\{%\s*(?:swagger|openapi)\s([^%]{1,4000})%\}/g
const ANY = /\{%\s*(?:swagger|openapi|api-method)\b/

/** Whether a Markdown source has such a block, or an operation that is written out. */
export const hasLegacyBlocks = (source: string) => ANY.test(source)

/** The operations that the blocks of a Markdown source name, and perhaps more, such as those in code. */
export function operationsNamedIn(source: string): NamedOperation[] {
  const found: NamedOperation[] = []
  for (const [, written = ''] of source.matchAll(NAMING)) {
    const args = readArguments(written)
    const [address, path, method] = [args.get('src') ?? args.get('url'), args.get('path'), args.get('method')]
    if (address && path && method) found.push({ ref: readAddress(address), path, method })
    if (found.length === MOST_NAMED) break
  }
  return found
}

/** Turns blocks into those of the specifications that they mean. @param names by `referenceKey` */
export function asOperations(document: Document, names: ReadonlyMap<string, string>): Document {
  if (names.size === 0) return document
  const nodes = mapBlocks(document.nodes, (node) => {
    if (node.type !== 'swagger') return [node]
    const { ref, path, method } = node.data
    const spec = ref && names.get(referenceKey(ref))
    if (spec === undefined || path === undefined || method === undefined) return [node]
    const made = voidBlock('openapi-operation', { ref: { kind: 'openapi', spec }, path, method })
    return [node.meta ? { ...made, meta: node.meta } : made]
  })
  return { ...document, nodes }
}
