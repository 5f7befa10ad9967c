/** Exports whose pages are files with the pages below them in a folder of the same name: Outline and Docmost. */
import type { Reasoned } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { need } from '../data/lists.ts'
import { assetNames, splitName } from './asset-names.ts'
import { printTitle } from '../document/print.ts'
import type { Block } from '../document/model.ts'
import { compareNames, folderOf, isMarkdown, lastSegment } from '../text/file-paths.ts'
import { ImportRefused } from '../repository/refused.ts'
import { decodeText } from '../repository/decode-text.ts'
import { schemeOf, bookTarget, relativeAddress } from './address-book.ts'
import { bytesOf, type ConvertedSource, type SourceFiles } from './converted.ts'
import { dialectLines, leadingTitle, mapAddressesIn } from './markdown/dialect.ts'
import { decodeHtml } from './html/decode.ts'
import { readMarkup } from './html/markup.ts'
import { convertedOrKept } from './kept-file.ts'
import type { MarkupElement } from './html/markup.ts'
import type { MarkupContext } from './html/markup-context.ts'
import { openPage, printHtmlPage } from './html/page.ts'
import { htmlContext } from './html-site.ts'
import { type ListedPage, placePages, printContents } from './page-list.ts'

/** The parts of an export that are particular to one tool. */
export interface FolderExport {
  /** True for a file that belongs to a page, such as a picture. */
  isAttachment(path: string): boolean
  /** The lines of Markdown for those of the tool. */
  body(source: string): string[]
  /** The blocks of an element of HTML that only this tool has. */
  block?(element: MarkupElement, context: MarkupContext): Block[] | undefined
  /** The place of a page among its siblings; pages without one follow by name. */
  position?(path: string): string | undefined
  /** The message if the archive has no page. */
  wrong: Reasoned
}

const PAGE = /\.(?:md|markdown|html)$/i
const stemOf = (path: string) => path.replace(PAGE, '')

/** Converts an export. @throws ImportRefused if it has no page */
export function convertPageFolders(files: SourceFiles, tool: FolderExport): ConvertedSource {
  const isPage = (path: string) => PAGE.test(path) && !tool.isAttachment(path)
  const pages = [...files.keys()].filter(isPage)
  if (pages.length === 0) throw new ImportRefused(tool.wrong)

  const tree = treeOf(pages, tool)
  const paths = new Map<string, string>()
  placePages(tree, paths)
  const freePath = assetNames()
  for (const path of files.keys()) {
    if (isPage(path) || !tool.isAttachment(path)) continue
    const [stem, extension] = splitName(lastSegment(path))
    paths.set(path, freePath(stem, extension))
  }

  const converted: ConvertedSource = { files: new Map(), problems: [] }
  for (const path of pages) {
    const [bytes, to] = [need(files, path), need(paths, path)]
    const file = { path, to, title: folderTitle(lastSegment(stemOf(path))), bytes }
    const text = convertedOrKept(file, converted, () => pageText(path, bytes, { paths, converted, tool }))
    converted.files.set(to, bytesOf(text))
  }
  for (const [from, to] of paths) if (!isPage(from)) converted.files.set(to, need(files, from))
  converted.files.set('SUMMARY.md', printContents(tree, paths))
  return converted
}

/** A title as it is in the name of a file: Outline writes a slash as `%2F`. */
const folderTitle = (name: string) => name.replaceAll('%2F', '/').trim() || 'Untitled'

function treeOf(pages: readonly string[], { position }: FolderExport): ListedPage[] {
  interface Node extends ListedPage {
    place: string | undefined
    children: Node[]
  }
  const top: Node = { title: '', place: undefined, children: [] }
  const nodes = new Map<string, Node>([['', top]])
  const open = (stem: string): Node => {
    const known = nodes.get(stem)
    if (known) return known
    const node: Node = { title: folderTitle(lastSegment(stem)), place: undefined, children: [] }
    nodes.set(stem, node)
    open(folderOf(stem)).children.push(node)
    return node
  }
  for (const path of pages) {
    const node = open(stemOf(path))
    node.file = path
    node.place = position?.(path)
  }
  const compare = (a: Node, b: Node) => {
    if (a.place !== undefined && b.place !== undefined && a.place !== b.place)
      return a.place < b.place ? -1 : 1
    if ((a.place === undefined) !== (b.place === undefined)) return a.place === undefined ? 1 : -1
    return compareNames(a.title, b.title)
  }
  for (const { children } of nodes.values()) children.sort(compare)
  return top.children
}

interface PageOf {
  paths: ReadonlyMap<string, string>
  converted: ConvertedSource
  tool: FolderExport
}

function pageText(path: string, bytes: Uint8Array, { paths, converted, tool }: PageOf): string {
  const title = folderTitle(lastSegment(stemOf(path)))
  if (!isMarkdown(path)) {
    const opened = openPage(readMarkup(decodeHtml(bytes, path), path))
    const context = htmlContext({ paths }, path, converted)
    const block = tool.block ? { block: tool.block } : {}
    return printHtmlPage({ title, ...opened }, { ...context, ...block })
  }
  const source = decodeText(bytes)
  if (source === undefined) throw new ImportRefused(because('import-file-not-utf-8', { path }), path)
  const link = (address: string) => {
    if (address === '' || address.startsWith('#') || schemeOf(address)) return address
    const [bare = '', ...rest] = address.split('#')
    const target = bookTarget({ paths }, path, bare)
    return target === undefined ? address : [relativeAddress(need(paths, path), target), ...rest].join('#')
  }
  const lines = dialectLines(tool.body(source).join('\n'))
  const text = lines
    .map((line) => (line.isCode ? line.text : mapAddressesIn(line.text, link)))
    .join('\n')
    .trim()
  return leadingTitle(text) === undefined ? `# ${printTitle(title)}\n\n${text}\n` : `${text}\n`
}
