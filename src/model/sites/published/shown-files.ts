/** Which uploaded files a reader of a site may see: those that a page which they may see shows. */
import { append } from '../../../core/lists.ts'
import type { FileRecord, PageRecord } from '../../../core/content/revision.ts'
import { conditionOf } from '../../../core/document/front-matter.ts'
import { firstCondition } from '../../../core/document/markdown/lookalikes.ts'
import { heapSize } from '../../../core/heap-size.ts'
import { lru } from '../../../core/lru.ts'
import type { Reader } from '../../../db/schema.ts'
import { sourcesOf } from '../../content/content.ts'
import { fileKey, fileUsesOf } from '../../content/file-uses.ts'
import { filesOnPage } from './body.ts'
import { loadContent, type SiteContent, type SiteServices, variantAddress } from './content.ts'
import { linksToFile } from './linked-files.ts'
import type { OpenSite } from './open-site.ts'

/** A file is searched for on at most so many pages with conditions in their text. */
const MOST_PAGES = 20

const shown = lru<boolean>(2 * 1024 * 1024)
/** The files on pages with conditions, by the version of the site and the page. */
const onPages = lru<ReadonlySet<string>>(4 * 1024 * 1024)
/** Whether a text is under a condition somewhere, by its hash. */
const conditional = lru<boolean>(1024 * 1024)

/** Whether a page that the reader may see shows a file, or a link of the header, the footer or the announcement. */
export async function isFileShown(
  services: SiteServices,
  open: OpenSite,
  spaceId: string,
  file: FileRecord,
): Promise<boolean> {
  const key = `${open.version} ${fileKey(spaceId, file.id)}`
  const known = shown.get(key)
  if (known !== undefined) return known
  const found = await findUse(services, open, spaceId, file)
  shown.set(key, found, 8)
  return found
}

/** The files of a space that a reader may see, in their order. */
export async function shownFilesOf(
  services: SiteServices,
  { open, variant, files }: SiteContent,
): Promise<FileRecord[]> {
  const found: FileRecord[] = []
  for (const file of files.values())
    if (await isFileShown(services, open, variant.spaceId, file)) found.push(file)
  return found
}

async function findUse(
  services: SiteServices,
  open: OpenSite,
  spaceId: string,
  file: FileRecord,
): Promise<boolean> {
  const { db } = services
  const unsure: { content: SiteContent; page: PageRecord }[] = []
  for (const variant of open.variants) {
    const content = await loadContent(services, open, variant, variantAddress(open, variant))
    if (linksToFile(content, spaceId, file.id)) return true
    const uses = (await fileUsesOf(db, content.revision)).get(fileKey(spaceId, file.id)) ?? []
    const pages = uses.flatMap((id) => content.tree.get(id) ?? []).filter(content.shown)
    for (const page of pages) {
      if (isOfPageItself(page, file) || !(await hasConditions(db, content, page))) return true
      unsure.push({ content, page })
    }
  }
  // Only the body as the reader sees it tells whether a condition in it hides the file.
  for (const { content, page } of unsure.slice(0, MOST_PAGES))
    if ((await filesOn(services, content, page)).has(file.id)) return true
  return false
}

async function filesOn(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
): Promise<ReadonlySet<string>> {
  const key = [content.open.version, content.variant.siteSpaceId, content.base, page.id].join(' ')
  const known = onPages.get(key)
  if (known) return known
  const found = await filesOnPage(services, content, page)
  onPages.set(key, found, heapSize([...found]))
  return found
}

function isOfPageItself({ cover, target }: PageRecord, { id }: FileRecord): boolean {
  return [cover?.ref, cover?.refDark, target].some((ref) => ref?.kind === 'file' && ref.file === id)
}

const INCLUDE = /\{%-?\s*include\b/

/** Whether some text of a page, or anything of the space that it may include, is under a condition. */
async function hasConditions(db: Reader, content: SiteContent, { document }: PageRecord): Promise<boolean> {
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
