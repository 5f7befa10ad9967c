/** Merges what a writer sends with what others have written to the same page since. */
import { mergeBodies } from '../merge/body.ts'
import { mergeWords } from './words.ts'

/** A part of a page that two writers changed differently. Null means that a version has no such part. */
export interface TextConflict {
  /** The key of an entry of the front matter; absent for blocks. */
  key?: string
  base: string | null
  theirs: string | null
  mine: string | null
}

/** A page as a writer read it, as others have written it since, and as the writer wants it. */
export interface ThreeWrites {
  base: string
  theirs: string
  mine: string
}

/** Merges by blocks, and within a block by words. Words that only one side changed are all in the result. */
export function mergeWrites({
  base,
  theirs,
  mine,
}: ThreeWrites): { text: string } | { conflicts: TextConflict[] } {
  const woven = mergeBodies({ base, primary: theirs, own: mine }, 'own')
  // Of all blocks together. Beyond it, more words count as changed, and conflict.
  const effort = { left: 20_000_000 }
  const conflicts: TextConflict[] = []
  let [text, at] = ['', 0]
  for (const { key, base: was, primary, own, offset, length } of woven.conflicts) {
    const merged =
      key === undefined && was !== null && primary !== null && own !== null
        ? mergeWords({ base: was, primary, own }, { strict: true, effort })
        : undefined
    if (merged === undefined)
      conflicts.push({ ...(key === undefined ? {} : { key }), base: was, theirs: primary, mine: own })
    text += woven.text.slice(at, offset) + (merged ?? '')
    at = offset + length
  }
  return conflicts.length > 0 ? { conflicts } : { text: text + woven.text.slice(at) }
}
