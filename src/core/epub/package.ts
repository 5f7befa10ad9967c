/** The files of a book that describe its other files: https://www.w3.org/TR/epub-33/ */
import { needLast } from '../data/lists.ts'
import type { EpubBook, EpubPage } from './model.ts'
import { titled, titleIn, xhtmlFile } from './page.ts'
import { archived, type ArchivedFile } from '../zip/zip.ts'
import { printXmlFile, xml, type XmlElement } from './print-xml.ts'

/** A file that the package lists. */
export interface ManifestItem {
  id: string
  href: string
  mediaType: string
  properties?: readonly string[]
  /** Whether it has a place in the reading order. */
  isRead?: boolean
}

/** A page and the name of its file. */
export interface PlacedPage {
  page: EpubPage
  file: string
}

/** The kinds of content that a book has besides text. */
export interface ContentKinds {
  hasFormulas: boolean
  hasImages: boolean
}

/** The file that names the package document. */
export function containerXml(): string {
  const rootfile = xml('rootfile', {
    'full-path': 'EPUB/package.opf',
    'media-type': 'application/oebps-package+xml',
  })
  return printXmlFile(
    xml('container', { version: '1.0', xmlns: 'urn:oasis:names:tc:opendocument:xmlns:container' }, [
      xml('rootfiles', {}, [rootfile]),
    ]),
  )
}

/** A book whose other files are known. */
export interface DescribeTask {
  book: EpubBook
  pages: readonly PlacedPage[]
  manifest: readonly ManifestItem[]
  /** The path of the image above the title. */
  logo: string | undefined
  kinds: ContentKinds
}

/** The files that describe a book, by path. */
export function describeBook({
  book,
  pages,
  manifest,
  logo,
  kinds,
}: DescribeTask): Map<string, ArchivedFile> {
  return new Map([
    ['EPUB/title.xhtml', archived(titleXhtml(book, logo))],
    ['EPUB/nav.xhtml', archived(navXhtml(book, pages))],
    ['EPUB/toc.ncx', archived(tocNcx(book, pages))],
    ['EPUB/package.opf', archived(packageOpf(book, manifest, kinds))],
  ])
}

/** The package document: what the book is, which files it has, and in which order they are read. */
function packageOpf(book: EpubBook, manifest: readonly ManifestItem[], kinds: ContentKinds): string {
  const { language, direction } = book
  const items = manifest.map(({ id, href, mediaType, properties = [] }) =>
    xml('item', { id, href, 'media-type': mediaType, properties: properties.join(' ') || undefined }),
  )
  const spine = manifest.filter(({ isRead }) => isRead).map(({ id }) => xml('itemref', { idref: id }))
  const root = xml(
    'package',
    {
      xmlns: 'http://www.idpf.org/2007/opf',
      version: '3.0',
      'unique-identifier': 'id',
      'xml:lang': language,
      dir: direction,
    },
    [
      metadata(book, manifest, kinds),
      xml('manifest', {}, items),
      xml('spine', { toc: 'ncx', 'page-progression-direction': direction }, spine),
    ],
  )
  return printXmlFile(root)
}

function metadata(
  { title, description, author, language, identifier, modified }: EpubBook,
  manifest: readonly ManifestItem[],
  { hasFormulas, hasImages }: ContentKinds,
): XmlElement {
  const meta = (property: string, value: string) => xml('meta', { property }, [value])
  const cover = manifest.find((item) => item.properties?.includes('cover-image'))
  const features = ['tableOfContents', 'readingOrder', 'structuralNavigation', 'displayTransformability']
  if (hasFormulas) features.push('MathML')
  return xml('metadata', { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' }, [
    xml('dc:identifier', { id: 'id' }, [identifier]),
    xml('dc:title', {}, [titled(title)]),
    xml('dc:language', {}, [language]),
    author?.trim() ? xml('dc:creator', {}, [author]) : undefined,
    description?.trim() ? xml('dc:description', {}, [description]) : undefined,
    meta('dcterms:modified', new Date(modified).toISOString().replace(/\.\d+Z$/, 'Z')),
    meta('schema:accessMode', 'textual'),
    hasImages ? meta('schema:accessMode', 'visual') : undefined,
    // Whether the text is enough without the images is not known.
    hasImages ? undefined : meta('schema:accessModeSufficient', 'textual'),
    ...features.map((feature) => meta('schema:accessibilityFeature', feature)),
    meta('schema:accessibilityHazard', 'unknown'),
    // Reading systems of EPUB 2 find the cover by this.
    cover && xml('meta', { name: 'cover', content: cover.id }),
  ])
}

/** The first page. */
function titleXhtml(book: EpubBook, logo: string | undefined): string {
  const { title, description, note } = book
  const content = xml('section', { 'epub:type': 'titlepage', class: 'title-page' }, [
    logo === undefined ? undefined : xml('img', { class: 'logo', src: logo, alt: '' }),
    xml('h1', {}, [titled(title)]),
    description?.trim() ? xml('p', { class: 'description' }, [description]) : undefined,
    note?.trim() ? xml('p', { class: 'note' }, [note]) : undefined,
  ])
  return xhtmlFile(book, title, [content], { 'epub:type': 'frontmatter' })
}

interface TocEntry {
  title: string
  file: string
  children: TocEntry[]
}

/** The tree of contents. A page whose level skips some is below the closest page before it. */
function tocOf(pages: readonly PlacedPage[]): TocEntry[] {
  const root: TocEntry[] = []
  const path: { level: number; entry: TocEntry }[] = []
  for (const { page, file } of pages) {
    const entry = { title: titled(titleIn(page)), file, children: [] }
    while (path.length > 0 && needLast(path).level >= page.level) path.pop()
    const siblings = path.at(-1)?.entry.children ?? root
    siblings.push(entry)
    path.push({ level: page.level, entry })
  }
  return root
}

/** The table of contents in the shape of the page tree. */
function navXhtml(book: EpubBook, pages: readonly PlacedPage[]): string {
  const list = (entries: readonly TocEntry[]): XmlElement =>
    xml(
      'ol',
      {},
      entries.map(({ title, file, children }) =>
        xml('li', {}, [xml('a', { href: file }, [title]), children.length > 0 ? list(children) : undefined]),
      ),
    )
  const { contents, cover } = book.words
  const [first] = pages
  const landmark = (type: string, href: string, title: string) =>
    xml('li', {}, [xml('a', { 'epub:type': type, href }, [title])])
  // Assistive software announces a landmark by its name.
  const toc = xml('nav', { 'epub:type': 'toc', id: 'toc', role: 'doc-toc', 'aria-labelledby': 'contents' }, [
    xml('h1', { id: 'contents' }, [contents]),
    list([{ title: titled(book.title), file: 'title.xhtml', children: [] }, ...tocOf(pages)]),
  ])
  const landmarks = xml('nav', { 'epub:type': 'landmarks', id: 'landmarks', hidden: 'hidden' }, [
    xml('h2', {}, [cover]),
    xml('ol', {}, [
      landmark('titlepage', 'title.xhtml', cover),
      landmark('toc', 'nav.xhtml#toc', contents),
      first && landmark('bodymatter', first.file, titled(first.page.title)),
    ]),
  ])
  return xhtmlFile(book, contents, [toc, landmarks], { 'epub:type': 'frontmatter' })
}

/** The table of contents for reading systems of EPUB 2. */
function tocNcx(book: EpubBook, pages: readonly PlacedPage[]): string {
  let order = 0
  const point = ({ title, file, children }: TocEntry): XmlElement => {
    const playOrder = ++order
    return xml('navPoint', { id: `n${playOrder}`, playOrder: String(playOrder) }, [
      xml('navLabel', {}, [xml('text', {}, [title])]),
      xml('content', { src: file }),
      ...children.map(point),
    ])
  }
  const entries = [{ title: titled(book.title), file: 'title.xhtml', children: [] }, ...tocOf(pages)]
  const root = xml('ncx', { xmlns: 'http://www.daisy.org/z3986/2005/ncx/', version: '2005-1' }, [
    xml('head', {}, [xml('meta', { name: 'dtb:uid', content: book.identifier })]),
    xml('docTitle', {}, [xml('text', {}, [titled(book.title)])]),
    xml('navMap', {}, entries.map(point)),
  ])
  return printXmlFile(root)
}
