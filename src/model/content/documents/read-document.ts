import type { Document } from '../../../core/document/model.ts'
import {
  type BlocksTask,
  blockTexts,
  convertedJson,
  documentJson,
  type DocumentTask,
  type LeafTask,
  leafTextTask,
  type MarkdownTask,
} from '../../../core/document/read-tasks.ts'
import type { ReadingProblem } from '../../../core/document/shown/unshown.ts'
import type { PageTree } from '../../../core/content/tree/tree.ts'
import { heapSize } from '../../../core/runtime/heap-size.ts'
import { lru } from '../../../core/data/lru.ts'
import type { Reader } from '../../../db/schema.ts'
import { fromJson } from '../../../http/response/json-parts.ts'
import { unavailable } from '../../../http/errors.ts'
import { linkTargetsOf, type Remembering, sourceOf } from '../content.ts'
import { inThread, type TaskKind, tookTooMuch } from '../in-thread.ts'
import { type DocumentPlace, resolvedSources } from '../resolved-source.ts'
import { because } from '../../../core/languages/reasons.ts'

const TIME_MS = 10_000
const module = new URL('../../../core/document/read-tasks.ts', import.meta.url)
const DOCUMENT_JSON: TaskKind<DocumentTask, string> = { module, name: 'documentJson', timeMs: TIME_MS }
const CONVERTED_JSON: TaskKind<MarkdownTask, string> = { module, name: 'convertedJson', timeMs: TIME_MS }
const BLOCK_TEXTS: TaskKind<BlocksTask, Map<string, string>> = { module, name: 'blockTexts', timeMs: TIME_MS }

/** The JSON of documents, by what they are made of. */
const documents = lru<string>(32 * 1024 * 1024, 'documents')

/**
 * The document of a page or reusable content as the API shows it, with every reference resolved against its revision. It
 * is JSON already, because a large document must not be built here.
 * @param expanded the pages of the revision with those that are computed, and their version
 * @throws 503 if it takes too long to read
 */
export async function documentOf(
  db: Reader,
  revision: Remembering,
  place: DocumentPlace,
  expanded?: { tree: PageTree; version: string },
): Promise<Document> {
  const { spaceId, pages, files, reusables, oldPlaces } = revision
  const key = [place.document, place.file, pages, files, reusables, oldPlaces, expanded?.version ?? ''].join(
    ' ',
  )
  const known = documents.get(key)
  if (known !== undefined) return fromJson(known)

  const [read] = await resolvedSources(db, revision, await linkTargetsOf(db, revision, expanded?.tree), [
    place,
  ])
  const { source, references } = read!
  const task = { source, references }
  const text = await unlessTooLong(
    inThread(DOCUMENT_JSON, documentJson, task, { db, spaceId, sources: [source] }),
  )
  documents.set(key, text, 2 * text.length)
  return fromJson(text)
}

/**
 * The document of Markdown that no revision has. Its references mean what they say.
 * @throws 503 if it takes too long to read
 */
export async function documentOfMarkdown(db: Reader, spaceId: string, source: string): Promise<Document> {
  const task = { source, references: new Map() }
  return unlessTooLong(
    inThread(DOCUMENT_JSON, documentJson, task, { db, spaceId, sources: [source] }).then(fromJson<Document>),
  )
}

/**
 * The document of Markdown that is not stored, and what it does not show as its author meant it.
 * @throws 503 if it takes too long to read
 */
export async function convertedMarkdown(
  db: Reader,
  spaceId: string,
  task: MarkdownTask,
): Promise<Document & { problems?: ReadingProblem[] }> {
  const work = { db, spaceId, sources: [task.source] }
  return fromJson(await unlessTooLong(inThread(CONVERTED_JSON, convertedJson, task, work)))
}

async function unlessTooLong<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw tookTooMuch(error) ? unavailable(because('read-too-slow')) : error
  }
}

const LEAF_TEXT: TaskKind<LeafTask, string | null> = { module, name: 'leafTextTask', timeMs: TIME_MS }

/** The longest text of a block, in characters. */
const TEXT_LENGTH = 200
/** Keyed by a hash of the content, so never stale. */
const texts = lru<ReadonlyMap<string, string>>(8 * 1024 * 1024, 'texts')

/** The text of each block of a stored document, on one line and shortened, by the key of the block. */
export async function blockTextsOf(
  db: Reader,
  spaceId: string,
  document: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (document === undefined) return new Map()
  const known = texts.get(document)
  if (known) return known
  const source = await sourceOf(db, spaceId, document)
  const task = { source, length: TEXT_LENGTH }
  const read = await inThread(BLOCK_TEXTS, blockTexts, task, { db, spaceId, sources: [source] })
  texts.set(document, read, heapSize([...read]))
  return read
}

/** Keyed by a hash of the content, so never stale. */
const leafTexts = lru<{ text: string | null }>(4 * 1024 * 1024)

/** The text of the leaves of a block of a stored document; null if it has none, or contains other blocks. */
export async function leafTextOf(
  db: Reader,
  spaceId: string,
  document: string | undefined,
  node: string,
): Promise<string | null> {
  if (document === undefined) return null
  const key = `${document} ${node}`
  const known = leafTexts.get(key)
  if (known) return known.text
  const source = await sourceOf(db, spaceId, document)
  const task = { source, key: node }
  const text = await inThread(LEAF_TEXT, leafTextTask, task, { db, spaceId, sources: [source] })
  leafTexts.set(key, { text }, 200 + 2 * (text?.length ?? 0))
  return text
}
