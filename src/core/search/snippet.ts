/** The text around the words of a query. */
import { needItem } from '../data/lists.ts'
import type { SectionMatch, WordPlace } from './matches.ts'
import type { Needles } from './needles.ts'
import { lengthOfText, searchedText, writtenText } from './searched-text.ts'

/** The characters of a snippet. */
const SNIPPET = 200
const BEFORE = 50

/** A piece of text, and whether it is a word of the query. */
export interface SnippetPart {
  text: string
  isMatch: boolean
}

/** The text around the place of a section where most words of the query are, on one line. */
export function snippetOf({ section, places }: SectionMatch, needles: Needles): SnippetPart[] {
  const { start, end } = boundsOf(searchedText(section), places, needles)
  const parts: SnippetPart[] = []
  let done = start
  const put = (upTo: number, isMatch: boolean) => {
    const some = onOneLine(writtenText(section, done, upTo))
    if (some !== '') parts.push({ text: some, isMatch })
    done = upTo
  }
  if (start > 0) parts.push({ text: '…', isMatch: false })
  for (const { at, length } of places) {
    if (at < done || at + length > end) continue
    put(at, false)
    put(at + length, true)
  }
  put(end, false)
  if (end < lengthOfText(section)) parts.push({ text: '…', isMatch: false })
  return parts
}

/** The same text without its parts. */
export function plainSnippet({ section, places }: SectionMatch, needles: Needles): string {
  const { start, end } = boundsOf(searchedText(section), places, needles)
  const shown = onOneLine(writtenText(section, start, end))
  return `${start > 0 ? '…' : ''}${shown}${end < lengthOfText(section) ? '…' : ''}`.trim()
}

/** Most white space is a space between two words. */
const onOneLine = (text: string) => text.toWellFormed().replace(/\s{2,}|[^\S ]/g, ' ')

function boundsOf(text: string, places: readonly WordPlace[], needles: Needles) {
  const start = startOfSnippet(text, places, needles)
  return { start, end: Math.min(text.length, wordEnd(text, start + SNIPPET)) }
}

function startOfSnippet(text: string, places: readonly WordPlace[], needles: Needles): number {
  let best = { at: 0, worth: -1 }
  /** How often each word is in the window that starts at a place. */
  const words = needles.words.map(({ rarity }) => ({ rarity, count: 0 }))
  const entering = places.values()
  let next = entering.next().value
  for (const { at, word } of places) {
    for (; next && next.at < at + SNIPPET - BEFORE; next = entering.next().value)
      needItem(words, next.word).count++
    const worth = words.reduce((sum, { rarity, count }) => (count > 0 ? sum + rarity : sum), 0)
    if (worth > best.worth) best = { at, worth }
    needItem(words, word).count--
  }
  if (best.at <= BEFORE) return 0
  const from = best.at - BEFORE
  const space = text.slice(from, best.at).search(/\s/)
  return space < 0 ? withinPair(text, from) : from + space + 1
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.slice(at - 30, at).lastIndexOf(' ')
  return space <= 0 ? withinPair(text, at) : at - 30 + space
}

/** Not between the two halves of a character. */
const withinPair = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)
