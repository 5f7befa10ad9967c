/** Asks the indexes for words in statements so small that none keeps others waiting. */
import { append } from '../../core/data/lists.ts'
import { lru } from '../../core/data/lru.ts'
import type { TokenLookup, WordLookups } from '../../core/search/lookups.ts'
import { type EntryWeights, planLookups, weighEntries } from '../../core/search/weigh.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { findTokens, type TokenQuestion } from '../../db/search/token-index.ts'
import type { Reader } from '../../db/schema.ts'
import { beginningKey, completionsOf } from './completions.ts'
import type { ReadIndex } from './entries.ts'

/** For each index and each word, what the entries that have it are worth. */
export type WordWeights = EntryWeights[][]

/** A word of a query, with the questions about it. */
type AskedWord = WordLookups & { isDense: boolean }

/** A statement asks so many questions. Each takes about 10 µs on SQLite. */
const ASKED_AT_ONCE = 200
/** The questions that are planned at once: those of several indexes if each is asked few. */
const PLANNED_AT_ONCE = 5000
/** The entries that the answers to one statement may name: each takes about 0.2 µs. */
const ENTRIES_AT_ONCE = 40_000

/**
 * The weights of the entries of an index for a word, by the state of the index and the lookups of the word. They are
 * cached, because readers search for the same words again and again, and for most words of a query with each letter
 * that they type.
 */
const known = lru<EntryWeights>(32 * 1024 * 1024, 'search-weights')

/**
 * Returns the weights of the entries of indexes for words. Gives other tasks a turn after each statement.
 * @throws the reason of `signal` once it aborts
 */
export async function weighWords(
  db: Reader,
  indexes: readonly ReadIndex[],
  words: readonly AskedWord[],
  signal: AbortSignal,
): Promise<WordWeights> {
  const keys = words.map(keyOfWord)
  const weighed: WordWeights = []
  const missing: Missing[] = []
  for (const index of indexes) {
    const own: EntryWeights[] = []
    const unknown: number[] = []
    for (const [i, key] of keys.entries()) {
      const before = known.get(`${index.state} ${key}`)
      if (before) own[i] = before
      else unknown.push(i)
    }
    weighed.push(own)
    if (unknown.length > 0) missing.push({ index, words: unknown, own })
    if (isTurnOver()) await giveTurn()
  }
  const forms = words.reduce((sum, { whole, parts }) => sum + whole.length + parts.flat().length, 1)
  const together = Math.max(1, Math.floor(PLANNED_AT_ONCE / forms))
  for (let from = 0; from < missing.length; from += together)
    await weighMissing(db, missing.slice(from, from + together), { words, keys }, signal)
  return weighed
}

/** The words of a query whose weights in an index are not known. */
interface Missing {
  index: ReadIndex
  words: number[]
  /** Receives the weights, by the place of the word in the query. */
  own: EntryWeights[]
}

async function weighMissing(
  db: Reader,
  missing: readonly Missing[],
  { words, keys }: { words: readonly AskedWord[]; keys: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const plans = missing.map((one) => planLookups(one.words.map((i) => words[i]!)))
  const asked = missing.flatMap(({ index }, i) => {
    // Several words can have the same form: the index looks each form up once.
    const forms = new Map(plans[i]!.lookups.map((lookup) => [lookupKey(lookup), lookup]))
    return [...forms].map(([key, { token, isPrefix }]): Asked => {
      return { place: i, key, question: { number: index.number, token, isPrefix } }
    })
  })
  const indexes = missing.map(({ index }) => index)
  const found = await findForms(db, indexes, asked, signal)
  for (const [i, { index, words: unknown, own }] of missing.entries()) {
    const places = plans[i]!.lookups.map((lookup) => found[i]!.get(lookupKey(lookup)) ?? NOTHING)
    for (const [j, weights] of (await weighEntries(plans[i]!, places, index.size)).entries()) {
      const word = unknown[j]!
      own[word] = weights
      const bytes = weights.entries.byteLength + weights.weights.byteLength
      known.set(`${index.state} ${keys[word]!}`, weights, bytes)
    }
    if (isTurnOver()) await giveTurn()
  }
}

const NOTHING: readonly number[] = []

/** For each index, the places of the entries that have each form. */
async function findForms(
  db: Reader,
  indexes: readonly ReadIndex[],
  asked: readonly Asked[],
  signal: AbortSignal,
): Promise<Map<string, number[]>[]> {
  const found = indexes.map(() => new Map<string, number[]>())
  for (const some of fewQuestions(await bounded(db, asked), indexes)) {
    signal.throwIfAborted()
    const answers = await findTokens(
      db,
      some.map(({ question }) => question),
    )
    for (const { question, entries } of answers) {
      const { place, key } = some[question]!
      const places = entryPlaces(indexes[place]!, entries)
      const before = found[place]!.get(key)
      if (before) append(before, places)
      else found[place]!.set(key, places)
    }
    await giveTurn()
  }
  return found
}

/** The questions, with those about the beginnings of very many words replaced by some about words. */
async function bounded(db: Reader, asked: readonly Asked[]): Promise<Asked[]> {
  const beginningOf = ({ number, token }: TokenQuestion) => ({ number, text: token.slice(1) })
  const beginnings = asked.flatMap(({ question }) => (question.isPrefix ? [beginningOf(question)] : []))
  const completions = await completionsOf(db, beginnings)
  return asked.flatMap((one): Asked[] => {
    const { number, token, isPrefix } = one.question
    const words = isPrefix ? completions.get(beginningKey(beginningOf(one.question))) : undefined
    if (!words) return [one]
    return words.map((word) => ({ ...one, question: { number, token: token[0]! + word, isPrefix: false } }))
  })
}

interface Asked {
  /** The place of the index among all of them. */
  place: number
  key: string
  question: TokenQuestion
}

function* fewQuestions(asked: readonly Asked[], indexes: readonly ReadIndex[]): Generator<Asked[]> {
  let some: Asked[] = []
  let entries = 0
  for (const one of asked) {
    const { size } = indexes[one.place]!
    if (some.length === ASKED_AT_ONCE || (some.length > 0 && entries + size > ENTRIES_AT_ONCE)) {
      yield some
      some = []
      entries = 0
    }
    some.push(one)
    entries += size
  }
  if (some.length > 0) yield some
}

/** An entry that was added since the index was read has no place. */
function entryPlaces({ places }: ReadIndex, entries: readonly number[]): number[] {
  const found: number[] = []
  for (const id of entries) {
    const place = places.get(id)
    if (place !== undefined) found.push(place)
  }
  return found
}

const lookupKey = ({ token, isPrefix }: TokenLookup) => (isPrefix ? `${token}*` : token)

/** The key of a word: its forms with their weights. Forms hold no white space, so it separates them. */
function keyOfWord({ whole, parts, isDense }: AskedWord): string {
  const named = (lookups: readonly TokenLookup[]) =>
    lookups.map((lookup) => `${lookupKey(lookup)} ${lookup.weight}`).join(' ')
  return `${isDense} ${[whole, ...parts].map(named).join('\n')}`
}
