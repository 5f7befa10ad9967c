/** The words that a typing error may have been meant for. */
import { sql, type SqlBool } from 'kysely'
import { SHORTEST_MISTYPED, typingErrors } from '../../core/search/similar.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'

const CORRECTIONS = 6
/** A word with more typing errors is another one. */
const ERRORS_MOST = 2
/** The longest word that is a correction. */
const LONGEST_WORD = 32
/** The words that one statement passes over, and those that are compared for one typed word. */
const WORDS_AT_ONCE = 5_000
const COMPARED_MOST = 20_000
const INDEXES_AT_ONCE = 50

/** Words of some indexes from one to another, in the order of their characters. */
interface Range {
  numbers: readonly number[]
  first: string
  next: string
}

/** The words of indexes that a word could be a typing error for, the most similar first. The first letter is taken to be right. */
export async function similarWords(
  db: Reader,
  numbers: readonly number[],
  typed: string,
): Promise<{ word: string; errors: number }[]> {
  if (typed.length > LONGEST_WORD + ERRORS_MOST) return []
  const first = String.fromCodePoint(typed.codePointAt(0)!)
  const next = String.fromCodePoint(first.codePointAt(0)! + 1)
  const similar = new Map<string, number>()
  let compared = 0
  for (const some of chunks(numbers, INDEXES_AT_ONCE)) {
    for await (const words of vocabulary(db, { numbers: some, first, next }, typed)) {
      for (const word of words) {
        const errors = typingErrors(typed, word)
        if (errors !== undefined) similar.set(word, errors)
        if (isTurnOver()) await giveTurn()
      }
      compared += words.length
      if (compared >= COMPARED_MOST) return best(similar)
    }
  }
  return best(similar)
}

function best(similar: ReadonlyMap<string, number>): { word: string; errors: number }[] {
  return [...similar]
    .map(([word, errors]) => ({ word, errors }))
    .toSorted((a, b) => a.errors - b.errors || (a.word < b.word ? -1 : 1))
    .slice(0, CORRECTIONS)
}

/** The words of a range that are about as long as a typed word. Several indexes with many words are read one by one. */
async function* vocabulary(db: Reader, range: Range, typed: string): AsyncGenerator<string[]> {
  if (range.numbers.length > 1 && (await isLong(db, range))) {
    for (const number of range.numbers) yield* vocabulary(db, { ...range, numbers: [number] }, typed)
    return
  }
  for (let from: string | undefined = range.first; from !== undefined;) {
    const end: string | undefined =
      range.numbers.length > 1 ? undefined : await wordAfter(db, { ...range, first: from })
    yield await wordsIn(db, { ...range, first: from, next: end ?? range.next }, typed)
    await giveTurn()
    from = end
  }
}

const inRange = (db: Reader, { numbers, first, next }: Range) =>
  db
    .selectFrom('searchWord')
    .where('number', 'in', [...numbers])
    .where('word', '>=', first)
    .where('word', '<', next)

async function isLong(db: Reader, range: Range): Promise<boolean> {
  const word = await inRange(db, range).select('word').limit(1).offset(WORDS_AT_ONCE).executeTakeFirst()
  return word !== undefined
}

/** The word that comes so many words after the start of a range of one index. */
async function wordAfter(db: Reader, range: Range): Promise<string | undefined> {
  const found = await inRange(db, range)
    .select('word')
    .orderBy('word')
    .limit(1)
    .offset(WORDS_AT_ONCE)
    .executeTakeFirst()
  return found?.word
}

async function wordsIn(db: Reader, range: Range, typed: string): Promise<string[]> {
  const least = Math.max(SHORTEST_MISTYPED, typed.length - ERRORS_MOST)
  const most = Math.min(LONGEST_WORD, typed.length + ERRORS_MOST)
  const rows = await inRange(db, range)
    .select('word')
    .where(sql<SqlBool>`length("word") between ${least} and ${most}`)
    .execute()
  return rows.map(({ word }) => word)
}
