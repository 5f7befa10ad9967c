import type { Block, Inline, Text } from './model.ts'

/** The blocks, without those that stand within conditions, at any depth. */
export function unconditional(blocks: readonly Block[]): Block[] {
  return nodesOf(blocks)
}

function nodesOf<N extends Block | Inline | Text>(nodes: readonly N[]): N[] {
  return nodes.flatMap((node): N[] => {
    if (node.object === 'text') return [node]
    if (node.object === 'block' && node.type === 'if') return []
    const inner = node.nodes && { nodes: nodesOf<Block | Inline | Text>(node.nodes) }
    const fragments = node.fragments?.map((fragment) => ({ ...fragment, nodes: nodesOf(fragment.nodes) }))
    return [{ ...node, ...inner, ...(fragments && { fragments }) }]
  })
}
