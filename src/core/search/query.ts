/** Reads what a reader searches for: words, "phrases", -exclusions. */
import { append } from '../data/lists.ts'
import { withoutParticle } from './forms/affixes.ts'
import { fold } from './forms/fold.ts'
import { DEFAULT_LANGUAGE, stemsOf } from './forms/stem.ts'
import { charactersOf, type Identifier, identifierOf, loweredIdentifier, pairsOf, runsIn } from './words.ts'

/** A word of a query. */
export interface QueryWord {
  /** As the reader typed it. */
  typed: string
  /** As a whole, folded; that of dense text is a word of several characters. */
  whole: string
  /** The forms that must all be there in place of the whole: the parts of an identifier, the pairs of dense text. */
  parts: string[]
  isDense: boolean
  /** The stems of the word in the languages of the pages that are searched, folded, and those of each part. */
  stems: string[]
  partStems: string[][]
  /** The reader may not have finished the word. */
  isPrefix: boolean
  /** The word says little: it counts if it is there, and need not be. */
  isCommon: boolean
}

/** A part of a query in quotes. */
export interface QueryPhrase {
  /** Folded, with single spaces. */
  text: string
  /** Whether it has dense text, of which it may be any part. */
  isDense: boolean
  words: QueryWord[]
}

/** A query, read. */
export interface Query {
  words: QueryWord[]
  phrases: QueryPhrase[]
  /** The phrases that the pages must not contain. */
  without: QueryPhrase[]
  /** The languages of the pages that are searched. */
  languages: ReadonlySet<string>
}

/** More words than these are ignored, those of phrases and exclusions included. */
const MOST_WORDS = 16
/** All words together are found by so many parts. */
const MOST_PARTS = 64
/** The characters of dense text between which words are found. */
const LONGEST_DENSE = 64
const SHORTEST_PREFIX = 2

const PIECES = /(-?)["“”„«»「」『』]([^"“”„«»「」『』]*)["“”„«»「」『』]?|(\S+?)(?=["“”«「『]|\s|$)/gu

const COMMON = new Set(
  `a an and are as at be by can do does for from get how i if in into is it its me my of on or our should so that the
  their then there these they this to use using was we what when where which who why will with you your
  的 了 和 是 在 与 或 吗 呢 怎么 如何 什么 怎样 为什么 哪些 可以 中 从 到 对 将 把 被 の は を に が と で も から まで です ます`.split(
    /\s+/,
  ),
)

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/**
 * Reads a query. A query of exclusions alone searches for what it would exclude.
 * @param languages those of the pages that are searched
 */
export function parseQuery(text: string, languages: ReadonlySet<string> = ENGLISH_ALONE): Query {
  const query: Query = { words: [], phrases: [], without: [], languages }
  const take = takingWords()
  let isOpenEnd = false
  const addPhrase = (to: QueryPhrase[], quoted: string) => {
    isOpenEnd = false
    const phrase = phraseOf(quoted, languages)
    if (to.some((one) => one.text === phrase.text)) return
    phrase.words = take(phrase.words)
    if (phrase.words.length > 0) to.push(phrase)
  }
  for (const [piece, minus, quoted, plain = ''] of text.matchAll(PIECES)) {
    if (quoted !== undefined) addPhrase(minus === '-' ? query.without : query.phrases, quoted)
    else if (/^-[^\s-]/.test(piece)) addPhrase(query.without, plain)
    else {
      const words = queryWords(plain, languages)
      append(query.words, take(words, query.words))
      if (words.length > 0) isOpenEnd = true
    }
  }
  if (query.words.length === 0 && query.phrases.length === 0) {
    query.words = distinct(query.without.flatMap(({ words }) => words))
    query.without = []
    isOpenEnd = query.words.length > 0
  }
  const last = query.words.at(-1)
  if (isOpenEnd && last && !/\s$/.test(text))
    last.isPrefix = !last.isDense && last.whole.length >= SHORTEST_PREFIX
  // A query of common words alone means them.
  if (query.phrases.length === 0 && query.words.every(({ isCommon }) => isCommon))
    for (const word of query.words) word.isCommon = false
  return query
}

const ENGLISH_ALONE: ReadonlySet<string> = new Set([DEFAULT_LANGUAGE])

/** Returns a function that takes those words of a part of a query that are not known, as long as it may have more. */
function takingWords() {
  let words = MOST_WORDS
  let parts = MOST_PARTS
  return (some: readonly QueryWord[], known: readonly QueryWord[] = []): QueryWord[] => {
    const fresh = distinct(some).filter(({ whole }) => known.every((one) => one.whole !== whole))
    const taken = fresh.slice(0, words)
    words -= taken.length
    for (const word of taken) {
      word.parts = word.parts.slice(0, parts)
      parts -= word.parts.length
    }
    return taken
  }
}

function phraseOf(quoted: string, languages: ReadonlySet<string>): QueryPhrase {
  const text = foldedText(quoted)
  return { text, isDense: runsIn(text).some((run) => run.isDense), words: queryWords(quoted, languages) }
}

/** A text as phrases are compared: folded, with a space between runs that are not adjacent. */
export function foldedText(text: string): string {
  return singleSpaced(fold(text))
}

/** A folded text as phrases are compared. */
export function singleSpaced(folded: string): string {
  return folded.replace(/[\s\-_]+/g, ' ').trim()
}

function queryWords(text: string, languages: ReadonlySet<string>): QueryWord[] {
  const words: QueryWord[] = []
  for (const run of runsIn(text)) {
    if (run.isDense) {
      append(words, denseWords(run.text.slice(0, LONGEST_DENSE)))
      continue
    }
    const { whole, parts } = identifierOf(run.text)
    if (whole === '') continue
    const lowered = [...languages].map((language) => ({ language, ...loweredIdentifier(run.text, language) }))
    const stemsBy = (pick: (one: Identifier) => string | undefined) => {
      const stems = lowered.flatMap((one) => stemsOf(pick(one) ?? '', one.language))
      return [...new Set(stems)].filter((stem) => stem !== '')
    }
    words.push({
      typed: run.text,
      whole,
      parts,
      isDense: false,
      stems: stemsBy((one) => one.whole),
      partStems: parts.map((_, i) => stemsBy((one) => one.parts[i])),
      isPrefix: false,
      isCommon: COMMON.has(whole),
    })
  }
  return words
}

/**
 * The words of dense text. The segmenter divides words that it does not know into characters, such as 时区 (time zone);
 * these stay together, because each alone is in most pages.
 */
function denseWords(text: string): QueryWord[] {
  const words: QueryWord[] = []
  let unknown = ''
  const flush = () => {
    if (unknown !== '') words.push(denseWord(unknown))
    unknown = ''
  }
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const word = denseWord(segment)
    if (isWordLike !== false && !word.isCommon && [...word.whole].length === 1) {
      unknown += segment
      continue
    }
    flush()
    if (isWordLike !== false) words.push(word)
  }
  flush()
  return words
}

function denseWord(segment: string): QueryWord {
  const characters = charactersOf(segment)
  const whole = characters.join('')
  const stem = withoutParticle(whole)
  const isLong = characters.length > 2
  return {
    typed: segment,
    whole,
    parts: isLong ? pairsOf(stem === whole ? characters : charactersOf(stem)) : [],
    isDense: true,
    stems: [stem],
    partStems: [],
    isPrefix: false,
    isCommon: COMMON.has(whole),
  }
}

function distinct(words: readonly QueryWord[]): QueryWord[] {
  return [...new Map(words.map((word) => [word.whole, word])).values()]
}
