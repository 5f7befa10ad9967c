/** Where the words of a query stand in a page: for the order of the best pages, and their sections. */
import { append } from '../lists.ts'
import { eachInTurns } from '../turns.ts'
import { afterWord, isLetterAt, type NeedleForm, type Needles, NOWHERE, placesOf, SHORT } from './needles.ts'
import { foldedText, type QueryPhrase } from './query.ts'
import {
  MOST_MATCHED,
  type SearchedSection,
  type SearchedSections,
  type SearchedText,
} from './searched-text.ts'
import type { PageSection } from './sections.ts'
import { charactersOf, identifierOf, isAscii, pairsOf, runsIn } from './words.ts'

/** A section that has words of a query. */
export interface SectionMatch {
  section: PageSection
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

const HEADING = 2.5
const NEAR = 0.8
const ADJACENT = 1.2
/** The distance of two words that belong together, in characters. */
const NEAR_CHARACTERS = 60
/** Half of what repetitions of a word can add is reached at this number of them. */
const HALF = 1.2
const AVERAGE_LENGTH = 800

/** Finds a query in a page. Takes time in proportion to its text. */
export function matchPage(page: SearchedText, needles: Needles): PageMatch {
  const there = matchable(page, needles)
  const matches = there.sections.map((section) => matchSection(section, there.needles))
  return ofSections(page.title, matches, needles)
}

/** Finds a query in a page like `matchPage`, with turns for others in between. */
export async function matchPageInTurns(page: SearchedText, needles: Needles): Promise<PageMatch> {
  const there = matchable(page, needles)
  const matches: SectionMatch[] = []
  await eachInTurns(there.sections, (section) => matches.push(matchSection(section, there.needles)))
  return ofSections(page.title, matches, needles)
}

/** A longer text is searched section by section, with turns for others in between. */
const MOST_AT_ONCE = 50_000

/** The sections that have a form of a word, and the forms that a section has: most pages have few of either. */
function matchable(
  { sections, all }: SearchedSections,
  needles: Needles,
): { sections: readonly SearchedSection[]; needles: Needles } {
  if (all.length > MOST_AT_ONCE) return { sections, needles }
  const having = new Set<SearchedSection>()
  const isThere = ({ text: form }: NeedleForm): boolean => {
    let isFound = false
    let next = 0
    let at = all.indexOf(form)
    while (at >= 0) {
      while (next < sections.length && endOf(sections[next]!) <= at) next++
      const section = sections[next]
      if (!section) break
      // Between two sections that the caller sees, there can be some that they do not see.
      if (section.at <= at) {
        isFound = true
        having.add(section)
        next++
      }
      at = next < sections.length ? all.indexOf(form, sections[next]!.at) : -1
    }
    return isFound
  }
  const words = needles.words.map((word) => ({
    ...word,
    forms: word.forms.filter(isThere),
    parts: word.parts.filter(isThere),
  }))
  return { sections: sections.filter((section) => having.has(section)), needles: { ...needles, words } }
}

const endOf = ({ at, title, text }: SearchedSection) => at + title.length + 1 + text.length

function ofSections(title: string, matches: readonly SectionMatch[], needles: Needles): PageMatch {
  const best = matches.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  const bySection = (best[0]?.score ?? 0) + 0.3 * (best[1]?.score ?? 0) + 0.15 * (best[2]?.score ?? 0)
  return { score: titleScore(title, needles) + bySection / needles.total, sections: best }
}

const TITLE = 3
const WHOLE_TITLE = 3

/** How much of the title the query names, and whether that is all of it. */
function titleScore(title: string, { names, whole, words, total }: Needles): number {
  const folded = foldedText(title)
  if (folded === whole) return TITLE + WHOLE_TITLE
  const lower = title.toLowerCase()
  const named = words.reduce((sum, needle) => sum + placesOf(lower, needle).worth * needle.rarity, 0) / total
  if (named === 0) return 0
  const forms = formsOf(title)
  const covered = forms.filter(
    (one) => names.has(one) || [...names].some((name) => name.length >= SHORT && one.startsWith(name)),
  )
  const isPhrase = whole.includes(' ') && folded.includes(whole)
  return TITLE * named * (0.4 + (0.6 * covered.length) / Math.max(1, forms.length)) + (isPhrase ? 1 : 0)
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

function matchSection({ section, title, text }: SearchedSection, needles: Needles): SectionMatch {
  const places: WordPlace[] = []
  let score = 0
  let covered = 0
  for (const [i, needle] of needles.words.entries()) {
    const inText = placesOf(text, needle)
    const inTitle = title === '' ? NOWHERE : placesOf(title, needle)
    const count = inText.places.length
    if (count === 0 && inTitle === NOWHERE) continue
    const { length } = inText
    for (const at of inText.places) places.push({ at, length, word: i })
    const norm = HALF * (0.5 + 0.5 * Math.min(4, text.length / AVERAGE_LENGTH))
    const worth = Math.max((inText.worth * count) / (count + norm), 0) + inTitle.worth * HEADING
    score += worth * needle.rarity
    covered += needle.rarity
  }
  if (score === 0) return { section, score, places }
  places.sort((a, b) => a.at - b.at)
  const share = covered / needles.total
  if (needles.words.length > 1) {
    if (isNear(places)) score += NEAR * share * needles.total
    if (title.includes(needles.whole) || text.includes(needles.whole)) score += ADJACENT * needles.total
    if (title !== '' && foldedText(title) === needles.whole) score += needles.total
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

/** Whether a page has each phrase. Takes time in proportion to its text and the number of phrases. */
export function hasPhrases({ title, sections }: SearchedText, phrases: readonly QueryPhrase[]): boolean {
  if (phrases.length === 0) return true
  const inTitle = foldedText(title)
  return phrases.every(
    (phrase) =>
      includesPhrase(inTitle, phrase) ||
      sections.some(({ section, text }) => {
        // To fold a text takes several times as long as to search it.
        const isPossible = section.text.length > MOST_MATCHED || !isAscii(text) || hasPieces(text, phrase)
        return (
          includesPhrase(foldedText(section.title), phrase) ||
          (isPossible && includesPhrase(foldedText(section.text), phrase))
        )
      }),
  )
}

/** Whether a text in lower case has all words of a phrase, wherever they are. */
function hasPieces(text: string, { text: phrase }: QueryPhrase): boolean {
  return phrase.split(' ').every((piece) => text.includes(piece))
}

function includesPhrase(text: string, { text: phrase, isDense }: QueryPhrase): boolean {
  if (isDense) return text.includes(phrase)
  const startsWord = isLetterAt(phrase, 0)
  let at = text.indexOf(phrase)
  while (at >= 0) {
    if ((!startsWord || !isLetterAt(text, at - 1)) && !isLetterAt(text, at + phrase.length)) return true
    at = text.indexOf(phrase, startsWord ? afterWord(text, at) : at + 1)
  }
  return false
}
