/** The index of a space: which pages it has, and how it follows the content. */
import { INCLUDING } from '../../core/search/index-pages.ts'
import { diff, type EntryChange } from '../../core/content/prolly-tree/read.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import { chunks } from '../../db/chunks.ts'
import { findTokens } from '../../db/search/token-index.ts'
import type { Database, Reader, Row, Tx } from '../../db/schema.ts'
import { nodesOf, pagesOf, type Remembering } from '../content/content.ts'
import { endIndexing } from '../content/search-task.ts'
import { type ComputedState, fillComputed, isNewestComputed, noteComputed } from './computed-entries.ts'
import { isSearched, readEntries } from './read-pages.ts'
import {
  type NewEntry,
  PAGES_OF_TRANSACTION,
  type PageToWrite,
  removeIndex,
  writePages,
} from './write-pages.ts'

/** Increased when `indexPages` gets or writes something else, so that every index is made again. */
const SEARCH_VERSION = 9

/**
 * Brings the index of a space up to date with its newest revision, in transactions of their own.
 * @param turnMs ends after this time, or after as long as it took to find where to continue, so that it always gets on
 * @param elapsed the milliseconds since some fixed time
 * @returns whether it is up to date; false if it ended before
 */
export async function bringUpToDate(
  db: Database,
  spaceId: string,
  turnMs = Number.POSITIVE_INFINITY,
  elapsed: () => number = () => performance.now(),
): Promise<boolean> {
  const isOver = turnOf(turnMs, elapsed)
  for (;;) {
    const newest = await newestContent(db.read, spaceId)
    if (!newest) {
      await forgetSpaceIndex(db, spaceId)
      return true
    }
    const index = (await currentIndex(db.read, spaceId)) ?? (await db.write((tx) => addIndex(tx, spaceId)))
    const changes = await changesSince(db.read, index, newest)
    if (!(await fill(db, index, { newest, changes, isOver }))) return false
    const computed = await fillComputed(db, index, { newest, changes, isOver })
    if (!computed) return false
    const isDone = await db.write(async (tx) => {
      await finish(tx, index, newest, computed)
      // A specification has a new version, for which nobody may ask again.
      if (!(await isNewestComputed(tx, newest, computed))) return false
      return endIndexing(tx, { spaceId, revisionId: newest.id })
    })
    await removeOthers(db, index)
    if (isDone) return true
  }
}

/** Makes the index of a space again, and uses the one before meanwhile. @returns the number of its pages */
export async function indexAgain(db: Database, spaceId: string): Promise<number> {
  const index = await db.write((tx) => addIndex(tx, spaceId))
  for (;;) {
    const newest = await newestContent(db.read, spaceId)
    if (!newest) return 0
    const toFill = { newest, changes: await changesSince(db.read, index, newest), isOver: () => false }
    await fill(db, index, toFill)
    const computed = await fillComputed(db, index, toFill)
    if (!computed) continue
    // Changes made meanwhile are indexed too, before the new index replaces the other.
    const isNewest = await db.write(async (tx) => {
      const now = (await newestContent(tx, spaceId)) ?? newest
      if (rootsOf(now) !== rootsOf(newest)) return false
      if (!(await isNewestComputed(tx, now, computed))) return false
      await finish(tx, index, newest, computed)
      return true
    })
    index.pages = rootsOf(newest)
    if (!isNewest) continue
    await removeOthers(db, index)
    return countPages(db.read, index)
  }
}

/** The spaces without an index of this version, or whose newest revision is not indexed, in the order of their ids. */
export async function spacesToIndex(db: Reader): Promise<string[]> {
  const spaces = await db
    .selectFrom('space')
    .select('space.id')
    .where((eb) =>
      eb.or([
        eb('space.id', 'in', eb.selectFrom('searchTask').select('searchTask.spaceId')),
        eb.not(
          eb.exists(
            eb
              .selectFrom('searchIndex')
              .select('number')
              .whereRef('searchIndex.spaceId', '=', 'space.id')
              .where('isReady', '=', 1)
              .where('version', '=', SEARCH_VERSION),
          ),
        ),
      ]),
    )
    .orderBy('space.id')
    .execute()
  return spaces.map(({ id }) => id)
}

/** Deletes all indexes of a space that is deleted. */
export async function forgetSpaceIndex(db: Database, spaceId: string): Promise<void> {
  const indexes = await db.read
    .selectFrom('searchIndex')
    .select('number')
    .where('spaceId', '=', spaceId)
    .execute()
  for (const { number } of indexes) await removeIndex(db, number)
  await db.write((tx) => tx.deleteFrom('searchTask').where('spaceId', '=', spaceId).execute())
}

type Index = Row<'searchIndex'>

/** The newest revision of a space. */
type Newest = Remembering & { id: string }

async function newestContent(db: Reader, spaceId: string): Promise<Newest | undefined> {
  return db
    .selectFrom('space')
    .innerJoin('revision', 'revision.id', 'space.revisionId')
    .select([
      'revision.id',
      'revision.spaceId',
      'revision.pages',
      'revision.files',
      'revision.reusables',
      'revision.oldPlaces',
    ])
    .where('space.id', '=', spaceId)
    .executeTakeFirst()
}

/** The index to continue: the one that is in use or, if that is of another version, the one that is being made. */
async function currentIndex(db: Reader, spaceId: string): Promise<Index | undefined> {
  return db
    .selectFrom('searchIndex')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .where('version', '=', SEARCH_VERSION)
    .orderBy('isReady', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function addIndex(tx: Tx, spaceId: string): Promise<Index> {
  return tx
    .insertInto('searchIndex')
    .values({ spaceId, version: SEARCH_VERSION, isReady: 0, pages: null, lastEntry: 0 })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Says after each writing whether a turn is over. */
function turnOf(turnMs: number, elapsed: () => number): () => boolean {
  const since = elapsed()
  let first: number | undefined
  return () => {
    first ??= elapsed() - since
    return elapsed() - since > first + Math.max(turnMs, first)
  }
}

/** The changes to write to an index: the pages of a revision that differ from its entries. */
interface ToFill {
  newest: Newest
  changes: readonly EntryChange<PageRecord>[]
  /** Whether the turn is over. */
  isOver: () => boolean
}

/**
 * Indexes the pages that differ between what is indexed and a map of pages. Doing it twice changes nothing.
 * @returns whether it indexed all of them; false if `isOver` ended it
 */
async function fill(db: Database, index: Index, { newest, changes, isOver }: ToFill): Promise<boolean> {
  // The pages that are read together are written together, unless their texts are long.
  const parts = [...chunks(changes, PAGES_OF_TRANSACTION)]
  let reading: Promise<Map<string, NewEntry>> | undefined
  const words = new Set<string>()
  for (const [i, some] of parts.entries()) {
    const entries = await (reading ?? readEntries(db.read, index, newest, some))
    const next = parts[i + 1]
    // Threads read the next pages while these are written.
    reading = next && readEntries(db.read, index, newest, next)
    reading?.catch(() => {})
    const toWrite = pagesToWrite(some, entries)
    if (toWrite.length === 0) continue
    const isEnded = await writePages(db, index.number, toWrite, isOver, words)
    if (isEnded) return false
  }
  return true
}

/** Names what is indexed: the roots of the maps of pages and of reusable contents. */
const rootsOf = ({ pages, reusables }: Pick<Newest, 'pages' | 'reusables'>) =>
  `${pages ?? ''} ${reusables ?? ''}`

/** The pages that differ from what is indexed, and those that may include something that differs. */
async function changesSince(
  db: Reader,
  { number, spaceId, pages: roots }: Index,
  newest: Newest,
): Promise<EntryChange<PageRecord>[]> {
  const [pages, reusables] = (roots ?? '').split(' ')
  const changes = await diff<PageRecord>(pages || null, newest.pages, nodesOf(db, spaceId))
  if ((reusables ?? '') === (newest.reusables ?? '') || !pages) return changes

  const known = new Set(changes.map(({ key }) => key))
  const tree = await pagesOf(db, newest)
  const [found] = await findTokens(db, [{ number, token: INCLUDING, isPrefix: false }])
  for (const some of chunks(found?.entries ?? [])) {
    const rows = await db.selectFrom('searchEntry').select('pageId').where('id', 'in', some).execute()
    for (const { pageId } of rows) {
      const page = tree.get(pageId)
      if (page && !known.has(pageId)) changes.push({ key: pageId, before: page, after: page })
    }
  }
  return changes
}

/** The pages whose entries change: those with new ones, and those that are not searched any more. */
function pagesToWrite(
  changes: readonly EntryChange<PageRecord>[],
  entries: ReadonlyMap<string, NewEntry>,
): PageToWrite[] {
  return changes.flatMap(({ key, after }) => {
    const written = entries.get(key)
    return written || !after || !isSearched(after) ? [{ id: key, written }] : []
  })
}

async function countPages(db: Reader, { number }: Index): Promise<number> {
  const { count } = await db
    .selectFrom('searchEntry')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('number', '=', number)
    .where('conditions', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function finish(tx: Tx, { number }: Index, newest: Newest, computed: ComputedState): Promise<void> {
  await noteComputed(tx, { number }, computed)
  await tx
    .updateTable('searchIndex')
    .set({ pages: rootsOf(newest), isReady: 1 })
    .where('number', '=', number)
    .execute()
}

/** Deletes the earlier indexes of a space. */
async function removeOthers(db: Database, { number, spaceId }: Index): Promise<void> {
  const others = await db.read
    .selectFrom('searchIndex')
    .select('number')
    .where('spaceId', '=', spaceId)
    .where('number', '<', number)
    .execute()
  for (const other of others) await removeIndex(db, other.number)
}
