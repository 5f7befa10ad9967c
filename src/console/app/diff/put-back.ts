/** The content of a batch that reverts one change of a page. Pure. */
import type { BlockChange } from '../../../core/content/edit/block-diff.ts'
import type { Block, Document } from '../../../core/document/model.ts'

type Entry = { keep: string } | Block

/**
 * The blocks of the later version with one of its changes taken back; undefined if the change cannot be taken back
 * alone, such as a move.
 * @param changes those of the whole page, in order
 */
export function withoutChange(
  before: Document,
  after: Document,
  changes: readonly BlockChange[],
  index: number,
): Entry[] | undefined {
  const change = changes[index]
  if (!change || change.change === 'same' || change.change === 'moved') return undefined
  const was = 'before' in change ? before.nodes.find(({ key }) => key === change.before) : undefined
  const entries = after.nodes.map(({ key = '' }): Entry => ({ keep: key }))
  const placeOf = (key: string) => after.nodes.findIndex((block) => block.key === key)
  if (change.change === 'deleted') {
    if (!was) return undefined
    const { key: _key, ...block } = was
    entries.splice(placeBefore(changes, index, placeOf), 0, block as Block)
    return entries
  }
  const at = placeOf(change.after)
  if (at < 0 || (change.change === 'changed' && (!was || change.moved))) return undefined
  if (was) entries[at] = { ...was, key: change.after }
  else entries.splice(at, 1)
  return entries
}

/** The place after the nearest block before a change that the later version has too. */
function placeBefore(
  changes: readonly BlockChange[],
  index: number,
  placeOf: (key: string) => number,
): number {
  for (let i = index - 1; i >= 0; i--) {
    const one = changes[i]!
    if ('after' in one && one.change !== 'moved') return placeOf(one.after) + 1
  }
  return 0
}
