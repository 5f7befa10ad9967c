/** The pages that the indexes found, as far as a caller sees them. */
import type { SharedSteps } from '../../core/expression/expression.ts'
import { stepsOfAnswer } from '../../core/expression/expression.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageWeights } from '../../core/search/rank.ts'
import type { EntryWeights } from '../../core/search/weigh.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { type FoundRecords, type ReadIndex, recordIn, recordsIn } from './entries.ts'
import type { SearchedSpace } from './searched-space.ts'
import type { WordWeights } from './weigh-words.ts'

/** Loads a space as the caller sees it. @param steps what the conditions of all spaces may take together */
export type OpenSpace = (spaceId: string, steps: SharedSteps) => Promise<SearchedSpace | undefined>

/** A page that an index found. */
export interface Candidate {
  spaceId: string
  page: PageRecord
  /** The id of its entry. */
  entry: number
}

/** The pages that were found so far, each with its row of weights. */
export interface Candidates extends PageWeights {
  readonly pages: readonly Candidate[]
  readonly spaces: ReadonlyMap<string, SearchedSpace>
  /** Adds what the indexes found for words of the query. @param from the place of the first of these words */
  add: (weighed: WordWeights, from?: number) => Promise<void>
  /** Whether a page has a word, by the place of the word. */
  has: (word: number) => Promise<boolean>
}

/** The entries that are read before others may have a turn. */
const ENTRIES_AT_ONCE = 500

/**
 * Starts an empty list of pages.
 * @param words the number of words in the query
 * @param open is asked for a space as soon as something is found in it
 */
export function candidatesIn(
  indexes: readonly ReadIndex[],
  words: number,
  open: OpenSpace,
  signal: AbortSignal,
): Candidates {
  const steps = stepsOfAnswer()
  const spaces = new Map<string, SearchedSpace>()
  const closed = new Set<string>()
  const pages: Candidate[] = []
  const weights: number[] = []
  /** For each entry of an index: its row, or one of the following. */
  const rows = indexes.map(({ size }) => new Int32Array(size))
  /** The row of each page of an index, plus one. */
  const rowsOfPages = indexes.map((index) => new Int32Array(index.pages.size))

  async function openSpace(spaceId: string): Promise<SearchedSpace | undefined> {
    if (!spaces.has(spaceId) && !closed.has(spaceId)) {
      const opened = await open(spaceId, steps)
      if (opened) spaces.set(spaceId, opened)
      else closed.add(spaceId)
    }
    return spaces.get(spaceId)
  }

  /** The row of the page of an entry, which is added if it is not known; HIDDEN if the caller does not see it. */
  function rowOf(place: number, entry: number, space: SearchedSpace, records: FoundRecords): number {
    const index = indexes[place]!
    const { page: known, when } = index.entries[entry]!
    const page = recordIn(space.tree, records, known)
    if (!page || !space.sees(page) || !space.meets(page, when)) return HIDDEN
    const before = rowsOfPages[place]![known.number]!
    if (before > 0) return before - 1
    pages.push({ spaceId: index.spaceId, page, entry: known.entry })
    for (let i = 0; i < words; i++) weights.push(0)
    rowsOfPages[place]![known.number] = pages.length
    return pages.length - 1
  }

  async function addWord(
    place: number,
    { entries, weights: own }: EntryWeights,
    word: number,
  ): Promise<void> {
    if (entries.length === 0) return
    const index = indexes[place]!
    const known = rows[place]!
    const space = await openSpace(index.spaceId)
    if (!space) return
    const records = recordsIn(index, space.tree)
    for (let i = 0; i < entries.length; i++) {
      if (i % ENTRIES_AT_ONCE === 0 && isTurnOver()) {
        await giveTurn()
        signal.throwIfAborted()
      }
      const entry = entries[i]!
      let row = known[entry]! - ROW
      if (row === UNKNOWN) {
        row = rowOf(place, entry, space, records)
        known[entry] = row + ROW
      }
      if (row === HIDDEN) continue
      const at = row * words + word
      if (own[i]! > weights[at]!) weights[at] = own[i]!
    }
  }

  return {
    words,
    weights,
    pages,
    spaces,
    async add(weighed, from = 0) {
      for (const [place, byWord] of weighed.entries())
        for (const [i, own] of byWord.entries()) await addWord(place, own, from + i)
    },
    async has(word) {
      for (let row = 0; row < pages.length; row++) {
        if (weights[row * words + word]! > 0) return true
        if (row % ENTRIES_AT_ONCE === 0 && isTurnOver()) await giveTurn()
      }
      return false
    },
  }
}

/** Rows are stored with this added, because an array of integers starts with zeros. */
const ROW = 2
const UNKNOWN = -2
const HIDDEN = -1
