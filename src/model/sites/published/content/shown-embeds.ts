/** Which web addresses pages embed, so that a site token makes the server ask no others. */
import { setImmediate } from 'node:timers/promises'
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import { readArguments } from '../../../../core/document/markdown/tags.ts'
import { absoluteUrl } from '../../../../core/document/sanitize.ts'
import { chunks } from '../../../../db/chunks.ts'
import type { Reader } from '../../../../db/schema.ts'
import { reusablesOf } from '../../../content/content.ts'
import type { SpaceReading } from '../on-reader.ts'
import { loadSeenPages } from './seen-pages.ts'
import { isReusableShown } from './shown-content.ts'

/** The hashes of the documents that embed an address. */
type Embedding = ReadonlyMap<string, ReadonlySet<string>>

/** Keyed by hashes of the content, so never stale. */
const known = lru<Embedding>(8 * 1024 * 1024, 'embedded-urls')

const EMBED = /\{%-?\s*embed\s([^%]{1,4000})%\}/g

/** Whether a page of the space that the reader may see embeds an address, itself or in reusable content. */
export async function isEmbedded(db: Reader, { open, variant }: SpaceReading, url: string): Promise<boolean> {
  const { revision, tree, shown } = await loadSeenPages(db, open, variant)
  const { spaceId } = variant
  const reusables = [...(await reusablesOf(db, revision)).values()]
  const key = [spaceId, revision.pages, revision.reusables].join(' ')
  let embedding = known.get(key)
  if (!embedding) {
    embedding = await readEmbedding(
      db,
      spaceId,
      [...tree.pages(), ...reusables].flatMap(({ document }) => document ?? []),
    )
    known.set(key, embedding, heapSize(embedding))
  }
  const documents = embedding.get(url)
  if (!documents) return false
  if (tree.pages().some((page) => documents.has(page.document ?? '') && shown(page))) return true
  for (const { id, document } of reusables)
    if (documents.has(document ?? '') && (await isReusableShown(db, open, spaceId, id))) return true
  return false
}

async function readEmbedding(db: Reader, spaceId: string, hashes: readonly string[]): Promise<Embedding> {
  const found = new Map<string, Set<string>>()
  for (const some of chunks([...new Set(hashes)], 200)) {
    const rows = await db
      .selectFrom('document')
      .select(['hash', 'source'])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', some)
      .where('source', 'like', '%embed%')
      .execute()
    for (const { hash, source } of rows)
      for (const [, written = ''] of source.matchAll(EMBED)) {
        const url = absoluteUrl(readArguments(written).get('url') ?? '')
        found.set(url, (found.get(url) ?? new Set()).add(hash))
      }
    await setImmediate()
  }
  return found
}
