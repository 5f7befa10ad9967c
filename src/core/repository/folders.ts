import { repositoryLimits } from './model.ts'
import type { Entry } from './model.ts'
import { cleanSlug, isFolderPage } from '../text/page-slug.ts'
import { compareNames, isBelow, isMarkdown, lastSegment, titleOfName, pathBelow } from '../text/file-paths.ts'

interface Folder {
  pages: string[]
  folders: Map<string, Folder>
}

/**
 * Generates the table of contents of a repository from its folders.
 *
 * - The page of a folder is `README.md`, `index.md` or `_index.md` in it, or `guide.md` beside `guide/`. The other
 *   pages of the folder are below it.
 * - A folder without such a page becomes a group at the top level. Further down it becomes an empty page, because
 *   groups exist only at the top level.
 * - The page named `readme` comes first. The others follow in the natural order of their names. At the top level,
 *   groups come last.
 */
export function entriesFromFolders(paths: Iterable<string>, root: string, readme: string): Entry[] {
  const top: Folder = { pages: [], folders: new Map() }
  let first: string | undefined
  for (const path of paths) {
    if (!isBelow(path, root) || !isMarkdown(path)) continue
    if (path === readme) first = path
    else place(top, path, pathBelow(path, root))
  }

  first ??= folderIndex(top)
  const entries = folderEntries(top, first, true)
  const documents = entries.filter((entry) => entry.kind !== 'group')
  const groups = entries.filter((entry) => entry.kind === 'group')

  return [...(first === undefined ? [] : [pageEntry(first)]), ...documents, ...groups]
}

function place(top: Folder, path: string, inRoot: string) {
  const names = inRoot.split('/')
  // Hidden folders contain settings, and `node_modules` contains the documentation of other packages.
  if (names.some((name) => name.startsWith('.') || name === 'node_modules')) return

  // Pages that are nested too deeply are in the deepest folder that is allowed.
  let folder = top
  for (const name of names.slice(0, -1).slice(0, repositoryLimits.depth - 1)) {
    let next = folder.folders.get(name)
    if (!next) {
      next = { pages: [], folders: new Map() }
      folder.folders.set(name, next)
    }
    folder = next
  }
  folder.pages.push(path)
}

/** Returns the page of the folder. A README takes precedence over an index. */
function folderIndex(folder: Folder): string | undefined {
  return folder.pages.filter((path) => isFolderPage(path)).toSorted((a, b) => rank(a) - rank(b))[0]
}

function rank(path: string): number {
  return ['r', 'i', '_'].indexOf(lastSegment(path).charAt(0).toLowerCase())
}

function folderEntries(folder: Folder, index: string | undefined, atTop = false): Entry[] {
  const named: { name: string; entry: Entry }[] = []
  const taken = new Set<string>()

  for (const path of folder.pages) {
    if (path === index) continue
    const name = lastSegment(path).replace(/\.(?:md|markdown)$/i, '')
    const below = folder.folders.get(name)
    const isPageOfFolder = below !== undefined && !taken.has(name) && folderIndex(below) === undefined
    if (isPageOfFolder) taken.add(name)
    // A second index file in the same folder becomes an ordinary page.
    const slug = isFolderPage(path) ? cleanSlug(name) : undefined
    named.push({ name, entry: pageEntry(path, isPageOfFolder ? folderEntries(below, undefined) : [], slug) })
  }

  for (const [name, below] of folder.folders) {
    if (!taken.has(name)) named.push({ name, entry: folderEntry(name, below, atTop) })
  }

  return named.toSorted((a, b) => compareNames(a.name, b.name)).map(({ entry }) => entry)
}

function folderEntry(name: string, folder: Folder, atTop: boolean): Entry {
  const index = folderIndex(folder)
  const children = folderEntries(folder, index)
  if (index !== undefined) return pageEntry(index, children)

  const title = titleOfName(name)
  if (atTop) return { kind: 'group', title, anchor: name, children }

  return { kind: 'page', title, slug: cleanSlug(name), children }
}

function pageEntry(path: string, children: Entry[] = [], slug?: string): Entry {
  return { kind: 'page', title: '', path, ...(slug === undefined ? {} : { slug }), children }
}
