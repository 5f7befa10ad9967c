import { repositoryLimits } from './model.ts'
import type { Entry, PageEntry, PageReading, PlannedDocument, PlannedPage, Problem } from './model.ts'
import { cleanSlug, isFolderPage, slugOfFile, slugOfTitle, takeSlug } from './page-slug.ts'
import type { TakenSlugs } from './page-slug.ts'
import { folderOf, isMarkdown, nameOf, titleOfName } from './paths.ts'
import { ImportRefused } from './refused.ts'

/** What pages are planned from. */
export interface PageSources<R extends PageReading> {
  root: string
  /** The file that holds the table of contents, or the name of the way it was found, for messages. */
  contents: string
  /** The file that an entry's path means; undefined when it is not there. */
  locate(path: string): string | undefined
  /** Reads a page of the repository, or an empty source for a page without a file. */
  open(path: string | undefined): Promise<{ source: string; reading: R }>
  problems: Problem[]
}

/** The tree, and what stands beside it. */
export interface PlannedTree<R extends PageReading> {
  pages: PlannedPage<R>[]
  /** Every document of the tree that has a file, by its path. */
  documents: Map<string, PlannedDocument<R>>
  /** Files that are no pages and that the table of contents links to. */
  files: Set<string>
  /** Number of pages of every kind. */
  count: number
  /** Pages whose file is not there; they are planned empty. */
  missing: number
}

/**
 * Plans the pages of a table of contents: titles, slugs, sources. A file is one page: where it is listed again the
 * entry becomes a link to it, and pages below a link move up beside it, for links have none (api-facts 1.4).
 */
export async function planPages<R extends PageReading>(
  entries: Entry[],
  sources: PageSources<R>,
): Promise<PlannedTree<R>> {
  const located = locateEntries(entries, sources)
  const tree: PlannedTree<R> = {
    pages: [],
    documents: new Map(),
    files: new Set(),
    count: located.count,
    missing: 0,
  }

  tree.pages = await planLevel(entries, '', { sources, tree, located })
  return tree
}

interface Located {
  files: Map<PageEntry, string>
  /** The entry that is the page of a file: the first without an anchor, else the first. */
  owners: Map<string, PageEntry>
  count: number
}

interface Planning<R extends PageReading> {
  sources: PageSources<R>
  tree: PlannedTree<R>
  located: Located
}

/** Looks every entry up and checks the bounds before the first page is read. */
function locateEntries<R extends PageReading>(entries: Entry[], sources: PageSources<R>): Located {
  const located: Located = { files: new Map(), owners: new Map(), count: 0 }
  const waiting = entries.map((entry) => ({ entry, depth: 1 })).toReversed()

  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { entry, depth } = next
    checkBounds(++located.count, depth, entry, sources.contents)
    if (entry.kind === 'page') locate(entry, sources, located)
    if (entry.kind !== 'computed') {
      for (const child of entry.children.toReversed()) waiting.push({ entry: child, depth: depth + 1 })
    }
  }

  return located
}

function checkBounds(count: number, depth: number, entry: Entry, contents: string) {
  const name = (entry.kind === 'page' && entry.path) || entry.title
  if (depth > repositoryLimits.depth) {
    throw new ImportRefused(
      `${contents}: "${name}" lies deeper than ${repositoryLimits.depth} levels in the page tree`,
      contents,
    )
  }
  if (count > repositoryLimits.pages) {
    throw new ImportRefused(`${contents} lists more than ${repositoryLimits.pages} pages`, contents)
  }
}

function locate<R extends PageReading>(entry: PageEntry, sources: PageSources<R>, located: Located) {
  if (entry.path === undefined) return

  const file = sources.locate(entry.path)
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
  taken: TakenSlugs = new Map(),
): Promise<PlannedPage<R>[]> {
  const pages: PlannedPage<R>[] = []

  for (const entry of entries) {
    const page = await planEntry(entry, parent, planning, taken)
    pages.push(page)

    const isLinkWithPages = page.kind === 'link' && entry.kind !== 'computed'
    if (isLinkWithPages) pages.push(...(await planLevel(entry.children, parent, planning, taken)))
  }

  return pages
}

async function planEntry<R extends PageReading>(
  entry: Entry,
  parent: string,
  planning: Planning<R>,
  taken: TakenSlugs,
): Promise<PlannedPage<R>> {
  if (entry.kind === 'computed') return { kind: 'computed', title: entry.title, computed: entry.computed }
  if (entry.kind === 'link') {
    return { kind: 'link', title: entry.linkTitle ?? entry.title, target: { url: entry.url } }
  }
  if (entry.kind === 'group') {
    const slug = takeSlug(
      entry.anchor === undefined ? slugOfTitle(entry.title) : cleanSlug(entry.anchor),
      taken,
    )
    const path = below(parent, slug)
    return {
      kind: 'group',
      title: entry.title,
      slug,
      path,
      children: await planLevel(entry.children, path, planning),
    }
  }

  return planPage(entry, parent, planning, taken)
}

async function planPage<R extends PageReading>(
  entry: PageEntry,
  parent: string,
  planning: Planning<R>,
  taken: TakenSlugs,
): Promise<PlannedPage<R>> {
  const { sources, tree, located } = planning
  const file = located.files.get(entry)
  if (file !== undefined && !isMarkdown(file)) {
    tree.files.add(file)
    return { kind: 'link', title: entry.linkTitle ?? (entry.title || nameOf(file)), target: { file } }
  }
  if (file !== undefined && located.owners.get(file) !== entry) return planRepeated(entry, file, sources)

  if (entry.path !== undefined && file === undefined) {
    tree.missing++
    const message = `"${entry.path}" is not in the repository; the page "${entry.title}" is empty`
    sources.problems.push({ path: sources.contents, message })
  }

  const { source, reading } = await sources.open(file)
  const title = oneLine(reading.title) || entry.title || titleOfFile(file ?? entry.path ?? '', sources.root)
  const slug = takeSlug(entry.slug ?? slugOfEntry(entry, file, title, sources.root), taken)
  const path = below(parent, slug)
  const linkTitle = linkTitleOf(entry, title)
  const page: PlannedDocument<R> = {
    kind: 'document',
    title,
    ...(linkTitle === undefined ? {} : { linkTitle }),
    slug,
    path,
    ...(file === undefined ? {} : { file }),
    source,
    reading,
    children: await planLevel(entry.children, path, planning),
  }
  if (file !== undefined) tree.documents.set(file, page)

  return page
}

/** A file that is listed again: one page cannot stand at two addresses. */
function planRepeated<R extends PageReading>(
  entry: PageEntry,
  file: string,
  sources: PageSources<R>,
): PlannedPage<R> {
  if (entry.anchor === undefined) {
    const message = `"${entry.path}" is listed more than once; the entry "${entry.title}" is a link to the page`
    sources.problems.push({ path: sources.contents, message })
  }
  const target = entry.anchor === undefined ? { file } : { file, anchor: entry.anchor }
  const title = entry.linkTitle ?? (entry.title || titleOfFile(file, sources.root))

  return { kind: 'link', title, target }
}

function slugOfEntry(entry: PageEntry, file: string | undefined, title: string, root: string): string {
  if (file !== undefined) return slugOfFile(file, root)
  // The file is gone, but links to its address live on.
  if (entry.path !== undefined && isMarkdown(entry.path)) return slugOfFile(entry.path, '')

  return slugOfTitle(title)
}

/** Longest link title that the API takes (api-facts 1.4). */
const longestLinkTitle = 100

/** The title in the table of contents, where it is not the page's own: authors write shorter ones there. */
function linkTitleOf(entry: PageEntry, title: string): string | undefined {
  const linkTitle = entry.linkTitle ?? entry.title
  const isItsOwn = linkTitle !== '' && linkTitle !== title && linkTitle.length <= longestLinkTitle

  return isItsOwn ? linkTitle : undefined
}

function titleOfFile(file: string, root: string): string {
  const folder = folderOf(file)
  if (isFolderPage(file) && folder !== root && folder !== '') return titleOfName(nameOf(folder))

  return titleOfName(nameOf(file)) || 'Page'
}

function oneLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim()
}

function below(parent: string, slug: string): string {
  return parent === '' ? slug : `${parent}/${slug}`
}
