/**
 * Pages that an import into the primary content has parsed. Their words are read in a thread while the import parses
 * others, and kept until the index takes them: so the index has only to write them. What is not here, because it is too
 * much, because it failed, or because another process imported it, is parsed again.
 */
import type { PageTokens } from '../../core/search/index-pages.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import { lru } from '../../core/data/lru.ts'
import type { Reader } from '../../db/schema.ts'
import { indexSections } from './index-in-thread.ts'

/** A page that an import has parsed. It includes nothing. */
export interface ImportedPage {
  /** The hash of its document. */
  document: string
  title: string
  description: string | undefined
  /** A JSON array of its sections. */
  sections: string
}

interface ImportedEntry extends Pick<ImportedPage, 'title' | 'description'> {
  /** Undefined if it failed. */
  tokens: Promise<PageTokens | undefined>
}

/** By space and hash of the document. */
const imported = lru<ImportedEntry>(64 * 1024 * 1024, 'imported-entries')
/** Bytes for each character of the sections: they come back with as much text again. */
const BYTES_PER_CHARACTER = 4

const documentKey = (spaceId: string, document: string) => `${spaceId} ${document}`

/** Starts to read the words of pages that an import has parsed. */
export function indexImported(db: Reader, spaceId: string, pages: readonly ImportedPage[]): void {
  const reading = tokensOf(db, spaceId, pages)
  for (const [i, { document, title, description, sections }] of pages.entries()) {
    const tokens = reading.then((all) => all?.[i])
    const bytes = BYTES_PER_CHARACTER * sections.length
    imported.set(documentKey(spaceId, document), { title, description, tokens }, bytes)
  }
}

async function tokensOf(
  db: Reader,
  spaceId: string,
  pages: readonly ImportedPage[],
): Promise<PageTokens[] | undefined> {
  try {
    const read = await indexSections(db, spaceId, pages)
    // A page names only the words that those before it lack, and these may never be indexed.
    const words = read.flatMap((one) => one.words)
    return read.map((one) => ({ ...one, words }))
  } catch {
    // The index reads these pages itself, and reports what is wrong then.
    return undefined
  }
}

/** Returns the tokens of those pages that an import has parsed, by the ids of the pages. The cache then drops them. */
export async function takeImported(
  spaceId: string,
  pages: readonly Pick<PageRecord, 'id' | 'title' | 'description' | 'document'>[],
): Promise<Map<string, PageTokens>> {
  const known = pages.map(({ document = '' }) => imported.get(documentKey(spaceId, document)))
  const taken = new Map<string, PageTokens>()
  for (const [i, { id, title, description = '', document = '' }] of pages.entries()) {
    imported.delete(documentKey(spaceId, document))
    const one = known[i]
    // The import gave the page another title, for example that of the table of contents.
    if (one?.title !== title || (one.description ?? '') !== description) continue
    const tokens = await one.tokens
    if (tokens) taken.set(id, tokens)
  }
  return taken
}
