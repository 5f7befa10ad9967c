import { because } from '../../languages/reasons.ts'
import { need } from '../../data/lists.ts'
import { paragraph } from '../../document/build.ts'
import { PAGE_LIMITS } from '../../document/shape/limits.ts'
import type { Block } from '../../document/model.ts'
import {
  compareNames,
  decodeAddress,
  folderOf,
  isMarkdown,
  joinPath,
  lastSegment,
} from '../../text/file-paths.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { freeName } from '../../text/slug.ts'
import { relativeAddress } from '../address-book.ts'
import { bytesOf, type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { readCsv } from './csv.ts'
import { linkBlock } from '../html/blocks.ts'
import { decodeHtml } from '../html/decode.ts'
import { readMarkup } from '../html/markup.ts'
import { convertedOrKept } from '../kept-file.ts'
import { printBlocksPage } from '../html/page.ts'
import { textTable } from '../html/table.ts'
import { htmlContext } from '../html-site.ts'
import { notionPage } from './notion-html.ts'
import { notionMarkdown } from './notion-markdown.ts'
import { type ListedPage, placePages, printContents } from '../page-list.ts'

const WRONG = because('import-not-notion')

/** Ids at the end of names: 32 hexadecimal digits, in some exports with dashes. */
const ID = / (?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

interface NotionPage extends ListedPage {
  file: string
  children: NotionPage[]
}

/**
 * Converts an export of Notion. The folders are the page tree; pages stand in the order in which the page above them links
 * to them. A database is a page with a table.
 * @throws ImportRefused if it is another archive
 */
export function convertNotion(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const pages = [...files.keys()].filter((path) => isPage(path) && !isTwin(path, files))
  if (!pages.some((path) => isMarkdown(path) || path.endsWith('.html'))) throw new ImportRefused(WRONG)
  if (!pages.some((path) => ID.test(stemOf(path)))) throw new ImportRefused(WRONG)

  const converted: ConvertedSource = { files: new Map(), problems: [] }
  const tree = notionTree(pages, files)
  const paths = new Map<string, string>()
  placePages(tree, paths)
  placeFiles(files, paths)
  for (const page of withChildren(tree)) {
    const { file, title } = page
    const [bytes, to] = [need(files, file), need(paths, file)]
    const text = convertedOrKept({ path: file, to, title, bytes }, converted, () =>
      pageText(page, files, paths, converted),
    )
    converted.files.set(to, bytesOf(text))
  }
  for (const [from, to] of paths) if (!isPage(from)) converted.files.set(to, need(files, from))
  converted.files.set('SUMMARY.md', printContents(tree, paths))
  return converted
}

const isPage = (path: string) => /\.(?:md|html|csv)$/i.test(path) && lastSegment(path) !== 'index.html'

/** A database is exported twice: its view, and `_all.csv` with all rows. */
const isTwin = (path: string, files: SourceFiles) =>
  path.endsWith('.csv') && !path.endsWith('_all.csv') && files.has(path.replace(/\.csv$/, '_all.csv'))

const stemOf = (path: string) => path.replace(/(?:_all)?\.[a-z]+$/i, '')
const notionTitle = (path: string) => lastSegment(stemOf(path)).replace(ID, '').trim() || 'Untitled'

function notionTree(pages: readonly string[], files: SourceFiles): NotionPage[] {
  const nodes = pages.map((file): NotionPage => ({ title: notionTitle(file), file, children: [] }))
  // A folder has the name of its page, in newer exports without the id.
  const byStem = new Map<string, NotionPage>()
  for (const node of nodes) {
    const stem = stemOf(node.file)
    if (!byStem.has(stem) || !node.file.endsWith('.csv')) byStem.set(stem, node)
    const bare = stem.replace(ID, '')
    if (!byStem.has(bare)) byStem.set(bare, node)
  }
  const top: NotionPage[] = []
  for (const node of nodes) {
    const folder = folderOf(node.file)
    const parent = ancestors(folder)
      .map((path) => byStem.get(path))
      .find((one) => one && one !== node)
    ;(parent?.children ?? top).push(node)
  }
  for (const node of nodes) {
    const text = node.children.length > 1 ? (exportedText(files, node.file) ?? '') : ''
    const places = new Map(node.children.map((child) => [child, linkIndex(text, child)]))
    node.children.sort((a, b) => need(places, a) - need(places, b) || compareNames(a.title, b.title))
  }
  return top.toSorted((a, b) => compareNames(a.title, b.title))
}

function ancestors(folder: string): string[] {
  const all: string[] = []
  for (let path = folder; path !== ''; path = folderOf(path)) all.push(path)
  return all
}

/** Where a page is linked in a text. Its id is in the address. */
function linkIndex(text: string, { file }: NotionPage): number {
  const id = ID.exec(stemOf(file))?.[0].trim()
  const at = id === undefined ? -1 : text.indexOf(id)
  return at === -1 ? Infinity : at
}

/** Files get the path of their page, and their own name. */
function placeFiles(files: SourceFiles, paths: Map<string, string>): void {
  const folders = new Map([...paths].map(([from, to]) => [stemOf(from), to.replace(/\.md$/, '')]))
  const taken = new Set(paths.values())
  for (const path of files.keys()) {
    if (isPage(path) || paths.has(path) || path.endsWith('.css') || lastSegment(path) === 'index.html')
      continue
    const owner = ancestors(folderOf(path)).find((folder) => folders.has(folder))
    const folder = owner === undefined ? 'files' : need(folders, owner)
    const name = lastSegment(path)
    const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length
    const to = freeName(`${folder}/${name.slice(0, dot)}`, (one) => taken.has(one), {
      after: name.slice(dot),
    })
    taken.add(to)
    paths.set(path, to)
  }
}

function withChildren(tree: readonly NotionPage[]): NotionPage[] {
  const all: NotionPage[] = []
  const open = [...tree]
  for (let page = open.pop(); page; page = open.pop()) {
    all.push(page)
    for (const child of page.children) open.push(child)
  }
  return all
}

function exportedText(files: SourceFiles, path: string): string | undefined {
  return decodeText(files.get(path) ?? new Uint8Array())
}

function pageText(
  page: NotionPage,
  files: SourceFiles,
  paths: ReadonlyMap<string, string>,
  converted: ConvertedSource,
): string {
  const { file, title, children } = page
  const bytes = need(files, file)
  const link = (address: string) => addressIn(file, address, paths)
  if (file.endsWith('.html')) {
    const context = htmlContext({ paths }, file, converted)
    return notionPage(readMarkup(decodeHtml(bytes), file), title, {
      ...context,
      link: (address) => link(address) ?? context.link(address),
    })
  }
  const text = decodeText(bytes)
  if (text === undefined) throw new ImportRefused(because('import-file-not-utf-8', { path: file }), file)
  if (isMarkdown(file)) return notionMarkdown(text, title, (address) => link(address) ?? address)

  const [header = [], ...rows] = readCsv(text)
  const most = Math.max(0, Math.floor(PAGE_LIMITS.cells / Math.max(1, header.length)) - 1)
  if (rows.length > most)
    converted.problems.push({
      path: file,
      ...because('rows-left-out', { count: rows.length, limit: most }),
    })
  const byTitle = new Map(children.toReversed().map((child) => [child.title, child.file]))
  const cells = rows.slice(0, most).map((row) =>
    header.map((_, at): Block[] => {
      const value = row[at] ?? ''
      const target = at === 0 ? byTitle.get(fileTitle(value)) : undefined
      if (target === undefined) return [paragraph(value.replace(/\r/g, ''))]
      return [linkBlock(relativeAddress(need(paths, file), need(paths, target)), value)]
    }),
  )
  return printBlocksPage(title, header.length === 0 ? [] : [textTable(header, cells)])
}

/** A title as it is in the name of a file: Notion leaves out signs that names may not have, and cuts long ones. */
const fileTitle = (title: string) =>
  title
    .replace(/[/\\:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 50)
    .trim()

/** The new address of a page or file of the export; undefined for other addresses. */
function addressIn(from: string, address: string, paths: ReadonlyMap<string, string>): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[#/]/i.test(address)) return undefined
  const bare = address.replace(/[?#].*$/s, '')
  for (const form of new Set([decodeAddress(bare), bare])) {
    const path = joinPath(folderOf(from), form.normalize('NFC'))
    if (path === undefined) continue
    const to = paths.get(path) ?? paths.get(path.replace(/\.csv$/, '_all.csv'))
    if (to !== undefined) return relativeAddress(need(paths, from), to)
  }
  return undefined
}
