/** Writes what the index holds of pages, in transactions so small that nobody waits long for one. */
import type { PageTokens } from '../../core/search/index-pages.ts'
import { giveTurn, nextTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import { addTokens, addWords, removeTokens } from '../../db/search/token-index.ts'
import type { Database, Tx } from '../../db/schema.ts'

/** The data that the index should hold for a page. */
export interface NewEntry {
  content: string
  entry: PageTokens
}

/** A page whose entries are replaced: by new ones, or by none. */
export interface PageToWrite {
  id: string
  written: NewEntry | undefined
}

/** The most pages that one transaction writes. */
export const PAGES_OF_TRANSACTION = 40
/** The most characters of forms that it writes, unless one page has more. */
const CHARACTERS_OF_TRANSACTION = 200_000
/** The entries that one statement writes. */
const PAGES_AT_ONCE = 5
const WORDS_AT_ONCE = 1_000
const WORDS_OF_TRANSACTION = 5_000
/** The entries that one transaction removes. */
const REMOVED_AT_ONCE = 200
/** An index is made again from where a power cut has left it. */
const UNSYNCED = { isSynced: false }
/** The words that are remembered while an index is made, so that each is written once. */
const KNOWN_MOST = 200_000

/**
 * Replaces the entries of pages; those of each page in one transaction. The words come before them or with them: a word
 * that no entry has is found nowhere, so the index is right wherever this ends.
 * @param known the words that were written already; grows
 * @returns whether `isOver` ended it, which is asked after each transaction of pages
 */
export async function writePages(
  db: Database,
  number: number,
  pages: readonly PageToWrite[],
  isOver: () => boolean,
  known: Set<string> = new Set(),
): Promise<boolean> {
  for (const slice of slicesOf(pages)) {
    const words = newWords(slice, known)
    // Few words are written with their pages, because each transaction costs time.
    const few = words.length <= WORDS_AT_ONCE ? words.splice(0) : []
    for (const some of chunks(words, WORDS_OF_TRANSACTION)) {
      await db.write((tx) => writeWords(tx, number, some), UNSYNCED)
      await nextTurn()
    }
    await db.write(async (tx) => {
      await writeWords(tx, number, few)
      await writeSlice(tx, number, slice)
    }, UNSYNCED)
    if (isOver()) return true
    await nextTurn()
  }
  return false
}

/** The words of pages that are not known, which are known from then on. */
function newWords(slice: readonly PageToWrite[], known: Set<string>): string[] {
  const words: string[] = []
  // Pages that were read together can share one list.
  for (const list of new Set(slice.flatMap(({ written }) => (written ? [written.entry.words] : [])))) {
    for (const word of list) {
      if (known.has(word)) continue
      known.add(word)
      words.push(word)
    }
  }
  if (known.size > KNOWN_MOST) known.clear()
  return words
}

async function writeWords(tx: Tx, number: number, words: readonly string[]): Promise<void> {
  for (const few of chunks(words, WORDS_AT_ONCE)) {
    await addWords(tx, number, few)
    await giveTurn()
  }
}

function* slicesOf(pages: readonly PageToWrite[]): Generator<PageToWrite[]> {
  let slice: PageToWrite[] = []
  let characters = 0
  for (const page of pages) {
    const own = page.written?.entry.entries.reduce((sum, { tokens }) => sum + tokens.length, 0) ?? 0
    const isFull = slice.length === PAGES_OF_TRANSACTION || characters + own > CHARACTERS_OF_TRANSACTION
    if (isFull && slice.length > 0) {
      yield slice
      slice = []
      characters = 0
    }
    slice.push(page)
    characters += own
  }
  if (slice.length > 0) yield slice
}

async function writeSlice(tx: Tx, number: number, pages: readonly PageToWrite[]): Promise<void> {
  const index = await tx
    .selectFrom('searchIndex')
    .select('lastEntry')
    .where('number', '=', number)
    .executeTakeFirst()
  // Another process has made a newer index.
  if (!index) throw new Error(`The search index ${number} was replaced`)
  const before = await tx
    .selectFrom('searchEntry')
    .select('id')
    .where('number', '=', number)
    .where(
      'pageId',
      'in',
      pages.map(({ id }) => id),
    )
    .execute()
  await removeEntries(
    tx,
    before.map(({ id }) => id),
  )
  const written = pages.flatMap(({ id, written: one }) => (one ? [{ id, ...one }] : []))
  if (written.length === 0) return
  const lastEntry = Math.max(index.lastEntry, await insertEntries(tx, number, written))
  await tx.updateTable('searchIndex').set({ lastEntry }).where('number', '=', number).execute()
}

/** @returns the greatest id */
async function insertEntries(
  tx: Tx,
  number: number,
  pages: readonly (NewEntry & { id: string })[],
): Promise<number> {
  const rows = pages.flatMap(({ id, content, entry }) =>
    entry.entries.map(({ when, tokens }) => ({
      tokens,
      row: {
        number,
        pageId: id,
        conditions: when.length === 0 ? null : JSON.stringify(when),
        content: when.length === 0 ? content : null,
        sections: when.length === 0 ? entry.sections : null,
        language: entry.language,
      },
    })),
  )
  let last = 0
  for (const some of chunks(rows, PAGES_AT_ONCE)) {
    const inserted = await tx
      .insertInto('searchEntry')
      .values(some.map(({ row }) => row))
      .returning(['id', 'pageId', 'conditions'])
      .execute()
    const ids = new Map(inserted.map(({ id, pageId, conditions }) => [`${pageId} ${conditions}`, id]))
    for (const id of ids.values()) last = Math.max(last, id)
    await giveTurn()
    await addTokens(
      tx,
      some.map(({ row, tokens }) => ({ id: ids.get(`${row.pageId} ${row.conditions}`)!, number, tokens })),
    )
  }
  return last
}

/** Deletes an index, in parts, so that nobody waits for long. The index itself comes last: an interrupted run can be repeated. */
export async function removeIndex(db: Database, number: number): Promise<void> {
  const ofIndex = (tx: Tx) => tx.updateTable('searchIndex').where('number', '=', number)
  await db.write((tx) => ofIndex(tx).set({ isReady: 0 }).execute())
  for (let isLeft = true; isLeft; await nextTurn()) isLeft = await db.write((tx) => removePart(tx, number))
  await db.write(async (tx) => {
    await tx.deleteFrom('searchSpec').where('number', '=', number).execute()
    await tx.deleteFrom('searchIndex').where('number', '=', number).execute()
  })
}

/** @returns whether there was a part */
async function removePart(tx: Tx, number: number): Promise<boolean> {
  const entries = await tx
    .selectFrom('searchEntry')
    .select('id')
    .where('number', '=', number)
    .limit(REMOVED_AT_ONCE)
    .execute()
  await removeEntries(
    tx,
    entries.map(({ id }) => id),
  )
  if (entries.length > 0) return true
  const some = tx
    .selectFrom('searchWord')
    .select('word')
    .where('number', '=', number)
    .limit(WORDS_OF_TRANSACTION)
  const { numDeletedRows } = await tx
    .deleteFrom('searchWord')
    .where('number', '=', number)
    .where('word', 'in', some)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes entries of an index, with their forms. */
async function removeEntries(tx: Tx, ids: readonly number[]): Promise<void> {
  // To remove an entry from the forms costs in proportion to what it is removed from.
  for (const some of chunks(ids, PAGES_AT_ONCE)) {
    await removeTokens(tx, some)
    await tx.deleteFrom('searchEntry').where('id', 'in', some).execute()
    await giveTurn()
  }
}
