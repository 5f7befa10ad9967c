/** Indexing the links of a revision in a thread. */
import type { DocumentLinks } from '../document/links/links-in.ts'
import { append } from '../data/lists.ts'
import { type PackedTexts, textAt } from '../text/packed-texts.ts'
import { indexLinks } from './link-index.ts'
import type { WholeIndex } from './link-uses.ts'
import type { FileRecord, PageRecord, ReusableRecord } from './revision.ts'
import { indexTree } from './tree/tree.ts'

/** The links of some documents. */
export interface PackedLinks {
  /** The hashes of their sources. */
  hashes: string[]
  /** The JSON of the `DocumentLinks` of each. */
  links: PackedTexts
}

/** A revision as plain data. The records of each kind are JSON arrays, in any order. */
export interface LinkTask {
  spaceId: string
  /** The address of the console. */
  app: string
  pages: PackedTexts
  reusables: PackedTexts
  files: PackedTexts
  /** The entries of the former places. */
  oldPlaces: PackedTexts
  documents: PackedLinks[]
}

/** Indexes the links of a revision. */
export function indexLinksOf({ spaceId, app, ...packed }: LinkTask): WholeIndex {
  const documents = new Map(
    packed.documents.flatMap(({ hashes, links }) =>
      hashes.map((hash, index) => [hash, { links, index }] as const),
    ),
  )
  return indexLinks({
    spaceId,
    app,
    tree: indexTree(byId(read<PageRecord>(packed.pages))),
    files: byId(read<FileRecord>(packed.files)),
    reusables: byId(read<ReusableRecord>(packed.reusables)),
    oldPlaces: new Map(read<[string, string]>(packed.oldPlaces)),
    // Parsed at each use, because the links of all documents take several times the memory of their JSON.
    links(hash) {
      const document = documents.get(hash)
      return document && (JSON.parse(textAt(document.links, document.index)) as DocumentLinks)
    },
  })
}

function read<T>(packed: PackedTexts): T[] {
  const all: T[] = []
  for (let i = 0; i < packed.ends.length; i++) append(all, JSON.parse(textAt(packed, i)) as T[])
  return all
}

function byId<R extends { id: string }>(records: readonly R[]): Map<string, R> {
  return new Map(records.map((record) => [record.id, record]))
}
