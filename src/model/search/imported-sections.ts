/**
 * The sections of documents that an import has parsed, until the index takes them: to parse a document again takes about as
 * long as all else that the index does with it. What is not here, because it is too much or another process imported it, is
 * parsed again.
 */
import { lru } from '../../core/data/lru.ts'

/** JSON arrays of sections, by space and hash of the document. */
const imported = lru<string>(64 * 1024 * 1024, 'imported-sections')

const documentKey = (spaceId: string, document: string) => `${spaceId} ${document}`

/** Keeps the sections of documents of a space, by their hashes. */
export function keepSections(spaceId: string, sections: ReadonlyMap<string, string>): void {
  for (const [document, json] of sections) imported.set(documentKey(spaceId, document), json, 2 * json.length)
}

/** The sections of those of the documents that an import has parsed, by their hashes. They are kept no longer. */
export function takeSections(spaceId: string, documents: readonly string[]): Map<string, string> {
  const taken = new Map<string, string>()
  for (const document of documents) {
    const json = imported.get(documentKey(spaceId, document))
    if (json === undefined) continue
    taken.set(document, json)
    imported.delete(documentKey(spaceId, document))
  }
  return taken
}
