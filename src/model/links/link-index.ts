import { linksAfter } from '../../core/content/link-changes.ts'
import { indexBytes, type LinkIndex, NOTHING_LATER } from '../../core/content/link-index.ts'
import type { LinkSource } from '../../core/content/link-places.ts'
import { indexLinksOf, type LinkTask, type PackedLinks } from '../../core/content/link-task.ts'
import type { WholeIndex } from '../../core/content/link-uses.ts'
import { diff, unlessMissing } from '../../core/content/prolly-tree/read.ts'
import type { Root } from '../../core/content/prolly-tree/node.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { DocumentLinks } from '../../core/document/links/links-in.ts'
import { lru } from '../../core/data/lru.ts'
import { type PackedTexts, packTexts } from '../../core/text/packed-texts.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { unavailable } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { filesOf, nodesOf, oldPlacesOf, reusablesOf } from '../content/content.ts'
import { inThread, type TaskKind, tookTooMuch } from '../content/in-thread.ts'
import { storedLinks } from '../content/stored-links.ts'
import { changedComputed, type LinkedTree, linkedTreeOf } from './linked-tree.ts'
import { because } from '../../core/languages/reasons.ts'

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables' | 'oldPlaces'>

/** The links of a revision, and the records that hold them. */
export interface RevisionLinks {
  spaceId: string
  index: LinkIndex
  tree: PageTree
  reusables: ReadonlyMap<string, ReusableRecord>
}

const INDEX_LINKS: TaskKind<LinkTask, WholeIndex> = {
  module: new URL('../../core/content/link-task.ts', import.meta.url),
  name: 'indexLinksOf',
  timeMs: 60_000,
}

/** The index of a content. */
interface Indexed {
  index: LinkIndex
  content: Content
  linked: LinkedTree
}

/** The estimated size of a computed page. */
const COMPUTED_BYTES = 800

/** Keyed by hashes of the content, so never stale. Each counts in full, although indexes of one space share most of it. */
const indexes = lru<Indexed>(64 * 1024 * 1024, 'link-indexes')
/** The key of the index that was last made, by space and address of the console. */
const lastNames = lru<string>(1024 * 1024)
/** The indexes that are being made. Requests that need the same one wait together. */
const making = new Map<string, Promise<LinkIndex>>()

/**
 * The links of a revision. The index is derived from the one that was last made in the same space, if that is cached and
 * differs in little.
 * @throws 503 if it takes too long to index them
 */
export async function linksOfRevision(db: Reader, urls: Urls, revision: Content): Promise<RevisionLinks> {
  const app = urls.app('')
  const { spaceId, pages, files, reusables, oldPlaces } = revision
  const linked = await linkedTreeOf(db, revision)
  const name = [spaceId, pages, files, reusables, oldPlaces, app, linked.version].join(' ')
  let index = indexes.get(name)?.index
  if (!index) {
    const made = making.get(name) ?? makeIndex(db, app, revision, linked).finally(() => making.delete(name))
    making.set(name, made)
    index = await made
    const content: Content = { spaceId, pages, files, reusables, oldPlaces }
    indexes.set(name, { index, content, linked }, indexBytes(index) + linked.computed.size * COMPUTED_BYTES)
    lastNames.set(`${spaceId} ${app}`, name, name.length)
  }
  return {
    spaceId,
    index,
    tree: linked.tree,
    reusables: await reusablesOf(db, revision),
  }
}

/** The page or reusable content with a key; see `sourceKey`. */
export function recordOfSource({ tree, reusables }: RevisionLinks, source: string): LinkSource {
  const at = source.indexOf(' ')
  const id = source.slice(at + 1)
  const record = source.slice(0, at) === 'page' ? tree.get(id) : reusables.get(id)
  if (!record) throw new Error(`the ${source} holds links but is not in the revision`)
  return record
}

const positions = new WeakMap<PageTree, ReadonlyMap<string, number>>()

/** The position of each page in reading order. */
export function positionsIn({ tree }: RevisionLinks): ReadonlyMap<string, number> {
  const known = positions.get(tree)
  if (known) return known
  const made = new Map(tree.pages().map(({ id }, position) => [id, position]))
  positions.set(tree, made)
  return made
}

async function makeIndex(db: Reader, app: string, revision: Content, linked: LinkedTree): Promise<LinkIndex> {
  const last = indexes.get(lastNames.get(`${revision.spaceId} ${app}`) ?? '')
  const derived = last && (await unlessMissing(deriveIndex(db, app, last, revision, linked)))
  return derived ?? { whole: await makeWhole(db, app, revision, linked), later: NOTHING_LATER }
}

async function deriveIndex(
  db: Reader,
  app: string,
  { index, content, linked: earlier }: Indexed,
  revision: Content,
  linked: LinkedTree,
) {
  const { spaceId } = revision
  const changes = async <V>(before: Root, after: Root) =>
    before === after ? [] : diff<V>(before, after, nodesOf<V>(db, spaceId))
  const now = {
    spaceId,
    app,
    tree: linked.tree,
    files: await filesOf(db, revision),
    reusables: await reusablesOf(db, revision),
    oldPlaces: await oldPlacesOf(db, revision),
  }
  const differences = {
    pages: [
      ...(await changes<PageRecord>(content.pages, revision.pages)),
      ...(await changedComputed(earlier, linked)),
    ],
    files: await changes<FileRecord>(content.files, revision.files),
    reusables: await changes<ReusableRecord>(content.reusables, revision.reusables),
    oldPlaces: await changes<string>(content.oldPlaces, revision.oldPlaces),
  }
  return linksAfter(index, earlier.tree, now, differences, (hashes) => loadLinks(db, spaceId, hashes, linked))
}

/** More JSON than this is read in a thread, with the rest of the revision. */
const MOST_LOADED = 512 * 1024

async function loadLinks(db: Reader, spaceId: string, hashes: readonly string[], { documents }: LinkedTree) {
  const found = new Map<string, DocumentLinks>()
  for (const hash of hashes) {
    const computed = documents.get(hash)
    if (computed) found.set(hash, computed)
  }
  let length = 0
  const stored = hashes.filter((hash) => !found.has(hash))
  for await (const { hash, links } of storedLinks(db, spaceId, stored)) {
    length += links.length
    if (length > MOST_LOADED) return undefined
    found.set(hash, JSON.parse(links) as DocumentLinks)
    await giveTurn()
  }
  return found
}

/** A task with less content than this runs at once, because a thread takes time to start. */
const SMALL_BYTES = 64 * 1024

async function makeWhole(
  db: Reader,
  app: string,
  revision: Content,
  { tree, documents: computed }: LinkedTree,
): Promise<WholeIndex> {
  const { spaceId } = revision
  const reusables = await reusablesOf(db, revision)
  const hashes = [...tree.pages(), ...reusables.values()].flatMap(({ document }) =>
    document === undefined || computed.has(document) ? [] : document,
  )
  const task: LinkTask = {
    spaceId,
    app,
    pages: await packRecords(tree.pages()),
    reusables: await packRecords([...reusables.values()]),
    files: await packRecords([...(await filesOf(db, revision)).values()]),
    oldPlaces: await packRecords([...(await oldPlacesOf(db, revision))]),
    documents: [
      ...(await packLinks(db, spaceId, new Set(hashes))),
      {
        hashes: [...computed.keys()],
        links: packTexts([...computed.values()].map((links) => JSON.stringify(links))),
      },
    ],
  }
  const { pages, files, oldPlaces, documents } = task
  const packed = [pages, task.reusables, files, oldPlaces, ...documents.map(({ links }) => links)]
  const bytes = packed.reduce((sum, texts) => sum + texts.bytes.length, 0)
  try {
    return await inThread(INDEX_LINKS, indexLinksOf, task, {
      db,
      spaceId,
      sources: bytes < SMALL_BYTES ? 'quick' : 'slow',
      transfer: packed.flatMap((texts) => [texts.bytes.buffer, texts.ends.buffer]),
    })
  } catch (error) {
    throw tookTooMuch(error) ? unavailable(because('links-too-slow')) : error
  }
}

const RECORDS = 500

/** Packs records as JSON arrays. */
async function packRecords(records: readonly unknown[]): Promise<PackedTexts> {
  const texts: string[] = []
  for (let start = 0; start < records.length; start += RECORDS) {
    texts.push(JSON.stringify(records.slice(start, start + RECORDS)))
    await giveTurn()
  }
  return packTexts(texts)
}

const PACK_LENGTH = 1024 * 1024

async function packLinks(db: Reader, spaceId: string, hashes: ReadonlySet<string>): Promise<PackedLinks[]> {
  const packs: PackedLinks[] = []
  let [named, texts, length]: [string[], string[], number] = [[], [], 0]
  const pack = () => {
    packs.push({ hashes: named, links: packTexts(texts) })
    ;[named, texts, length] = [[], [], 0]
  }
  for await (const { hash, links } of storedLinks(db, spaceId, [...hashes])) {
    named.push(hash)
    texts.push(links)
    length += links.length
    if (length > PACK_LENGTH) pack()
    await giveTurn()
  }
  pack()
  return packs
}
