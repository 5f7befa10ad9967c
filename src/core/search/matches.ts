/** Where the words of a query stand in a page: for the order of the best pages, and their sections. */
import { heapSize } from '../runtime/heap-size.ts'
import { append, needItem } from '../data/lists.ts'
import { lru } from '../data/lru.ts'
import { isTurnOver, nextTurn } from '../runtime/turns.ts'
import type { Needle, Needles } from './needles.ts'
import { type NeedlePlaces, NOWHERE, type PieceRange, placesOf } from './needle-places.ts'
import { fold } from './forms/fold.ts'
import { singleSpaced } from './query.ts'
import { foldedTitle, type SearchedSection, type SearchedText, searchedText } from './searched-text.ts'
import { charactersOf, identifierOf, pairsOf, runsIn } from './words.ts'

/** A section that has words of a query. */
export interface SectionMatch {
  section: SearchedSection
  score: number
  /** Where the words are in the text, in order. */
  places: readonly WordPlace[]
}

/** How well a page answers a query. */
export interface PageMatch {
  /** 0 if no word is there. */
  score: number
  /** The sections with words of the query, the best first. */
  sections: SectionMatch[]
}

/** Where a word stands in a text. */
export interface WordPlace {
  at: number
  length: number
  word: number
}

const HEADING = 2.2
const NEAR = 0.8
const ADJACENT = 1.2
/** The distance of two words that belong together, in characters. */
const NEAR_CHARACTERS = 60
/** Half of what repetitions of a word can add is reached at this number of them. */
const HALF = 1.2
const AVERAGE_LENGTH = 800

/** So much text of a page is searched before others may have a turn. One section may be longer. */
const MOST_AT_ONCE = 50_000

/** Finds a query in a page. Takes time in proportion to its text. */
export function matchPage(page: SearchedText, needles: Needles): PageMatch {
  const matches: SectionMatch[] = []
  for (const some of fewSections(page.sections)) append(matches, matchSections(page.all, some, needles))
  return ofSections(page.title, matches, needles)
}

/** Finds a query in a page like `matchPage`, with turns for others in between. */
export async function matchPageInTurns(page: SearchedText, needles: Needles): Promise<PageMatch> {
  const matches: SectionMatch[] = []
  for (const some of fewSections(page.sections)) {
    append(matches, matchSections(page.all, some, needles))
    if (isTurnOver()) await nextTurn()
  }
  return ofSections(page.title, matches, needles)
}

function* fewSections(sections: readonly SearchedSection[]): Generator<readonly SearchedSection[]> {
  let from = 0
  let most = 0
  for (const [i, { start, end }] of sections.entries()) {
    if (i > 0 && end > most) {
      yield sections.slice(from, i)
      from = i
    }
    if (i === from) most = start + MOST_AT_ONCE
  }
  if (sections.length > 0) yield from === 0 ? sections : sections.slice(from)
}

/** The sections that have a word: most pages have few of them. */
function matchSections(
  whole: string,
  sections: readonly SearchedSection[],
  needles: Needles,
): SectionMatch[] {
  const first = sections[0]?.start ?? 0
  const ranges: PieceRange[] = []
  for (const { start, titleEnd, end } of sections)
    ranges.push(
      { start: start - first, end: titleEnd - first },
      { start: titleEnd + 1 - first, end: end - first },
    )
  const pieces = { all: whole.slice(first, sections.at(-1)?.end), ranges }
  const found = needles.words.map((needle) => placesOf(pieces, needle))
  const having = new Set<number>()
  for (const own of found) for (const piece of own.keys()) having.add(piece >> 1)
  return [...having]
    .toSorted((a, b) => a - b)
    .map((i) => matchSection(needItem(sections, i), i, found, needles))
}

function ofSections(title: string, matches: readonly SectionMatch[], needles: Needles): PageMatch {
  const best = matches.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  const bySection = (best[0]?.score ?? 0) + 0.3 * (best[1]?.score ?? 0) + 0.15 * (best[2]?.score ?? 0)
  return { score: titleScore(title, needles) + bySection / needles.total, sections: best }
}

const TITLE = 3.5
const WHOLE_TITLE = 3

/** How much of the title the query names, and whether that is all of it. */
function titleScore(title: string, { names, beginnings, whole, words, total }: Needles): number {
  const { folded, spaced, forms } = knownTitle(title)
  if (spaced === whole) return TITLE + WHOLE_TITLE
  const pieces = { all: folded, ranges: [{ start: 0, end: folded.length }] }
  const worthOf = (needle: Needle) => placesOf(pieces, needle).get(0)?.worth ?? 0
  const named = words.reduce((sum, needle) => sum + worthOf(needle) * needle.rarity, 0) / total
  if (named === 0) return 0
  const covered = forms.filter(
    (one) => names.has(one) || beginnings.some((beginning) => one.startsWith(beginning)),
  )
  const isPhrase = whole.includes(' ') && spaced.includes(whole)
  return TITLE * named * (0.5 + (0.5 * covered.length) / Math.max(1, forms.length)) + (isPhrase ? 1 : 0)
}

/** A title as it is compared. */
interface Title {
  folded: string
  /** Folded, as phrases are compared. */
  spaced: string
  forms: string[]
}

/** Searches find the same pages again and again. */
const titles = lru<Title>(2 * 1024 * 1024)

function knownTitle(title: string): Title {
  const known = titles.get(title)
  if (known) return known
  const folded = fold(title)
  const read = { folded, spaced: singleSpaced(folded), forms: formsOf(title) }
  titles.set(title, read, heapSize(read))
  return read
}

function formsOf(title: string): string[] {
  const forms: string[] = []
  for (const run of runsIn(title)) {
    if (run.isDense) append(forms, pairsOf(charactersOf(run.text)))
    else {
      const { whole, parts } = identifierOf(run.text)
      append(forms, parts.length > 0 ? parts : [whole])
    }
  }
  return forms
}

/** @param found for each word of the query, its places in the titles and texts of the sections, by turns */
function matchSection(
  section: SearchedSection,
  number: number,
  found: readonly ReadonlyMap<number, NeedlePlaces>[],
  needles: Needles,
): SectionMatch {
  const places: WordPlace[] = []
  let score = 0
  let covered = 0
  // To look for the whole query takes longer than to see that a word of it is missing.
  let isInTitle = needles.words.length > 1
  let isInText = isInTitle
  const { titleEnd, end } = section
  const norm = HALF * (0.5 + 0.5 * Math.min(4, (end - titleEnd - 1) / AVERAGE_LENGTH))
  for (const [i, needle] of needles.words.entries()) {
    const inText = needItem(found, i).get(2 * number + 1) ?? NOWHERE
    const inTitle = needItem(found, i).get(2 * number) ?? NOWHERE
    if (needle.isInWhole) {
      if (inTitle === NOWHERE) isInTitle = false
      if (inText === NOWHERE) isInText = false
    }
    const count = inText.places.length
    if (count === 0 && inTitle === NOWHERE) continue
    const { length } = inText
    for (const at of inText.places) places.push({ at, length, word: i })
    const worth = Math.max((inText.worth * count) / (count + norm), 0) + inTitle.worth * HEADING
    score += worth * needle.rarity
    covered += needle.rarity
  }
  if (score === 0) return { section, score, places }
  places.sort((a, b) => a.at - b.at)
  const share = covered / needles.total
  if (needles.words.length > 1) {
    if (isNear(places)) score += NEAR * share * needles.total
    const isAdjacent =
      (isInTitle && foldedTitle(section).includes(needles.whole)) ||
      (isInText && searchedText(section).includes(needles.whole))
    if (isAdjacent) score += ADJACENT * needles.total
    if (section.isTitled && isInTitle && singleSpaced(foldedTitle(section)) === needles.whole)
      score += needles.total
  }
  return { section, score: score * (0.3 + 0.7 * share ** 2), places }
}

/** Whether two different words stand near each other. */
function isNear(places: readonly WordPlace[]): boolean {
  return places.some((place, i) => {
    const next = places[i + 1]
    return next !== undefined && next.word !== place.word && next.at - place.at <= NEAR_CHARACTERS
  })
}
