/** What a block consists of: blocks, or a line of text and inlines. */
import type { Line } from '../../document/build.ts'
import type { Block, Inline, Text } from '../../document/model.ts'

/** Whether a block consists of text. */
export function isLine(block: Block): boolean {
  return block.nodes?.[0] !== undefined && block.nodes[0].object !== 'block'
}

/** The blocks directly within a block. */
export function blockParts({ nodes, fragments = [] }: Block): Block[] {
  const inNodes = ((nodes ?? []) as (Block | Inline | Text)[]).flatMap((node) =>
    node.object === 'block' ? [node] : [],
  )
  return [...fragments.flatMap((fragment) => fragment.nodes), ...inNodes]
}

/** The inlines in a line, at any depth, in order. */
export function* inlinesIn(block: Block): Generator<Inline> {
  const open = [...((block.nodes ?? []) as Line)].toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.object === 'text') continue
    yield node
    for (const inner of (node.nodes ?? []).toReversed()) open.push(inner)
  }
}
