import type { Block, Inline, Text } from './model.ts'

/**
 * The texts of all leaves within a block, in order; those of the blocks within it end with a line break. Ranges of a
 * block's text are counted in it, because clients have the leaves. Runs in a browser too.
 */
export function leafText(block: Block): string {
  return nodeText(block).replace(/\n$/, '')
}

function nodeText(node: Block | Inline | Text): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('')
  const fragments =
    node.object === 'block'
      ? (node.fragments ?? [])
          .flatMap(({ nodes }) => nodes)
          .map(nodeText)
          .join('')
      : ''
  const nodes = ((node.nodes ?? []) as (Block | Inline | Text)[]).map(nodeText).join('')
  return (
    fragments +
    nodes +
    (node.object === 'block' && nodes + fragments !== '' && !nodes.endsWith('\n') ? '\n' : '')
  )
}
