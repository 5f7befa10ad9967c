/** Projects of static site generators: Markdown with blocks and page trees that differ from those of Lectern. */
import { need } from '../../data/lists.ts'
import { printTitle } from '../../document/print.ts'
import { because } from '../../languages/reasons.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { ImportRefused } from '../../repository/refused.ts'
import {
  decodeAddress,
  folderOf,
  isBelow,
  isMarkdown,
  joinPath,
  lastSegment,
  titleOfName,
  pathBelow,
} from '../../text/file-paths.ts'
import { type AddressBook, relativeAddress, schemeOf, bookTarget } from '../address-book.ts'
import { bytesOf, type ConvertedSource, type SourceFiles } from '../converted.ts'
import { type DialectLine, leadingTitle, mapAddressesIn, mapOutsideCode } from '../markdown/dialect.ts'
import { splitHeadingId, withHeadingId } from '../markdown/heading-ids.ts'
import type { IncludedFiles } from '../markdown/snippets.ts'
import type { ReportPart } from '../mdx/page.ts'
import { type ListedPage, printContents, titlesInTree } from '../page-list.ts'
import {
  type Head,
  headLines,
  pageSource,
  printRedirects,
  redirectLines,
  oldPageAddresses,
} from './addresses.ts'

/** A project of a generator, as its pages are read. */
export interface Project {
  /** The folder of the pages; empty for the top of the archive. */
  root: string
  /** Folders whose files sites serve at the top of their address. */
  shared: string[]
  /** The lines of a page, without its front matter, as Lectern writes them. */
  body(source: string, files: IncludedFiles, place: ProjectPlace): DialectLine[]
  /** Folders in which the files of snippets are found. */
  snippets: string[]
  tree?: ListedPage[]
  /** The title of the site. */
  title?: string | undefined
  /** Whether a file below the root is a page, and not only included by pages. Without it, every file is one. */
  isPage?(path: string): boolean
  /**
   * The address that the generator gave to a page, without the slash before it.
   * @param path of its file in the project
   * @returns undefined if it is not known
   */
  addressOf?(path: string, head: Head): string | undefined
  /** The path below which the site had its pages, such as `docs`. Old addresses are kept with it and without it. */
  base?: string
  /** The path of the whole site on its host, such as `handbook`. Old addresses are kept with it too. */
  site?: string
  /** The redirects of the site: the address of today, or a URL, by an old address. */
  redirects?: ReadonlyMap<string, string>
  /** The path in the source of each file that has another one in the project. Addresses may be relative to either. */
  sources?: ReadonlyMap<string, string>
}

/** Where the text of a page is in the project. */
export interface ProjectPlace {
  path: string
  /** The line of the file at which the text begins after the front matter, from 1. */
  line: number
  /** Takes the parts of the text that are not converted, with their lines in it. */
  report: ReportPart
}

/** Whether a file is a page of a generator. */
export const isProjectPage = (path: string) => /\.mdx?$|\.markdown$/i.test(path)

/** The address of a file from the top of the archive. */
export const addressFromTop = (path: string): string =>
  `/${encodeURI(path).replace(/[()#?]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

/** The path of a name in a folder, which is empty for the top. */
export const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

/** Whether a folder has pages, at any depth. */
export const hasPages = (files: SourceFiles, folder: string) =>
  files.keys().some((path) => isBelow(path, folder) && isProjectPage(path))

/** All folders that have pages, at any depth. */
export function foldersWithPages(files: SourceFiles): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of files.keys()) {
    if (!isProjectPage(path)) continue
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder)
  }
  return folders
}

/** The folder of the settings of a project that is nearest to the top. */
export function settingsFolder(files: SourceFiles, name: RegExp): string | undefined {
  const folders = [...files.keys()]
    .filter((path) => name.test(lastSegment(path)) && !path.includes('node_modules/'))
    .map((path) => folderOf(path))
  const depth = (folder: string) => (folder === '' ? 0 : folder.split('/').length)
  return folders.toSorted((a, b) => depth(a) - depth(b))[0]
}

/**
 * Converts the pages of a project, and the files beside them.
 * @param name the tool, as the API writes it
 * @throws ImportRefused if the project has no page
 */
export function convertProject(files: SourceFiles, name: string, project: Project): ConvertedSource {
  const { root, shared, tree, title, base = '', site: sitePath = '', sources = new Map() } = project
  const pages = [...files.keys()].filter(
    (path) =>
      isProjectPage(path) &&
      isBelow(path, root) &&
      !path.includes('node_modules/') &&
      project.isPage?.(path) !== false,
  )
  if (pages.length === 0)
    throw new ImportRefused(
      root === ''
        ? because('import-project-without-page', { source: name })
        : because('import-project-folder-without-page', { source: name, root }),
    )
  const chosen = new Set(pages)
  const result: ConvertedSource = {
    files: new Map(),
    problems: [],
    ...(title === undefined ? {} : { title }),
    sources,
  }
  const paths = pathsOf(files, sources)
  const book: AddressBook = { paths }
  const titles = titlesInTree(tree ?? [])
  const site = oldPageAddresses(files, pages, project)
  const waiting = [...chosen]
  const isFrontPage = (path: string) => /^index\.\w+$/i.test(pathBelow(path, root))
  for (const [path, bytes] of files)
    if (!isProjectPage(path) && !isMarkdown(path)) result.files.set(path, bytes)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const source = pageSource(need(files, path))
    if (source === undefined) throw new ImportRefused(because('import-file-not-utf-8', { path }), path)
    const firstLine = headLines(source).split('\n').length - 1
    const page: PageOfProject = {
      title: titles.get(path) ?? (isFrontPage(path) ? title : undefined) ?? titleOfName(bareName(path)),
      report: (why, line) => result.problems.push({ kind: 'block', path, line: firstLine + line, ...why }),
      link: (address) =>
        addressIn(book, path, address, [root, ...shared]) ??
        site.link(path, address) ??
        addressIn(book, path, address, [root, ...shared], sources.get(path)) ??
        address,
      included: includedFiles(files, path, paths, project, (included) => {
        if (chosen.has(included) || !isProjectPage(included)) return
        chosen.add(included)
        waiting.push(included)
      }),
    }
    result.files.set(need(paths, path), bytesOf(pageText(source, path, project, page)))
  }
  const inRoot = new Map([...paths].map(([from, to]) => [from, pathBelow(to, root)]))
  const isListed = titles.size > 0 ? titles : chosen
  const settings =
    (root === '' ? '' : `root: ./${root}/\n`) +
    printRedirects(
      {
        pages: site.pages,
        base,
        site: sitePath,
        redirects: new Map([...redirectsInFiles(files, ['', root, ...shared]), ...(project.redirects ?? [])]),
      },
      (file) => (isListed.has(file) ? inRoot.get(file) : undefined),
      result.problems,
    )
  if (settings !== '') result.files.set('.gitbook.yaml', bytesOf(settings))
  if (tree && tree.length > 0) {
    result.files.set(root === '' ? 'SUMMARY.md' : `${root}/SUMMARY.md`, printContents(tree, inRoot))
  }
  return result
}

/** The new paths of files by their paths in the project and in its source. */
function pathsOf(files: SourceFiles, sources: ReadonlyMap<string, string>): Map<string, string> {
  const written = (path: string) => path.replace(/\.mdx$/i, '.md')
  const moved = [...sources].map(([path, source]): [string, string] => [source, written(path)])
  return new Map([...moved, ...[...files.keys()].map((path): [string, string] => [path, written(path)])])
}

/** The redirects that hosts of sites read of a file `_redirects` in one of these folders. */
function redirectsInFiles(files: SourceFiles, folders: readonly string[]): Map<string, string> {
  const bytes = folders.map((folder) => files.get(inFolder(folder, '_redirects'))).find(Boolean)
  return redirectLines((bytes && decodeText(bytes)) ?? '')
}

/** The input for the conversion of one page. */
interface PageOfProject {
  /** The title, if its text has none. */
  title: string
  link(address: string): string
  report: ReportPart
  included: IncludedFiles
}

function includedFiles(
  files: SourceFiles,
  from: string,
  paths: ReadonlyMap<string, string>,
  { snippets, sources }: Project,
  include: (path: string) => void,
): IncludedFiles {
  const source = sources?.get(from)
  const own = source === undefined ? [folderOf(from)] : [folderOf(source), folderOf(from)]
  return {
    find(address) {
      const bare = decodeAddress(address.replace(/^@(?:site)?\//, '/'))
      const folders = bare.startsWith('/') ? snippets : [...own, ...snippets]
      return folders
        .flatMap((folder) => joinPath(folder, bare) ?? [])
        .flatMap((path) => [path, paths.get(path) ?? path])
        .find((path) => files.has(path))
    },
    address(path) {
      include(path)
      return relativeAddress(paths.get(from) ?? from, paths.get(path) ?? path)
    },
    text: (path) => decodeText(need(files, path)),
  }
}

/**
 * The address of a page or file of the project; undefined for other addresses.
 * @param start the path that addresses are relative to
 */
function addressIn(
  book: AddressBook,
  from: string,
  address: string,
  roots: readonly string[],
  start = from,
): string | undefined {
  if (address === '' || address.startsWith('#') || address.startsWith('//') || schemeOf(address))
    return undefined
  const [path = '', ...rest] = address.split('#')
  const bare = path.replace(/^@site\//, '/')
  const forms = bare.startsWith('/')
    ? ['', ...roots].map((root) => (root === '' ? bare : `/${root}${bare}`))
    : [bare]
  const pages = forms.flatMap((one) => [
    one.replace(/\.html?$/i, ''),
    one.replace(/(?<=^|\/)index\.html?$/i, '.'),
  ])
  for (const form of [...forms, ...pages]) {
    const target = bookTarget(book, start, form)
    if (target !== undefined)
      return [relativeAddress(book.paths.get(from) ?? from, target), ...rest].join('#')
  }
  return undefined
}

/** @param text with line feeds as the ends of its lines */
function pageText(text: string, path: string, { body }: Project, page: PageOfProject): string {
  const head = headLines(text)
  const place = { path, line: head.split('\n').length, report: page.report }
  const lines = body(text.slice(head.length), page.included, place).map((line) =>
    line.isCode ? line.text : addressesIn(withHeadingId(line.text), page.link),
  )
  const content = lines.join('\n').trim()
  const hasTitle = content.startsWith('# ') || fieldIn(head, 'title') !== undefined
  const title = hasTitle ? '' : `# ${printTitle(page.title)}\n\n`
  return `${head}${head === '' ? '' : '\n'}${title}${content}\n`
}

/** Rewrites the addresses in a line: those of links and images, and those of elements and tags. */
function addressesIn(line: string, link: (address: string) => string): string {
  const rewritten = mapAddressesIn(line, link)
  if (!/<[a-z]|\{%/i.test(line)) return rewritten
  return mapOutsideCode(rewritten, (text) =>
    text.replace(
      /\b(src|href|url)="([^"]{1,2000})"/g,
      (_, name: string, address: string) => `${name}="${link(address)}"`,
    ),
  )
}

/** The title of a page in its front matter or its first heading. */
export function pageTitleIn(text: string): string | undefined {
  const head = headLines(text)
  const heading = leadingTitle(text.slice(head.length))
  return fieldIn(head, 'title') ?? (heading && splitHeadingId(heading).text.replaceAll(/[*`]/g, ''))
}

/** The name of a file without its extension and the number that sorts it. */
export const bareName = (path: string) =>
  withoutNumber(
    (/^(?:index|readme)\.\w+$/i.test(lastSegment(path)) && folderOf(path) !== ''
      ? lastSegment(folderOf(path))
      : lastSegment(path)
    ).replace(/\.\w+$/, ''),
  )

/** A name without the number that sorts it: `01-setup` becomes `setup`. */
export const withoutNumber = (name: string) => name.replace(/^\d{1,5}[-_. ]+(?=\D)/, '')

/** The value of a field in the lines of front matter. */
function fieldIn(head: string, name: string): string | undefined {
  const line = head.split('\n').find((one) => one.startsWith(`${name}:`))
  const value = line
    ?.slice(name.length + 1)
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
  return value === '' ? undefined : value
}
