/** The page trees of Sphinx, of Jupyter Book (`_toc.yml`) and of MyST (`myst.yml`). */
import { because } from '../../../languages/reasons.ts'
import { isRecord } from '../../../data/is-record.ts'
import { append } from '../../../data/lists.ts'
import { type Problem, repositoryLimits } from '../../../repository/model.ts'
import {
  compareNames,
  folderOf,
  isWebAddress,
  joinPath,
  lastSegment,
  titleOfName,
} from '../../../text/file-paths.ts'
import type { SourceFiles } from '../../converted.ts'
import type { ListedPage } from '../../page-list.ts'
import { pageBeginning, pageSource } from '../addresses.ts'
import { patternBelow, pathMatcher } from '../globs.ts'
import { listedPage } from '../mdx-project.ts'
import { inFolder, isProjectPage } from '../project.ts'
import { documentTitle } from './labels.ts'
import { type Toctree, toctreesIn } from './toctrees.ts'

/** The files that page trees name. */
export interface MystFiles {
  files: SourceFiles
  root: string
  /** The paths of the pages, in the order of their names. */
  pages: readonly string[]
  problems: Problem[]
  /** The entries that are reported as missing, with the files that list them. */
  missing: Set<string>
  /** The titles of documents by their paths, each of which is read once. */
  titles: Map<string, MystTitle>
}

/** The title of a document. */
interface MystTitle {
  /** Undefined if the document has none. */
  written: string | undefined
  /** The title that the page has, which is that of its file if the document has none. */
  shown: string
}

const DEEPEST_CONTENTS = repositoryLimits.depth - 1
const ENDINGS = ['', '.md', '.markdown', '.rst', '.ipynb', '.txt', '/index.md', '/README.md']

/** The file of a document that is named without its extension, from the root or from a folder. */
export function documentFile(
  { files, root }: Pick<MystFiles, 'files' | 'root'>,
  folder: string,
  name: string,
): string | undefined {
  const path = joinPath(name.startsWith('/') ? root : folder, name)
  const found =
    path === undefined ? undefined : ENDINGS.map((end) => path + end).find((one) => files.has(one))
  // A page of reStructuredText is rewritten beside its file.
  const written = found?.replace(/\.(?:rst|txt)$/i, '.md')
  return written !== undefined && files.has(written) ? written : found
}

/** The title of a document. Labels and comments may precede it. */
export function mystTitle({ files, titles }: Pick<MystFiles, 'files' | 'titles'>, file: string): MystTitle {
  const known = titles.get(file)
  if (known) return known
  const written = documentTitle(pageBeginning(files.get(file)))
  const title = { written, shown: listedPage(files, file, written).title }
  titles.set(file, title)
  return title
}

/** A page of the tree. */
export const mystPage = (project: MystFiles, file: string, title?: string): ListedPage =>
  listedPage(project.files, file, title ?? mystTitle(project, file).shown)

const isPage = (path: string | undefined): path is string => path !== undefined && isProjectPage(path)

/** The tree of the directives `toctree`, from the first document on. Captions of the first document are groups. */
export function toctreePages(project: MystFiles, first: string): ListedPage[] {
  const { files, root } = project
  const read = new Set<string>()
  const front = documentFile(project, root, first)
  if (front === undefined) return []
  const below = (path: string, depth: number): ListedPage[] =>
    toctreesOf(files, path).flatMap((toctree): ListedPage[] => {
      const pages = pagesOfToctree(toctree, path, depth)
      return depth === 0 && toctree.caption !== '' && pages.length > 0
        ? [{ title: toctree.caption, children: pages, isGroup: true }]
        : pages
    })
  const pagesOfToctree = (toctree: Toctree, from: string, depth: number): ListedPage[] =>
    entryFiles(project, toctree, from, read).flatMap(({ file, url, title }): ListedPage[] => {
      if (url !== undefined) return [{ title: title ?? url, url, children: [] }]
      if (file === undefined || read.has(file) || depth > DEEPEST_CONTENTS) return []
      read.add(file)
      const children = below(file, depth + 1)
      if (isPage(file)) return [{ ...mystPage(project, file, title), children }]
      return children.length === 0 ? [] : [{ title: title ?? otherTitle(files, file), children }]
    })
  read.add(front)
  const pages = below(front, 0)
  return isPage(front) ? [mystPage(project, front), ...pages] : pages
}

const toctreesOf = (files: SourceFiles, path: string): Toctree[] =>
  toctreesIn(pageSource(files.get(path)) ?? '')

/** The title of a document of reStructuredText: its first line above a line of signs. */
function otherTitle(files: SourceFiles, path: string): string {
  const text = pageBeginning(files.get(path))
  const title = /^(\S.{0,300})\n([=\-~#*^"'+])\2{2,300}[ \t]{0,9}$/m.exec(text)?.[1]
  return title?.trim() ?? titleOfName(lastSegment(path).replace(/\.\w+$/, ''))
}

/** The files and URLs of the entries of a table of contents. Those that do not exist are added to the problems. */
export function entryFiles(
  project: MystFiles,
  { entries, isGlob, isReversed }: Toctree,
  from: string,
  read: ReadonlySet<string> = new Set(),
): { file?: string; url?: string; title?: string }[] {
  const { root, pages } = project
  const found = entries.flatMap(({ target, title }): { file?: string; url?: string; title?: string }[] => {
    const named = title === undefined || title === '' ? {} : { title }
    if (isWebAddress(target)) return [{ url: target, ...named }]
    if (target === 'self') return []
    if (isGlob && /[*?[]/.test(target)) {
      const pattern = patternBelow(target.startsWith('/') ? root : folderOf(from), target.replace(/^\//, ''))
      const matches = pathMatcher(pattern === undefined ? [] : [pattern, `${pattern}.md`])
      return pages
        .filter((path) => path !== from && !read.has(path) && matches(path))
        .map((file) => ({ file }))
    }
    const file = documentFile(project, folderOf(from), target)
    if (file !== undefined) return [{ file, ...named }]
    reportMissing(from, target, project)
    return []
  })
  return isReversed ? found.toReversed() : found
}

function reportMissing(path: string, address: string, { problems, missing }: MystFiles): void {
  const key = `${path}\n${address}`
  if (missing.has(key)) return
  missing.add(key)
  problems.push({ kind: 'missing-page', path, address, ...because('entry-left-out', { name: address }) })
}

/** What the lists of entries are called, in `_toc.yml` and `myst.yml`. */
const LISTS = ['parts', 'chapters', 'sections', 'entries', 'items', 'subtrees', 'children', 'toc']
const TITLES = ['title', 'caption', 'part']

/**
 * The tree of a table of contents in YAML.
 * @param path of its file
 */
export function yamlPages(project: MystFiles, value: unknown, path: string): ListedPage[] {
  const folder = folderOf(path)
  const pages = (part: unknown, depth: number): ListedPage[] => {
    if (depth > DEEPEST_CONTENTS) return []
    if (typeof part === 'string') return pages({ file: part }, depth)
    if (Array.isArray(part)) return part.flatMap((one: unknown) => pages(one, depth))
    if (!isRecord(part)) return []
    const children = LISTS.flatMap((list) => pages(part[list], depth + 1))
    const title = TITLES.map((name) => part[name]).find(
      (one): one is string => typeof one === 'string' && one !== '',
    )
    const { file, root, url, glob, pattern } = part
    if (typeof url === 'string' && isWebAddress(url)) return [{ title: title ?? url, url, children }]
    const globbed = [glob, pattern].find((one) => typeof one === 'string')
    if (typeof globbed === 'string') return globPages(project, folder, globbed)
    const name = typeof file === 'string' ? file : root
    if (typeof name === 'string') {
      const found = documentFile(project, folder, name)
      if (found === undefined) reportMissing(path, name, project)
      if (isPage(found)) {
        const page = mystPage(project, found, title)
        // The pages of a book are beside its front page.
        return name === root ? [page, ...children] : [{ ...page, children }]
      }
      return children.length === 0 ? [] : [{ title: title ?? titleOfName(lastSegment(name)), children }]
    }
    if (title === undefined || children.length === 0) return children
    return [{ title, children, ...(depth <= 2 ? { isGroup: true } : {}) }]
  }
  return pages(value, 0)
}

function globPages(project: MystFiles, folder: string, glob: string): ListedPage[] {
  const pattern = patternBelow(folder, glob)
  const matches = pathMatcher(pattern === undefined ? [] : [pattern, `${pattern}.md`])
  return project.pages.filter(matches).map((file) => mystPage(project, file))
}

/** Lists the notebooks of a project as problems. */
export function reportOtherDocuments(
  files: SourceFiles,
  isInProject: (path: string) => boolean,
  problems: Problem[],
): void {
  const others: Problem[] = []
  for (const path of files.keys()) {
    if (/\.ipynb$/i.test(path) && isInProject(path)) others.push({ path, ...because('page-is-notebook') })
  }
  append(problems, others)
}

/** Paths in the order of their names. */
export const inOrder = (paths: Iterable<string>): string[] => [...paths].toSorted(compareNames)

/** The path of the settings in a folder that exist first. */
export const settingsIn = (files: SourceFiles, folder: string, names: readonly string[]) =>
  names.map((name) => inFolder(folder, name)).find((path) => files.has(path))
