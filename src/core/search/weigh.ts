/** What the entries of an index are worth for a query, from the answers to its lookups. */
import { isTurnOver, nextTurn } from '../turns.ts'
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

/**
 * For each word of the plan, what each entry of one index is worth, by its place among the entries.
 * @param found the places of the entries that each lookup found
 * @param size the number of entries of the index
 */
export async function weighEntries(
  { lookups, words }: LookupPlan,
  found: readonly Uint32Array[],
  size: number,
): Promise<Float64Array[]> {
  // A frequent word is in all pages of a space, so each word gives others a turn.
  const best = async (places: readonly number[]) => {
    const weights = new Float64Array(size)
    for (const place of places) {
      const { weight } = lookups[place]!
      for (const entry of found[place]!) if (weight > weights[entry]!) weights[entry] = weight
    }
    if (isTurnOver()) await nextTurn()
    return weights
  }
  const weighed: Float64Array[] = []
  for (const { whole, parts, isDense } of words) {
    const weights = await best(whole)
    let least: Float64Array | undefined
    for (const part of parts) {
      const own = await best(part)
      if (least) for (let i = 0; i < size; i++) own[i] = Math.min(own[i]!, least[i]!)
      least = own
    }
    const factor = isDense ? PAIRS : PARTS
    if (least) for (let i = 0; i < size; i++) weights[i] = Math.max(weights[i]!, least[i]! * factor)
    weighed.push(weights)
  }
  return weighed
}
