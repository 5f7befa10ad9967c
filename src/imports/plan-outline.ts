/** The plan of an import as a thread returns it: the texts and bytes in parts, and everything else as an outline. */
import { documentHash, gitObjectId } from '../core/content/hash.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/content/revision.ts'
import { contentTypeFor } from '../core/web/content-type.ts'
import type { FileDates } from '../core/repository/manifest.ts'
import type { ImportPlan, PlannedFile, PlannedPage } from '../core/repository/model.ts'
import type { Recognized } from '../core/sources/tools/recognize.ts'
import type { SendPart } from '../threads/pool.ts'
import { type StoredDocument, toStoredDocument } from '../model/content/documents/stored-document.ts'
import { seen } from '../model/content/files/stored-file.ts'
import type { ImportedPage } from '../model/search/imported-pages.ts'
import type { ImportStage } from '../http/running-imports.ts'
import type { DocumentLinks } from '../core/document/links/links-in.ts'
import type { UnshownPart } from '../core/document/shown/unshown.ts'
import { readAddress } from '../core/document/markdown/addresses.ts'
import type { PageMeta } from '../core/document/model.ts'
import type { Reasoned } from '../core/languages/reasoned.ts'

/** The facts about a page that an import stores besides its source. */
export interface PageReadout {
  title?: string
  meta: PageMeta
  references: string[]
  lines: ReadonlyMap<string, number>
  outside: string[]
  includes: string[]
  unshown: UnshownPart[]
  links: DocumentLinks
  /** A JSON array of the sections that search finds, for the index; absent if it has them already. */
  sections?: string
  unreadable?: Reasoned
  excess?: Reasoned
}

/** A file with its bytes, which are not stored yet. */
export type ReadFile = Omit<FileRecord, 'id' | 'createdAt' | 'hash' | 'path'> & {
  path: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A file of an import whose bytes are stored. */
export type StoredFile = Omit<ReadFile, 'bytes'> & { hash: string }

/** A part of what an import stores before its revision is written, or indexes while it reads. */
export type ImportPart =
  | { pages: ImportedPage[] }
  | { documents: StoredDocument[]; sections: Map<string, string> }
  | { files: ReadFile[] }
  | { progress: ImportStage }

/** A page without its place. Its document is one of the parts. */
export interface OutlinedPage {
  /** Unique among its siblings; empty for link and computed pages. */
  slug: string
  fields: Omit<PageRecord, 'id' | 'parent' | 'order' | 'slug' | 'createdAt' | 'updatedAt'>
  /** When its file was created and last changed, if the source knows it. */
  dates?: FileDates
  children: OutlinedPage[]
}

/** The plan of an import without the texts of its pages and the bytes of its files. */
export interface ImportOutline extends Pick<
  ImportPlan<PageReadout>,
  'variables' | 'problems' | 'importedResources' | 'totalResources'
> {
  pages: OutlinedPage[]
  reusables: (Omit<ReusableRecord, 'id' | 'path'> & { path: string })[]
  /** Old paths, each with its target: a file of the repository, or a URL. */
  redirects: Record<string, string>
  /** The ids of records by their paths, if the archive was exported from a space. */
  ids?: Readonly<Record<string, string>>
  /** The language of most of the pages, if Lectern can detect it. */
  language?: string
  /** The title of the whole content, if its settings or its front page have one. */
  title?: string
  /** The tool that made the archive, unless the caller names it. */
  recognized?: Recognized
}

/** The bounds of a part: taking one keeps the event loop for a few milliseconds. */
const PART_ITEMS = 50
const PART_LENGTH = 256 * 1024
/** The bytes of files move to the other thread without a copy, and storing many at once waits for the disk less often. */
const FILES_LENGTH = 2 * 1024 * 1024

/** Sends the documents and files of a plan in parts. @returns the rest of the plan */
export async function sendPlan(
  plan: ImportPlan<PageReadout>,
  send: SendPart<ImportPart>,
  dates: ReadonlyMap<string, FileDates> = new Map(),
): Promise<ImportOutline> {
  const documents = new Map<string, StoredDocument>()
  const sections = new Map<string, string>()
  const keep: Keep = (source, reading) => {
    if (source === '') return {}
    const hash = documentHash(source)
    documents.set(hash, toStoredDocument(hash, source, reading.links))
    if (reading.sections !== undefined) sections.set(hash, reading.sections)
    return { document: hash, oid: gitObjectId(Buffer.from(source)) }
  }
  const { variables, problems, importedResources, totalResources } = plan
  const outline: ImportOutline = {
    variables,
    problems,
    importedResources,
    totalResources,
    pages: plan.pages.map((page) => outlined(page, keep, dates)),
    reusables: plan.reusableContents.map(({ path, title, source, reading }) => ({
      path,
      title,
      ...keep(source, { links: reading.links }),
    })),
    redirects: Object.fromEntries(
      plan.redirects.map(({ from, target }) => [from, 'url' in target ? target.url : target.file]),
    ),
  }

  const total = documents.size + plan.files.length
  // The next part is made while one is taken.
  let sent = send({ progress: { stage: 'writing', done: 0, total } })
  const lengthOf = ({ hash, source, links }: StoredDocument) =>
    source.length + links.length + (sections.get(hash)?.length ?? 0)
  for (const part of parts(documents.values(), PART_LENGTH, lengthOf)) {
    const own = part.flatMap(({ hash }): [string, string][] =>
      sections.has(hash) ? [[hash, sections.get(hash)!]] : [],
    )
    await sent
    sent = send({ documents: part, sections: new Map(own) })
  }
  for (const part of parts(plan.files, FILES_LENGTH, ({ bytes }) => bytes.length)) {
    const files = part.map(readFileOf)
    const buffers = files.map(({ bytes }) => bytes.buffer)
    await sent
    sent = send({ files }, buffers)
  }
  await sent
  return outline
}

function* parts<T>(items: Iterable<T>, most: number, lengthOf: (item: T) => number): Generator<T[]> {
  let [part, length]: [T[], number] = [[], 0]
  for (const item of items) {
    if (part.length === PART_ITEMS || (part.length > 0 && length + lengthOf(item) > most)) {
      yield part
      part = []
      length = 0
    }
    part.push(item)
    length += lengthOf(item)
  }
  if (part.length > 0) yield part
}

function readFileOf({ path, name, contentType: declared, bytes }: PlannedFile): ReadFile {
  const { shown, ...measures } = seen(bytes)
  const contentType = contentTypeFor(name, { declared, shown })
  // A copy, because a buffer that moves to another thread must hold nothing else.
  const own = new Uint8Array(bytes)
  return { path, name, contentType, size: own.length, oid: gitObjectId(own), ...measures, bytes: own }
}

/** Keeps a source to be stored. @returns the fields that name it; none for an empty one */
type Keep = (
  source: string,
  reading: Pick<PageReadout, 'links' | 'sections'>,
) => { document?: string; oid?: string }

function outlined(
  page: PlannedPage<PageReadout>,
  keep: Keep,
  dates: ReadonlyMap<string, FileDates>,
): OutlinedPage {
  const own = page.kind === 'document' && page.file !== undefined ? dates.get(page.file) : undefined
  return {
    slug: 'slug' in page ? page.slug : '',
    fields: fieldsOf(page, keep),
    ...(own ? { dates: own } : {}),
    children: 'children' in page ? page.children.map((child) => outlined(child, keep, dates)) : [],
  }
}

function fieldsOf(page: PlannedPage<PageReadout>, keep: Keep): OutlinedPage['fields'] {
  const { title } = page
  if (page.kind === 'group') return { type: 'group', title }
  if (page.kind === 'link') return { type: 'link', title, target: readAddress(targetAddress(page.target)) }
  if (page.kind === 'computed') {
    return { type: 'computed', title, computed: page.computed as PageRecord['computed'] & object }
  }
  const { title: _title, ...meta } = page.reading.meta
  const { linkTitle, file, source, isHidden } = page
  return {
    type: 'document',
    title,
    ...meta,
    ...(isHidden ? { hidden: true } : {}),
    ...(linkTitle === undefined ? {} : { linkTitle }),
    ...(file === undefined ? {} : { file }),
    ...keep(source, page.reading),
  }
}

const targetAddress = (target: { url: string } | { file: string; anchor?: string }) =>
  'url' in target ? target.url : `/${target.file}${target.anchor ? `#${target.anchor}` : ''}`
