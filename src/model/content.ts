import type { Document } from '../core/document/model.ts'
import { parsePage } from '../core/document/parse.ts'
import { mapReferences } from '../core/document/references.ts'
import { resolveReference, type Targets } from '../core/links.ts'
import { lru } from '../core/lru.ts'
import { diff, entries, get, type Load, type MapNode, parseNode, type Root } from '../core/map.ts'
import type { NewNode } from '../core/map-edit.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/revision.ts'
import { findOldPath, type OldPlaces } from '../core/old-places.ts'
import { indexTree, type PageTree } from '../core/tree.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'

// Everything here is addressed by its content, so a cache can never be out of date, whoever fills it.
const nodes = lru<MapNode<unknown>>(4_000)
const trees = lru<PageTree>(60_000)
const maps = lru<ReadonlyMap<string, unknown>>(60_000)
const lastTree = lru<{ root: string; tree: PageTree }>(60_000)
/** Documents as they were read, by the hash of their source; a weight of 1 is a character of it. */
const documents = lru<Document>(8_000_000)
const BATCH = 200

/** Reads nodes of a space's maps, from memory where they were read before. */
export function nodesOf<V>(db: Reader, spaceId: string): Load<V> {
  return async (hashes) => {
    const found = new Map<string, MapNode<V>>()
    const missing: string[] = []
    for (const hash of hashes) {
      const node = nodes.get(hash)
      if (node) found.set(hash, node as MapNode<V>)
      else missing.push(hash)
    }
    for (let start = 0; start < missing.length; start += BATCH) {
      const rows = await db
        .selectFrom('node')
        .select(['hash', 'data'])
        .where('spaceId', '=', spaceId)
        .where('hash', 'in', missing.slice(start, start + BATCH))
        .execute()
      for (const { hash, data } of rows) {
        const node = parseNode<V>(data)
        nodes.set(hash, node)
        found.set(hash, node)
      }
    }
    return found
  }
}

/** Keeps nodes that were just written: what reads the new revision needs them first. */
export function rememberNodes<V>(written: ReadonlyMap<string, NewNode<V>>): void {
  for (const [hash, { node }] of written) nodes.set(hash, node)
}

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables'>
type Remembering = Content & Pick<Row<'revision'>, 'oldPlaces'>

/** The page tree of a revision. One that differs little from the space's last one read is made from that. */
export async function pagesOf(db: Reader, { spaceId, pages: root }: Content): Promise<PageTree> {
  if (root === null) return indexTree(new Map())
  const known = trees.get(root)
  if (known) return known

  const load = nodesOf<PageRecord>(db, spaceId)
  const before = lastTree.get(spaceId)
  const tree = before
    ? before.tree.apply(
        new Map((await diff(before.root, root, load)).map(({ key, after }) => [key, after ?? null] as const)),
      )
    : indexTree(await entries(root, load))
  trees.set(root, tree, tree.size)
  lastTree.set(spaceId, { root, tree }, tree.size)
  return tree
}

/** The files of a revision, by id. */
export function filesOf(db: Reader, { spaceId, files }: Content): Promise<ReadonlyMap<string, FileRecord>> {
  return wholeMap(db, spaceId, files)
}

/** The reusable contents of a revision, by id. */
export function reusablesOf(
  db: Reader,
  { spaceId, reusables }: Content,
): Promise<ReadonlyMap<string, ReusableRecord>> {
  return wholeMap(db, spaceId, reusables)
}

/** Where the pages of a revision stood before. */
export function oldPlacesOf(
  db: Reader,
  { spaceId, oldPlaces }: Pick<Remembering, 'spaceId' | 'oldPlaces'>,
): Promise<OldPlaces> {
  return wholeMap(db, spaceId, oldPlaces)
}

/** One page of a revision, without reading the others. @throws 404 */
export async function needPage(db: Reader, { spaceId, pages }: Content, id: string): Promise<PageRecord> {
  const page = await get<PageRecord>(pages, id, nodesOf(db, spaceId))
  if (!page) throw notFound()
  return page
}

async function wholeMap<V>(db: Reader, spaceId: string, root: Root): Promise<ReadonlyMap<string, V>> {
  if (root === null) return new Map()
  const known = maps.get(root)
  if (known) return known as ReadonlyMap<string, V>
  const map = await entries<V>(root, nodesOf<V>(db, spaceId))
  maps.set(root, map, map.size)
  return map
}

/** The Markdown source of a document; empty where a page has none. */
export async function sourceOf(db: Reader, spaceId: string, hash: string | undefined): Promise<string> {
  if (hash === undefined) return ''
  const row = await db
    .selectFrom('document')
    .select('source')
    .where('spaceId', '=', spaceId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!row) throw new Error(`The document ${hash} of the space ${spaceId} is missing`)
  return row.source
}

/** The Markdown sources of documents, by their hash. */
export async function sourcesOf(
  db: Reader,
  spaceId: string,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(hashes)]
  const found = new Map<string, string>()
  for (let start = 0; start < wanted.length; start += BATCH) {
    const rows = await db
      .selectFrom('document')
      .select(['hash', 'source'])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', wanted.slice(start, start + BATCH))
      .execute()
    for (const { hash, source } of rows) found.set(hash, source)
  }
  return found
}

/** Where the relative links of a revision lead. */
export async function targetsOf(db: Reader, revision: Remembering): Promise<Targets> {
  const tree = await pagesOf(db, revision)
  const files = byPath(await filesOf(db, revision))
  const reusables = byPath(await reusablesOf(db, revision))
  const oldPlaces = await oldPlacesOf(db, revision)
  return {
    pageByFile: (path) => tree.byFile(path)?.id,
    pageByPath: (path) => tree.byPath(path)?.id,
    pageByOldPath: (path) => findOldPath(tree, oldPlaces, path)?.id,
    fileByPath: (path) => files.get(path),
    reusableByPath: (path) => reusables.get(path),
  }
}

const pathIndexes = new WeakMap<ReadonlyMap<string, unknown>, Map<string, string>>()

function byPath(records: ReadonlyMap<string, { id: string; path?: string }>): Map<string, string> {
  const known = pathIndexes.get(records)
  if (known) return known
  const index = new Map<string, string>()
  for (const { id, path } of records.values()) if (path !== undefined) index.set(path, id)
  pathIndexes.set(records, index)
  return index
}

/** The document of a page or reusable content, with every reference resolved against its revision. */
export async function documentOf(
  db: Reader,
  revision: Remembering,
  { document, file }: { document?: string | undefined; file?: string | undefined },
): Promise<Document> {
  const parsed = await parsedOf(db, revision.spaceId, document)
  const targets = await targetsOf(db, revision)
  return mapReferences(parsed, (ref) => resolveReference(ref, file, targets))
}

/** The document with this hash as it was read, its references not resolved. */
export async function parsedOf(db: Reader, spaceId: string, hash: string | undefined): Promise<Document> {
  const known = hash === undefined ? undefined : documents.get(hash)
  if (known) return known

  const source = await sourceOf(db, spaceId, hash)
  const { document } = parsePage(source)
  if (hash !== undefined) documents.set(hash, document, source.length)
  return document
}
