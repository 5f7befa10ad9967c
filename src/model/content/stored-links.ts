import { type DocumentLinks, LINKS_VERSION, linksIn } from '../../core/document/links-in.ts'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'
import { sourceOf } from './content.ts'
import { inThread, type TaskKind } from './in-thread.ts'

/** Keyed by a hash of the content, so never stale. */
const documents = lru<DocumentLinks>(32 * 1024 * 1024)

const READ_LINKS: TaskKind<string, DocumentLinks> = {
  module: new URL('../../core/document/links-in.ts', import.meta.url),
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
  for (const some of chunks(missing)) {
    const rows = await db
      .selectFrom('document')
      .select(['hash', 'links'])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', some)
      .execute()
    for (const row of rows) {
      const stored = JSON.parse(row.links) as DocumentLinks & { version?: number }
      const isCurrent = stored.version === LINKS_VERSION
      const links = isCurrent ? stored : await readLinks(db, spaceId, row.hash)
      documents.set(row.hash, links, heapSize(links))
      found.set(row.hash, links)
    }
  }
  return found
}

async function readLinks(db: Reader, spaceId: string, hash: string): Promise<DocumentLinks> {
  const source = await sourceOf(db, spaceId, hash)
  return inThread(READ_LINKS, linksIn, source, { db, spaceId, sources: [source] })
}
