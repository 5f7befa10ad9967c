/** Reads reusable contents as pages include them. */
import { block, filled } from './build.ts'
import type { Document } from './model.ts'
import { parsePage } from './parse.ts'
import type { ParseOptions } from './parse.ts'

/** The document of a reusable content. The condition of its front matter hides all of it, wherever it is included. */
export function parseIncluded(source: string, options?: ParseOptions): Document {
  const { document, meta } = parsePage(source, options)
  if (meta.condition === undefined) return document
  return { ...document, nodes: [block('if', { expression: meta.condition }, filled(document.nodes))] }
}
