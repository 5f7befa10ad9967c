/** The order of the pages that an index found. It is computed here, so that it is the same on every database. */
import { needItem } from '../data/lists.ts'
import { isTurnOver, nextTurn } from '../runtime/turns.ts'
import type { QueryWord } from './query.ts'

/**
 * The weights of pages for the words of a query: a row for each page, which has a number for each word; 0 for a word
 * that the page does not have.
 */
export interface PageWeights {
  readonly words: number
  readonly weights: readonly number[]
}

/** A page that a query found. */
export interface RankedPage {
  /** Its row. */
  row: number
  score: number
}

/** A page with fewer words than all must have the rarer ones: this share of the information of the query. */
const LEAST_COVERED = 0.6
/** So many words must be there in a short query, where each matters. */
const SHORT_QUERY = 2
/** How much more a page is worth that has all words. */
const COVERAGE_POWER = 2
/** The rows that are read before others may have a turn. */
const ROWS_AT_ONCE = 1_000

/** How much the presence of a word says, by the number of pages that have it (the inverse document frequency of BM25). */
export function rarity(pages: number, having: number): number {
  return Math.log(1 + (pages - having + 0.5) / (having + 0.5))
}

/** The rarity of each word of a query. @param total the number of pages that are searched */
export async function raritiesOf(
  words: readonly QueryWord[],
  { words: width, weights }: PageWeights,
  total: number,
): Promise<number[]> {
  const having = words.map(() => 0)
  for (let row = 0; row * width < weights.length; row++) {
    for (let i = 0; i < width; i++) if ((weights[row * width + i] ?? 0) > 0) having[i] = (having[i] ?? 0) + 1
    if (row % ROWS_AT_ONCE === 0 && isTurnOver()) await nextTurn()
  }
  return words.map(({ isCommon }, i) => rarity(total, having[i] ?? 0) * (isCommon ? 0.2 : 1))
}

/**
 * Ranks pages by what each is worth for the words of a query. In a query of three words or more, a page may lack some
 * of them; pages that have more of the query come first. If no page has every word of a short query, one is enough.
 * @param words the words that count: the first of each row
 * @param isOut whether a row is left out
 */
export async function rankPages(
  words: readonly QueryWord[],
  { words: width, weights }: PageWeights,
  rarities: readonly number[],
  isOut: (row: number) => boolean = () => false,
): Promise<RankedPage[]> {
  const kinds = words.map(({ isCommon }, i) => ({ isCommon, rarity: needItem(rarities, i) }))
  const needed = kinds.filter(({ isCommon }) => !isCommon)
  const whole = needed.reduce((sum, { rarity: own }) => sum + own, 0)
  const ranked: RankedPage[] = []
  const complete: RankedPage[] = []
  for (let row = 0; row * width < weights.length; row++) {
    if (row % ROWS_AT_ONCE === 0 && isTurnOver()) await nextTurn()
    if (isOut(row)) continue
    let covered = 0
    let score = 0
    let count = 0
    let place = row * width
    for (const { isCommon, rarity: own } of kinds) {
      const weight = weights[place++] ?? 0
      if (weight === 0) continue
      score += own * Math.log2(1 + weight)
      if (isCommon) continue
      covered += own
      count++
    }
    if (count === 0 && (needed.length > 0 || score === 0)) continue
    const isWhole = count === needed.length
    const share = whole === 0 ? 1 : covered / whole
    if (!isWhole && needed.length > SHORT_QUERY && share < LEAST_COVERED) continue
    const page = { row, score: score * share ** COVERAGE_POWER }
    ranked.push(page)
    if (isWhole) complete.push(page)
  }
  return needed.length <= SHORT_QUERY && complete.length > 0 ? complete : ranked
}
