/** Makes a book of pages: a zip archive in the EPUB format (https://www.w3.org/TR/epub-33/), part by part. */
import type { BodySource } from '../reading/body.ts'
import { imagePathOf } from './images.ts'
import type {
  EpubBody,
  EpubBook,
  EpubImage,
  EpubImageFile,
  EpubPage,
  EpubPageFile,
  EpubPageTask,
  EpubPlace,
  EpubReport,
} from './model.ts'
import { containerXml, type DescribeTask, type ManifestItem, type PlacedPage } from './package.ts'
import { makePlainFile } from './page.ts'
import { type SettleTask, wrongLinks } from './settle.ts'
import { EPUB_CSS, MATH_FONT_CSS } from './style.ts'
import { archived, type ArchivedFile, zipWriter } from '../zip/zip.ts'

/** Where the parts of a book come from, and where the work on them is done. */
export interface EpubSources {
  /** The content of a page that has some. */
  body(page: EpubPage): Promise<EpubBody>
  /** The bytes of an image; undefined if they are lost. */
  image(key: string): Promise<Uint8Array | undefined>
  /** Runs `makePageFile` in a thread; undefined if it failed, which sets the page as plain text. */
  makePage(task: EpubPageTask): Promise<EpubPageFile | undefined>
  /** Runs `settleLinks` in a thread. */
  settle(task: SettleTask): Promise<EpubPageFile>
  /** Runs `makeImage` in a thread. */
  makeImage(bytes: Uint8Array): Promise<EpubImage>
  /** Runs `describeBook` in a thread. */
  describe(task: DescribeTask): Promise<Map<string, ArchivedFile>>
}

/**
 * The bytes of a book. One page and one image at a time are in memory as they are; finished pages wait in their compressed
 * form until all are known, because their links name places in one another.
 */
export async function* epubOf(book: EpubBook, sources: EpubSources): AsyncGenerator<Uint8Array, EpubReport> {
  const report: EpubReport = { plainPages: [], lostImages: [] }
  const placed = book.pages.map((page, index) => ({ page, file: `p${index + 1}.xhtml` }))
  const files = await pageFiles(book, placed, sources, report)
  const images = imagesOf(book, files)
  const zip = zipWriter(book.modified)
  const manifest: ManifestItem[] = []
  const list = (href: string, mediaType: string, more: Partial<ManifestItem> = {}) =>
    manifest.push({ id: `i${manifest.length + 1}`, href, mediaType, ...more })

  // The first file of a book is its type, uncompressed, so that programs can read it at a fixed place.
  yield* zip.add('mimetype', archived('application/epub+zip', false))
  yield* zip.add('META-INF/container.xml', archived(containerXml()))

  list('title.xhtml', XHTML, { isRead: true })
  list('nav.xhtml', XHTML, { properties: ['nav'], isRead: true })
  list('toc.ncx', 'application/x-dtbncx+xml', { id: 'ncx' })

  for (const [name, { file, properties }] of files) {
    yield* zip.add(`EPUB/${name}`, file)
    list(name, XHTML, { properties, isRead: true })
    // A written file is not needed again. Deleting it keeps a large book from being in memory twice.
    files.delete(name)
  }

  const properties = new Set(manifest.flatMap((item) => item.properties ?? []))
  const font = properties.has('mathml') ? book.mathFont : undefined
  yield* zip.add('EPUB/style.css', archived(font ? EPUB_CSS + MATH_FONT_CSS : EPUB_CSS))
  list('style.css', 'text/css')
  if (font) {
    yield* zip.add('EPUB/math.woff2', archived(font, false))
    list('math.woff2', 'font/woff2')
  }

  const cover = pictureHref(book.cover)
  for (const [path, key] of images) {
    const bytes = await sources.image(key)
    const { file, mediaType, isUsable } = await sources.makeImage(bytes ?? new Uint8Array())
    if (!isUsable) report.lostImages.push(key)
    yield* zip.add(`EPUB/${path}`, file)
    list(path, mediaType, path === cover ? { properties: ['cover-image'] } : {})
  }

  const described = await sources.describe({
    book: { ...book, mathFont: undefined },
    pages: placed,
    manifest,
    logo: pictureHref(book.logo),
    kinds: { hasFormulas: properties.has('mathml'), hasImages: images.size > 0 },
  })
  for (const [path, file] of described) yield* zip.add(path, file)
  yield* zip.end()
  return report
}

const XHTML = 'application/xhtml+xml'

/** The files of all pages by name, with links that lead somewhere. */
async function pageFiles(
  book: EpubBook,
  placed: readonly PlacedPage[],
  sources: EpubSources,
  report: EpubReport,
): Promise<Map<string, EpubPageFile>> {
  const places = new Map(placed.map(({ page, file }) => [page.id, { ...page, file }]))
  const files = new Map<string, EpubPageFile>()
  for (const { page, file } of placed) {
    const body = page.hasBody ? await sources.body(page) : EMPTY_BODY
    const task = pageTask(book, page, body, places)
    let made = await sources.makePage(task)
    if (!made) {
      report.plainPages.push(page.id)
      made = makePlainFile(task)
    }
    files.set(file, made)
  }
  for (const [name, task] of wrongLinks(files)) files.set(name, await sources.settle(task))
  return files
}

const NOTHING: BodySource = { hash: '', source: '', references: new Map() }
const EMPTY_BODY: EpubBody = {
  page: NOTHING,
  included: new Map(),
  targets: new Map(),
  scope: {},
  specs: new Map(),
}

/** A thread gets the places of those pages alone that the page refers to. */
function pageTask(
  { language, direction }: EpubBook,
  page: EpubPage,
  body: EpubBody,
  places: ReadonlyMap<string, EpubPlace>,
): EpubPageTask {
  const needed = new Map<string, EpubPlace>()
  for (const { references } of [body.page, ...body.included.values()])
    for (const ref of references.values()) {
      const id = 'page' in ref ? ref.page : undefined
      const place = id === undefined ? undefined : places.get(id)
      if (id !== undefined && place) needed.set(id, place)
    }
  return { page, body, language, direction, places: needed }
}

/** The keys of all images by their path, in the order of the pages. */
function imagesOf(book: EpubBook, files: ReadonlyMap<string, EpubPageFile>): Map<string, string> {
  const images = new Map<string, string>()
  for (const image of [book.cover, book.logo]) {
    const path = pictureHref(image)
    if (image && path !== undefined) images.set(path, image.key)
  }
  for (const file of files.values()) for (const [path, key] of file.images) images.set(path, key)
  return images
}

function pictureHref(image: EpubImageFile | undefined): string | undefined {
  return image && imagePathOf(image.key, image.contentType)
}
