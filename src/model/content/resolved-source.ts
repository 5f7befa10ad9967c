import { resolveReference, type Targets } from '../../core/content/links.ts'
import type { ContentRef } from '../../core/document/model.ts'
import { referenceKey } from '../../core/document/links/references.ts'
import type { Reader } from '../../db/schema.ts'
import { type Remembering, sourcesOf } from './content.ts'
import { linksOfDocuments, linksOfSource } from './stored-links.ts'

/** The Markdown of a page or reusable content, and what its references mean: plain data, which a thread can take. */
export interface ResolvedSource {
  hash: string
  source: string
  /** The target of each reference, by `referenceKey`. */
  references: Map<string, ContentRef>
  /** The ids that a link to a part of it can name. */
  anchors: string[]
}

/** A page or reusable content: the hash of its document, and its repository path. */
export interface DocumentPlace {
  document?: string | undefined
  file?: string | undefined
}

/**
 * Reads sources of a revision, and resolves their references without parsing them.
 * @param texts those of documents that are not stored, by hash, which are parsed
 */
export async function resolvedSources(
  db: Reader,
  { spaceId }: Pick<Remembering, 'spaceId'>,
  targets: Targets,
  places: readonly DocumentPlace[],
  texts: ReadonlyMap<string, string> = new Map(),
): Promise<ResolvedSource[]> {
  const named = places.flatMap(({ document }) => document ?? [])
  const hashes = named.filter((hash) => !texts.has(hash))
  const sources = await sourcesOf(db, spaceId, hashes)
  const links = await linksOfDocuments(db, spaceId, hashes)
  for (const hash of named) {
    const text = texts.get(hash)
    if (text === undefined) continue
    sources.set(hash, text)
    links.set(hash, await linksOfSource(db, spaceId, text))
  }
  return places.map(({ document: hash = '', file }) => {
    const { references: written = [], anchors = [] } = links.get(hash) ?? {}
    const references = new Map<string, ContentRef>()
    for (const { ref } of written) {
      const key = referenceKey(ref)
      if (!references.has(key)) references.set(key, resolveReference(ref, file, targets))
    }
    return { hash, source: sources.get(hash) ?? '', references, anchors }
  })
}
