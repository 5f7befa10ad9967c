/** Words of a query within compounds, in languages that write them as one word: "Verwaltung" in "Benutzerverwaltung". */
import { lru } from '../../core/data/lru.ts'
import { compoundLookups } from '../../core/search/lookups.ts'
import type { Query, QueryWord } from '../../core/search/query.ts'
import { wordsWith } from '../../db/search/token-index.ts'
import type { Reader } from '../../db/schema.ts'
import type { Candidates } from './candidates.ts'
import type { ReadIndex } from './entries.ts'
import { weighWords } from './weigh-words.ts'

/** Danish, German, Estonian, Finnish, Hungarian, Dutch, Norwegian, Swedish. */
const COMPOUNDING = ['da', 'de', 'et', 'fi', 'hu', 'nl', 'no', 'sv']
/** Shorter words are in too many others by chance. */
const SHORTEST_PART = 5
/** The compounds that count for one word, and the words of an index that are compared. */
const COMPOUNDS = { among: 50_000, most: 20 }
/** The indexes in which compounds are looked for: a search of an organization can have hundreds. */
const INDEXES_MOST = 20

/** The compounds with a text, by the state of their index. Readers search for the same words again, and a scan takes milliseconds. */
const known = lru<readonly string[]>(4 * 1024 * 1024, 'search-compounds')

/** Adds the pages with compounds of the words of a query, if its indexes have pages in a language that has them. */
export async function addCompounds(
  db: Reader,
  indexes: readonly ReadIndex[],
  { words }: Query,
  seen: Candidates,
  signal: AbortSignal,
): Promise<void> {
  const compounding = indexes.filter(({ languages }) => COMPOUNDING.some((one) => languages.has(one)))
  if (compounding.length === 0) return
  for (const [i, word] of words.entries()) {
    const part = partOf(word)
    if (part === undefined) continue
    const compounds = new Set<string>()
    for (const index of compounding.slice(0, INDEXES_MOST)) {
      signal.throwIfAborted()
      for (const one of await compoundsIn(db, index, part)) compounds.add(one)
    }
    compounds.delete(word.whole)
    if (compounds.size === 0) continue
    const whole = [...compounds].flatMap(compoundLookups)
    await seen.add(await weighWords(db, indexes, [{ whole, parts: [], isDense: false }], signal), i)
  }
}

async function compoundsIn(
  db: Reader,
  { state, number }: ReadIndex,
  text: string,
): Promise<readonly string[]> {
  const key = `${number} ${state} ${text}`
  const before = known.get(key)
  if (before) return before
  const words = await wordsWith(db, { number, text }, COMPOUNDS)
  known.set(
    key,
    words,
    words.reduce((sum, word) => sum + 2 * word.length, 0),
  )
  return words
}

/** The text of a word that its compounds have: its shortest stem with which it begins. */
function partOf({ whole, parts, stems, isDense, isCommon }: QueryWord): string | undefined {
  if (isDense || isCommon || parts.length > 0) return undefined
  const texts = [whole, ...stems.filter((stem) => whole.startsWith(stem))]
  return texts.filter(({ length }) => length >= SHORTEST_PART).toSorted((a, b) => a.length - b.length)[0]
}
