/** Merges what a writer sends with what others have written to the same page since. */
import { append } from '../../data/lists.ts'
import { mergeBodies } from '../merge/body.ts'
import { type SourceEdit, followMoves, withEdits } from './moved-blocks.ts'
import { lostFootnotes } from './lost-footnotes.ts'
import type { TextConflict, ThreeWrites } from './three-writes.ts'
import { mergeWords } from './word-merge.ts'

/**
 * Merges by blocks, and within a block by words. Words that only one side changed are all in the result. A block that one
 * side moved has the words of the other at its new place.
 */
export function mergeWrites({
  base,
  theirs,
  mine,
}: ThreeWrites): { text: string } | { conflicts: TextConflict[] } {
  const woven = mergeBodies({ base, primary: theirs, own: mine }, 'own')
  // Of all blocks together. Beyond it, more words count as changed, and conflict.
  const effort = { left: 20_000_000 }
  const conflicts: TextConflict[] = []
  const edits: SourceEdit[] = []
  const follow = followMoves(woven.text)
  for (const { key, base: was, primary, own, offset, length } of woven.conflicts) {
    const found = editsOf()
    if (found) append(edits, found)
    else conflicts.push({ ...(key === undefined ? {} : { key }), base: was, theirs: primary, mine: own })

    function editsOf(): SourceEdit[] | undefined {
      if (key !== undefined || was === null) return undefined
      if (primary !== null && own !== null) {
        const text = mergeWords({ base: was, primary, own }, effort)
        return text === undefined ? undefined : [{ offset, length, text }]
      }
      const [mover, changed] = own === null ? [mine, primary] : [theirs, own]
      return changed === null ? undefined : follow(mover, { base: was, changed, offset, length })
    }
  }
  if (conflicts.length > 0) return { conflicts }
  const text = withEdits(woven.text, edits)
  const lost = lostFootnotes({ base, theirs, mine }, text)
  return lost.length > 0 ? { conflicts: lost } : { text }
}
