/** Which uploaded files a reader of a site may see: those that a page which they may see shows. */
import { scopeOf } from '../../../../access/visitors/visitors.ts'
import { append } from '../../../../core/data/lists.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../../core/content/revision.ts'
import { conditionOf } from '../../../../core/document/front-matter/front-matter.ts'
import { firstCondition } from '../../../../core/document/markdown/lookalikes.ts'
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import type { BodyTask } from '../../../../core/reading/body.ts'
import { filesOfBody } from '../../../../core/reading/print.ts'
import type { Reader } from '../../../../db/schema.ts'
import { reusablesOf, sourcesOf } from '../../../content/content.ts'
import { fileKey, fileUsesOf } from '../../../content/files/file-uses.ts'
import { inThread, type TaskKind, tookTooMuch } from '../../../content/in-thread.ts'
import { loadSources, workOn } from './body-sources.ts'
import { isFileLinked } from './linked-files.ts'
import type { OpenSite, Variant } from '../open-site.ts'
import { loadSeenPages, type SeenPages } from './seen-pages.ts'

const FILES_OF_BODY: TaskKind<BodyTask, ReturnType<typeof filesOfBody>> = {
  module: new URL('../../../../core/reading/print.ts', import.meta.url),
  name: 'filesOfBody',
  timeMs: 5_000,
}

/** A file is searched for on at most so many pages with conditions in their text. */
const MOST_PAGES = 20

const shown = lru<boolean>(2 * 1024 * 1024)
/** The files on pages with conditions, by the version of the site and the page. */
const onPages = lru<ReadonlySet<string>>(4 * 1024 * 1024)
/** Whether a text is under a condition somewhere, by its hash. */
const conditional = lru<boolean>(1024 * 1024)

/**
 * Whether a page that the reader may see shows a file, or a link of the header, the footer or the announcement. A URL of
 * the file in a text shows nothing: whether it is a link is decided with this.
 */
export async function isFileShown(
  db: Reader,
  open: OpenSite,
  spaceId: string,
  { id }: Pick<FileRecord, 'id'>,
): Promise<boolean> {
  const key = `${open.version} ${fileKey(spaceId, id)}`
  const known = shown.get(key)
  if (known !== undefined) return known
  const found = (await isFileLinked(db, open, spaceId, id)) || (await isFileUsed(db, open, spaceId, id))
  shown.set(key, found, 8)
  return found
}

/** The files of a space that a reader may see, in their order. */
export async function shownFilesOf(
  db: Reader,
  content: { open: OpenSite; variant: Variant; files: ReadonlyMap<string, FileRecord> },
): Promise<FileRecord[]> {
  const { open, variant, files } = content
  const found: FileRecord[] = []
  for (const file of files.values()) if (await isFileShown(db, open, variant.spaceId, file)) found.push(file)
  return found
}

/** A published space with what its pages may include. */
type Filled = SeenPages & {
  open: OpenSite
  variant: Variant
  reusables: ReadonlyMap<string, ReusableRecord>
}

async function isFileUsed(db: Reader, open: OpenSite, spaceId: string, file: string): Promise<boolean> {
  const unsure: { content: Filled; page: PageRecord }[] = []
  for (const variant of open.variants) {
    const seen = await loadSeenPages(db, open, variant)
    const { revision, tree } = seen
    const content = { ...seen, open, variant, reusables: await reusablesOf(db, revision) }
    const uses = (await fileUsesOf(db, revision)).get(fileKey(spaceId, file)) ?? []
    const pages = uses.flatMap((id) => tree.get(id) ?? []).filter(seen.shown)
    for (const page of pages) {
      if (isOfPageItself(page, file) || !(await hasConditions(db, content, page))) return true
      unsure.push({ content, page })
    }
  }
  // Only the body as the reader sees it tells whether a condition in it hides the file.
  for (const { content, page } of unsure.slice(0, MOST_PAGES))
    if ((await filesOn(db, content, page)).has(fileKey(spaceId, file))) return true
  return false
}

/** The files that the reader sees in the body of a page, by `fileKey`; none if finding them takes too long. */
async function filesOn(db: Reader, content: Filled, page: PageRecord): Promise<ReadonlySet<string>> {
  const { open, variant, variables } = content
  const key = [open.version, variant.siteSpaceId, page.id].join(' ')
  const known = onPages.get(key)
  if (known) return known
  const found = new Set<string>()
  const scope = scopeOf(open.visit.visitor, variables, page)
  const sources = await loadSources(db, open.site, content, page)
  const task = { ...sources, targets: new Map(), specs: new Map(), scope }
  try {
    const files = await inThread(FILES_OF_BODY, filesOfBody, task, workOn(db, content, task))
    for (const { space = variant.spaceId, file } of files) found.add(fileKey(space, file))
  } catch (error) {
    if (!tookTooMuch(error)) throw error
  }
  onPages.set(key, found, heapSize([...found]))
  return found
}

function isOfPageItself({ cover, target }: PageRecord, id: string): boolean {
  return [cover?.ref, cover?.refDark, target].some((ref) => ref?.kind === 'file' && ref.file === id)
}

const INCLUDE = /\{%-?\s*include\b/

/** Whether some text of a page, or anything of the space that it may include, is under a condition. */
async function hasConditions(db: Reader, content: Filled, { document }: PageRecord): Promise<boolean> {
  const { reusables, revision } = content
  if (document === undefined) return false
  const key = `${revision.spaceId} ${document} ${revision.reusables}`
  const known = conditional.get(key)
  if (known !== undefined) return known
  const sources = [...(await sourcesOf(db, revision.spaceId, [document])).values()]
  if (sources.some((source) => INCLUDE.test(source))) {
    const included = [...reusables.values()].flatMap((one) => one.document ?? [])
    append(sources, (await sourcesOf(db, revision.spaceId, included)).values())
  }
  const found = sources.some((source) => firstCondition(source) !== -1 || conditionOf(source) !== undefined)
  conditional.set(key, found, 8)
  return found
}
