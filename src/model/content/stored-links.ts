import { sql } from 'kysely'
import { type DocumentLinks, LINKS_VERSION, linksIn } from '../../core/document/links/links-in.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { lru } from '../../core/data/lru.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { sourceOf } from './content.ts'
import { inThread, type TaskKind } from './in-thread.ts'

/** Keyed by a hash of the content, so never stale. */
const documents = lru<DocumentLinks>(32 * 1024 * 1024, 'document-links')

const READ_LINKS: TaskKind<string, DocumentLinks> = {
  module: new URL('../../core/document/links/links-in.ts', import.meta.url),
  name: 'linksIn',
  timeMs: 10_000,
}

/** The links and anchors of documents, by the hash of their source. */
export async function linksOfDocuments(
  db: Reader,
  spaceId: string,
  hashes: readonly string[],
): Promise<Map<string, DocumentLinks>> {
  const found = new Map<string, DocumentLinks>()
  const missing: string[] = []
  for (const hash of new Set(hashes)) {
    const known = documents.get(hash)
    if (known) found.set(hash, known)
    else missing.push(hash)
  }
  for await (const { hash, links: json } of storedLinks(db, spaceId, missing)) {
    const links = JSON.parse(json) as DocumentLinks
    documents.set(hash, links, heapSize(links))
    found.set(hash, links)
    await giveTurn()
  }
  return found
}

/** How much stored JSON one query reads, in bytes. */
const QUERY_BYTES = 1024 * 1024

/** The JSON of the links of documents, by the hash of their source. */
export async function* storedLinks(
  db: Reader,
  spaceId: string,
  hashes: readonly string[],
): AsyncGenerator<{ hash: string; links: string }> {
  for (const some of chunks(hashes)) {
    const sizes = await db
      .selectFrom('document')
      .select(['hash', sql<number>`octet_length("links")`.as('bytes')])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', some)
      .execute()
    for (const group of batchesBySize(sizes)) {
      const rows = await db
        .selectFrom('document')
        .select(['hash', 'links'])
        .where('spaceId', '=', spaceId)
        .where('hash', 'in', group)
        .execute()
      for (const { hash, links } of rows) {
        if (links.startsWith(CURRENT)) yield { hash, links }
        else yield { hash, links: JSON.stringify(await readLinks(db, spaceId, hash)) }
      }
    }
  }
}

/** How current links begin in storage. */
const CURRENT = `{"version":${LINKS_VERSION},`

/** Splits documents into groups that are not too large for one query. */
function batchesBySize(sized: readonly { hash: string; bytes: number }[]): string[][] {
  const groups: string[][] = []
  let left = 0
  for (const { hash, bytes } of sized) {
    if (groups.length === 0 || bytes > left) {
      groups.push([])
      left = QUERY_BYTES
    }
    groups.at(-1)!.push(hash)
    left -= bytes
  }
  return groups
}

async function readLinks(db: Reader, spaceId: string, hash: string): Promise<DocumentLinks> {
  return linksOfSource(db, spaceId, await sourceOf(db, spaceId, hash))
}

/** The links and anchors of a source that is not stored. */
export function linksOfSource(db: Reader, spaceId: string, source: string): Promise<DocumentLinks> {
  return inThread(READ_LINKS, linksIn, source, { db, spaceId, sources: [source] })
}
