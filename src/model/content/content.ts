import type { Targets } from '../../core/content/links.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { pathTargets } from '../../core/content/repository-paths.ts'
import { lru } from '../../core/data/lru.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { diff, entries, parseNode, unlessMissing } from '../../core/content/prolly-tree/read.ts'
import type { Load, MapNode, Root } from '../../core/content/prolly-tree/node.ts'
import type { NewNode } from '../../core/content/prolly-tree/edit.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/content/revision.ts'
import { findOldPath, type OldPlaces } from '../../core/content/old-places.ts'
import { indexTree, type PageTree } from '../../core/content/tree/tree.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row } from '../../db/schema.ts'

const MB = 1024 * 1024
/** The estimated size of a page tree's index, without the page records. */
const INDEX_BYTES_PER_PAGE = 200

// All of these are addressed by a hash of their content, so they are never out of date.
const nodes = lru<MapNode<unknown>>(32 * MB, 'tree-nodes')
const trees = lru<{ tree: PageTree; bytesPerPage: number }>(64 * MB, 'page-trees')
const maps = lru<ReadonlyMap<string, unknown>>(16 * MB, 'content-maps')
/** The root of the page tree that was last read, by space. */
const lastRoots = lru<string>(MB)

/** Reads nodes of a space's maps, from the cache if possible. */
export function nodesOf<V>(db: Reader, spaceId: string): Load<V> {
  return async (hashes) => {
    const found = new Map<string, MapNode<V>>()
    const missing: string[] = []
    for (const hash of hashes) {
      const node = nodes.get(hash)
      if (node) found.set(hash, node as MapNode<V>)
      else missing.push(hash)
    }
    for (const some of chunks(missing)) {
      const rows = await db
        .selectFrom('node')
        .select(['hash', 'data'])
        .where('spaceId', '=', spaceId)
        .where('hash', 'in', some)
        .execute()
      for (const { hash, data } of rows) {
        const node = parseNode<V>(data)
        nodes.set(hash, node, heapSize(node))
        found.set(hash, node)
        if (isTurnOver()) await giveTurn()
      }
    }
    return found
  }
}

/** Caches nodes that were just written, because readers of the new revision need them first. */
export async function rememberNodes<V>(written: ReadonlyMap<string, NewNode<V>>): Promise<void> {
  for (const [hash, { node }] of written) {
    nodes.set(hash, node, heapSize(node))
    if (isTurnOver()) await giveTurn()
  }
}

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables'>
/** The roots of the maps of a revision. */
export type Remembering = Content & Pick<Row<'revision'>, 'oldPlaces'>

/** The page tree of a revision, made from the tree of the same space that was last read if that is cached. */
export async function pagesOf(db: Reader, { spaceId, pages: root }: Content): Promise<PageTree> {
  if (root === null) return indexTree(new Map())
  const known = trees.get(root)
  const last = lastRoots.get(spaceId)
  if (last !== root) lastRoots.set(spaceId, root, heapSize(root))
  if (known) return known.tree

  const made = await makeTree(root, nodesOf<PageRecord>(db, spaceId), last)
  // A tree shares records with those before it. Each counts in full, so the cache takes less than it counts.
  trees.set(root, made, made.tree.size * made.bytesPerPage)
  return made.tree
}

async function makeTree(root: string, load: Load<PageRecord>, last: string | undefined) {
  const before = last === undefined ? undefined : trees.get(last)
  const changes = before && (await unlessMissing(diff(last ?? null, root, load)))
  if (!before || !changes) {
    const records = await entries(root, load)
    const tree = indexTree(records)
    return { tree, bytesPerPage: INDEX_BYTES_PER_PAGE + heapSize(records) / Math.max(1, tree.size) }
  }
  const records = new Map(changes.map(({ key, after }) => [key, after ?? null] as const))
  return { tree: before.tree.apply(records), bytesPerPage: before.bytesPerPage }
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

/** The former paths of the pages of a revision. */
export function oldPlacesOf(
  db: Reader,
  { spaceId, oldPlaces }: Pick<Remembering, 'spaceId' | 'oldPlaces'>,
): Promise<OldPlaces> {
  return wholeMap(db, spaceId, oldPlaces)
}

async function wholeMap<V>(db: Reader, spaceId: string, root: Root): Promise<ReadonlyMap<string, V>> {
  if (root === null) return new Map()
  const known = maps.get(root)
  if (known) return known as ReadonlyMap<string, V>
  const map = await entries<V>(root, nodesOf<V>(db, spaceId))
  maps.set(root, map, heapSize(map))
  return map
}

/** The Markdown source of a document; empty for a page without a document. */
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
  for (const some of chunks(wanted)) {
    const rows = await db
      .selectFrom('document')
      .select(['hash', 'source'])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', some)
      .execute()
    for (const { hash, source } of rows) found.set(hash, source)
  }
  return found
}

/** Resolves the relative links of a revision. @param tree its pages, with those that are computed */
export async function linkTargetsOf(db: Reader, revision: Remembering, tree?: PageTree): Promise<Targets> {
  const pages = tree ?? (await pagesOf(db, revision))
  const files = await filesOf(db, revision)
  const reusables = await reusablesOf(db, revision)
  const oldPlaces = await oldPlacesOf(db, revision)
  return {
    ...pathTargets({ pages, files, reusables }),
    pageByOldPath: (path) => findOldPath(pages, oldPlaces, path)?.id,
  }
}
