/** Bounds what the beginning of a word asks of the indexes: to walk over all words of a large one would take too long. */
import { type Beginning, frequentBeginnings, shortestWords } from '../../db/search/token-index.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'

/** If more words of an index begin so, only some of them are asked for. */
const WALKED_MOST = 2_000
/** The words that are read to choose from, and those that are chosen. */
const CHOICE = { among: 20_000, most: 300 }
const BEGINNINGS_AT_ONCE = 50

/** For each beginning that many words of its index have: the words that stand for all of them, by `beginningKey`. */
export async function completionsOf(
  db: Reader,
  beginnings: readonly Beginning[],
): Promise<Map<string, string[]>> {
  const distinct = [...new Map(beginnings.map((one) => [beginningKey(one), one])).values()]
  const completions = new Map<string, string[]>()
  for (const some of chunks(distinct, BEGINNINGS_AT_ONCE)) {
    for (const place of await frequentBeginnings(db, some, WALKED_MOST)) {
      const one = some[place]!
      completions.set(beginningKey(one), await shortestWords(db, one, CHOICE))
    }
    await giveTurn()
  }
  return completions
}

export const beginningKey = ({ number, text }: Beginning) => `${number} ${text}`
