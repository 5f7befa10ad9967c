import { because } from '../languages/reasons.ts'
import { append, need, needItem } from '../data/lists.ts'
import { LONGEST_SLUG, uniquifier } from '../text/slug.ts'
import { shorten } from '../text/shorten.ts'
import { mostPages } from '../content/limits.ts'
import { PAGE_LIMITS } from '../document/shape/limits.ts'
import { folderSlug, groupSlugs } from './group-slugs.ts'
import type {
  Entry,
  EntryLines,
  GroupEntry,
  PageEntry,
  PageReading,
  PlannedDocument,
  PlannedPage,
  Problem,
} from './model.ts'
import { cleanSlug, isFolderPage, slugOfFile, slugOfTitle } from '../text/page-slug.ts'
import { folderOf, isMarkdown, lastSegment, titleOfName } from '../text/file-paths.ts'
import { ImportRefused } from './refused.ts'

/** The inputs of `planPages`. */
export interface PageSources<R extends PageReading> {
  root: string
  /** The file or folder that the table of contents was read from. Used in messages. */
  contents: string
  /** The lines of the entries in the table of contents. */
  lines: ReadonlyMap<Entry, EntryLines>
  /** Finds the file of an entry's path. Returns undefined if it does not exist. */
  locate(path: string): string | undefined
  /** Reads a page of the repository. Returns an empty source for a page without a file. */
  open(path: string | undefined): Promise<{ source: string; reading: R }>
  problems: Problem[]
}

/** The page tree, with the documents and files that it refers to. */
export interface PlannedTree<R extends PageReading> {
  pages: PlannedPage<R>[]
  /** Every document of the tree that has a file, by path. */
  documents: Map<string, PlannedDocument<R>>
  /** The lines of the pages in the table of contents. */
  lines: Map<PlannedPage<R>, EntryLines>
  /** Files other than pages that the table of contents links to. */
  files: Set<string>
  /** Number of pages of every kind. */
  count: number
  /** The number of pages whose file does not exist. They are imported as empty pages. */
  missing: number
}

/**
 * Plans the pages of a table of contents: titles, slugs and sources. Each file becomes one page. If the table of
 * contents lists a file again, that entry becomes a link to the page. Entries below a link become its siblings,
 * because link pages have no children.
 */
export async function planPages<R extends PageReading>(
  entries: Entry[],
  sources: PageSources<R>,
): Promise<PlannedTree<R>> {
  const located = locateEntries(entries, sources)
  const tree: PlannedTree<R> = {
    pages: [],
    documents: new Map(),
    lines: new Map(),
    files: new Set(),
    count: located.count,
    missing: 0,
  }

  const planning = { sources, tree, located, slugs: slugsOfGroups(entries, located, sources.root) }
  tree.pages = await planLevel(entries, '', planning)
  return tree
}

interface Located {
  files: Map<PageEntry, string>
  /** The entry that becomes the page of a file: the first one without an anchor, or else the first one. */
  owners: Map<string, PageEntry>
  count: number
}

interface Planning<R extends PageReading> {
  sources: PageSources<R>
  tree: PlannedTree<R>
  located: Located
  /** The slugs of groups that name none. */
  slugs: ReadonlyMap<GroupEntry, string>
}

function slugsOfGroups(
  entries: readonly Entry[],
  located: Located,
  root: string,
): ReadonlyMap<GroupEntry, string> {
  const groups = entries.filter((entry) => entry.kind === 'group')
  const filed = groups.map(({ title, children }) => ({
    title,
    files: [...filesDirectlyIn(children, located)],
  }))
  const slugs = groupSlugs(filed, root)
  return new Map(groups.map((group, nth) => [group, needItem(slugs, nth)]))
}

/** The files of the pages at a level. Entries below a link are at the level of the link. */
function* filesDirectlyIn(entries: readonly Entry[], located: Located): Generator<string> {
  for (const entry of entries) {
    const file = entry.kind === 'page' ? located.files.get(entry) : undefined
    const isLink =
      entry.kind === 'link' ||
      (file !== undefined && !(isMarkdown(file) && located.owners.get(file) === entry))
    if (isLink && entry.kind !== 'computed') yield* filesDirectlyIn(entry.children, located)
    else if (file !== undefined) yield file
  }
}

/** Finds the file of every entry, and checks the limits before it reads the first page. */
function locateEntries<R extends PageReading>(entries: Entry[], sources: PageSources<R>): Located {
  const located: Located = { files: new Map(), owners: new Map(), count: 0 }
  const waiting = entries.toReversed()

  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    checkBounds(++located.count, sources.contents)
    if (entry.kind === 'page') locate(entry, sources, located)
    if (entry.kind !== 'computed') {
      append(waiting, entry.children.toReversed())
    }
  }

  return located
}

function checkBounds(count: number, contents: string) {
  if (count > mostPages()) {
    throw new ImportRefused(because('import-too-many-pages', { contents, limit: mostPages() }), contents)
  }
}

function locate<R extends PageReading>(entry: PageEntry, sources: PageSources<R>, located: Located) {
  const file = entry.file ?? (entry.path === undefined ? undefined : sources.locate(entry.path))
  if (file === undefined) return

  located.files.set(entry, file)
  const owner = located.owners.get(file)
  const isBetter = owner?.anchor !== undefined && entry.anchor === undefined
  if (!owner || isBetter) located.owners.set(file, entry)
}

async function planLevel<R extends PageReading>(
  entries: Entry[],
  parent: string,
  planning: Planning<R>,
  freeSlug = uniquifier([], { longest: LONGEST_SLUG }),
): Promise<PlannedPage<R>[]> {
  const pages: PlannedPage<R>[] = []

  for (const entry of entries) {
    const page = await planEntry(entry, parent, planning, freeSlug)
    pages.push(page)
    const lines = planning.sources.lines.get(entry)
    if (lines) planning.tree.lines.set(page, lines)

    const isLinkWithPages = page.kind === 'link' && entry.kind !== 'computed'
    if (isLinkWithPages) append(pages, await planLevel(entry.children, parent, planning, freeSlug))
  }

  return pages
}

async function planEntry<R extends PageReading>(
  entry: Entry,
  parent: string,
  planning: Planning<R>,
  freeSlug: (slug: string) => string,
): Promise<PlannedPage<R>> {
  if (entry.kind === 'computed') return { kind: 'computed', title: entry.title, computed: entry.computed }
  if (entry.kind === 'link') {
    return { kind: 'link', title: entry.linkTitle ?? entry.title, target: { url: entry.url } }
  }
  if (entry.kind === 'group') {
    const slug = freeSlug(entry.anchor === undefined ? need(planning.slugs, entry) : cleanSlug(entry.anchor))
    const path = below(parent, slug)
    return {
      kind: 'group',
      title: entry.title,
      slug,
      path,
      children: await planLevel(entry.children, path, planning),
    }
  }

  return planPage(entry, parent, planning, freeSlug)
}

async function planPage<R extends PageReading>(
  entry: PageEntry,
  parent: string,
  planning: Planning<R>,
  freeSlug: (slug: string) => string,
): Promise<PlannedPage<R>> {
  const { sources, tree, located } = planning
  const file = located.files.get(entry)
  if (file !== undefined && !isMarkdown(file)) {
    tree.files.add(file)
    return { kind: 'link', title: entry.linkTitle ?? (entry.title || lastSegment(file)), target: { file } }
  }
  if (file !== undefined && located.owners.get(file) !== entry) return planRepeated(entry, file, sources)

  if (entry.path !== undefined && file === undefined) {
    tree.missing++
    const why = because('entry-not-in-repository', { path: entry.path, title: entry.title })
    const place = placeInContents(entry, sources)
    sources.problems.push({ kind: 'missing-page', ...place, address: entry.path, ...why })
  }

  const { source, reading } = await sources.open(file)
  const title =
    shorten(titleOnOneLine(reading.title), PAGE_LIMITS.title) ||
    entry.title ||
    titleOfFile(file ?? entry.path ?? '', sources.root)
  const slug = freeSlug(entry.slug ?? slugOfEntry(entry, file, title, planning))
  const path = below(parent, slug)
  const linkTitle = linkTitleOf(entry, title)
  const page: PlannedDocument<R> = {
    kind: 'document',
    title,
    ...(linkTitle === undefined ? {} : { linkTitle }),
    slug,
    path,
    ...(file === undefined ? {} : { file }),
    ...(entry.isHidden ? { isHidden: true } : {}),
    source,
    reading,
    children: await planLevel(entry.children, path, planning),
  }
  if (file !== undefined) tree.documents.set(file, page)

  return page
}

/** Turns an entry that lists a file again into a link, because a page has only one address. */
function planRepeated<R extends PageReading>(
  entry: PageEntry,
  file: string,
  sources: PageSources<R>,
): PlannedPage<R> {
  if (entry.anchor === undefined) {
    const address = entry.path ?? ''
    const why = because('entry-listed-again', { path: address, title: entry.title })
    sources.problems.push({ kind: 'repeated-page', ...placeInContents(entry, sources), address, ...why })
  }
  const target = entry.anchor ? { file, anchor: entry.anchor } : { file }
  const title = entry.linkTitle ?? (entry.title || titleOfFile(file, sources.root))

  return { kind: 'link', title, target }
}

/** Where a problem with an entry is. */
function placeInContents<R extends PageReading>(
  entry: Entry,
  { contents, lines }: PageSources<R>,
): Pick<Problem, 'path' | 'line'> {
  const own = lines.get(entry)
  return { path: contents, ...(own ? { line: own.start + 1 } : {}) }
}

function slugOfEntry<R extends PageReading>(
  entry: PageEntry,
  file: string | undefined,
  title: string,
  { sources: { root }, located }: Planning<R>,
): string {
  if (file !== undefined) {
    // The name of the first page is in no path of its file, but the pages below it are in its folder.
    const isFirst = isFolderPage(file) && folderOf(file) === root
    const folder = isFirst ? folderSlug([...filesDirectlyIn(entry.children, located)], root) : undefined
    return folder ?? slugOfFile(file, root)
  }
  // The file does not exist, but links to its address may still be in use.
  if (entry.path !== undefined && isMarkdown(entry.path)) return slugOfFile(entry.path, '')

  return slugOfTitle(title)
}

/** The longest link title that the API accepts. */
const longestLinkTitle = 100

/** The title in the table of contents if it differs from the title of the page. Authors often shorten it there. */
function linkTitleOf(entry: PageEntry, title: string): string | undefined {
  const linkTitle = entry.linkTitle ?? entry.title
  const isItsOwn = linkTitle !== '' && linkTitle !== title && linkTitle.length <= longestLinkTitle

  return isItsOwn ? linkTitle : undefined
}

function titleOfFile(file: string, root: string): string {
  const folder = folderOf(file)
  if (isFolderPage(file) && folder !== root && folder !== '') return titleOfName(lastSegment(folder))

  return titleOfName(lastSegment(file)) || 'Page'
}

/** The title of a page as an import stores it; empty for none. */
export function titleOnOneLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim()
}

function below(parent: string, slug: string): string {
  return parent === '' ? slug : `${parent}/${slug}`
}
