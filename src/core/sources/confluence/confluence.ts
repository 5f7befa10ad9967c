import { because } from '../../languages/reasons.ts'
import { need } from '../../data/lists.ts'
import { assetNames, splitName } from '../asset-names.ts'
import { isMarkdown, lastSegment, decodeAddress } from '../../text/file-paths.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { linkAddress, relativeAddress, bookTarget } from '../address-book.ts'
import { importedAnchor } from '../anchor.ts'
import { confluenceBlock, confluenceInline, confluenceLanguage } from './confluence-macros.ts'
import { bytesOf, type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { decodeHtml } from '../html/decode.ts'
import { findAll, findFirst, hasMarkupClass, isElement, phraseIn, readMarkup } from '../html/markup.ts'
import type { MarkupElement } from '../html/markup.ts'
import { printHtmlPage } from '../html/page.ts'
import { htmlContext } from '../html-site.ts'
import { convertedOrKept, markupOrNothing } from '../kept-file.ts'
import { type ListedPage, placePages, printContents } from '../page-list.ts'

const WRONG = because('import-not-confluence')

/**
 * Converts the HTML export of a Confluence space. Its index is the page tree, and all its attachments are files.
 * @throws ImportRefused if it is another export
 */
export function convertConfluence(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  if (files.has('entities.xml')) throw new ImportRefused(because('import-backup-of-confluence'))
  const index = files.get('index.html')
  const tree = index ? treeOf(readMarkup(decodeHtml(index), 'index.html'), files) : []
  if (tree.length === 0) throw new ImportRefused(WRONG)

  const open = (path: string) => readMarkup(decodeHtml(need(files, path)), path)
  const converted: ConvertedSource = { files: new Map(), problems: [] }
  const paths = new Map<string, string>()
  const listed = titlesByFile(tree)
  for (const file of [...files.keys()].filter((path) => isPage(path) && !listed.has(path))) {
    const title = phraseIn([markupOrNothing(() => open(file))].flatMap(titleElement))
    tree.push({ title: title.replace(/^.{1,200}? : /, '') || file, file, children: [] })
  }
  placePages(tree, paths)
  const pages = [...paths.keys()]
  // Pages are read twice, because the trees of a large space together need much memory.
  const roots = pages.values().map((path) => markupOrNothing(() => open(path)))
  placeAttachments(files, roots, paths)

  const used = new Set<string>()
  const titles = titlesByFile(tree)
  const ids = new Map(pages.flatMap((path) => confluenceIds(path).map((id) => [id, path] as const)))
  const convertedText = (path: string) => {
    const root = open(path)
    const body =
      findFirst(root, ({ attributes }) => attributes.id === 'main-content') ??
      findFirst(root, (element) => hasMarkupClass(element, 'wiki-content'))
    const context = htmlContext({ paths }, path, converted)
    for (const { attributes } of body ? findAll(body, isAttachment) : [])
      for (const address of [attributes.href, attributes.src])
        if (address !== undefined) used.add(decodedPath(address))
    return printHtmlPage(
      { title: titles.get(path) ?? path, content: body?.children ?? [] },
      {
        ...context,
        block: confluenceBlock,
        inline: confluenceInline,
        language: confluenceLanguage,
        link: (address) => {
          const [id, hash = ''] = pageIdIn(address)
          const target = id === undefined ? undefined : ids.get(id)
          if (target === undefined) return linkAddress({ paths }, path, address)
          const to = relativeAddress(need(paths, path), need(paths, target))
          return hash === '' ? to : `${to}#${importedAnchor(hash)}`
        },
      },
    )
  }
  for (const path of pages) {
    const [bytes, to] = [need(files, path), need(paths, path)]
    const file = { path, to, title: titles.get(path) ?? path, bytes }
    converted.files.set(to, bytesOf(convertedOrKept(file, converted, () => convertedText(path))))
  }
  for (const [from, to] of paths) if (!isMarkdown(to)) converted.files.set(to, need(files, from))
  for (const path of paths.keys())
    if (path.startsWith('attachments/') && !used.has(path))
      converted.problems.push({ kind: 'unused-file', path, ...because('file-unused') })
  converted.files.set('SUMMARY.md', printContents(tree, paths))
  return converted
}

const isPage = (path: string) => /^[^/]+\.html$/.test(path) && path !== 'index.html'

const titleElement = (root: MarkupElement) =>
  findAll(root, ({ attributes }) => attributes.id === 'title-text').slice(0, 1)

/** The tree of pages in the index: the list of lists of links to pages of the archive. */
function treeOf(index: MarkupElement, files: SourceFiles): ListedPage[] {
  const lists = findAll(index, ({ name }) => name === 'ul')
  const pages = new Map([...files.keys()].filter(isPage).map((path) => [path, path]))
  const read = (list: MarkupElement): ListedPage[] =>
    list.children.flatMap((item): ListedPage[] => {
      if (!isElement(item, 'li')) return []
      const below = item.children.flatMap((child) => (isElement(child, 'ul') ? read(child) : []))
      const link = item.children.find((child) => isElement(child, 'a'))
      const href = isElement(link) ? (link.attributes.href ?? '') : ''
      const file = bookTarget({ paths: pages }, 'index.html', href)
      if (file === undefined || !isElement(link)) return below
      return [{ title: phraseIn(link.children) || file, file, children: below }]
    })
  return lists.flatMap(read)
}

function titlesByFile(tree: readonly ListedPage[]): Map<string, string> {
  const titles = new Map<string, string>()
  const open = [...tree]
  for (let page = open.pop(); page; page = open.pop()) {
    if (page.file !== undefined) titles.set(page.file, page.title)
    for (const child of page.children) open.push(child)
  }
  return titles
}

/** Attachments get the names that they had in Confluence: the export names them by their ids. */
function placeAttachments(
  files: SourceFiles,
  roots: Iterable<MarkupElement>,
  paths: Map<string, string>,
): void {
  const names = new Map<string, string>()
  for (const root of roots) {
    for (const { name, attributes, children } of findAll(root, isAttachment)) {
      const address = attributes.href ?? attributes.src ?? ''
      const file = decodedPath(address)
      const alias =
        attributes['data-linked-resource-default-alias'] ?? (name === 'a' ? phraseIn(children) : '')
      if (files.has(file) && alias !== '' && !names.has(file)) names.set(file, alias)
    }
  }
  const freePath = assetNames()
  for (const file of files.keys()) {
    if (!/^(?:attachments|images)\//.test(file) || file.startsWith('images/icons/')) continue
    const folder = file.split('/').slice(1, -1).join('/')
    const name = (names.get(file) ?? lastSegment(file)).replace(/[/\\\p{Cc}]/gu, '-')
    const [stem, extension] = splitName(name)
    paths.set(file, freePath(folder === '' ? stem : `${folder}/${stem}`, extension))
  }
}

function isAttachment({ name, attributes }: MarkupElement): boolean {
  return (
    (name === 'a' || name === 'img') &&
    /^(?:attachments|images)\//.test(attributes.href ?? attributes.src ?? '')
  )
}

const decodedPath = (address: string): string => decodeAddress(address.replace(/[?#].*$/s, ''))

/** The id of a page that is part of its file name: `Install_124.html` or `124.html`. */
const confluenceIds = (path: string) => [...(/(?:^|_)(\d+)\.html$/.exec(path)?.slice(1) ?? [])]

/** The id of a page and the anchor in an address of Confluence itself. */
function pageIdIn(address: string): [string?, string?] {
  const hash = /#(.*)$/s.exec(address)?.[1]
  const id =
    /\/spaces\/[^/]{1,200}\/pages\/(?:edit-v2\/)?(\d{1,20})(?:[/?#]|$)/.exec(address)?.[1] ??
    /[?&]pageId=(\d{1,20})/.exec(address)?.[1]
  return [id, hash]
}
