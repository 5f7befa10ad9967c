/** The numbers, boxes and bullets of the items of lists, for items that are shown one by one. */
import type { ReactNode } from 'react'
import type { Block } from '../../../core/document/model.ts'
import { blocksIn, TaskBox } from './shown/blocks.tsx'

/** Returns the marker before each item of the lists among blocks and within them, by the keys of the items. */
export function itemSigns(
  blocks: readonly Block[],
  signs = new Map<string, ReactNode>(),
): ReadonlyMap<string, ReactNode> {
  for (const block of blocks) {
    const inner = blocksIn(block)
    for (const [i, { key, type }] of inner.entries())
      if (key !== undefined && type === 'list-item') signs.set(key, signOf(block, i))
    itemSigns(inner, signs)
  }
  return signs
}

function signOf(list: Block, index: number): ReactNode {
  if (list.type === 'list-ordered') return `${(list.data.start ?? 1) + index}.`
  if (list.type !== 'list-tasks') return '•'
  const item = list.nodes[index]
  return <TaskBox isDone={item?.type === 'list-item' && item.data.checked === true} />
}

/** An item with what is before it. */
export function WithSign({ sign, children }: { sign: ReactNode; children: ReactNode }) {
  return (
    <div className="signed-item">
      <span className="item-sign">{sign}</span>
      <div>{children}</div>
    </div>
  )
}
