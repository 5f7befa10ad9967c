/**
 * The forms of words of all entries: an inverted index in FTS5 on SQLite, and in a GIN index over `tsvector` on
 * PostgreSQL. Both only say which entries have a form; the order of results is computed from that (`core/search`), so that
 * it is the same. The number of the index is a part of each form: a query never reads what is in other spaces.
 */
import { CompiledQuery, type Kysely, PostgresAdapter, sql, type SqlBool } from 'kysely'
import { giveTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../chunks.ts'
import type { Reader, Schema, Tx } from '../schema.ts'

/** Which entries of an index have a form, or one that begins so? */
export interface TokenQuestion {
  /** The number of the index. */
  number: number
  token: string
  isPrefix: boolean
}

/** The entries that have the form of a question, by its place among the questions. */
export interface TokenAnswer {
  question: number
  entries: number[]
}

/** The forms of an entry. */
export interface TokensOfEntry {
  id: number
  /** The number of its index. */
  number: number
  /** With a space between them. */
  tokens: string
}

/** So many entries are read for one question. */
const MOST_ENTRIES = 50_000
/** The entries that one statement adds, and the characters of their forms: on SQLite, it holds the event loop. One entry may have more. */
const ENTRIES_AT_ONCE = 20
const CHARACTERS_AT_ONCE = 80_000

/** Adds the forms of new entries. */
export async function addTokens(tx: Tx, entries: readonly TokensOfEntry[]): Promise<void> {
  const id = isPostgres(tx) ? '"id"' : 'rowid'
  for (const some of fewForms(entries)) {
    await giveTurn()
    const values = some.map((_, i) =>
      isPostgres(tx)
        ? `($${2 * i + 1}::int, array_to_tsvector(string_to_array($${2 * i + 2}, ' ')))`
        : '(?, ?)',
    )
    await run(
      tx,
      `insert into "searchTokens" (${id}, "tokens") values ${values.join(', ')}`,
      some.flatMap((entry) => [entry.id, named(entry)]),
    )
  }
}

function* fewForms(entries: readonly TokensOfEntry[]): Generator<TokensOfEntry[]> {
  let some: TokensOfEntry[] = []
  let characters = 0
  for (const entry of entries) {
    const { length } = entry.tokens
    const isFull = some.length === ENTRIES_AT_ONCE || characters + length > CHARACTERS_AT_ONCE
    if (isFull && some.length > 0) {
      yield some
      some = []
      characters = 0
    }
    some.push(entry)
    characters += length
  }
  if (some.length > 0) yield some
}

/** Adds words to the vocabulary of an index: for typing errors, and for the beginnings of words. */
export async function addWords(tx: Tx, number: number, words: readonly string[]): Promise<void> {
  // One parameter for all words: to build and bind one for each would take several times as long.
  const [values, list] = isPostgres(tx)
    ? ['select $1::int, v from unnest($2::text[]) as v', words]
    : ['select ?, value from json_each(?) where true', JSON.stringify(words)]
  await run(tx, `insert into "searchWord" ("number", "word") ${values} on conflict do nothing`, [
    number,
    list,
  ])
}

/** The beginning of a word in an index. */
export interface Beginning {
  number: number
  text: string
}

/** Comes after every character of a word. */
const LAST = '\u{10ffff}'

/** Those of the beginnings that more words than `most` have, by their places. */
export async function frequentBeginnings(
  db: Reader,
  beginnings: readonly Beginning[],
  most: number,
): Promise<number[]> {
  if (beginnings.length === 0) return []
  const isFrequent = (number: string, text: string) =>
    `(select 1 from "searchWord" w where w."number" = ${number} and w."word" >= ${text} and w."word" < ${text} || '${LAST}'
      order by w."word" limit 1 offset ${most}) is not null`
  const [query, parameters] = isPostgres(db)
    ? [
        `select (v."place" - 1)::int as "place"
          from unnest($1::int[], $2::text[]) with ordinality as v("number", "text", "place")
          where ${isFrequent('v."number"', 'v."text"')}`,
        [beginnings.map(({ number }) => number), beginnings.map(({ text }) => text)],
      ]
    : [
        `select v."key" as "place" from json_each(?) as v
          where ${isFrequent(`v."value" ->> 'number'`, `v."value" ->> 'text'`)}`,
        [JSON.stringify(beginnings)],
      ]
  const rows = await run<{ place: number }>(db, query, parameters)
  return rows.map(({ place }) => place)
}

/** The shortest words of an index with a beginning, among the first of them. */
export async function shortestWords(
  db: Reader,
  { number, text }: Beginning,
  { among, most }: { among: number; most: number },
): Promise<string[]> {
  const words = db
    .selectFrom('searchWord')
    .select('word')
    .where('number', '=', number)
    .where('word', '>=', text)
    .where('word', '<', text + LAST)
    .orderBy('word')
    .limit(among)
  const shortest = await db
    .selectFrom(words.as('some'))
    .select('word')
    .orderBy(sql`length("word")`)
    .orderBy('word')
    .limit(most)
    .execute()
  return shortest.map(({ word }) => word)
}

/** The shortest words of an index that have a text in them, not at their beginning alone, among the first of its words. */
export async function wordsWith(
  db: Reader,
  { number, text }: Beginning,
  { among, most }: { among: number; most: number },
): Promise<string[]> {
  const words = db
    .selectFrom('searchWord')
    .select('word')
    .where('number', '=', number)
    .orderBy('word')
    .limit(among)
  const found = await db
    .selectFrom(words.as('some'))
    .select('word')
    .where(sql<SqlBool>`${isPostgres(db) ? sql`strpos("word", ${text})` : sql`instr("word", ${text})`} > 0`)
    .orderBy(sql`length("word")`)
    .orderBy('word')
    .limit(most)
    .execute()
  return found.map(({ word }) => word)
}

/** Removes entries. */
export async function removeTokens(tx: Tx, entries: readonly number[]): Promise<void> {
  const id = isPostgres(tx) ? '"id"' : 'rowid'
  for (const some of chunks(entries)) {
    const places = some.map((_, i) => (isPostgres(tx) ? `$${i + 1}` : '?')).join(', ')
    await run(tx, `delete from "searchTokens" where ${id} in (${places})`, some)
  }
}

/** The entries that have the forms of the questions. */
export async function findTokens(
  db: Reader,
  questions: readonly TokenQuestion[],
): Promise<readonly TokenAnswer[]> {
  if (questions.length === 0) return []
  // The entries of a question come as one text: a row for each would take several times as long.
  if (isPostgres(db)) {
    const texts = questions.map(
      ({ number, token, isPrefix }) => quoted(number + token, "'") + (isPrefix ? ':*' : ''),
    )
    const rows = await run<EntryTexts>(
      db,
      `select (v."question" - 1)::int as "question", (
          select string_agg(owner."id"::text, ',') from (
            select t."id" from "searchTokens" t where t."tokens" @@ v."text"::tsquery limit ${MOST_ENTRIES}
          ) owner
        ) as "entries"
        from unnest($1::text[]) with ordinality as v("text", "question")`,
      [texts],
    )
    return rows.map(toAnswer)
  }
  const texts = questions.map(
    ({ number, token, isPrefix }) => quoted(number + token, '"') + (isPrefix ? ' *' : ''),
  )
  const rows = await run<EntryTexts>(
    db,
    `select v."key" as "question", (
        select group_concat(owner."id") from (
          select t.rowid as "id" from "searchTokens" as t
          where t."searchTokens" match v."value" limit ${MOST_ENTRIES}
        ) owner
      ) as "entries"
      from json_each(?) as v`,
    [JSON.stringify(texts)],
  )
  return rows.map(toAnswer)
}

interface EntryTexts {
  question: number
  entries: string | null
}

function toAnswer({ question, entries }: EntryTexts): TokenAnswer {
  return { question, entries: entries === null ? [] : entries.split(',').map(Number) }
}

/** The forms of an entry, as they are stored. */
function named({ number, tokens }: TokensOfEntry): string {
  return tokens === '' ? '' : number + tokens.replaceAll(' ', ` ${number}`)
}

/** Words have neither quotes nor white space; this makes sure that one could not end the text. */
function quoted(token: string, quote: string): string {
  return quote + token.replace(/['"\\\s]/g, '') + quote
}

function isPostgres(db: Reader): boolean {
  return (db as Kysely<Schema>).getExecutor().adapter instanceof PostgresAdapter
}

async function run<R>(db: Reader, text: string, parameters: readonly unknown[]): Promise<R[]> {
  // A reader is a Kysely instance or a transaction; its type only hides the methods that write.
  const kysely = db as Kysely<Schema>
  return (await kysely.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows
}
