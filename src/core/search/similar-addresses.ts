/** Finds the pages whose addresses are similar to one that no page has: moved, renamed, mistyped, or of another tool. */
import { greatest } from '../data/lists.ts'
import { eachInTurns } from '../runtime/turns.ts'
import { isAscii } from './forms/fold.ts'
import { mostErrors, typingErrors } from './similar.ts'

/** The addresses of a space, to find those that are similar to another one. */
export interface AddressIndex {
  /** The places of the pages whose addresses are similar, the most similar first. @param path without percent-encoding */
  similar(path: string, most: number): SimilarAddress[]
}

/** A page with a similar address. */
export interface SimilarAddress {
  /** The place of the page in the list that the index was made of. */
  place: number
  /** How similar the last words of the addresses are, from 0 to 1. */
  likeness: number
}

/** A client can send any address: so much of it is read, and so many words are compared letter by letter for it. */
const LONGEST_PATH = 512
const MOST_WORDS = 12
const MOST_COMPARED = 500
/** So many pages are looked at for it. */
const MOST_LOOKED_AT = 500
/** So many pages with one word at the end of their address are looked at. */
const MOST_WITH_WORD = 300
/** A longer word is compared as a whole only. */
const LONGEST_MISTYPED = 40
/** The endings of pages on other websites. */
const PAGE_ENDING = /\.(?:html?|mdx?|markdown|php|aspx?|jsp|rst|adoc)$/i
const START_PAGES = new Set(['index', 'readme', 'default'])
const LEAST_LIKENESS = 0.5
/** A page above the missing one is a worse answer than a page with the same words. */
const LIKENESS_ABOVE = 0.55

/** The words of a part of an address, without marks and in lower case. */
export function wordsOfAddress(part: string): string[] {
  const text = part.slice(0, LONGEST_PATH)
  const words = isAscii(text)
    ? text.toLowerCase().match(/[a-z0-9]+/g)
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
  return words?.slice(0, MOST_WORDS) ?? []
}

/** The parts of an address that name pages: without the ending of a file and the name of a start page. */
export function partsOfAddress(path: string): string[] {
  const parts = path.slice(0, LONGEST_PATH).split('/').filter(Boolean)
  const last = parts.pop()?.replace(PAGE_ENDING, '')
  return last === undefined || (parts.length > 0 && START_PAGES.has(last.toLowerCase()))
    ? parts
    : [...parts, last]
}

/** Makes the index of addresses, which takes a time in proportion to their number. @param paths without percent-encoding */
export async function indexAddresses(paths: readonly string[]): Promise<AddressIndex> {
  const [ends, names, wholes] = [wordTable(), wordTable(), new Map<string, number>()]
  await eachInTurns(paths.entries(), ([place, path]) => {
    const parts = partsOfAddress(path)
    const last = wordsOfAddress(parts.at(-1) ?? '')
    for (const word of new Set(last)) ends.add(word, place)
    names.add(last.join(''), place)
    const whole = wholeOf(parts)
    if (!wholes.has(whole)) wholes.set(whole, place)
  })

  function similar(path: string, most: number): SimilarAddress[] {
    const { parts, last, above } = readAddress(path)
    const name = last.join('')
    if (name === '') return []
    const budget = { left: MOST_COMPARED }
    const known = new Map<string, ReadonlyMap<string, number>>()
    const likenesses = new Map<number, number>()
    const note = (place: number, likeness: number) =>
      likenesses.set(place, Math.max(likeness, likenesses.get(place) ?? 0))

    for (let length = parts.length; length > 0; length--) {
      const place = wholes.get(wholeOf(parts.slice(0, length)))
      if (place !== undefined) note(place, length === parts.length ? 1 : LIKENESS_ABOVE)
    }
    for (const place of names.places(wordsOfAddress(parts.at(-2) ?? '').join(''))) note(place, LEAST_LIKENESS)
    for (const [found, likeness] of names.near(name, budget))
      for (const place of names.places(found)) note(place, likeness)
    for (const word of last) known.set(word, ends.near(word, budget))
    for (const place of placesWith(known).slice(0, MOST_LOOKED_AT))
      note(place, likenessOf(known, wordsOfAddress(partsOfAddress(paths[place] ?? '').at(-1) ?? '')))
    return bestOf(likenesses, { paths, above, most })
  }

  const placesWith = (known: ReadonlyMap<string, ReadonlyMap<string, number>>) => {
    const places = new Set<number>()
    for (const near of known.values())
      for (const word of near.keys()) for (const place of ends.places(word)) places.add(place)
    return [...places]
  }

  return { similar }
}

/** An address in which only the letters count. */
const wholeOf = (parts: readonly string[]) => parts.map((part) => wordsOfAddress(part).join('')).join('/')

/** An address, read: its parts, the words of the last one, and those of the others. */
function readAddress(path: string) {
  const parts = partsOfAddress(path)
  const last = wordsOfAddress(parts.at(-1) ?? '')
  return { parts, last, above: new Set(wordsOfAddress(parts.slice(0, -1).join('/'))) }
}

/** The share of words that two addresses have in common at their ends, where a mistyped word counts a little less. */
function likenessOf(
  known: ReadonlyMap<string, ReadonlyMap<string, number>>,
  words: readonly string[],
): number {
  const others = new Set(words)
  let common = 0
  for (const near of known.values()) {
    const best = [...near].filter(([word]) => others.has(word)).map(([, likeness]) => likeness)
    common += greatest(best, 0)
  }
  return (2 * common) / (known.size + others.size)
}

function bestOf(
  likenesses: ReadonlyMap<number, number>,
  { paths, above, most }: { paths: readonly string[]; above: ReadonlySet<string>; most: number },
): SimilarAddress[] {
  const least = Math.max(LEAST_LIKENESS, greatest(likenesses.values(), 0) - 0.45)
  return [...likenesses]
    .filter(([, likeness]) => likeness >= least)
    .map(([place, likeness]) => {
      const around = readAddress(paths[place] ?? '').above
      const common = [...around].filter((word) => above.has(word)).length
      const ofAbove = around.size + above.size === 0 ? 1 : (2 * common) / (around.size + above.size)
      return { place, likeness, score: likeness + ofAbove / 4 }
    })
    .toSorted((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, most)
    .map(({ place, likeness }) => ({ place, likeness }))
}

/** Words, the places that have them, and the words that are similar to another one. */
function wordTable() {
  const placesOf = new Map<string, number[]>()
  const byLength = new Map<number, { word: string; letters: number }[]>()

  function add(word: string, place: number) {
    const places = placesOf.get(word)
    if (places) {
      if (places.length < MOST_WITH_WORD) places.push(place)
      return
    }
    placesOf.set(word, [place])
    if (word.length > LONGEST_MISTYPED) return
    const same = byLength.get(word.length) ?? []
    if (same.push({ word, letters: lettersOf(word) }) === 1) byLength.set(word.length, same)
  }

  /** The word itself, or else the words of which it may be a typing error, with their likeness. */
  function near(typed: string, budget: { left: number }): ReadonlyMap<string, number> {
    if (placesOf.has(typed)) return new Map([[typed, 1]])
    const found = new Map<string, number>()
    const letters = lettersOf(typed)
    const most = mostErrors(typed)
    if (most === 0) return found
    for (let length = typed.length - most; length <= typed.length + most; length++) {
      for (const one of byLength.get(length) ?? []) {
        // A wrong letter changes at most two of the letters that occur.
        if (bitsOf(letters ^ one.letters) > 2 * most || budget.left <= 0) continue
        budget.left--
        const errors = typingErrors(typed, one.word)
        if (errors !== undefined) found.set(one.word, 1 - errors / 8)
      }
    }
    return found
  }

  return { add, near, places: (word: string): readonly number[] => placesOf.get(word) ?? [] }
}

/** Which letters a word has: a bit for each, where several share one. */
function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) % 32)
  return bits
}

function bitsOf(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}
