import type { Block } from './model.ts'

/** Replaces each block, at any depth, by the blocks that `change` returns. */
export function mapBlocks(nodes: readonly Block[], change: (block: Block) => Block[]): Block[] {
  return nodes.flatMap((node) => change(inside(node, change)))
}

function inside(node: Block, change: (block: Block) => Block[]): Block {
  const { fragments } = node
  const children = node.nodes as readonly { object: string }[] | undefined
  const isContainer = children?.some(({ object }) => object === 'block')
  if (!isContainer && !fragments) return node
  return {
    ...node,
    ...(isContainer ? { nodes: mapBlocks(children as readonly Block[], change) } : {}),
    ...(fragments
      ? { fragments: fragments.map((one) => ({ ...one, nodes: mapBlocks(one.nodes, change) })) }
      : {}),
  } as Block
}
