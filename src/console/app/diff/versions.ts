/** Two versions of a page, and what is said about the later one. */
import { createContext, type ReactNode, useContext } from 'react'
import { type BlockChange, diffEffort } from '../../../core/content/edit/block-diff.ts'
import type { Block } from '../../../core/document/model.ts'
import { blocksIn } from './shown/blocks.tsx'
import { itemSigns } from './item-signs.tsx'
import { type TableChanges, tablesIn } from './table-changes.ts'

/** The tools that are shown with the differences. */
export interface DiffTools {
  /** Returns the elements below a block of the later version: its comments, and the way to write one. */
  below(block: Block): ReactNode
  /** Whether something is said about a block, so that it is never folded away. */
  isDiscussed(key: string): boolean
  /** Returns the comments on a block within the one that is shown. */
  within(block: Block): ReactNode
  /** Returns the comments on a block whose parts are shown one by one, and the way to write more. */
  around(block: Block): ReactNode
  /** Returns the button that reverts a change of the page; missing if the caller cannot revert it. */
  putBack?(index: number): ReactNode
}

/** The data from which the differences of a page are shown. */
export interface Versions {
  before: ReadonlyMap<string, Block>
  after: ReadonlyMap<string, Block>
  /** The differences of tables, by their keys in the later version. */
  tables: ReadonlyMap<string, TableChanges>
  /** The markers before the items of lists, by the keys of the items in each version. */
  signs: Record<'before' | 'after', ReadonlyMap<string, ReactNode>>
  tools: DiffTools | undefined
}

export const InVersions = createContext<Versions>({
  before: new Map(),
  after: new Map(),
  tables: new Map(),
  signs: { before: new Map(), after: new Map() },
  tools: undefined,
})

function byKey(blocks: readonly Block[], found = new Map<string, Block>()): Map<string, Block> {
  for (const block of blocks) {
    if (block.key !== undefined) found.set(block.key, block)
    byKey(blocksIn(block), found)
  }
  return found
}

/** The blocks of two versions of a page, prepared to show what differs. */
export function versionsOf(
  [was, is]: [readonly Block[], readonly Block[]],
  changes: readonly BlockChange[],
  effort = diffEffort(),
): Omit<Versions, 'tools'> {
  const [before, after] = [byKey(was), byKey(is)]
  return {
    before,
    after,
    tables: tablesIn(changes, { before, after }, effort),
    signs: { before: itemSigns(was), after: itemSigns(is) },
  }
}

/** Whether a block is the same, and nothing is said about it or a block in it. */
export function useQuiet(): (one: BlockChange) => boolean {
  const { after, tools } = useContext(InVersions)
  return (one) => {
    if (one.change !== 'same') return false
    const block = after.get(one.after)
    return !tools || !block || discussedIn([block], tools).length === 0
  }
}

/** The blocks about which something is said, among some and within them. */
export function discussedIn(blocks: readonly Block[], tools: DiffTools): Block[] {
  return blocks.flatMap((block) => [
    ...(block.key !== undefined && tools.isDiscussed(block.key) ? [block] : []),
    ...discussedIn(blocksIn(block), tools),
  ])
}
