/** Reads the words of pages in a thread. */
import { type IndexedPage, indexPages, type PageTokens } from '../../core/search/index-pages.ts'
import { append } from '../../core/data/lists.ts'
import type { Reader } from '../../db/schema.ts'
import { inThread, type TaskKind, tookTooMuch } from '../content/in-thread.ts'

const INDEX_PAGES: TaskKind<readonly IndexedPage[], PageTokens[]> = {
  module: new URL('../../core/search/index-pages.ts', import.meta.url),
  name: 'indexPages',
  timeMs: 30_000,
}

/** Returns the tokens of pages for the index. A page that takes too long is found by its title and description. */
export async function indexInThread(
  db: Reader,
  spaceId: string,
  pages: readonly IndexedPage[],
): Promise<PageTokens[]> {
  const isSlow = pages.some(({ includes, sections }) => includes ?? sections)
  const sources = isSlow ? 'slow' : pages.map(({ source }) => source)
  try {
    return await inThread(INDEX_PAGES, indexPages, pages, { db, spaceId, sources })
  } catch (error) {
    if (!tookTooMuch(error)) throw error
    if (pages.length === 1)
      return indexPages([{ title: pages[0]!.title, description: pages[0]!.description, source: '' }])
    const alone: PageTokens[] = []
    for (const page of pages) append(alone, await indexInThread(db, spaceId, [page]))
    return alone
  }
}

/** Returns the tokens, for the index, of pages whose sections are known: JSON arrays of `UnreadSection`. */
export function indexSections(
  db: Reader,
  spaceId: string,
  pages: readonly Pick<IndexedPage, 'title' | 'description' | 'sections'>[],
): Promise<PageTokens[]> {
  return indexInThread(
    db,
    spaceId,
    pages.map(({ title, description, sections }) => ({ title, description, source: '', sections })),
  )
}
