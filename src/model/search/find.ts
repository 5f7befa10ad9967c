/** Searches the indexes of spaces for the pages that a caller may see. */
import { allWords, correctedLookups, exactLookups, lookupsOf } from '../../core/search/lookups.ts'
import type { PageMatch } from '../../core/search/matches.ts'
import { type Needles, needlesOf } from '../../core/search/needles.ts'
import { parseQuery, type Query, type QueryPhrase } from '../../core/search/query.ts'
import { raritiesOf, rankPages } from '../../core/search/rank.ts'
import { SHORTEST_MISTYPED } from '../../core/search/similar.ts'
import { giveTurn, isTurnOver, sortInTurns } from '../../core/runtime/turns.ts'
import type { Reader } from '../../db/schema.ts'
import { addCompounds } from './compounds.ts'
import { type Candidate, type Candidates, candidatesIn, type OpenSpace } from './candidates.ts'
import { languagesOf, type ReadIndex } from './entries.ts'
import type { SearchedSpace } from './searched-space.ts'
import { similarWords } from './similar-words.ts'
import { havePhrases, matchesIn, type TextLeft, textOfSearch } from './texts.ts'
import { weighWords } from './weigh-words.ts'

/** A page that a search found. */
export interface SearchHit extends Candidate {
  score: number
  /** Its place in the order, from 1. */
  rank: number
  /** Where the query stands in it, if its text was read for its place in the order. */
  match?: PageMatch
}

/** The results of a search: all pages, the best first. */
export interface SearchFindings {
  hits: SearchHit[]
  needles: Needles
  spaces: ReadonlyMap<string, SearchedSpace>
  /** The text that may still be read to show what was found. */
  left: TextLeft
}

/** So many of the best pages are read, to put them in their final order. */
const READ_MOST = 25
/** So many pages with all words of a phrase are read, to find those where the words stand side by side. */
const VERIFIED_MOST = 500
/** The pages that are not read come after those that are. */
const UNREAD = -100

/**
 * Finds the pages of spaces that answer a query. It finds only pages and text that `open` lets the caller see. Other
 * words can slightly change the order, because they count for how rare a word is, and can take the place of a correction.
 * @param open the content of a space as the caller sees it; undefined if the caller does not see the space. It is given
 * the steps that the conditions of all spaces may take together.
 * @throws the reason of `signal` once it aborts
 */
export async function findPages(
  db: Reader,
  indexes: readonly ReadIndex[],
  text: string,
  open: OpenSpace,
  signal: AbortSignal,
): Promise<SearchFindings> {
  const query = parseQuery(text, languagesOf(indexes))
  const words = allWords(query)
  const seen = candidatesIn(indexes, words.length, open, signal)
  const excluded = new Set(query.without.flatMap((one) => (isPlainWord(one) ? one.words : [])))
  // A reader who leaves out a word does not mean its other forms.
  const lookups = words.map((word) => ({
    ...(excluded.has(word) ? exactLookups(word) : lookupsOf(word)),
    isDense: word.isDense,
  }))
  await seen.add(await weighWords(db, indexes, lookups, signal))
  await addCompounds(db, indexes, query, seen, signal)
  const corrections = await correct(db, indexes, query, seen, signal)

  const positive = query.words.length + query.phrases.reduce((sum, one) => sum + one.words.length, 0)
  const total = indexes.reduce((sum, { pages }) => sum + pages.size, 0)
  const rarities = await raritiesOf(words, seen, total)
  const needles = needlesOf(query, rarities, corrections)
  const left = textOfSearch(signal)
  const isOut = await restriction(db, query, seen, left)

  const ranked = await rankPages(words.slice(0, positive), seen, rarities, isOut)
  const best = rarities.slice(0, positive).reduce((sum, one) => sum + one, 0) * Math.log2(10) || 1
  const found: SearchHit[] = []
  for (const { row, score } of ranked) {
    const { spaceId, page, entry } = seen.pages[row]!
    found.push({ spaceId, page, entry, score: score / best, rank: 0 })
    if (isTurnOver()) await giveTurn()
  }
  const hits = await sortInTurns(found, byScore)
  const { spaces } = seen
  const read = await matchesIn(db, { needles, spaces, left }, hits.slice(0, READ_MOST))
  for (const [i, hit] of hits.entries()) {
    const match = read[i]
    if (match) hit.match = match
    hit.score = rounded(hit.score + (match?.score ?? UNREAD))
  }
  const ordered = await sortInTurns(hits, byScore)
  for (const [i, hit] of ordered.entries()) hit.rank = i + 1
  return { hits: ordered, needles, spaces, left }
}

/** Where the query stands in pages that were found. Nothing is shown of those that the search may not read any more. */
export async function matchesOfHits(
  db: Reader,
  findings: Pick<SearchFindings, 'needles' | 'spaces' | 'left'>,
  hits: readonly SearchHit[],
): Promise<PageMatch[]> {
  const unread = hits.filter(({ match }) => !match)
  const read = await matchesIn(db, findings, unread)
  const matches = new Map(unread.map((hit, i) => [hit, read[i]]))
  return hits.map((hit) => hit.match ?? matches.get(hit) ?? { score: 0, sections: [] })
}

/** Scores are compared, and passed on, with six digits. */
const rounded = (score: number) => Math.round(score * 1e6) / 1e6

const byScore = (a: SearchHit, b: SearchHit) =>
  b.score - a.score || (a.page.id < b.page.id ? -1 : a.page.id > b.page.id ? 1 : 0)

/**
 * Looks for the words that no page has with typing errors corrected.
 * @returns the words that were meant, by the word that was typed
 */
async function correct(
  db: Reader,
  indexes: readonly ReadIndex[],
  query: Query,
  seen: Candidates,
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const corrections = new Map<string, string[]>()
  const numbers = indexes.map(({ number }) => number)
  for (const [i, { whole, isDense, isCommon }] of query.words.entries()) {
    if (isDense || isCommon || whole.length < SHORTEST_MISTYPED) continue
    if (await seen.has(i)) continue
    const similar = await similarWords(db, numbers, whole)
    if (similar.length === 0) continue
    corrections.set(
      whole,
      similar.map(({ word }) => word),
    )
    const lookups = similar.flatMap(({ word, errors }) => correctedLookups(word, errors))
    await seen.add(await weighWords(db, indexes, [{ whole: lookups, parts: [], isDense: false }], signal), i)
  }
  return corrections
}

/** Whether the index alone can say which pages have a phrase. */
const isPlainWord = ({ words: [word, ...others] }: QueryPhrase): boolean =>
  others.length === 0 && word?.parts.length === 0

/** Which rows are left out: pages without a phrase, and those with what the query excludes. */
async function restriction(
  db: Reader,
  { words, phrases, without }: Query,
  seen: Candidates,
  left: TextLeft,
): Promise<(row: number) => boolean> {
  const out = new Uint8Array(seen.pages.length)
  let place = words.length
  const placesOf = (some: readonly QueryPhrase[]) => {
    const size = some.reduce((sum, one) => sum + one.words.length, 0)
    place += size
    return Array.from({ length: size }, (_, i) => place - size + i)
  }
  const weightOf = (row: number, word: number) => seen.weights[row * seen.words + word]!
  /** The rows with all words in these places of the query. */
  const withWords = async (places: readonly number[]) => {
    const having: number[] = []
    for (const row of seen.pages.keys()) {
      if (out[row] === 0 && places.every((one) => weightOf(row, one) > 0)) having.push(row)
      if (isTurnOver()) await giveTurn()
    }
    return having
  }
  /** Whether the best of them have these phrases, by row. */
  const verified = async (some: readonly QueryPhrase[], places: readonly number[]) => {
    const possible: { row: number; sum: number; id: string }[] = []
    for (const row of await withWords(places)) {
      let sum = 0
      for (let word = 0; word < seen.words; word++) sum += weightOf(row, word)
      possible.push({ row, sum, id: seen.pages[row]!.page.id })
    }
    const sorted = await sortInTurns(possible, (a, b) => b.sum - a.sum || (a.id < b.id ? -1 : 1))
    const best = sorted.slice(0, VERIFIED_MOST).map(({ row }) => row)
    const pages = best.map((row) => seen.pages[row]!)
    const having = await havePhrases(db, { spaces: seen.spaces, left }, pages, some)
    return new Map(best.map((row) => [row, having.get(seen.pages[row]!.page)]))
  }

  if (phrases.length > 0) {
    const having = await verified(phrases, placesOf(phrases))
    for (const row of out.keys()) if (having.get(row) !== true) out[row] = 1
  }
  for (const phrase of without) {
    const own = placesOf([phrase])
    const possible = await withWords(own)
    // A page whose text is not read may have what the reader does not want to see.
    const having = isPlainWord(phrase) ? undefined : await verified([phrase], own)
    for (const row of possible) if (having?.get(row) !== false) out[row] = 1
  }
  return (row) => out[row] === 1
}
