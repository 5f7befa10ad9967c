import type { Block, Inline, Text } from '../model.ts'

/** The nodes, without the blocks that stand within conditions, at any depth. */
export function unconditional<N extends Block | Inline | Text>(nodes: readonly N[]): N[] {
  return nodes.flatMap((node): N[] => {
    if (node.object === 'text') return [node]
    if (node.object === 'block' && node.type === 'if') return []
    const inner = node.nodes && { nodes: unconditional<Block | Inline | Text>(node.nodes) }
    const fragments = node.fragments?.map((one) => ({ ...one, nodes: unconditional(one.nodes) }))
    return [{ ...node, ...inner, ...(fragments && { fragments }) }]
  })
}
