/** Reads the text of pages that a search found, as much as one search may read. */
import { matchPageInTurns, type PageMatch } from '../../core/search/matches.ts'
import type { Needles } from '../../core/search/needles.ts'
import {
  lengthOf,
  type SearchedSection,
  type SearchedSections,
  searchedSections,
  type SearchedText,
} from '../../core/search/searched-text.ts'
import { hasPhrases } from '../../core/search/phrases.ts'
import type { QueryPhrase } from '../../core/search/query.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'
import { sectionsOfEntries } from './entries.ts'
import type { SearchedSpace } from './searched-space.ts'

/** The page of an entry. */
interface PlacedPage {
  spaceId: string
  page: PageRecord
  entry: number
}

/** The amount of text that a search may still read, in UTF-16 code units. */
export interface TextLeft {
  /** To look for phrases. */
  phrases: number
  /** To look for the words of the query: for the order of the best pages, and for what is shown of them. */
  words: number
  /** Aborts when nobody waits for the search any more. */
  signal: AbortSignal
}

/** Returns the amount of text that one search may read. */
export const textOfSearch = (signal: AbortSignal): TextLeft => ({
  phrases: 8_000_000,
  words: 16_000_000,
  signal,
})

/** Pages whose text is read by one statement: together at most a few megabytes. */
const READ_AT_ONCE = 8
/** The forms of three or four words. A query with more of them may read less text, because it takes longer. */
const FORMS = 8

type Spaces = ReadonlyMap<string, SearchedSpace>

/** Where the words of a query stand in pages; undefined for those that are beyond what the search may read. */
export async function matchesIn(
  db: Reader,
  { needles, spaces, left }: { needles: Needles; spaces: Spaces; left: TextLeft },
  pages: readonly PlacedPage[],
): Promise<(PageMatch | undefined)[]> {
  const matches: (PageMatch | undefined)[] = []
  const forms = needles.words.reduce((sum, word) => sum + word.forms.length + word.parts.length, 0)
  const factor = Math.max(1, forms / FORMS)
  for (const some of chunks(pages, READ_AT_ONCE)) {
    if (left.words <= 0) break
    left.signal.throwIfAborted()
    const sections = await sectionsOfEntries(db, some)
    for (const one of some) {
      const text = await visibleText(one, spaces.get(one.spaceId)!, sections.get(one.entry))
      left.words -= (text.title.length + text.length) * factor
      matches.push(left.words < 0 ? undefined : await matchPageInTurns(text, needles))
    }
  }
  return pages.map((_, i) => matches[i])
}

/** Whether pages have all of these phrases; those beyond what the search may read are left out. */
export async function havePhrases(
  db: Reader,
  { spaces, left }: { spaces: Spaces; left: TextLeft },
  pages: readonly PlacedPage[],
  phrases: readonly QueryPhrase[],
): Promise<Map<PageRecord, boolean>> {
  const having = new Map<PageRecord, boolean>()
  for (const some of chunks(pages, READ_AT_ONCE)) {
    if (left.phrases <= 0) break
    left.signal.throwIfAborted()
    const sections = await sectionsOfEntries(db, some)
    for (const one of some) {
      const text = await visibleText(one, spaces.get(one.spaceId)!, sections.get(one.entry))
      left.phrases -= text.title.length + text.length
      if (left.phrases >= 0) having.set(one.page, hasPhrases(text, phrases))
      await giveTurn()
    }
  }
  return having
}

const NO_TEXT = searchedSections([])

/** The text of a page that the caller may see. */
async function visibleText(
  { page }: PlacedPage,
  space: SearchedSpace,
  searched: SearchedSections = NO_TEXT,
): Promise<SearchedText> {
  const { title } = page
  if (searched.isOpen) return { title, ...searched }
  const sections: SearchedSection[] = []
  for (const one of searched.sections) {
    const { when } = one
    if (when === undefined || space.meets(page, when)) sections.push(one)
    if (isTurnOver()) await giveTurn()
  }
  return { ...searched, title, sections, length: lengthOf(sections) }
}
