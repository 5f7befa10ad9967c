import { type Static, Type } from 'typebox'
import type { Blobs } from '../blobs/blobs.ts'
import { append } from '../core/data/lists.ts'
import { PROBLEM_KINDS } from '../core/repository/model.ts'
import { IMPORT_SOURCES } from '../core/sources/convert.ts'
import { canHaveTrees } from '../core/sources/project-trees.ts'
import { TOOL_IDS } from '../core/sources/tools/recognize.ts'
import { partyFor } from '../core/runtime/turns.ts'
import type { Database, Row } from '../db/schema.ts'
import { ApiError, invalid } from '../http/errors.ts'
import type { HandlerContext } from '../http/route.ts'
import type { TrackedImport } from '../http/running-imports.ts'
import { omitNullish, oneOf, ReasonOfMessage } from '../model/common.ts'
import {
  beginImport,
  storeImported,
  type StoringImport,
} from '../model/content/documents/imported-document.ts'
import type { StoredDocument } from '../model/content/documents/stored-document.ts'
import { SyncResult } from '../model/proposals/space-source.ts'
import { indexImported } from '../model/search/imported-pages.ts'
import { keepSections } from '../model/search/imported-sections.ts'
import { checkParentPage } from './below.ts'
import { type FetchedArchive, fetchImport, isUpload } from './fetch.ts'
import type { ImportOutline, ImportPart, OutlinedPage, ReadFile, StoredFile } from './plan-outline.ts'
import { readImport } from './read.ts'
import { inCrawlSlot, inImportSlot, inLargeFetchSlot, inSmallFetchSlot, SMALL_ARCHIVE } from './slots.ts'
import { crawlWebsite } from './website.ts'
import { planChanges, type PlannedImport } from './write.ts'
import { because } from '../core/languages/reasons.ts'

/** The source of an import: its URL and its format, and for an archive of a repository the folder of the documentation. */
export const ImportBody = Type.Object({
  url: Type.String({
    format: 'uri',
    maxLength: 2048,
    description:
      'The URL of an upload, of a file on another server, or of a public repository on GitHub, GitLab, Bitbucket or Codeberg, whose archive Lectern downloads. With the source `website`, the address of the first page.',
  }),
  source: oneOf(IMPORT_SOURCES),
  root: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'The folder of the documentation in the archive; empty for the whole archive. If it is that of a language or version of a recognized project, such as `versioned_docs/version-1.0`, its pages are converted as those of the project; otherwise, they are imported as Markdown. Without it, Lectern finds the folder, and refuses an archive with several. For a source other than `zip` and `markdown`, it must be the folder of a language or version.',
    }),
  ),
})

/** The result of an import. */
export const ImportResult = Type.Object(
  {
    revision: Type.String(),
    title: Type.Optional(
      Type.String({
        description:
          'The title of the whole source, from its settings or its front page; absent if these have none. The space keeps its title.',
      }),
    ),
    recognized: Type.Optional(
      Type.Object(
        {
          tool: oneOf(TOOL_IDS),
          name: Type.String({ description: 'The name of the tool, for people' }),
          path: Type.String({ description: 'The file by which it is recognized' }),
          source: oneOf(IMPORT_SOURCES, { description: 'The source as which the files were imported' }),
        },
        {
          description:
            'The documentation tool whose files the archive has, if the request has the source `zip`, and either no `root` or that of a language or version of the project',
        },
      ),
    ),
    importedResources: Type.Integer(),
    importedPages: Type.Integer({ description: 'The pages among them, without groups and links' }),
    importedFiles: Type.Integer({ description: 'The files among them' }),
    totalResources: Type.Integer(),
    problems: Type.Array(
      Type.Object({
        kind: oneOf(PROBLEM_KINDS, {
          description:
            '`unlisted-page` and `mdx`: the file is not imported. `repeated-page`: the second entry is a link. `outside-picture`: the pictures stay on other servers. `unused-file`: the file is kept. `conversion`: anything that another format than Markdown loses.',
        }),
        path: Type.String(),
        line: Type.Optional(Type.Integer()),
        address: Type.Optional(Type.String({ description: 'What `path` refers to, as it is written' })),
        message: Type.String(),
        reason: Type.String({
          description:
            'Why, as a word that stays the same when `message` is reworded, such as `page-unlisted`. Newer versions have more reasons.',
        }),
        parameters: ReasonOfMessage.parameters,
      }),
    ),
    sync: Type.Optional(SyncResult),
  },
  { title: 'ImportResult' },
)

/** An import that was fetched and read, and whose documents and files are stored. */
export interface PreparedImport {
  outline: ImportOutline
  files: StoredFile[]
  /** The page below which the pages are added; undefined for the top level. */
  below: string | undefined
  /** The import that stored documents; undefined if it had none. */
  storing: StoringImport | undefined
  planned: PlannedImport
}

/** The context that is needed to read an archive on the disk. */
export type StoringContext = Pick<HandlerContext, 'blobs' | 'now' | 'newId' | 'enqueue'> & {
  db: Database
  space: Pick<Row<'space'>, 'id' | 'organizationId'>
  /** Whether the import is for the primary content, so that search finds its pages. */
  isSearched?: boolean
  signal: AbortSignal
}

/** The context that is needed to read a source. */
export type ImportContext = Parameters<typeof fetchImport>[0] &
  StoringContext &
  Pick<HandlerContext, 'imports'> & {
    /** The archive at the address, if the server has fetched it already. */
    archive?: FetchedArchive
  }

/**
 * Fetches and reads the source of an import into a space, when it is its turn. An import that waits ends when its client
 * leaves. The documents and files are stored before the transaction that uses them, in small parts, so that no other
 * request waits for a large import.
 * @param newest reads the newest revision: before the import is fetched if it is below a page, and when it has been read
 * @param below the id of the page below which the pages are added
 * @throws 400 if it cannot be read, 404 if the page does not exist, 429 if too many imports wait
 */
export async function prepareImport(
  context: ImportContext,
  body: Static<typeof ImportBody>,
  newest: () => Promise<Row<'revision'>>,
  below?: string,
): Promise<PreparedImport> {
  if (below !== undefined) await checkParentPage(context.db.read, await newest(), below)
  const plan = async (read: StoredSource) => {
    const planned = await planChanges(context.db.read, await newest(), read, context)
    return { ...read, planned }
  }
  return readSource(context, { ...body, below }, plan)
}

/** A source that was fetched and read, and whose documents and files are stored. */
export type StoredSource = Omit<PreparedImport, 'planned'>

/**
 * Fetches and reads a source, and stores its documents and files.
 * @param use does the rest in the same slot
 * @param known the result of an archive that needs not be read, if there is one
 */
export async function readSource<T>(
  context: ImportContext,
  { url, source, root, below }: Static<typeof ImportBody> & { below?: string | undefined },
  use: (read: StoredSource, archive: FetchedArchive) => Promise<T>,
  known?: (archive: FetchedArchive) => Promise<T | undefined>,
): Promise<T> {
  const { space, signal } = context
  if (root !== undefined && source !== 'zip' && source !== 'markdown' && !canHaveTrees(source))
    throw invalid(because('root-only-for-zip'))
  const party = partyFor(space.organizationId)
  using progress = context.imports.track(space.id, context.now)
  // A crawl takes minutes, so it keeps none of the slots of other imports.
  const crawl = () => {
    progress.enter({ stage: 'fetching' })
    const onPages = (done: number) => progress.enter({ stage: 'fetching', done })
    return crawlWebsite({ ...context, party, onPages }, url)
  }
  await using website = source === 'website' ? await inCrawlSlot(party, crawl, signal) : undefined
  const fetchOne = async (maxBytes?: number) => {
    if (context.archive) return context.archive
    progress.enter({ stage: 'fetching' })
    return fetchImport(context, url, context.now, maxBytes)
  }
  const readOne = async (archive: FetchedArchive) => {
    const before = await known?.(archive)
    if (before !== undefined) return before
    const options = { source, root, isMoved: below !== undefined, progress }
    return use({ ...(await storeArchiveParts(context, archive, options)), below }, archive)
  }
  const readInTurn = (archive: FetchedArchive) => inImportSlot(party, () => readOne(archive), signal)
  if (website) return await readInTurn(website)
  const fetchAndRead = async (read: typeof readOne) => {
    await using archive = await fetchOne()
    return await read(archive)
  }
  if (isUpload(context, url)) return await inImportSlot(party, () => fetchAndRead(readOne), signal)
  const most = Math.min(SMALL_ARCHIVE, context.limits.upload)
  const fetchSmall = async () => {
    await using archive = await orTooLarge(fetchOne(most))
    return archive && { result: await readInTurn(archive) }
  }
  const small = await inSmallFetchSlot(party, fetchSmall, signal)
  return small ? small.result : await inLargeFetchSlot(party, () => fetchAndRead(readInTurn), signal)
}

/** What is fetched; undefined if it is larger than what was asked for. */
async function orTooLarge<T>(fetched: Promise<T>): Promise<T | undefined> {
  try {
    return await fetched
  } catch (error) {
    if (error instanceof ApiError && error.status === 413) return undefined
    throw error
  }
}

/** How an archive on the disk is read. */
interface StoringOptions {
  source: Static<typeof ImportBody>['source']
  root: string | undefined
  /** Whether the pages are added below a page. */
  isMoved?: boolean
  progress: TrackedImport
  /** Whether the bytes of a file are not needed, because the space has the file. Without it, all are stored. */
  isKnown?: (file: Pick<ReadFile, 'path' | 'oid'>) => boolean
}

/** Reads an archive on the disk, and stores its documents and files. Files that are known have an empty hash. */
export async function storeArchiveParts(
  context: StoringContext,
  { path, name, isRepository = false }: Pick<FetchedArchive, 'path' | 'name' | 'isRepository'>,
  { source, root, isMoved = false, progress, isKnown = () => false }: StoringOptions,
): Promise<Omit<StoredSource, 'below'>> {
  const { db, blobs, space, isSearched = false, newId, signal } = context
  const files: StoredFile[] = []
  let storing: StoringImport | undefined
  const storeDocumentsOf = async (documents: StoredDocument[]) => {
    const current = storing ?? { id: newId(), spaceId: space.id }
    // The commit of the revision, which alone is acknowledged, syncs these too.
    await db.write(
      async (tx) => {
        if (!storing) await beginImport(tx, current, context)
        await storeImported(tx, current, documents)
      },
      { isSynced: false },
    )
    storing = current
  }
  const take = async (part: ImportPart) => {
    if ('progress' in part) progress.enter(part.progress)
    else if ('pages' in part) indexImported(db.read, space.id, part.pages)
    else if ('files' in part) {
      const known = part.files.filter(isKnown)
      append(
        files,
        known.map(({ bytes: _bytes, ...file }) => ({ ...file, hash: '' })),
      )
      append(
        files,
        await storeFiles(
          blobs,
          part.files.filter((file) => !isKnown(file)),
        ),
      )
      progress.add(part.files.length)
    } else {
      await storeDocumentsOf(part.documents)
      keepSections(space.id, part.sections)
      progress.add(part.documents.length)
    }
  }
  progress.enter({ stage: 'reading' })
  const party = partyFor(space.organizationId)
  const outline = await readImport(
    { source, name, path, root, isRepository, isMoved, isSearched },
    party,
    take,
    signal,
  )
  return { outline, files, storing }
}

const AT_ONCE = 8

/** Stores the bytes of files. If the import fails, a sweep removes those that nothing refers to. */
async function storeFiles(blobs: Blobs, files: readonly ReadFile[]): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  const rest = files.entries()

  // Most of the time is spent waiting for the disk or the bucket, so several files are stored concurrently.
  async function storeNext(): Promise<void> {
    for (const [place, { bytes, ...file }] of rest) {
      const { hash } = await blobs.put(bytes)
      stored[place] = { ...file, hash }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, storeNext))
  return stored
}

/** What an import reports about its source. */
export type SourceReport = Omit<Static<typeof ImportResult>, 'revision' | 'sync'>

export function sourceReport({ outline, files }: Pick<PreparedImport, 'outline' | 'files'>): SourceReport {
  const { title, recognized, importedResources, totalResources, problems } = outline
  return {
    ...omitNullish({ title, recognized }),
    importedResources,
    importedPages: countPages(outline.pages),
    importedFiles: files.length,
    totalResources,
    problems: problems.map((problem) => ({ kind: 'conversion' as const, ...problem })),
  }
}

export function toImportResult(
  { id, sync }: Pick<Row<'revision'>, 'id'> & { sync?: SyncResult },
  report: SourceReport,
): Static<typeof ImportResult> {
  return { revision: id, ...report, ...omitNullish({ sync }) }
}

const countPages = (pages: readonly OutlinedPage[]): number =>
  pages.reduce(
    (sum, { fields, children }) => sum + (fields.type === 'document' ? 1 : 0) + countPages(children),
    0,
  )
