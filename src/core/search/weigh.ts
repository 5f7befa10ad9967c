/** Weighs the entries of an index for a query, from the answers to its lookups. */
import { needItem } from '../data/lists.ts'
import { isTurnOver, nextTurn } from '../runtime/turns.ts'
import { type TokenLookup, PARTS, type WordLookups } from './lookups.ts'

/** The lookups of a query in one list, as they are asked. */
export interface LookupPlan {
  lookups: TokenLookup[]
  /** For each word: the places in the list of the lookups of the whole word, and of each of its parts. */
  words: { whole: number[]; parts: number[][]; isDense: boolean }[]
}

/** Puts the lookups of words into one list. */
export function planLookups(words: readonly (WordLookups & { isDense: boolean })[]): LookupPlan {
  const lookups: TokenLookup[] = []
  const add = (some: TokenLookup[]) => some.map((one) => lookups.push(one) - 1)
  return {
    words: words.map(({ whole, parts, isDense }) => ({ whole: add(whole), parts: parts.map(add), isDense })),
    lookups,
  }
}

/** All parts of a word of dense text are there, but perhaps not side by side. */
const PAIRS = 0.9

/** The entries of an index that have a word, by their places in the index, and what each is worth for it. */
export interface EntryWeights {
  entries: Uint32Array
  weights: Float64Array
}

/**
 * For each word of the plan, what the entries of one index are worth.
 * @param found the places of the entries that each lookup found
 * @param size the number of entries of the index
 */
export async function weighEntries(
  { lookups, words }: LookupPlan,
  found: readonly (readonly number[])[],
  size: number,
): Promise<EntryWeights[]> {
  // A frequent word is in all pages of a space, so each word gives others a turn.
  const best = async (places: readonly number[]) => {
    const weights = new Float64Array(size)
    for (const place of places) {
      const { weight } = needItem(lookups, place)
      for (const entry of needItem(found, place)) if (weight > (weights[entry] ?? 0)) weights[entry] = weight
    }
    if (isTurnOver()) await nextTurn()
    return weights
  }
  const weighed: EntryWeights[] = []
  for (const { whole, parts, isDense } of words) {
    const weights = await best(whole)
    let least: Float64Array | undefined
    for (const part of parts) {
      const own = await best(part)
      least = least?.map((weight, i) => Math.min(weight, own[i] ?? 0)) ?? own
    }
    const factor = isDense ? PAIRS : PARTS
    weighed.push(havingSome(least?.map((weight, i) => Math.max(weights[i] ?? 0, weight * factor)) ?? weights))
  }
  return weighed
}

/** Most words are in few entries. */
function havingSome(weights: Float64Array): EntryWeights {
  const entries: number[] = []
  for (const [entry, weight] of weights.entries()) if (weight > 0) entries.push(entry)
  return { entries: Uint32Array.from(entries), weights: weights.filter((weight) => weight > 0) }
}
