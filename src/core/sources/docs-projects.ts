/** Projects of Docusaurus, MkDocs and VitePress: Markdown with blocks and page trees of their own. */
import { printTitle } from '../document/print.ts'
import { isRecord } from '../data/is-record.ts'
import {
  compareNames,
  decodeAddress,
  folderOf,
  isBelow,
  isMarkdown,
  joinPath,
  lastSegment,
  titleOfName,
} from '../text/file-paths.ts'
import { ImportRefused } from '../repository/refused.ts'
import { decodeText } from '../repository/decode-text.ts'
import { readRepositoryYaml } from '../repository/yaml.ts'
import { type AddressBook, relativeAddress, schemeOf, bookTarget } from './address-book.ts'
import { colonBlocks, indentedBlocks } from './admonitions.ts'
import { bytesOf, type ConvertedSource, type SourceFiles, withoutSingleFolder } from './converted.ts'
import {
  alertLines,
  dialectLines,
  type DialectLine,
  leadingTitle,
  mapAddressesIn,
  mapOutsideCode,
} from './dialect.ts'
import { codeGroups, fencesIn, printFences } from './fences.ts'
import { mdxBlocks } from './mdx.ts'
import { type ListedPage, printContents } from './page-list.ts'
import { type IncludedFiles, withSnippets } from './snippets.ts'

interface Project {
  /** The folder of the pages; empty for the top of the archive. */
  root: string
  /** Folders whose files sites serve at the top of their address. */
  shared: string[]
  /** The lines of a page, without its front matter, as Lectern writes them. */
  body(source: string, files: IncludedFiles): DialectLine[]
  /** Folders in which the files of snippets are found. */
  snippets: string[]
  tree?: ListedPage[]
}

const isPage = (path: string) => /\.mdx?$|\.markdown$/i.test(path)

/** Converts a project of Docusaurus. */
export function convertDocusaurus(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const root = [...files.keys()].some((path) => isBelow(path, 'docs') && isPage(path)) ? 'docs' : ''
  const tree = sidebarTree(files, root)
  return converted(files, 'docusaurus', {
    root,
    shared: ['static'],
    snippets: [''],
    body: (text, included) => colonLines(mdxBlocks(dialectLines(text), included)),
    tree,
  })
}

/** Converts a project of VitePress. */
export function convertVitePress(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const config = [...files.keys()].find((path) => /(?:^|\/)\.vitepress\//.test(path)) ?? ''
  const root = config.slice(0, Math.max(0, config.indexOf('.vitepress/') - 1))
  const shared = [root === '' ? 'public' : `${root}/public`]
  return converted(files, 'vitepress', { root, shared, snippets: [root, ''], body: vitePressLines })
}

/** Converts a project of MkDocs, in the order of `nav` in its `mkdocs.yml`. */
export function convertMkDocs(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const settings = settingsOf(files)
  const root = typeof settings.docs_dir === 'string' ? settings.docs_dir.replace(/^\.?\/|\/$/g, '') : 'docs'
  const tree = Array.isArray(settings.nav) ? navTree(settings.nav, root, files, 1) : undefined
  return converted(files, 'mkdocs', {
    root,
    shared: [],
    snippets: ['', root, ...snippetFolders(settings.markdown_extensions)],
    body: mkDocsLines,
    ...(tree ? { tree } : {}),
  })
}

const colonLines = (lines: readonly DialectLine[]) =>
  dialectLines(alertLines(colonBlocks(printFences(fencesIn(lines)))).join('\n'))

function vitePressLines(text: string, files: IncludedFiles): DialectLine[] {
  const lines = withSnippets(dialectLines(withoutVue(text)), files)
  return colonLines(printFences(codeGroups(fencesIn(lines))))
}

function mkDocsLines(text: string, files: IncludedFiles): DialectLine[] {
  const lines = withSnippets(dialectLines(text), files).map((line) => line.text)
  const blocks = dialectLines(indentedBlocks(lines).join('\n'))
  const printed = printFences(fencesIn(blocks)).map(({ text: one, isCode }) => ({
    text: isCode ? one : mapOutsideCode(one, withoutAttributes),
    isCode,
  }))
  return dialectLines(alertLines(printed).join('\n'))
}

/** The folders of `pymdownx.snippets` in `mkdocs.yml`. */
function snippetFolders(extensions: unknown): string[] {
  const settings = Array.isArray(extensions) ? extensions.filter(isRecord) : []
  const paths = settings.flatMap((one) => {
    const options = one['pymdownx.snippets']
    return isRecord(options) ? [options.base_path].flat() : []
  })
  return paths.flatMap((path) => (typeof path === 'string' ? [path.replace(/^\.?\/|\/$/g, '')] : []))
}

/** Scripts and styles of pages, which VitePress runs, and its mark for a table of contents. */
function withoutVue(text: string): string {
  let inside = ''
  const lines = dialectLines(text).flatMap(({ text: line, isCode }) => {
    if (isCode) return [line]
    const name = /^<(script|style)[\s>]/.exec(line)?.[1]
    if (inside === '' && name !== undefined) inside = name
    if (inside === '') return /^\[\[toc\]\]\s{0,9}$/i.test(line) ? [] : [line]
    if (line.includes(`</${inside}>`)) inside = ''
    return []
  })
  return lines.join('\n')
}

/** Icons, and lists of attributes after links, pictures and headings: `{ .md-button }`. */
function withoutAttributes(text: string): string {
  return text
    .replace(/:(?:material|octicons|fontawesome|simple)-[\w-]{1,80}:(?:\{[^{}]{0,100}\})?/g, '')
    .replace(/\)\{[:\s]{0,3}[.#\w][^{}]{0,200}\}/g, ')')
    .replace(/^\s{0,40}\{:[^{}]{0,200}\}\s{0,9}$/, '')
}

function settingsOf(files: SourceFiles): Record<string, unknown> {
  const bytes = files.get('mkdocs.yml') ?? files.get('mkdocs.yaml')
  if (!bytes)
    throw new ImportRefused(
      'The source "mkdocs" is a zip archive of a project with its mkdocs.yml at the top; for other Markdown use the source "zip"',
    )
  // Extensions are often named with tags such as `!!python/name:`, which are not needed here.
  const text = (decodeText(bytes) ?? '').replace(/!!?[\w/:.-]{1,200}/g, '')
  const { value, fault } = readRepositoryYaml(text)
  if (fault !== undefined) throw new ImportRefused(`"mkdocs.yml" ${fault}`, 'mkdocs.yml')
  return isRecord(value) ? value : {}
}

function converted(files: SourceFiles, name: string, project: Project): ConvertedSource {
  const { root, shared, tree } = project
  const pages = [...files.keys()].filter(
    (path) => isPage(path) && isBelow(path, root) && !path.includes('node_modules/'),
  )
  if (pages.length === 0)
    throw new ImportRefused(
      `The source "${name}" is a zip archive of a project, but ${root === '' ? 'it' : `"${root}"`} has no Markdown page`,
    )
  const chosen = new Set(pages)
  const result: ConvertedSource = { files: new Map(), problems: [] }
  const paths = new Map([...files.keys()].map((path) => [path, path.replace(/\.mdx$/i, '.md')]))
  const book: AddressBook = { paths }
  const waiting = [...chosen]
  for (const [path, bytes] of files) if (!isPage(path) && !isMarkdown(path)) result.files.set(path, bytes)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = decodeText(files.get(path)!)
    if (text === undefined) throw new ImportRefused(`"${path}" is not UTF-8 text`, path)
    const page: PageOfProject = {
      link: (address) => addressIn(book, path, address, [root, ...shared]),
      included: includedFiles(files, path, paths, project, (included) => {
        if (chosen.has(included) || !isPage(included)) return
        chosen.add(included)
        waiting.push(included)
      }),
    }
    result.files.set(paths.get(path)!, bytesOf(pageText(text, path, project, page)))
  }
  const settings = root === '' ? '' : `root: ./${root}/\n`
  if (settings !== '') result.files.set('.gitbook.yaml', bytesOf(settings))
  if (tree && tree.length > 0) {
    const inRoot = new Map(
      [...paths].map(([from, to]) => [from, root === '' ? to : to.slice(root.length + 1)]),
    )
    result.files.set(root === '' ? 'SUMMARY.md' : `${root}/SUMMARY.md`, printContents(tree, inRoot))
  }
  return result
}

/** The input for the conversion of one page. */
interface PageOfProject {
  link(address: string): string
  included: IncludedFiles
}

function includedFiles(
  files: SourceFiles,
  from: string,
  paths: ReadonlyMap<string, string>,
  { snippets }: Project,
  include: (path: string) => void,
): IncludedFiles {
  return {
    find(address) {
      const bare = decodeAddress(address.replace(/^@(?:site)?\//, '/'))
      const folders = bare.startsWith('/') ? snippets : [folderOf(from), ...snippets]
      return folders
        .map((folder) => joinPath(folder, bare))
        .find((path) => path !== undefined && files.has(path))
    },
    address(path) {
      include(path)
      return relativeAddress(paths.get(from) ?? from, paths.get(path) ?? path)
    },
    text: (path) => decodeText(files.get(path)!),
  }
}

/** The address of a page or file of the project; other addresses stay. */
function addressIn(book: AddressBook, from: string, address: string, roots: readonly string[]): string {
  if (address === '' || address.startsWith('#') || address.startsWith('//') || schemeOf(address))
    return address
  const [path = '', ...rest] = address.split('#')
  const bare = path.replace(/^@site\//, '/')
  const forms = bare.startsWith('/')
    ? ['', ...roots].map((root) => (root === '' ? bare : `/${root}${bare}`))
    : [bare]
  for (const form of [...forms, ...forms.map((one) => one.replace(/\.html?$/i, ''))]) {
    const target = bookTarget(book, from, form)
    if (target !== undefined)
      return [relativeAddress(book.paths.get(from) ?? from, target), ...rest].join('#')
  }
  return address
}

function pageText(source: string, path: string, { body }: Project, page: PageOfProject): string {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const head = /^---\n[\s\S]{0,100000}?\n---(?:\n|$)/.exec(text)?.[0] ?? ''
  const lines = body(text.slice(head.length), page.included).map((line) =>
    line.isCode ? line.text : mapAddressesIn(headingWithId(line.text), page.link),
  )
  const content = lines.join('\n').trim()
  const hasTitle = content.startsWith('# ') || fieldOf(head, 'title') !== undefined
  const title = hasTitle ? '' : `# ${printTitle(titleOfName(bareName(path)))}\n\n`
  return `${head}${head === '' ? '' : '\n'}${title}${content}\n`
}

/** A heading that names its anchor, as `## Title {#anchor}`, in the way of Lectern. */
function headingWithId(line: string): string {
  if (!/^#{2,6}[ \t]/.test(line) || !line.trimEnd().endsWith('}')) return line
  const at = line.lastIndexOf('{')
  const id = /^\{:?[ \t]{0,9}#([\w.-]{1,100})[ \t]{0,9}\}$/.exec(line.slice(at).trimEnd())?.[1]
  return id === undefined ? line : `${line.slice(0, at).trimEnd()} <a href="#${id}" id="${id}"></a>`
}

/** The title of a page in its front matter or its first heading. */
function titleIn(text: string): string | undefined {
  const head = /^---\n[\s\S]*?\n---/.exec(text)?.[0] ?? ''
  const heading = leadingTitle(text.slice(head.length))?.replace(/[*`]|\s?\{#[\w-]{1,100}\}/g, '')
  return fieldOf(head, 'title') ?? heading
}

/** The name of a file without its extension and the number that sorts it. */
const bareName = (path: string) =>
  (/^(?:index|readme)\.\w+$/i.test(lastSegment(path)) && folderOf(path) !== ''
    ? lastSegment(folderOf(path))
    : lastSegment(path)
  )
    .replace(/\.\w+$/, '')
    .replace(/^\d{1,5}[-_. ]+(?=\D)/, '')

function fieldOf(head: string, name: string): string | undefined {
  const line = head.split('\n').find((one) => one.startsWith(`${name}:`))
  const value = line
    ?.slice(name.length + 1)
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
  return value === '' ? undefined : value
}

/** The tree that Docusaurus makes of folders, with positions and labels in front matter and `_category_.json`. */
function sidebarTree(files: SourceFiles, root: string): ListedPage[] {
  interface Node extends ListedPage {
    position: number
    name: string
    children: Node[]
  }
  const folders = new Map<string, Node>()
  const top: Node = { title: '', name: '', position: 0, children: [] }
  const folder = (path: string): Node => {
    if (path === root) return top
    const known = folders.get(path)
    if (known) return known
    const category = categoryOf(files.get(`${path}/_category_.json`))
    const name = lastSegment(path)
    const node: Node = {
      title: category.label ?? titleOfName(bareName(name)),
      name,
      position: category.position ?? Infinity,
      children: [],
    }
    folders.set(path, node)
    folder(folderOf(path)).children.push(node)
    return node
  }
  for (const [path, bytes] of files) {
    if (!isPage(path) || !isBelow(path, root) || /(?:^|\/)[_.]|node_modules\//.test(path)) continue
    const text = (decodeText(bytes) ?? '').slice(0, 20_000)
    const head = /^---\n[\s\S]*?\n---/.exec(text)?.[0] ?? ''
    const parent = folder(folderOf(path))
    const position = Number(fieldOf(head, 'sidebar_position') ?? Infinity)
    const stem = lastSegment(path).replace(/\.\w+$/, '')
    const title = fieldOf(head, 'sidebar_label') ?? titleIn(text) ?? titleOfName(bareName(path))
    const isIndex = /^(?:index|readme)$/i.test(stem) || stem === lastSegment(folderOf(path))
    if (isIndex && parent !== top && parent.file === undefined) {
      parent.file = path
      parent.position = Math.min(parent.position, position)
    } else parent.children.push({ title, name: stem, position, file: path, children: [] })
  }
  for (const { children } of [top, ...folders.values()])
    children.sort((a, b) =>
      a.position === b.position ? compareNames(a.name, b.name) : a.position - b.position,
    )
  return top.children
}

function categoryOf(bytes: Uint8Array | undefined): { label?: string; position?: number } {
  const text = bytes && bytes.length < 100_000 ? decodeText(bytes) : undefined
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return {}
    return {
      ...(typeof value.label === 'string' ? { label: value.label } : {}),
      ...(typeof value.position === 'number' ? { position: value.position } : {}),
    }
  } catch {
    return {}
  }
}

/** The most levels of `nav`; the reader of YAML allows no more. */
const DEEPEST_NAV = 16

function navTree(nav: readonly unknown[], root: string, files: SourceFiles, depth: number): ListedPage[] {
  if (depth > DEEPEST_NAV) return []
  const file = (path: string) => (root === '' ? path : `${root}/${path}`)
  return nav.flatMap((item): ListedPage[] => {
    if (typeof item === 'string') return pageAt(file(item), undefined, files)
    if (!isRecord(item)) return []
    return Object.entries(item).flatMap(([title, target]): ListedPage[] => {
      if (typeof target === 'string') return pageAt(file(target), title, files)
      if (!Array.isArray(target)) return []
      return [{ title, children: navTree(target, root, files, depth + 1) }]
    })
  })
}

function pageAt(file: string, title: string | undefined, files: SourceFiles): ListedPage[] {
  const bytes = files.get(file)
  if (!bytes) return []
  const own = title ?? titleIn((decodeText(bytes) ?? '').slice(0, 20_000)) ?? titleOfName(bareName(file))
  return [{ title: own, file, children: [] }]
}
