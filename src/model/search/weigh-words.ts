/** Asks the indexes for words in statements so small that none keeps others waiting. */
import { append } from '../../core/lists.ts'
import { lru } from '../../core/lru.ts'
import type { TokenLookup, WordLookups } from '../../core/search/lookups.ts'
import { planLookups, weighEntries } from '../../core/search/weigh.ts'
import { giveTurn, isTurnOver } from '../../core/turns.ts'
import { findTokens, type TokenQuestion } from '../../db/search/token-index.ts'
import type { Reader } from '../../db/schema.ts'
import { beginningKey, completionsOf } from './completions.ts'
import type { ReadIndex } from './entries.ts'

/** For each index and each word, what each entry is worth, by its place in the index. */
export type WordWeights = Float64Array[][]

/** A statement asks so many questions. Each takes about 10 µs on SQLite. */
const ASKED_AT_ONCE = 200
/** The questions that are planned at once: those of several indexes if each is asked few. */
const PLANNED_AT_ONCE = 5000
/** The entries that the answers to one statement may name: each takes about 0.2 µs. */
const ENTRIES_AT_ONCE = 40_000

/**
 * The places of the entries that have a form, by the state of an index and the form: readers search for the same words
 * again and again, and for most words of a query with each letter that they type.
 */
const postings = lru<Uint32Array>(32 * 1024 * 1024)

/**
 * What the entries of indexes are worth for words. Gives others a turn after each statement.
 * @throws the reason of `signal` once it aborts
 */
export async function weighWords(
  db: Reader,
  indexes: readonly ReadIndex[],
  words: readonly (WordLookups & { isDense: boolean })[],
  signal: AbortSignal,
): Promise<WordWeights> {
  const plan = planLookups(words)
  // Words share forms: each form is asked for once.
  const forms = new Map<string, TokenLookup>()
  for (const lookup of plan.lookups) forms.set(keyOf(lookup), lookup)

  const weighed: WordWeights = []
  const together = Math.max(1, Math.floor(PLANNED_AT_ONCE / forms.size))
  for (let from = 0; from < indexes.length; from += together) {
    const some = indexes.slice(from, from + together)
    const found = await findForms(db, some, forms, signal)
    for (const [place, index] of some.entries()) {
      const own = plan.lookups.map((lookup) => found[place]!.get(keyOf(lookup))!)
      weighed.push(own.some(({ length }) => length > 0) ? await weighEntries(plan, own, index.size) : [])
      if (isTurnOver()) await giveTurn()
    }
  }
  return weighed
}

/** For each index, the places of the entries that have each form. */
async function findForms(
  db: Reader,
  indexes: readonly ReadIndex[],
  forms: ReadonlyMap<string, TokenLookup>,
  signal: AbortSignal,
): Promise<Map<string, Uint32Array>[]> {
  const found = indexes.map(() => new Map<string, Uint32Array>())
  const asked: Asked[] = []
  for (const [place, index] of indexes.entries()) {
    for (const [key, { token, isPrefix }] of forms) {
      const known = postings.get(`${index.state} ${key}`)
      if (known) found[place]!.set(key, known)
      else asked.push({ place, key, question: { number: index.number, token, isPrefix } })
    }
  }
  const read = new Map<string, { place: number; key: string; entries: number[] }>()
  for (const some of fewQuestions(await bounded(db, asked), indexes)) {
    signal.throwIfAborted()
    const answers = await findTokens(
      db,
      some.map(({ question }) => question),
    )
    for (const { question, entries } of answers) {
      const { place, key } = some[question]!
      const own = `${indexes[place]!.state} ${key}`
      const before = read.get(own)
      if (before) append(before.entries, entries)
      else read.set(own, { place, key, entries })
    }
    await giveTurn()
  }
  for (const [own, { place, key, entries }] of read) {
    const places = Uint32Array.from(placesOf(indexes[place]!, entries))
    postings.set(own, places, places.byteLength)
    found[place]!.set(key, places)
    if (isTurnOver()) await giveTurn()
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
function placesOf({ places }: ReadIndex, entries: readonly number[]): number[] {
  const known: number[] = []
  for (const id of entries) {
    const place = places.get(id)
    if (place !== undefined) known.push(place)
  }
  return known
}

const keyOf = ({ token, isPrefix }: TokenLookup) => (isPrefix ? `${token}*` : token)
