/** Books for tests: of a corpus, and of documents. */
import { hash } from 'node:crypto'
import { resolveReference, type Targets } from '../../../src/core/content/links.ts'
import { epubOf, type EpubSources } from '../../../src/core/epub/epub.ts'
import { imagePathOf, makeImage } from '../../../src/core/epub/images.ts'
import type { EpubBody, EpubBook, EpubPage, EpubReport } from '../../../src/core/epub/model.ts'
import { describeBook } from '../../../src/core/epub/package.ts'
import { settleLinks } from '../../../src/core/epub/settle.ts'
import { listReferences, referenceKey } from '../../../src/core/document/links/references.ts'
import type { ContentRef } from '../../../src/core/document/model.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import type { ReferenceTarget } from '../../../src/core/reading/body.ts'
import { contentTypeOf } from '../../../src/core/web/content-type.ts'
import type { Entry } from '../../../src/core/repository/model.ts'
import { parseSummary } from '../../../src/core/repository/contents/summary.ts'
import { epubPage } from '../../../src/sites/render/epub-page.ts'
import { type Corpus, corpusArchive } from '../../corpus.ts'
import { isLongRun } from '../../effort.ts'
import { unzip } from '../../imports/zip.ts'
import { PNG } from '../../picture.ts'

const SITE = 'https://docs.example.org'

/** A book with defaults for what a test does not look at. */
export function bookOf(pages: readonly EpubPage[], more: Partial<EpubBook> = {}): EpubBook {
  return {
    title: 'A book',
    language: 'en',
    direction: 'ltr',
    identifier: 'urn:example:book',
    modified: '2026-01-31T12:34:56.789Z',
    words: { contents: 'Contents', cover: 'Cover' },
    pages,
    ...more,
  }
}

/** Where the parts of a book come from in a test; work is done at once. */
export function sourcesOf(
  bodies: ReadonlyMap<string, EpubBody>,
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): EpubSources {
  return {
    body: async ({ id }) => bodies.get(id)!,
    image: async (key) => files.get(key),
    makePage: async (task) => epubPage(task),
    settle: async (task) => settleLinks(task),
    makeImage: async (bytes) => makeImage(bytes),
    describe: async (task) => describeBook(task),
  }
}

/** The bytes of a book, and what it does not show. */
export async function madeEpub(
  book: EpubBook,
  sources: EpubSources,
): Promise<{ bytes: Buffer; report: EpubReport }> {
  const parts = epubOf(book, sources)
  const chunks: Uint8Array[] = []
  for (;;) {
    const { done, value } = await parts.next()
    if (done) return { bytes: Buffer.concat(chunks), report: value }
    chunks.push(value)
  }
}

/** The content of a page by its Markdown. @param resolve what its references mean */
export function bodyOf(
  source: string,
  resolve: (ref: ContentRef) => ContentRef = (ref) => ref,
  targetOf: (ref: ContentRef) => ReferenceTarget | undefined = () => undefined,
): EpubBody {
  const references = new Map<string, ContentRef>()
  const targets = new Map<string, ReferenceTarget>()
  for (const { ref } of listReferences(parsePage(source).document)) {
    const meant = resolve(ref)
    references.set(referenceKey(ref), meant)
    const target = targetOf(meant)
    if (target) targets.set(referenceKey(meant), target)
  }
  const page = { hash: hash('sha256', source), source, references }
  return { page, included: new Map(), targets, scope: {}, specs: new Map() }
}

/**
 * A corpus as a book: its pages in the order of its table of contents, with their bodies and files. Only the long run
 * decompresses its images.
 */
export function corpusBook(name: Corpus): {
  book: EpubBook
  bodies: Map<string, EpubBody>
  files: Map<string, Uint8Array>
} {
  const images: string[] = []
  const files = unzip(corpusArchive(name), (path) => {
    if (isLongRun() || path.endsWith('.md')) return true
    images.push(path)
    return false
  })
  for (const path of images) files.set(path, PNG)
  const summary = [...files.keys()].find((path) => /(?:SUMMARY|TOC)\.md$/.test(path)) ?? ''
  const root = summary.slice(0, summary.lastIndexOf('/') + 1)
  const pages: EpubPage[] = []
  const paths: string[] = []
  addEntries(parseSummary(files.get(summary)?.toString() ?? '').entries, 1)
  for (const path of files.keys())
    if (path.startsWith(root) && path.endsWith('.md') && path !== summary && !paths.includes(path))
      addPage(path, undefined, 1)

  const idOf = new Map(paths.map((path, index) => [path, `page${index}`]))
  const targets: Targets = {
    pageByFile: (path) => idOf.get(path),
    fileByPath: (path) => (files.has(path) ? path : undefined),
    reusableByPath: () => undefined,
    pageByPath: () => undefined,
  }
  const bodies = new Map<string, EpubBody>()
  for (const [path, id] of idOf) {
    if (!files.has(path)) continue
    const source = files.get(path)!.toString()
    const body = bodyOf(source, (ref) => resolveReference(ref, path, targets), targetOfFile)
    bodies.set(id, body)
  }
  const language = name.endsWith('-zh') ? 'zh' : 'en'
  const book = bookOf(pages, {
    title: name,
    language,
    note: 'January 31, 2026',
    identifier: `${SITE}/${name}`,
  })
  return { book, bodies, files }

  function addEntries(entries: readonly Entry[], level: number): void {
    for (const entry of entries) {
      if (entry.kind === 'page' && entry.path !== undefined) addPage(root + entry.path, entry.title, level)
      else if (entry.kind === 'group' || entry.kind === 'page')
        pages.push({ id: `group${pages.length}`, title: entry.title, level, hasBody: false })
      if ('children' in entry) addEntries(entry.children, level + 1)
    }
  }

  function addPage(path: string, title: string | undefined, level: number): void {
    const bytes = files.get(path)
    if (!bytes || paths.includes(path)) return
    const { title: own = '', meta } = parsePage(bytes.toString())
    const { description } = meta
    pages.push({
      id: `page${paths.length}`,
      title: own || (title ?? path),
      description,
      level,
      hasBody: true,
    })
    paths.push(path)
  }

  function targetOfFile(ref: ContentRef): ReferenceTarget | undefined {
    if (ref.kind !== 'file') return undefined
    const address = `${SITE}/files/${encodeURIComponent(ref.file)}`
    const target = { href: address, name: ref.file, contentType: contentTypeOf(ref.file) }
    return { href: { href: address, title: ref.file }, image: { src: address }, file: target }
  }
}

/** The files of a book by path. */
export function filesOf(bytes: Uint8Array): Map<string, Buffer> {
  return unzip(bytes)
}

/** The path of an image in a book. */
export const pathInBook = (key: string, contentType: string): string =>
  `EPUB/${imagePathOf(key, contentType)}`
