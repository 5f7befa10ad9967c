import type { Block, Document, Fragment, Inline, Text } from './model.ts'

type Node = Block | Inline | Text | Fragment

/** Nodes for which strict clients require `fragments`, even if it is empty. */
const FRAGMENTED = new Set<string>(['image', 'table', 'expandable', 'annotation'])

/** Adds the fields that strict clients require: `isVoid` and `fragments`. */
export function toDocument(document: Document): Document {
  return { ...document, nodes: document.nodes.map((node) => completed(node) as Block) }
}

function completed(node: Node): Node {
  if (node.object === 'text') return node
  const nodes = node.nodes?.map((child) => completed(child))
  if (node.object === 'fragment') return { ...node, nodes } as Fragment

  const fragments = node.fragments?.map((fragment) => completed(fragment))
  return {
    ...node,
    isVoid: node.isVoid ?? false,
    ...(nodes ? { nodes } : {}),
    ...(fragments || FRAGMENTED.has(node.type) ? { fragments: fragments ?? [] } : {}),
  } as Block | Inline
}
