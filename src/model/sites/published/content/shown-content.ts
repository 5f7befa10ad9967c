/**
 * What a reader of a site may see beside pages: the files, reusable contents, specifications and users that a page which
 * they may see shows or mentions.
 */
import { scopeOf } from '../../../../access/visitors/visitors.ts'
import { append } from '../../../../core/data/lists.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../../core/content/revision.ts'
import { conditionOf } from '../../../../core/document/front-matter/front-matter.ts'
import { firstCondition } from '../../../../core/document/markdown/lookalikes.ts'
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import type { BodyTask } from '../../../../core/reading/body.ts'
import { type SeenInBody, seenInBody } from '../../../../core/reading/print.ts'
import type { WantedPart } from '../../../../core/openapi/described.ts'
import type { Reader } from '../../../../db/schema.ts'
import { reusablesOf, sourcesOf } from '../../../content/content.ts'
import { contentUsesOf, fileKey, keyOfUse, reusableKey, userKey } from '../../../content/content-uses.ts'
import { inThread, type TaskKind, tookTooMuch } from '../../../content/in-thread.ts'
import { loadSources, workOn } from './body-sources.ts'
import { isFileLinked } from './linked-files.ts'
import type { OpenSite, Variant } from '../open-site.ts'
import { loadSeenPages, type SeenPages } from './seen-pages.ts'

const SEEN_IN_BODY: TaskKind<BodyTask, SeenInBody> = {
  module: new URL('../../../../core/reading/print.ts', import.meta.url),
  name: 'seenInBody',
  timeMs: 5_000,
}

/** A thing is searched for on at most so many pages with conditions in their text. */
export const MOST_CONDITIONAL_PAGES = 20

const shown = lru<boolean>(2 * 1024 * 1024)
/** What pages with conditions show, by the version of the site and the page. */
const onPages = lru<SeenOnPage>(4 * 1024 * 1024)
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
  const key = fileKey(spaceId, id)
  return remembered(
    open,
    key,
    async () => (await isFileLinked(db, open, spaceId, id)) || isUsed(db, open, key),
  )
}

/** Whether a page that the reader may see includes a reusable content of a space. */
export function isReusableShown(db: Reader, open: OpenSite, spaceId: string, id: string): Promise<boolean> {
  const key = reusableKey(spaceId, id)
  return remembered(open, key, () => isUsed(db, open, key))
}

/** Whether a page that the reader may see mentions a user. */
export function isMentioned(db: Reader, open: OpenSite, userId: string): Promise<boolean> {
  const key = userKey(userId)
  return remembered(open, key, () => isUsed(db, open, key))
}

async function remembered(open: OpenSite, key: string, find: () => Promise<boolean>): Promise<boolean> {
  const name = `${open.version} ${key}`
  const known = shown.get(name)
  if (known !== undefined) return known
  const found = await find()
  shown.set(name, found, 8)
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
export type FilledSpace = SeenPages & {
  open: OpenSite
  variant: Variant
  reusables: ReadonlyMap<string, ReusableRecord>
}

/** A page that the reader may see, and that may show something. */
export interface PageInSpace {
  content: FilledSpace
  page: PageRecord
}

/** The spaces of a site with the pages of which the reader may see some. */
export async function* filledSpacesOf(db: Reader, open: OpenSite): AsyncGenerator<FilledSpace> {
  for (const variant of open.variants) {
    const seen = await loadSeenPages(db, open, variant)
    yield { ...seen, open, variant, reusables: await reusablesOf(db, seen.revision) }
  }
}

/** The pages of a space that the reader may see and that use something, under a condition or not. */
export async function usersOf(db: Reader, content: FilledSpace, key: string): Promise<PageRecord[]> {
  const uses = (await contentUsesOf(db, content.revision)).get(key) ?? []
  return uses.flatMap((id) => content.tree.get(id) ?? []).filter(content.shown)
}

async function isUsed(db: Reader, open: OpenSite, key: string): Promise<boolean> {
  const unsure: PageInSpace[] = []
  for await (const content of filledSpacesOf(db, open))
    for (const page of await usersOf(db, content, key)) {
      if (isOfPageItself(content, page, key) || !(await isConditional(db, content, page))) return true
      unsure.push({ content, page })
    }
  // Only the body as the reader sees it shows whether a condition in it hides the thing.
  for (const one of unsure.slice(0, MOST_CONDITIONAL_PAGES))
    if ((await seenOn(db, one)).keys.has(key)) return true
  return false
}

/** What the reader sees in the body of a page. */
interface SeenOnPage {
  /** The keys of what the page uses: `keyOfUse`. */
  keys: ReadonlySet<string>
  parts: readonly WantedPart[]
}

const NOTHING_SEEN: SeenOnPage = { keys: new Set(), parts: [] }

/** What the reader sees in the body of a page; nothing if finding it takes too long. */
export async function seenOn(db: Reader, { content, page }: PageInSpace): Promise<SeenOnPage> {
  const { open, variant, variables } = content
  const key = [open.version, variant.siteSpaceId, variant.revisionId, page.id].join(' ')
  const known = onPages.get(key)
  if (known) return known
  const scope = scopeOf(open.visit.visitor, variables, page)
  const sources = await loadSources(db, open.site, content, page)
  const task = { ...sources, targets: new Map(), specs: new Map(), scope }
  let found = NOTHING_SEEN
  try {
    const { refs, parts } = await inThread(SEEN_IN_BODY, seenInBody, task, workOn(db, content, task))
    found = { keys: new Set(refs.flatMap((ref) => keyOfUse(ref, variant.spaceId) ?? [])), parts }
  } catch (error) {
    if (!tookTooMuch(error)) throw error
  }
  onPages.set(key, found, heapSize([...found.keys, found.parts]))
  return found
}

function isOfPageItself({ variant }: FilledSpace, { cover, target }: PageRecord, key: string): boolean {
  return [cover?.ref, cover?.refDark, target].some((ref) => ref && keyOfUse(ref, variant.spaceId) === key)
}

const INCLUDE = /\{%-?\s*include\b/

/** Whether some text of a page, or anything of the space that it may include, is under a condition. */
export async function isConditional(
  db: Reader,
  content: FilledSpace,
  { document }: PageRecord,
): Promise<boolean> {
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
